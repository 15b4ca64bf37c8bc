"""Averages over classes and numbers of the whole table: how far they may be off, by their derivatives."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from karat.doubt.interval import Interval, Side, tails
from karat.measure.quantity import MICRO, Quantity, values
from karat.measure.totals import Totals, totals
from karat.numeric.arrays import FloatArray
from karat.tally.votes.confusion import Confusion

HALF = 0.5
MARGINS = ("hits", "truth", "answered")
STEP = 1e-4
"""How far a margin is moved to see what the number does, as a part of itself."""
AT_ONCE = 2_000_000
"""Numbers held at a time where every margin is moved alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """The derivatives of a number by each class's hits, truths and answers, and by the number of items."""

    hit: FloatArray
    truth: FloatArray
    answer: FloatArray
    item: float


def delta(
    quantity: Quantity, confusion: Confusion, *, level: float = 0.95, side: Side = "both"
) -> Interval:
    """Where does an average over classes, or a number of the whole table, lie, given how few items were seen?

    value ± z √(Σ n(t,a) I(t,a)²), I the derivative of the number by the cell (truth t, answer a), cut at the ends of
    its range. Before the derivative is taken half a hit, half a miss and half a false answer are added to every class,
    so that a class without an error does not pass for certain. For a number of the whole table the miss of one class is
    the false answer of another, so that no margin is more than the items. Approximate: independent items, many of
    them; how well it holds is shown by bench/coverage/averages.py and bench/coverage/whole_table.py.
    Reference: Takahashi et al., Confidence interval for micro-averaged F1 and macro-averaged F1 scores, Applied
    Intelligence 52, 2022. doi:10.1007/s10489-021-02635-5
    """
    from scipy.special import ndtri  # noqa: PLC0415 (wanted only here)

    margins = totals(confusion)
    value = np.asarray(values(quantity, margins), float)
    error = np.sqrt(_variance(quantity, confusion, margins))
    below, above = tails(level, side)
    low = np.full(value.shape, quantity.low)
    high = np.full(value.shape, quantity.high)
    known = ~np.isnan(value)
    if below:
        low = np.where(known, np.maximum(quantity.low, value + ndtri(below) * error), low)
    if above:
        high = np.where(known, np.minimum(quantity.high, value - ndtri(above) * error), high)
    return Interval(low, high, level, "delta")


def _variance(quantity: Quantity, confusion: Confusion, margins: Totals) -> FloatArray:
    """Return Σ n I², of each class if the quantity is one of classes."""
    if not margins.classes.any():
        return np.zeros(len(margins.labels) if quantity.of_classes else ())
    if quantity.of_classes:
        return _variance_of_classes(quantity, margins)
    if quantity.averages or quantity.average == MICRO:
        return _variance_of_average(quantity, confusion, margins)
    return _variance_of_table(quantity, confusion, margins)


def _smoothed(margins: Totals, *, errors: float) -> Totals:
    """Return the margins with half a hit, miss and false answer for each class; `errors` of the latter are items."""
    classes = margins.classes
    return Totals(
        margins.labels,
        margins.hits + HALF * classes,
        margins.truth + 2 * HALF * classes,
        margins.answered + 2 * HALF * classes,
        margins.total + (1 + errors) * HALF * classes.sum(),
    )


def _variance_of_average(quantity: Quantity, confusion: Confusion, margins: Totals) -> FloatArray:
    classes = margins.classes
    slopes = _slopes_of_average(quantity, _smoothed(margins, errors=2))
    hit = slopes.hit + slopes.truth + slopes.answer + slopes.item
    missed = slopes.truth + slopes.item
    false = slopes.answer + slopes.item
    added = [(HALF * classes * part**2).sum() for part in (hit, missed, false)]
    return np.asarray(_seen(slopes, confusion, margins) + sum(added))


def _variance_of_table(quantity: Quantity, confusion: Confusion, margins: Totals) -> FloatArray:
    """Return Σ n I² of a number that may depend on all margins at once."""
    classes = margins.classes
    slopes = _slopes_of_table(quantity, _smoothed(margins, errors=1))
    hit = slopes.hit + slopes.truth + slopes.answer + slopes.item
    added = (HALF * classes * hit**2).sum()
    # Half an error of each class, its answer any other class alike: Σ over a ≠ t of (x_t + y_a)².
    missed = (slopes.truth + slopes.item)[classes]
    false = slopes.answer[classes]
    others = len(missed) - 1
    if others:
        squares = missed**2 + (false**2).sum() / others - false**2 / others
        products = 2 * missed * (false.sum() - false) / others
        added += HALF * (squares + products).sum()
    else:
        added += HALF * (missed**2).sum()
    return np.asarray(_seen(slopes, confusion, margins) + added)


