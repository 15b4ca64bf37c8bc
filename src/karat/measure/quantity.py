"""A measure as a value one can write, print, compare and parse: `accuracy`, `macro-f1`, `recall[cat]`."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from karat.errors import OptionError
from karat.index import Index
from karat.measure import MEASURES
from karat.measure.average import macro
from karat.measure.f import Cells
from karat.measure.f import pooled as pooled_cells
from karat.measure.share import Share, pooled
from karat.measure.totals import Totals
from karat.numeric.arrays import FloatArray

Average = Literal["macro", "micro"]
MACRO: Average = "macro"
MICRO: Average = "micro"
CURVE = {"roc-area", "average-precision"}
"""Measures of scores, before any of them is called yes."""
TOTAL = {"share", "accuracy", "error-rate", "balanced-accuracy", *CURVE}
"""Measures of the whole table; the others are of one class, or an average over classes."""
OF_RANKINGS = {"P", "R", "AP", "RR"}
"""Measures of rankings, averaged over queries; maybe of the first k places only, as P@10."""
COMMA = re.compile(r",(?![^\[]*\])")
"""Between measures, not inside the name of a class."""
WRITTEN = re.compile(r"(?:(macro|micro)-)?([a-z-]+?)(\d+(?:\.\d+)?)?(?:\[(.+)\])?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number to be had from a confusion.

    >>> str(Quantity.parse("macro-f0.5")), str(Quantity.parse("recall[cat]"))
    ('macro-f0.5', 'recall[cat]')
    """

    measure: str
    average: Average | None = None
    label: str | None = None
    beta: float = 1.0

    def __str__(self) -> str:
        return self.name + (f"[{self.label}]" if self.label is not None else "")

    @property
    def name(self) -> str:
        """The measure and its average, without the label."""
        name = f"f{self.beta:g}" if self.measure == "f" else self.measure
        return f"{self.average}-{name}" if self.average else name

    @property
    def averages(self) -> bool:
        """Whether this is a mean over classes."""
        return self.average == MACRO or self.measure == "balanced-accuracy"

    def of_one_class(self) -> "Quantity":
        """Return what a mean over classes is the mean of."""
        return replace(
            self,
            average=None,
            measure="recall" if self.measure == "balanced-accuracy" else self.measure,
        )

    @property
    def lower_is_better(self) -> bool:
        """Whether a small value is a good one."""
        return self.measure == "error-rate"

    @property
    def worst(self) -> float:
        """What an undefined value counts as in a ranking."""
        return float(self.lower_is_better)

    @classmethod
    def parse(cls, text: str, *, beta: float = 1.0) -> "Quantity":
        """Return the quantity that a text names."""
        name, bracket, label_part = text.partition("[")
        match = WRITTEN.fullmatch(name.lower() + bracket + label_part)
        if not match or (match[3] and match[2] != "f"):
            raise OptionError(
                f"{text!r} is no measure; write accuracy, macro-f1, recall[cat] or the like"
            )
        measure, number, label = match[2], match[3], match[4]
        average: Average | None = {"macro": MACRO, "micro": MICRO}.get(match[1])
        MEASURES[measure]  # an unknown name is refused here, with the nearest one
        if measure in TOTAL and (average or label):
            raise OptionError(
                f"{measure} is of the whole table; it has no class and no average, so {text!r} means nothing"
            )
        if average and label:
            raise OptionError(f"{text!r} asks for an average and for one class; write one of them")
        return cls(measure, average, label, float(number) if number else beta)

    @property
    def of_classes(self) -> bool:
        """Whether this is a number per class."""
        return self.average is None and self.measure.partition("@")[0] not in {*TOTAL, *OF_RANKINGS}


def evaluate(
    quantity: Quantity, totals: Totals, *, measures: Index = MEASURES
) -> Share | Cells | FloatArray:
    """Return the share, the cells of an F, or, for a mean over classes, its value."""
    function = measures[quantity.measure]
    result: Share | Cells | FloatArray = (
        function(totals, beta=quantity.beta) if quantity.measure == "f" else function(totals)
    )
    if quantity.average == "macro" and isinstance(result, Share | Cells):
        return macro(result.values, totals)
    if quantity.average == "micro":
        return (
            pooled_cells(result)
            if isinstance(result, Cells)
            else pooled(result)
            if isinstance(result, Share)
            else result
        )
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
    beta: float = 1.0,
) -> tuple[Quantity, ...]:
    """Return what to compute: what was asked for, or what people look at first.

    A measure of classes without a class is of the positive one, if there is one; else it is the mean over classes,
    or, where every class is wanted, all of them.

    >>> [str(quantity) for quantity in choose(None, positive="yes")]
    ['accuracy', 'precision[yes]', 'recall[yes]', 'f1[yes]']
    >>> [str(quantity) for quantity in choose(None)]
    ['accuracy', 'macro-precision', 'macro-recall', 'macro-f1']
    """
    usual = (
        sorted(CURVE, reverse=True)
        if scores
        else ["accuracy"] * (not classes) + ["precision", "recall", "f"]
    )
    if not 0 <= beta < math.inf:
        raise OptionError(
            f"--beta is {beta}; it says how much more recall weighs, so it is 0 or more"
        )
    texts = (
        usual if asked is None else COMMA.split(asked) if isinstance(asked, str) else list(asked)
    )
    parsed = [Quantity.parse(text.strip(), beta=beta) for text in texts]
    if misfits := [quantity for quantity in parsed if scores != (quantity.measure in CURVE)]:
        remedy = (
            "say from which score on an answer is yes with --threshold"
            if scores
            else "it is for scores alone"
        )
        raise OptionError(f"{misfits[0]} is not to be had from these answers: {remedy}")
    return tuple(_settled(quantity, positive, classes=classes) for quantity in parsed)


def _settled(quantity: Quantity, positive: str | None, *, classes: bool) -> Quantity:
    if classes or quantity.label is not None or not quantity.of_classes:
        return quantity
    return (
        replace(quantity, label=positive)
        if positive is not None
        else replace(quantity, average="macro")
    )
