"""A measure as a value one can write, print, compare and parse: `accuracy`, `macro-f1`, `recall[cat]`, `P@10`."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from karat.errors import OptionError, UnknownNameError
from karat.measure import MEASURES, usual
from karat.measure.average import macro
from karat.measure.cells import Cells
from karat.measure.measure import Measure, Source
from karat.measure.share import Share
from karat.measure.totals import Totals
from karat.numeric.arrays import FloatArray

Average = Literal["macro", "micro"]
MACRO: Average = "macro"
MICRO: Average = "micro"
COMMA = re.compile(r",(?![^\[]*\])")
"""Between measures, not inside the name of a class."""
WRITTEN = re.compile(
    r"(?:(macro|micro)-)?([a-z][a-z0-9.@_()='-]*?)(?:\[(.+)\])?", re.DOTALL | re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of a system: a measure, of one class or averaged over classes, with its parameter.

    >>> str(Quantity.parse("macro-f0.5")), str(Quantity.parse("recall[cat]")), str(Quantity.parse("p@10"))
    ('macro-f0.5', 'recall[cat]', 'P@10')
    """

    measure: str
    average: Average | None = None
    label: str | None = None
    parameter: float | None = None
    traits: Measure = field(init=False, repr=False, compare=False)
    """The measure's traits, by which every question decides how to treat it."""

    def __post_init__(self) -> None:
        """Look the measure up; a parameter that is not given is the usual one."""
        traits = measure_named(self.measure)
        object.__setattr__(self, "traits", traits)
        if self.parameter is None and traits.parameter is not None:
            object.__setattr__(self, "parameter", traits.parameter.default)

    def __str__(self) -> str:
        if self.label is None:
            return self.name
        return f"{self.name}[{self.label}]"

    @property
    def name(self) -> str:
        """The measure and its average, without the label."""
        name = self.traits.written(self.parameter)
        if self.average:
            return f"{self.average}-{name}"
        return name

    @property
    def arguments(self) -> dict[str, Any]:
        """The parameter by the name under which the formula takes it."""
        if self.traits.parameter is None or self.parameter is None:
            return {}
        return {self.traits.parameter.name: self.parameter}

    @property
    def counted_from(self) -> Source:
        """What it is counted from."""
        return self.traits.counted_from

    @property
    def of_classes(self) -> bool:
        """Whether this is a number per class."""
        return self.average is None and self.traits.per_class

    @property
    def averages(self) -> bool:
        """Whether this is a mean over classes."""
        return self.average == MACRO or self.traits.mean_of is not None

    def of_one_class(self) -> "Quantity":
        """Return what a mean over classes is the mean of."""
        single = self.traits.mean_of
        measure = self.measure if single is None else single.name
        return replace(self, average=None, measure=measure)

    @property
    def lower_is_better(self) -> bool:
        """Whether a small value is a good one."""
        return self.traits.lower_is_better

    @property
    def low(self) -> float:
        """The lower end of its range."""
        return self.traits.low

    @property
    def high(self) -> float:
        """The upper end of its range."""
        return self.traits.high

    @property
    def worst(self) -> float:
        """What an undefined value counts as in a ranking."""
        return self.traits.worst

    @classmethod
    def parse(
        cls, text: str, *, counted_from: Source | None = None, **parameters: float
    ) -> "Quantity":
        """Return the quantity that a text names; among the measures of one kind of tally, if that is given.

        A parameter that the text does not name, such as beta, is taken from `parameters`.
        """
        match = WRITTEN.fullmatch(text)
        if not match:
            raise OptionError(
                f"{text!r} is not a measure; write accuracy, macro-f1, recall[cat] or the like"
            )
        prefix, name, label = match.groups()
        traits, number = _read(name.replace("_", "-"), counted_from)
        average: Average | None = None
        if prefix:
            average = MACRO if prefix.lower() == MACRO else MICRO
        may_average = traits.per_class or traits.pools
        if (average and not may_average) or (label and not traits.per_class):
            raise OptionError(
                f"{traits.name} is of the whole table, without classes and averages; "
                f"write {traits.name}, not {text!r}"
            )
        if average and label:
            raise OptionError(f"{text!r} names an average and one class; write one of them")
        if number is None and traits.parameter is not None:
            number = parameters.get(traits.parameter.name)
        return cls(traits.name, average, label, number)


def measure_named(name: str) -> Measure:
    """Return the measure of this name."""
    measure = MEASURES[name]
    if not isinstance(measure, Measure):
        raise OptionError(
            f"{name!r} is a {type(measure).__name__}, not a measure; give its traits with karat.measure.measure.measure"
        )
    return measure


def _read(text: str, counted_from: Source | None) -> tuple[Measure, float | None]:
    """Return the measure that a text names, and the parameter in it."""
    exact = built_in_name(text)
    if exact is not None:
        # Other measures are not loaded where the name is the measure's own.
        measure = measure_named(exact)
        if counted_from in {None, measure.counted_from}:
            return measure, None
    for name in MEASURES:
        measure = measure_named(name)
        if counted_from not in {None, measure.counted_from}:
            continue
        if text.lower() == name.lower():
            return measure, None
        for spelling in _spellings(text, measure):
            if spelling.lower() == measure.name.lower():
                return measure, None
            number = _parameter_in(spelling, measure)
            if number is not None:
                return measure, number
    raise UnknownNameError("measure", text, MEASURES)


