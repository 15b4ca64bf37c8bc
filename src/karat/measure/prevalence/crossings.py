"""How often two curves cross, and how often at most the order of their areas can change with the prevalence."""

import numpy as np

from karat.measure.prevalence.pr_curve import RocCurve, RocStretches, joined, rises
from karat.numeric.arrays import FloatArray

_NOISE = 1e-12
_DENSE = 2_000_000
"""Most numbers spent on stretches that hold both positives and negatives; beyond, there is no bound."""
_BETWEEN = np.array([0.2, 0.4, 0.6, 0.8])
_BEYOND = 2.0 ** np.arange(0.25, 40, 0.25)


def crossings(first: RocCurve, second: RocCurve) -> int:
    """How often do two precision-recall curves cross?

    Sign changes of the difference of their false positive rates at equal recall, 0 < R < 1: the same at every
    prevalence, since at equal recall the order of two precisions does not depend on it. Equal stretches are no
    crossing.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 2. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> crossings(roc_of([0.95], [0.45]), roc_of([0.25], [0.05]))
    1
    """
    one = joined(rises(first))
    other = joined(rises(second))
    # Between two neighbouring recalls at which one of the curves bends, both are straight, so that a look at both ends
    # of each such interval sees every crossing.
    recall = np.unique(np.concatenate([one.r0, one.r1, other.r0, other.r1]))
    ends = np.stack([recall[:-1], recall[1:]])
    difference = _fall_out_at_ends(one, ends) - _fall_out_at_ends(other, ends)
    return sign_changes(difference.T.ravel())


def _fall_out_at_ends(parts: RocStretches, ends: FloatArray) -> FloatArray:
    """Return the false positive rate at both ends of intervals of recall, each on the stretch of its middle."""
    middle = (ends[1] + ends[0]) / 2
    place = np.minimum(np.searchsorted(parts.r1, middle), len(parts.r1) - 1)
    slope = ((parts.f1 - parts.f0) / parts.widths)[place]
    return np.asarray(parts.f0[place] + slope * (ends - parts.r0[place]))


def sign_changes(values: FloatArray) -> int:
    """Return how often a sequence changes its sign; what is 0 up to rounding has none.

    >>> sign_changes(np.array([1.0, 0.0, 2.0, -1.0, 1e-15, -3.0]))
    1
    """
    signs = np.sign(values[np.abs(values) > _NOISE])
    return int(np.count_nonzero(signs[1:] != signs[:-1]))


def most_inversions(first: RocCurve, second: RocCurve) -> int | None:
    """How often at most can the order of two areas change with the prevalence?

    Sign changes of G1 - G2, G(r) the share of recall at which FPR/TPR <= r: the area is an integral of G with a kernel
    that diminishes variation. 0 means that one system has the larger area at every prevalence, even where the curves
    cross. Exact where no score is shared by positives and negatives; else also looked at between the points where G
    bends, and None where that would take too long.
    Reference: Karlin, Total Positivity, Stanford 1968, chapter 5.
    >>> from karat.measure.prevalence.pr_curve import roc_of
    >>> most_inversions(roc_of([0.95], [0.45]), roc_of([0.25], [0.05]))
    1
    """
    one = joined(rises(first))
    other = joined(rises(second))
    ratios = np.unique(np.concatenate([_bends(one), _bends(other)]))
    # On a stretch without negatives G is a straight line in 1/r; on one with both kinds it bends between the ends.
    mixed = int((one.f1 > one.f0).sum()) + int((other.f1 > other.f0).sum())
    if mixed:
        between = (ratios[:-1, None] + np.diff(ratios)[:, None] * _BETWEEN).ravel()
        beyond = np.max(ratios, initial=1e-3) * _BEYOND
        just_below = np.nextafter(ratios, 0)
        ratios = np.unique(np.concatenate([ratios, just_below, between, beyond]))
    if mixed * len(ratios) > _DENSE:
        return None
    return sign_changes(_share_below(one, ratios) - _share_below(other, ratios))


def _ratios(parts: RocStretches) -> tuple[FloatArray, FloatArray]:
    """Return FPR/TPR at both ends of each stretch; on a line through the origin it is the same at both."""
    with np.errstate(divide="ignore", invalid="ignore"):
        start = parts.f0 / parts.r0
        end = parts.f1 / parts.r1
    return np.where(np.isnan(start), end, start), end


def _bends(parts: RocStretches) -> FloatArray:
    """Return where G bends."""
    ratios = np.concatenate(_ratios(parts))
    return ratios[np.isfinite(ratios)]


def _share_below(parts: RocStretches, ratio: FloatArray) -> FloatArray:
    """Return G(r): how much of the recall has FPR/TPR <= r."""
    flat = parts.f0 == parts.f1
    total = _flat_below(parts.chosen(flat), ratio)
    for r0, f0, r1, f1, start, end in zip(*_columns(parts.chosen(~flat)), strict=True):
        slope = (f1 - f0) / (r1 - r0)
        offset = f0 - slope * r0
        with np.errstate(divide="ignore", invalid="ignore"):
            place = np.clip(offset / (ratio - slope), r0, r1)
        inside = r1 - place if start > end else place - r0
        all_below = ratio >= max(start, end)
        none_below = ratio < min(start, end)
        total += np.where(all_below, r1 - r0, np.where(none_below, 0.0, inside))
    return total


def _columns(parts: RocStretches) -> tuple[list[float], ...]:
    """Return the ends of the stretches and FPR/TPR there, as plain numbers."""
    columns = (parts.r0, parts.f0, parts.r1, parts.f1, *_ratios(parts))
    return tuple(column.tolist() for column in columns)


def _flat_below(parts: RocStretches, ratio: FloatArray) -> FloatArray:
    """Return the same where F is constant, all stretches at once: r1 - F/r between F/r1 and F/r0, r1 - r0 beyond."""
    at_start, at_end = _ratios(parts)
    # A stretch begins to count at F/r1 and is counted in full from F/r0 on: cumulative sums up to each ratio.
    recall_begun = _sums_below(at_end, ratio, parts.r1)
    recall_ended = _sums_below(at_start, ratio, parts.r0)
    rate_begun = _sums_below(at_end, ratio, parts.f1)
    rate_ended = _sums_below(at_start, ratio, parts.f1)
    with np.errstate(divide="ignore", invalid="ignore"):
        running = np.where(ratio > 0, (rate_begun - rate_ended) / ratio, 0.0)
    return recall_begun - recall_ended - running


def _sums_below(bend: FloatArray, ratio: FloatArray, values: FloatArray) -> FloatArray:
    """Return the sum of the values whose bends are at most each ratio."""
    order = np.argsort(bend)
    place = np.searchsorted(bend[order], ratio, side="right")
    sums = np.concatenate([[0.0], np.cumsum(values[order])])
    return sums[place]