def _variance_of_classes(quantity: Quantity, margins: Totals) -> FloatArray:
    """Return Σ n I² of each class, whose number depends on its own margins alone."""
    smooth = Totals(
        margins.labels,
        margins.hits + HALF,
        margins.truth + 2 * HALF,
        margins.answered + 2 * HALF,
        margins.total + 3 * HALF,
    )

    def value(moved: Totals) -> FloatArray:
        return values(quantity, moved)

    by_hit, by_truth, by_answer, by_item = (
        _slope(value, smooth, name) for name in (*MARGINS, "total")
    )
    missed = smooth.truth - smooth.hits
    false = smooth.answered - smooth.hits
    rest = margins.total - margins.truth - margins.answered + margins.hits
    return np.asarray(
        smooth.hits * (by_hit + by_truth + by_answer + by_item) ** 2
        + missed * (by_truth + by_item) ** 2
        + false * (by_answer + by_item) ** 2
        + rest * by_item**2
    )


def _seen(slopes: Slopes, confusion: Confusion, margins: Totals) -> float:
    """Return Σ n I² over the cells of the confusion."""
    # Codes of the confusion, -1 for missing, find the derivative of their class; nothing and missing have none.
    place = {text: code for code, text in enumerate(margins.labels)}
    codes = np.array([*(place.get(text, -1) for text in confusion.labels), -1])
    by_hit, by_truth, by_answer = (
        np.append(part, 0.0) for part in (slopes.hit, slopes.truth, slopes.answer)
    )
    truth = codes[confusion.truth]
    answer = codes[confusion.answer]
    hit = np.where((truth == answer) & (truth >= 0), by_hit[truth], 0.0)
    influence = by_truth[truth] + by_answer[answer] + hit + slopes.item
    return float((confusion.number * influence**2).sum())


def _slopes_of_average(quantity: Quantity, margins: Totals) -> Slopes:
    """Return the derivatives of an average.

    By central differences: the value of a class depends on its own margins alone, so all classes are moved at once; a
    pooled value moves with any class in the same way.
    """
    if quantity.averages:
        single = quantity.of_one_class()
        share = 1 / margins.classes.sum()
        hit, truth, answer = (
            _slope(lambda moved: values(single, moved), margins, name) * margins.classes * share
            for name in MARGINS
        )
        item = _slope(lambda moved: values(single, moved), margins, "total")
        return Slopes(hit, truth, answer, float((item * margins.classes).sum() * share))
    pooled = margins.pooled()
    size = len(margins.labels)
    slopes = [
        float(_slope(lambda moved: values(quantity, moved), pooled, name).sum())
        for name in (*MARGINS, "total")
    ]
    hit, truth, answer = (np.full(size, slope) for slope in slopes[:3])
    return Slopes(hit, truth, answer, slopes[3] * size)


def _slope(value: Callable[[Totals], FloatArray], margins: Totals, name: str) -> FloatArray:
    """Return how a value changes with one kind of margin."""
    now = getattr(margins, name)
    step = STEP * np.maximum(now, 1.0)
    up, down = (value(replace(margins, **{name: now + sign * step})) for sign in (1, -1))
    return np.asarray(np.nan_to_num((up - down) / (2 * step)))


def _slopes_of_table(quantity: Quantity, margins: Totals) -> Slopes:
    """Return the derivatives of a number that may depend on all margins: each margin of each class is moved alone."""
    hit, truth, answer = (_moved_alone(quantity, margins, name) for name in MARGINS)
    item = _slope(lambda moved: values(quantity, moved), margins, "total")
    return Slopes(hit, truth, answer, float(item))


def _moved_alone(quantity: Quantity, margins: Totals, name: str) -> FloatArray:
    """Return the derivative by one kind of margin, class by class; tables that differ in one class are made at once."""
    size = len(margins.labels)
    now = getattr(margins, name)
    step = STEP * np.maximum(now, 1.0)
    parts = []
    at_once = max(1, AT_ONCE // size)
    for start in range(0, size, at_once):
        chosen = np.arange(start, min(start + at_once, size))
        ends = []
        for sign in (1, -1):
            every = {part: np.tile(getattr(margins, part), (len(chosen), 1)) for part in MARGINS}
            every[name][np.arange(len(chosen)), chosen] += sign * step[chosen]
            total = np.full(len(chosen), float(margins.total))
            ends.append(values(quantity, Totals(margins.labels, **every, total=total)))
        parts.append((ends[0] - ends[1]) / (2 * step[chosen]))
    return np.asarray(np.nan_to_num(np.concatenate(parts)))