def built_in_name(text: str) -> str | None:
    """Return karat's own measure of this name, in upper or lower case; those of other packages take time to find.

    >>> built_in_name("ndcg"), built_in_name("Accuracy"), built_in_name("nonsense")
    ('nDCG', 'accuracy', None)
    """
    same = [name for name in MEASURES.built_in if name.lower() == text.lower()]
    return same[0] if same else None


def _parameter_in(text: str, measure: Measure) -> float | None:
    """Return the parameter in a text that names this measure with one; None in any other."""
    if measure.parameter is None:
        return None
    return measure.parameter.read(text)


def _spellings(text: str, measure: Measure) -> list[str]:
    """Return a text as it is, and with an alias of the measure replaced by its name."""
    spellings = [text]
    head, at, tail = text.partition("@")
    if head.lower() in measure.aliases:
        spellings.append(measure.name + at + tail)
    return spellings


def evaluate(quantity: Quantity, totals: Totals) -> Share | Cells | FloatArray:
    """Return the share, the cells of an F, or the value of what is neither."""
    result: Share | Cells | FloatArray = quantity.traits(totals, **quantity.arguments)
    if quantity.average is None:
        return result
    if quantity.average == MACRO:
        return macro(_values(result), totals, undefined=quantity.worst)
    if isinstance(result, Share | Cells):
        return result.pooled()
    pooled: FloatArray = quantity.traits(totals.pooled(), **quantity.arguments)
    return pooled[..., 0]


def values(quantity: Quantity, totals: Totals) -> FloatArray:
    """Return the number itself; NaN where it is undefined."""
    return _values(evaluate(quantity, totals))


def _values(result: Share | Cells | FloatArray) -> FloatArray:
    if isinstance(result, Share | Cells):
        return result.values
    return result


def choose(
    requested: str | Sequence[str] | None,
    *,
    positive: str | None = None,
    classes: bool = False,
    scores: bool = False,
    distributions: bool = False,
    beta: float = 1.0,
) -> tuple[Quantity, ...]:
    """Return the measures to compute: the requested ones, or the usual ones.

    A measure of classes without a class is of the positive one, if there is one; else it is the mean over classes,
    or, where every class is requested, all of them. Answers are scores, or else labels; where there may be
    distributions beside the labels, measures of these are taken too.

    >>> [str(quantity) for quantity in choose(None, positive="yes")]
    ['accuracy', 'precision[yes]', 'recall[yes]', 'f1[yes]']
    >>> [str(quantity) for quantity in choose(None)]
    ['accuracy', 'macro-precision', 'macro-recall', 'macro-f1']
    """
    if not 0 <= beta < math.inf:
        raise OptionError(
            f"--beta is {beta}; it is how much more recall weighs than precision, so 0 or more"
        )
    texts = _texts(requested, classes=classes, scores=scores)
    parsed = [Quantity.parse(text.strip(), beta=beta) for text in texts]
    for quantity in parsed:
        _check_source(quantity, scores=scores, distributions=distributions)
    return tuple(_settled(quantity, positive, classes=classes) for quantity in parsed)


def _texts(requested: str | Sequence[str] | None, *, classes: bool, scores: bool) -> Sequence[str]:
    """Return the names of the measures to compute."""
    if isinstance(requested, str):
        return COMMA.split(requested)
    if requested is not None:
        return requested
    if scores:
        return usual.OF_SCORES
    if classes:
        return usual.OF_CLASSES
    return (usual.RIGHT_ANSWERS, *usual.OF_CLASSES)


ELSEWHERE = {
    "curve": "it is for scores only",
    "confidences": "it is of distributions over labels",
    "ranking": "it is of ranked lists, whose scores are grouped by query",
    "numbers": "it is of numbers; use karat stability --measure {}",
    "boxes": "it is of boxes in images, such as COCO's files",
    "counts": "it is of counts, such as 42/100",
    "texts": "it is of whole texts; use it without measures of another kind, as --measure CER,WER",
    "spans": "it is of the spans of whole documents; use it without measures of another kind",
    "samples": "it is of samples of items; use {} by itself",
}
"""What to do about a measure that is counted from something else."""


def _check_source(quantity: Quantity, *, scores: bool, distributions: bool) -> None:
    """Refuse a measure that cannot be counted from these answers."""
    source = quantity.counted_from
    source_here = "curve" if scores else "confusion"
    if source == source_here:
        return
    if source == "confidences" and distributions and not scores:
        if math.isfinite(quantity.high):
            return
        remedy = (
            "it has no largest value, and so no interval here; use karat stability --measure {}"
        )
    elif source == "confusion":
        remedy = "give the score from which on an answer is yes with --threshold"
    else:
        remedy = ELSEWHERE[source]
    raise OptionError(
        f"{quantity} cannot be computed from these answers: {remedy.format(quantity)}"
    )


def _settled(quantity: Quantity, positive: str | None, *, classes: bool) -> Quantity:
    """Return a measure of classes for the positive class, or averaged, unless a class or all classes are requested."""
    if classes or quantity.label is not None or not quantity.of_classes:
        return quantity
    if positive is not None:
        return replace(quantity, label=positive)
    return replace(quantity, average=MACRO)
