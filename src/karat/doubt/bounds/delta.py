"""Confidence intervals of averages over classes and of measures of the whole table, by the delta method."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import Interval, Side, tails
from karat.measure.quantity import MICRO, Quantity, values
from karat.measure.totals import Totals, totals
from karat.numeric.arrays import FloatArray
from karat.tally.votes.confusion import Confusion

HALF = 0.5
FEW = 15
ALONE = 2
CAUTION = (
    f"delta: approximate where a class has fewer than {FEW} items; of 30 items, a tenth of them in one of two classes, "
    "it covered 0.87 to 0.90 instead of 0.95."
)
HARDLY = (
    "delta: a class of one item, or of none, says next to nothing of other items: of 15 classes, nine of them expected "
    "less than once in 100 items, the intervals of macro-precision and macro-f1 covered 0.09 and 0.20 instead of 0.95."
)
MARGINS = ("hits", "truth", "answered")
STEP = 1e-4
"""How far a margin is moved to take a derivative, as a part of the margin."""
AT_ONCE = 2_000_000
"""Numbers held at a time where every margin is moved on its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """The derivatives of a measure by each class's hits, truths and answers, and by the number of items."""

    hit: FloatArray
    truth: FloatArray
    answer: FloatArray
    item: float

    @property
    def of_hit(self) -> FloatArray:
        """Return what one more hit of each class changes: a hit is also a truth, an answer and an item."""
        return self.hit + self.truth + self.answer + self.item


def delta(
    quantity: Quantity, confusion: Confusion, *, level: float = 0.95, side: Side = "both"
) -> Interval:
    """Interval of an average over classes, or of a measure of the whole table, by the delta method.

    value ± z √(Σ n(t,a) I(t,a)²), I the derivative of the measure by the cell (truth t, answer a), cut at the ends of
    its range. Before the derivative is taken half a hit, half a miss and half a false answer are added to every class,
    so that a class without an error is not taken as certain; the derivative is that at the smoothed shares of as many
    items as there are, for an average over classes in each class. For a measure of the whole table the miss of one
    class is the false answer of another, so that no margin exceeds the number of items. Approximate: independent items,
    many of them; docs/coverage.md shows how far it was seen to hold.
    Reference: Takahashi et al., Confidence interval for micro-averaged F1 and macro-averaged F1 scores, Applied
    Intelligence 52, 2022. doi:10.1007/s10489-021-02635-5
    """
    from scipy.special import ndtri  # noqa: PLC0415 (wanted only here)

    margins = totals(confusion)
    value = np.asarray(values(quantity, margins), float)
    error = np.sqrt(delta_variance(quantity, confusion, margins))
    below, above = tails(level, side)
    low = np.full(value.shape, quantity.low)
    high = np.full(value.shape, quantity.high)
    defined = ~np.isnan(value)
    if below:
        bottom = np.maximum(quantity.low, value + ndtri(below) * error)
        low = np.where(defined, bottom, low)
    if above:
        top = np.minimum(quantity.high, value - ndtri(above) * error)
        high = np.where(defined, top, high)
    smallest = margins.truth[margins.classes].min(initial=np.inf)
    caution = CAUTION if smallest < FEW else ""
    if smallest < ALONE and quantity.averages:
        caution = HARDLY
    return Interval(low, high, level, "delta", caution)


def delta_variance(quantity: Quantity, confusion: Confusion, margins: Totals) -> FloatArray:
    """Return Σ n I², of each class if the quantity is one of classes."""
    no_classes = not margins.classes.any()
    if no_classes and quantity.of_classes:
        return np.zeros(len(margins.labels))
    if no_classes:
        return np.zeros(())
    if quantity.of_classes:
        return _variance_of_classes(quantity, margins)
    if quantity.averages or quantity.average == MICRO:
        return _variance_of_average(quantity, confusion, margins)
    return _variance_of_table(quantity, confusion, margins)


def _smoothed(margins: Totals, *, errors: float) -> Totals:
    """Return the margins with half a hit, half a miss and half a false answer added to each class.

    `errors` is 2 where the miss and the false answer are two half items, and 1 where they are the same one.
    """
    half = HALF * margins.classes
    items = (1 + errors) * HALF * margins.classes.sum()
    return Totals(
        margins.labels,
        margins.hits + half,
        margins.truth + 2 * half,
        margins.answered + 2 * half,
        margins.total + items,
    )


