"""A measure as a value: its formula, and the traits by which every question decides how to treat it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Source = Literal[
    "confusion",
    "curve",
    "confidences",
    "ranking",
    "numbers",
    "boxes",
    "counts",
    "texts",
    "spans",
    "samples",
]
"""What a measure is counted from: labels, scores, distributions, ranked lists, numbers, boxes, bare counts, whole
texts, the spans of whole documents, or several samples of each item.
"""
Unit = Literal["character", "word", "bag"]
"""What the edits of a text are counted in; a bag is of words without their order."""
NUMBER = r"(\d+(?:\.\d+)?)"
WHOLE = r"([1-9]\d{0,17})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """The number in a measure's name, as in f0.5, top-5-accuracy and P@10."""

    name: str
    """The keyword by which the formula takes it."""
    form: str
    """How the measure is written with it; {} is the place of the number."""
    default: float | None = None
    """What it is where the name has no number; None leaves it out."""
    whole: bool = False
    """Whether it counts something, from 1 up."""

    def written(self, value: float) -> str:
        """Return the measure's name with this number."""
        if self.whole:
            return self.form.format(int(value))
        return self.form.format(f"{value:g}")

    def read(self, text: str) -> float | None:
        """Return the number in a measure's name; None where the text has another form."""
        before, after = self.form.split("{}")
        number = WHOLE if self.whole else NUMBER
        pattern = re.escape(before) + number + re.escape(after)
        match = re.fullmatch(pattern, text, re.IGNORECASE)
        if match is None:
            return None
        if self.whole:
            return int(match[1])
        return float(match[1])


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Measure:
    """What a measure is. No other file asks for its name: every question goes by these traits.

    What the formula of a confusion returns decides how it is bounded: a `Share` by the bounds of shares, `Cells` by
    those of F, a plain number by the delta method. A `Share` whose trials do not depend on the answer is compared in
    pairs.
    """

    name: str
    """As one writes it, such as error-rate."""
    function: Callable[..., Any]
    counted_from: Source
    per_class: bool = False
    """Whether it is one number a class, or an average over classes; otherwise it is of the whole table."""
    lower_is_better: bool = False
    low: float = 0.0
    high: float = 1.0
    """The ends of its range: intervals stay inside, and that of an undefined value is the whole range."""
    mean_of: "Measure | None" = None
    """The measure of one class that it is the mean of, over the classes of the truth."""
    parameter: Parameter | None = None
    bounded_by: Literal["delong", "steps", "prevalence", "resampled"] = "resampled"
    """How a number of a curve is bounded. Steps: it depends only on the negatives down to each positive.

    Prevalence: an area at a prevalence that may be another than that of the data.
    """
    order_under_noise: str | None = None
    """The name in `karat.doubt.label_noise` of the order it makes, where that has a distribution of its own."""
    looks_at_judged: bool = False
    """Whether a number of rankings needs the places of judged documents that are not relevant, or their grades."""
    unit: Unit | None = None
    """What the edits of texts are counted in."""
    aliases: tuple[str, ...] = ()
    """Other names for it among the measures that are counted from the same tally."""

    def __post_init__(self) -> None:
        """Let the docstring be the formula's, so that `help`, doctest and `karat cite` read it."""
        for name in ("__doc__", "__module__", "__name__", "__qualname__"):
            self.__dict__[name] = getattr(self.function, name)
        self.__dict__["__wrapped__"] = self.function

    def __repr__(self) -> str:
        return f"<measure {self.name}>"

    def __reduce__(self) -> str:
        """Be pickled by name: in its module it has replaced the function of its formula."""
        name: str = self.__dict__["__qualname__"]
        return name

    def __call__(self, *tally: Any, **parameter: float) -> Any:
        """Return what the formula makes of a tally."""
        return self.function(*tally, **parameter)

    @property
    def worst(self) -> float:
        """What an undefined value counts as in a ranking."""
        return self.high if self.lower_is_better else self.low

    @property
    def over_units(self) -> bool:
        """Whether it is a ratio of sums over texts or items, pooled or averaged, and bounded over these."""
        return self.counted_from in {"texts", "spans", "samples"}

    @property
    def pools(self) -> bool:
        """Whether all units are pooled, so that the mean over them is another number: micro and macro."""
        return self.counted_from in {"texts", "spans"}

    def written(self, parameter: float | None) -> str:
        """Return the name with its parameter."""
        if self.parameter is None or parameter is None:
            return self.name
        return self.parameter.written(parameter)


def measure(
    counted_from: Source, *, name: str | None = None, **traits: Any
) -> Callable[[Callable[..., Any]], Measure]:
    """Return the decorator that makes a measure of a formula, by stating its traits.

    The measure is called as the formula is, a hyphen for an underscore, unless a name is given.
    """

    def made(function: Callable[..., Any]) -> Measure:
        own = function.__name__.replace("_", "-") if name is None else name
        return Measure(name=own, function=function, counted_from=counted_from, **traits)

    return made
