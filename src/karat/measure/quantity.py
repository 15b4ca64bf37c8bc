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
    r"(?:(macro|micro)-)?([a-z][a-z0-9.@-]*?)(?:\[(.+)\])?", re.DOTALL | re.IGNORECASE
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
    """What the measure is; every decision goes by this."""

    def __post_init__(self) -> None:
        """Look the measure up; a parameter that is not given is the usual one."""
        traits = measure_named(self.measure)
        object.__setattr__(self, "traits", traits)
        if self.parameter is None and traits.parameter is not None:
            object.__setattr__(self, "parameter", traits.parameter.default)

    def __str__(self) -> str:
        return self.name if self.label is None else f"{self.name}[{self.label}]"

    @property
    def name(self) -> str:
        """The measure and its average, without the label."""
        name = self.traits.written(self.parameter)
        return f"{self.average}-{name}" if self.average else name

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
        return replace(self, average=None, measure=self.measure if single is None else single.name)

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
                f"{text!r} is no measure; write accuracy, macro-f1, recall[cat] or the like"
            )
        traits, number = _read(match[2], counted_from)
        label = match[3]
        average: Average | None = None
        if match[1]:
            average = MACRO if match[1].lower() == MACRO else MICRO
        if not traits.per_class and (average or label):
            raise OptionError(
                f"{traits.name} is of the whole table; it has no class and no average, so {text!r} means nothing"
            )
        if average and label:
            raise OptionError(f"{text!r} asks for an average and for one class; write one of them")
        if number is None and traits.parameter is not None:
            number = parameters.get(traits.parameter.name)
        return cls(traits.name, average, label, number)


def measure_named(name: str) -> Measure:
    """Return the measure of this name."""
    found = MEASURES[name]
    if not isinstance(found, Measure):
        raise OptionError(
            f"{name!r} is no measure, but {type(found).__name__}; state its traits with karat.measure.measure.measure"
        )
    return found


def _read(text: str, counted_from: Source | None) -> tuple[Measure, float | None]:
    """Return the measure that a name is of, and the parameter in it."""
    names = {name.lower(): name for name in MEASURES}
    exact = names.get(text.lower())
    if exact is not None and counted_from in {None, measure_named(exact).counted_from}:
        return measure_named(exact), None
    for one in map(measure_named, MEASURES):
        if counted_from not in {None, one.counted_from}:
            continue
        for own in _spellings(text, one):
            if own.lower() == one.name.lower():
                return one, None
            number = one.parameter.read(own) if one.parameter is not None else None
            if number is not None:
                return one, number
    raise UnknownNameError("measure", text, MEASURES)


def _spellings(text: str, one: Measure) -> list[str]:
    """Return a text as it stands, and with an alias of the measure replaced by its name."""
    spellings = [text]
    for alias in one.aliases:
        head, at, tail = text.partition("@")
        if head.lower() == alias:
            spellings.append(one.name + at + tail)
    return spellings


def evaluate(quantity: Quantity, totals: Totals) -> Share | Cells | FloatArray:
    """Return the share, the cells of an F, or the value of what is neither."""
    result: Share | Cells | FloatArray = quantity.traits(totals, **quantity.arguments)
    if quantity.average == MACRO:
        each = result.values if isinstance(result, Share | Cells) else result
        return macro(each, totals, undefined=quantity.worst)
    if quantity.average == MICRO and isinstance(result, Share | Cells):
        return result.pooled()
    if quantity.average == MICRO:
        pooled: FloatArray = quantity.traits(totals.pooled(), **quantity.arguments)
        return pooled[..., 0]
    return result


def values(quantity: Quantity, totals: Totals) -> FloatArray:
    """Return the number itself; NaN where it is undefined."""
    result = evaluate(quantity, totals)
    return result.values if isinstance(result, Share | Cells) else result


def choose(
    asked: str | Sequence[str] | None,
    *,
    positive: str | None = None,
    classes: bool = False,
    scores: bool = False,
    distributions: bool = False,
    beta: float = 1.0,
) -> tuple[Quantity, ...]:
    """Return what to compute: what was asked for, or what people look at first.

    A measure of classes without a class is of the positive one, if there is one; else it is the mean over classes,
    or, where every class is wanted, all of them. Answers are scores, or else labels; where there may be distributions
    beside the labels, measures of these are taken too.

    >>> [str(quantity) for quantity in choose(None, positive="yes")]
    ['accuracy', 'precision[yes]', 'recall[yes]', 'f1[yes]']
    >>> [str(quantity) for quantity in choose(None)]
    ['accuracy', 'macro-precision', 'macro-recall', 'macro-f1']
    """
    if not 0 <= beta < math.inf:
        raise OptionError(
            f"--beta is {beta}; it says how much more recall weighs, so it is 0 or more"
        )
    parsed = [
        Quantity.parse(text.strip(), beta=beta)
        for text in _texts(asked, classes=classes, scores=scores)
    ]
    for quantity in parsed:
        _check_source(quantity, scores=scores, distributions=distributions)
    return tuple(_settled(quantity, positive, classes=classes) for quantity in parsed)


def _texts(asked: str | Sequence[str] | None, *, classes: bool, scores: bool) -> Sequence[str]:
    """Return the names of the measures to compute."""
    if isinstance(asked, str):
        return COMMA.split(asked)
    if asked is not None:
        return asked
    if scores:
        return usual.OF_SCORES
    if classes:
        return usual.OF_CLASSES
    return (usual.RIGHT_ANSWERS, *usual.OF_CLASSES)


ELSEWHERE = {
    "curve": "it is for scores alone",
    "confidences": "it is of distributions over labels",
    "ranking": "it is of ranked lists, whose scores are grouped by query",
    "numbers": "it is of numbers; ask karat stability --measure {}",
    "counts": "it is of counts alone, such as 42/100",
}
"""What to do about a measure that is counted from something else."""


def _check_source(quantity: Quantity, *, scores: bool, distributions: bool) -> None:
    """Refuse a measure that cannot be counted from these answers."""
    wanted = "curve" if scores else "confusion"
    source = quantity.counted_from
    if source == wanted:
        return
    if source == "confidences" and distributions and not scores:
        if math.isfinite(quantity.high):
            return
        remedy = (
            "it has no largest value, and so no interval here; ask karat stability --measure {}"
        )
    elif source == "confusion":
        remedy = "say from which score on an answer is yes with --threshold"
    else:
        remedy = ELSEWHERE[source]
    raise OptionError(
        f"{quantity} cannot be computed from these answers: {remedy.format(quantity)}"
    )


def _settled(quantity: Quantity, positive: str | None, *, classes: bool) -> Quantity:
    if classes or quantity.label is not None or not quantity.of_classes:
        return quantity
    if positive is not None:
        return replace(quantity, label=positive)
    return replace(quantity, average=MACRO)