def _variance_of_average(quantity: Quantity, confusion: Confusion, margins: Totals) -> FloatArray:
    """Return Σ n I² of an average over classes, or of a pooled measure."""
    slopes = _slopes_of_average(quantity, margins)
    missed = slopes.truth + slopes.item
    false = slopes.answer + slopes.item
    half = HALF * margins.classes
    added = 0.0
    for influence in (slopes.of_hit, missed, false):
        added += (half * influence**2).sum()
    return np.asarray(_variance_of_cells(slopes, confusion, margins) + added)


def _variance_of_table(quantity: Quantity, confusion: Confusion, margins: Totals) -> FloatArray:
    """Return Σ n I² of a measure that may depend on all margins at once."""
    classes = margins.classes
    smooth = _smoothed(margins, errors=1)
    # As for averages: the added items make the table less extreme, not larger.
    slopes = _slopes_of_table(quantity, smooth, float(smooth.total / margins.total))
    added_hits = (HALF * classes * slopes.of_hit**2).sum()
    missed = (slopes.truth + slopes.item)[classes]
    false = slopes.answer[classes]
    added_errors = HALF * _mean_squares(missed, false).sum()
    added = added_hits + added_errors
    return np.asarray(_variance_of_cells(slopes, confusion, margins) + added)


def _mean_squares(missed: FloatArray, false: FloatArray) -> FloatArray:
    """Return, for each class t, the mean over all other classes a of (missed_t + false_a)².

    The half error added to a class is spread evenly over the other classes as its answer. The square is expanded, so
    that the sums over a ≠ t are those over all classes less the class's own: no table of classes by classes is made.
    """
    others = len(missed) - 1
    if not others:
        return np.asarray(missed**2)
    squares = missed**2 + (false**2).sum() / others - false**2 / others
    products = 2 * missed * (false.sum() - false) / others
    return np.asarray(squares + products)


def _variance_of_classes(quantity: Quantity, margins: Totals) -> FloatArray:
    """Return Σ n I² of each class, whose value depends on its own margins only."""
    smooth = Totals(
        margins.labels,
        margins.hits + HALF,
        margins.truth + 2 * HALF,
        margins.answered + 2 * HALF,
        margins.total + 3 * HALF,
    )

    def value(moved: Totals) -> FloatArray:
        return values(quantity, moved)

    by_hit = _slope(value, smooth, "hits")
    by_truth = _slope(value, smooth, "truth")
    by_answer = _slope(value, smooth, "answered")
    by_item = _slope(value, smooth, "total")
    missed = smooth.truth - smooth.hits
    false = smooth.answered - smooth.hits
    rest = margins.total - margins.truth - margins.answered + margins.hits
    of_hits = smooth.hits * (by_hit + by_truth + by_answer + by_item) ** 2
    of_missed = missed * (by_truth + by_item) ** 2
    of_false = false * (by_answer + by_item) ** 2
    of_rest = rest * by_item**2
    return np.asarray(of_hits + of_missed + of_false + of_rest)


def _variance_of_cells(slopes: Slopes, confusion: Confusion, margins: Totals) -> float:
    """Return Σ n I² over the cells of the confusion."""
    # "Nothing" and missing labels get the code -1, and the 0 appended to each derivative stands at that place:
    # indexing with -1 reads it, so such cells have no derivative.
    codes = np.append(np.arange(len(margins.labels)), -1)
    if margins.labels != confusion.labels:
        place = {text: code for code, text in enumerate(margins.labels)}
        codes = np.array([place.get(text, -1) for text in confusion.labels] + [-1])
    by_hit = np.append(slopes.hit, 0.0)
    by_truth = np.append(slopes.truth, 0.0)
    by_answer = np.append(slopes.answer, 0.0)
    truth = codes[confusion.truth]
    answer = codes[confusion.answer]
    is_hit = (truth == answer) & (truth >= 0)
    hit = np.where(is_hit, by_hit[truth], 0.0)
    influence = by_truth[truth] + by_answer[answer] + hit + slopes.item
    return float((confusion.number * influence**2).sum())


