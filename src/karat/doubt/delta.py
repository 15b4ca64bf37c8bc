"""Averages over classes: how far the mean of several shares may be off."""

import numpy as np

from karat.doubt.interval import Interval, Side, tails
from karat.measure.f import f
from karat.measure.quantity import Quantity, values
from karat.measure.totals import FloatArray, Totals, totals
from karat.tally.confusion import Confusion

HALF = 0.5


def delta(quantity: Quantity, confusion: Confusion, *, level: float = 0.95, side: Side = "both") -> Interval:
    """Where does the average over classes lie, given how few items were seen?

    value ± z √(Σ n(t,a) I(t,a)²), I the derivative of the average by the cell (truth t, answer a).
    To every class half a hit and half a miss are added before the derivative is taken, so that a class without an
    error does not pass for certain. Approximate: independent items, many of them; see bench/coverage/averages.py.
    Reference: Takahashi et al., Confidence interval for micro-averaged F1 and macro-averaged F1 scores, Applied
    Intelligence 52, 2022. doi:10.1007/s10489-021-02635-5
    """
    from scipy.special import ndtri  # noqa: PLC0415 (costs 0.3 s, wanted only here)

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
    hit, missed, false = _added(quantity)
    smooth = Totals(
        margins.labels,
        margins.hits + hit * classes,
        margins.truth + (hit + missed) * classes,
        margins.answered + (hit + false) * classes,
        margins.total,
    )
    by_hit, by_truth, by_answer = (part * classes / classes.sum() for part in _derivative(quantity, smooth))
    # Codes of the confusion, -1 for missing, find the derivative of their class; nothing and missing have none.
    place = {text: number for number, text in enumerate(margins.labels)}
    codes = np.array([*(place.get(text, -1) for text in confusion.labels), -1])
    padded = [np.append(part, 0.0) for part in (by_hit, by_truth, by_answer)]
    truth, answer = codes[confusion.truth], codes[confusion.answer]
    influence = padded[1][truth] + padded[2][answer] + np.where(truth == answer, padded[0][truth], 0.0)
    seen = float((confusion.number * influence**2).sum())
    added = hit * (by_hit + by_truth + by_answer) ** 2 + missed * by_truth**2 + false * by_answer**2
    return seen + float(added.sum())


def _added(quantity: Quantity) -> tuple[float, float, float]:
    """Return what is added to a class: a hit, a miss that was not answered, an answer that was not true."""
    match quantity.measure:
        case "precision":
            return HALF, 0.0, HALF
        case "f":
            return HALF, HALF / 2, HALF / 2
    return HALF, HALF, 0.0


def _derivative(quantity: Quantity, margins: Totals) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the derivative of a class's value by its hits, its truths and its answers."""
    hits, truth, answered = margins.hits, margins.truth, margins.answered
    zero = np.zeros_like(hits)
    with np.errstate(divide="ignore", invalid="ignore"):
        match quantity.measure:
            case "precision":
                parts = (1 / answered, zero, -hits / answered**2)
            case "f":
                square = quantity.beta**2
                below = square * truth + answered
                score = f(margins, beta=quantity.beta).values
                parts = ((1 + square) / below, -square * score / below, -score / below)
            case _:
                parts = (1 / truth, -hits / truth**2, zero)
    return tuple(np.nan_to_num(part, posinf=0.0, neginf=0.0) for part in parts)  # type: ignore[return-value]
