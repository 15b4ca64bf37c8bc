"""How often two curves cross, and how often at most the order of their areas can change with the class balance."""

import numpy as np

from karat.measure.prevalence.pr_curve import Rises, Roc, joined, rises
from karat.numeric.arrays import FloatArray

_NOISE = 1e-12
_DENSE = 2_000_000
"""Most numbers spent on stretches that hold both positives and negatives; beyond, there is no bound."""
_BETWEEN = np.array([0.2, 0.4, 0.6, 0.8])
_BEYOND = 2.0 ** np.arange(0.25, 40, 0.25)


def crossings(first: Roc, second: Roc) -> int:
    """How often do two precision-recall curves cross?

    Sign changes of the difference of their false positive rates at equal recall, 0 < R < 1: at every skew the same,
    since at equal recall the order of two precisions does not depend on it. Equal stretches are no crossing.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 2. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> crossings(roc_of([0.95], [0.45]), roc_of([0.25], [0.05]))
    1
    """
    parts = [joined(rises(each)) for each in (first, second)]
    recall = np.unique(np.concatenate([end for part in parts for end in (part.r0, part.r1)]))
    middle, ends = (recall[1:] + recall[:-1]) / 2, np.stack([recall[:-1], recall[1:]])
    rates = [_on_stretch(part, middle, ends) for part in parts]
    return sign_changes((rates[0] - rates[1]).T.ravel())


def _on_stretch(parts: Rises, middle: FloatArray, ends: FloatArray) -> FloatArray:
    place = np.minimum(np.searchsorted(parts.r1, middle), len(parts.r1) - 1)
    slope = ((parts.f1 - parts.f0) / (parts.r1 - parts.r0))[place]
    return np.asarray(parts.f0[place] + slope * (ends - parts.r0[place]))


def sign_changes(values: FloatArray) -> int:
    """Return how often a sequence changes its sign; what is 0 up to rounding has none.

    >>> sign_changes(np.array([1.0, 0.0, 2.0, -1.0, 1e-15, -3.0]))
    1
    """
    signs = np.sign(values[np.abs(values) > _NOISE])
    return int(np.count_nonzero(signs[1:] != signs[:-1]))


def most_inversions(first: Roc, second: Roc) -> int | None:
    """How often at most can the order of two areas change with the skew?

    Sign changes of G1 - G2, G(r) the share of recall at which FPR/TPR <= r: the area is an integral of G with a kernel
    that diminishes variation. 0 means that one system has the larger area at every skew, even where the curves cross.
    Exact where no score is shared by positives and negatives; else also looked at between the points where G bends,
    and None where that would take too long.
    Reference: Karlin, Total Positivity, Stanford 1968, chapter 5.
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> most_inversions(roc_of([0.95], [0.45]), roc_of([0.25], [0.05]))
    1
    """
    parts = [joined(rises(each)) for each in (first, second)]
    bends = [_bends(part) for part in parts]
    ratios = np.unique(np.concatenate(bends))
    mixed = sum(int((part.f1 > part.f0).sum()) for part in parts)
    if mixed:
        between = (ratios[:-1, None] + np.diff(ratios)[:, None] * _BETWEEN).ravel()
        beyond = np.max(ratios, initial=1e-3) * _BEYOND
        ratios = np.unique(np.concatenate([ratios, np.nextafter(ratios, 0), between, beyond]))
    if mixed * len(ratios) > _DENSE:
        return None
    return sign_changes(_share_below(parts[0], ratios) - _share_below(parts[1], ratios))


def _ratios(parts: Rises) -> tuple[FloatArray, FloatArray]:
    """FPR/TPR at both ends of each stretch; on a line through the origin it is the same at both."""
    with np.errstate(divide="ignore", invalid="ignore"):
        start, end = parts.f0 / parts.r0, parts.f1 / parts.r1
    return np.where(np.isnan(start), end, start), end


def _bends(parts: Rises) -> FloatArray:
    found = np.concatenate(_ratios(parts))
    return found[np.isfinite(found)]


def _share_below(parts: Rises, ratio: FloatArray) -> FloatArray:
    """Return G(r): how much of the recall has FPR/TPR <= r."""
    flat = parts.f0 == parts.f1
    total = _flat_below(parts.chosen(flat), ratio)
    for r0, f0, r1, f1, start, end in zip(*_columns(parts.chosen(~flat)), strict=True):
        slope = (f1 - f0) / (r1 - r0)
        offset = f0 - slope * r0
        with np.errstate(divide="ignore", invalid="ignore"):
            place = np.clip(offset / (ratio - slope), r0, r1)
        inside = r1 - place if start > end else place - r0
        low, high = min(start, end), max(start, end)
        total += np.where(ratio >= high, r1 - r0, np.where(ratio < low, 0.0, inside))
    return total


def _columns(parts: Rises) -> tuple[list[float], ...]:
    return tuple(
        each.tolist() for each in (parts.r0, parts.f0, parts.r1, parts.f1, *_ratios(parts))
    )


def _flat_below(parts: Rises, ratio: FloatArray) -> FloatArray:
    """Return the same where F is constant, all stretches at once: r1 - F/r between F/r1 and F/r0, r1 - r0 beyond."""
    high, low = _ratios(parts)
    begun, ended = (
        _sums_below(low, ratio, parts.r1, parts.f1),
        _sums_below(high, ratio, parts.r0, parts.f1),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        running = np.where(ratio > 0, (begun[1] - ended[1]) / ratio, 0.0)
    return begun[0] - ended[0] - running


def _sums_below(bend: FloatArray, ratio: FloatArray, *values: FloatArray) -> list[FloatArray]:
    order = np.argsort(bend)
    place = np.searchsorted(bend[order], ratio, side="right")
    return [np.concatenate([[0.0], np.cumsum(each[order])])[place] for each in values]