def _slopes_of_average(quantity: Quantity, margins: Totals) -> Slopes:
    """Return the derivatives of an average over classes, or of a pooled measure, by central differences."""
    smooth = _smoothed(margins, errors=2)
    if not quantity.averages:
        return _slopes_of_micro(quantity, smooth)
    # The added items make a class less extreme, not larger: the slope is taken at the smoothed shares of as many items
    # as there are. A value that depends on shares only has a slope as much steeper as the class is smaller.
    size = margins.truth + margins.answered
    smooth_size = smooth.truth + smooth.answered
    steeper = np.where(margins.classes, smooth_size / np.maximum(size, 1e-9), 1.0)
    return _slopes_of_macro(quantity.of_one_class(), smooth, steeper)


def _slopes_of_macro(single: Quantity, margins: Totals, steeper: FloatArray) -> Slopes:
    """Return the derivatives of the mean of one measure over classes, each multiplied by its class's factor.

    The value of a class depends on its own margins only, so the margins of all classes are moved at once.
    """

    def value(moved: Totals) -> FloatArray:
        return values(single, moved)

    classes = margins.classes
    share = steeper / classes.sum()
    hit = _slope(value, margins, "hits") * classes * share
    truth = _slope(value, margins, "truth") * classes * share
    answer = _slope(value, margins, "answered") * classes * share
    by_items = _slope(value, margins, "total") * classes
    return Slopes(hit, truth, answer, float((by_items * share).sum()))


def _slopes_of_micro(quantity: Quantity, margins: Totals) -> Slopes:
    """Return the derivatives of a measure of pooled margins, which are the same for every class."""

    def value(moved: Totals) -> FloatArray:
        return values(quantity, moved)

    pooled = margins.pooled()
    size = len(margins.labels)
    hit = np.full(size, _slope(value, pooled, "hits").sum())
    truth = np.full(size, _slope(value, pooled, "truth").sum())
    answer = np.full(size, _slope(value, pooled, "answered").sum())
    item = float(_slope(value, pooled, "total").sum())
    return Slopes(hit, truth, answer, item * size)


def _slope(value: Callable[[Totals], FloatArray], margins: Totals, name: str) -> FloatArray:
    """Return the derivative of a value by one kind of margin."""
    now = getattr(margins, name)
    step = STEP * np.maximum(now, 1.0)
    up = value(replace(margins, **{name: now + step}))
    down = value(replace(margins, **{name: now - step}))
    return np.asarray(np.nan_to_num((up - down) / (2 * step)))


def _slopes_of_table(quantity: Quantity, margins: Totals, steeper: float) -> Slopes:
    """Return the derivatives of a measure that may depend on all margins, each multiplied by a factor.

    Each margin of each class is moved on its own.
    """
    hit = steeper * _slopes_by_class(quantity, margins, "hits")
    truth = steeper * _slopes_by_class(quantity, margins, "truth")
    answer = steeper * _slopes_by_class(quantity, margins, "answered")
    item = steeper * _slope(lambda moved: values(quantity, moved), margins, "total")
    return Slopes(hit, truth, answer, float(item))


def _slopes_by_class(quantity: Quantity, margins: Totals, name: str) -> FloatArray:
    """Return the derivative by one kind of margin, class by class; many moved tables are evaluated at once."""
    size = len(margins.labels)
    now = getattr(margins, name)
    step = STEP * np.maximum(now, 1.0)
    parts = []
    at_once = max(1, AT_ONCE // size)
    for start in range(0, size, at_once):
        chosen = np.arange(start, min(start + at_once, size))
        up = values(quantity, _moved(margins, name, chosen, step[chosen]))
        down = values(quantity, _moved(margins, name, chosen, -step[chosen]))
        parts.append((up - down) / (2 * step[chosen]))
    return np.asarray(np.nan_to_num(np.concatenate(parts)))


def _moved(margins: Totals, name: str, chosen: npt.NDArray[np.intp], steps: FloatArray) -> Totals:
    """Return one table per chosen class, in which one margin of that class is moved by its step."""
    tables = len(chosen)
    copies = {part: np.tile(getattr(margins, part), (tables, 1)) for part in MARGINS}
    copies[name][np.arange(tables), chosen] += steps
    total = np.full(tables, float(margins.total))
    return Totals(margins.labels, **copies, total=total)
