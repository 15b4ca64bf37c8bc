"""Averages over classes: how far the mean of several shares may be off."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from karat.doubt.interval import Interval, Side, tails
from karat.measure.quantity import Quantity, values
from karat.measure.totals import Totals, totals
from karat.numeric.arrays import FloatArray
from karat.tally.votes.confusion import Confusion

HALF = 0.5
MARGINS = ("hits", "truth", "answered")
STEP = 1e-4
"""How far a margin is moved to see what the average does, as a part of itself."""


def delta(
    quantity: Quantity, confusion: Confusion, *, level: float = 0.95, side: Side = "both"
) -> Interval:
    """Where does the average over classes lie, given how few items were seen?

    value ± z √(Σ n(t,a) I(t,a)²), I the derivative of the average by the cell (truth t, answer a).
    To every class half a hit, half a miss and half a false answer are added before the derivative is taken, so that a
    class without an error does not pass for certain. Approximate: independent items, many of them; how well it holds
    is shown by bench/coverage/averages.py.
    Reference: Takahashi et al., Confidence interval for micro-averaged F1 and macro-averaged F1 scores, Applied
    Intelligence 52, 2022. doi:10.1007/s10489-021-02635-5
    """
    from scipy.special import ndtri  # noqa: PLC0415 (wanted only here)

    margins = totals(confusion)
    value = float(values(quantity, margins))
    if np.isnan(value):
        return Interval(np.array(0.0), np.array(1.0), level, "delta")
    error = np.sqrt(_variance(quantity, confusion, margins))
    below, above = tails(level, side)
    low = max(0.0, value + ndtri(below) * error) if below else 0.0
    high = min(1.0, value - ndtri(above) * error) if above else 1.0
    return Interval(np.array(low), np.array(high), level, "delta")


def _variance(quantity: Quantity, confusion: Confusion, margins: Totals) -> float:
    """Return Σ n I² over the cells of the confusion and the added ones."""
    classes = margins.classes
    smooth = Totals(
        margins.labels,
        margins.hits + HALF * classes,
        margins.truth + 2 * HALF * classes,
        margins.answered + 2 * HALF * classes,
        margins.total + 3 * HALF * classes.sum(),
    )
    by_hit, by_truth, by_answer, by_item = _derivatives(quantity, smooth)
    # Codes of the confusion, -1 for missing, find the derivative of their class; nothing and missing have none.
    place = {text: code for code, text in enumerate(margins.labels)}
    codes = np.array([*(place.get(text, -1) for text in confusion.labels), -1])
    padded = [np.append(part, 0.0) for part in (by_hit, by_truth, by_answer)]
    truth, answer = codes[confusion.truth], codes[confusion.answer]
    hit = np.where((truth == answer) & (truth >= 0), padded[0][truth], 0.0)
    seen = confusion.number * (padded[1][truth] + padded[2][answer] + hit + by_item) ** 2
    added = [by_hit + by_truth + by_answer + by_item, by_truth + by_item, by_answer + by_item]
    return float(seen.sum() + sum((HALF * classes * part**2).sum() for part in added))


def _derivatives(
    quantity: Quantity, margins: Totals
) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """Return the derivative of an average by each class's hits, truths and answers, and by the number of items.

    By central differences: the value of a class hangs on its own margins alone, so all classes are moved at once; a
    pooled value moves with any class in the same way.
    """
    share = 1 / margins.classes.sum()
    if quantity.averages:
        single = quantity.of_one_class()
        parts = [
            _slope(lambda moved: values(single, moved), margins, name) * margins.classes * share
            for name in MARGINS
        ]
        item = _slope(lambda moved: values(single, moved), margins, "total")
        return parts[0], parts[1], parts[2], float((item * margins.classes).sum() * share)
    hits, truth, answered = (getattr(margins, name).sum(keepdims=True) for name in MARGINS)
    pooled = Totals(margins.labels[:1], hits, truth, answered, margins.total)
    slopes = [
        float(_slope(lambda moved: values(quantity, moved), pooled, name).sum())
        for name in (*MARGINS, "total")
    ]
    by_hit, by_truth, by_answer = (np.full(len(margins.labels), slope) for slope in slopes[:3])
    return by_hit, by_truth, by_answer, slopes[3]


def _slope(value: Callable[[Totals], FloatArray], margins: Totals, name: str) -> FloatArray:
    """Return how a value changes with one kind of margin."""
    now = getattr(margins, name)
    step = STEP * np.maximum(now, 1.0)
    up, down = (value(replace(margins, **{name: now + sign * step})) for sign in (1, -1))
    return np.asarray(np.nan_to_num((up - down) / (2 * step)))
