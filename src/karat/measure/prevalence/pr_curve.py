"""Precision-recall curves and the areas under them, at any class balance."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.prevalence.precision_at import check_prevalence, check_rate, precision_at
from karat.numeric.arrays import FloatArray
from karat.numeric.fraction_mean import fraction_mean
from karat.tally.scores.curve import Curve

AT_ONCE = 32_768
"""Numbers worked on in one step: as many as the cache of a core holds."""


@dataclass(frozen=True, slots=True, eq=False)
class Roc:
    """True and false positive rates from (0, 0) to (1, 1), one point per distinct score."""

    tpr: FloatArray
    fpr: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Rises:
    """The stretches of a ROC curve on which recall rises, from (r0, f0) to (r1, f1), in order."""

    r0: FloatArray
    f0: FloatArray
    r1: FloatArray
    f1: FloatArray

    def chosen(self, which: npt.NDArray[np.bool_] | npt.NDArray[np.int64] | slice) -> "Rises":
        """Return some of them."""
        return Rises(self.r0[which], self.f0[which], self.r1[which], self.f1[which])


def roc(curve: Curve) -> Roc:
    """Which shares of the positives and of the negatives score at least so high?

    The point after each distinct score, from the highest down; ties are one point.
    Reference: Fawcett, Pattern Recognition Letters 27, 2006. doi:10.1016/j.patrec.2005.10.010
    >>> roc(Curve(np.array([0.9, 0.1]), np.array([3, 1]), np.array([1, 1]))).tpr.tolist()
    [0.0, 0.75, 1.0]
    """
    sums = [np.concatenate([[0], np.cumsum(part)]) for part in (curve.positive, curve.negative)]
    if not (sums[0][-1] and sums[1][-1]):
        missing = "positives" if not sums[0][-1] else "negatives"
        raise OptionError(f"the curve has no {missing}; its rates need items of both kinds")
    return Roc(sums[0] / sums[0][-1], sums[1] / sums[1][-1])


def roc_of(tpr: npt.ArrayLike, fpr: npt.ArrayLike) -> Roc:
    """Return a curve from its rates, in the order of falling thresholds; (0, 0) and (1, 1) may be left out.

    >>> roc_of([0.8], [0.2]).fpr.tolist()
    [0.0, 0.2, 1.0]
    """
    rates = [check_rate(name, part) for name, part in (("TPR", tpr), ("FPR", fpr))]
    if rates[0].ndim != 1 or rates[0].shape != rates[1].shape:
        raise OptionError(
            f"there are {rates[0].size} TPR and {rates[1].size} FPR; give one of each per point"
        )
    for name, part in zip(("TPR", "FPR"), rates, strict=True):
        if (falls := np.flatnonzero(np.diff(part) < 0)).size:
            place = int(falls[0]) + 1
            raise OptionError(
                f"{name} falls from {part[place - 1]:g} to {part[place]:g}; sort by falling threshold"
            )
    return Roc(*(np.concatenate([[0.0], part, [1.0]]) for part in rates))


def rises(curve: Roc) -> Rises:
    """Return the stretches on which recall rises, one per distinct score that holds a positive.

    >>> rises(roc_of([0.8, 0.8], [0.2, 0.4])).r1.tolist()
    [0.8, 1.0]
    """
    up = np.flatnonzero(np.diff(curve.tpr) > 0)
    return Rises(curve.tpr[up], curve.fpr[up], curve.tpr[up + 1], curve.fpr[up + 1])


def joined(parts: Rises) -> Rises:
    """Return the same stretches, those without a negative between or in them joined into one: no area changes.

    >>> joined(rises(roc_of([0.5, 0.8], [0.0, 0.0]))).r1.tolist()
    [0.8, 1.0]
    """
    flat = (
        (parts.f0[1:] == parts.f1[:-1])
        & (parts.f1[1:] == parts.f0[1:])
        & (parts.f0[:-1] == parts.f1[:-1])
    )
    first, last = np.concatenate([[True], ~flat]), np.concatenate([~flat, [True]])
    return Rises(parts.r0[first], parts.f0[first], parts.r1[last], parts.f1[last])


def precision_along(curve: Roc, recall: npt.ArrayLike, *, pi: npt.ArrayLike) -> FloatArray:
    """What is the precision at this recall, between the points too?

    That at the false positive rate on the straight ROC line between the two points around it (Davis and Goadrich's
    interpolation); where the rate jumps, before the jump.
    Reference: Davis, Goadrich, ICML 2006. doi:10.1145/1143844.1143874
    >>> float(precision_along(roc_of([0.8], [0.2]), 0.4, pi=0.5))
    0.8
    """
    return precision_at(recall, fall_out_along(rises(curve), recall), pi=pi)


def fall_out_along(parts: Rises, recall: npt.ArrayLike) -> FloatArray:
    """Return the false positive rate at this recall, on the straight line between the points around it.

    >>> float(fall_out_along(rises(roc_of([0.8], [0.2])), 0.4))
    0.1
    """
    wanted = check_rate("the recall", recall)
    place = np.minimum(np.searchsorted(parts.r1, wanted), len(parts.r1) - 1)
    r0, f0, r1, f1 = (each[place] for each in (parts.r0, parts.f0, parts.r1, parts.f1))
    return np.asarray(f0 + (f1 - f0) * ((wanted - r0) / (r1 - r0)))


def pr_area(curve: Roc, *, pi: npt.ArrayLike) -> FloatArray:
    """What is the area under the precision-recall curve where a share pi of the items is positive?

    The sum over straight ROC stretches of the integral of pi R / (pi R + (1 - pi) F(R)) dR, in closed form:
    Davis and Goadrich's interpolation, exact, at every pi. At pi = 0 its limit: the recall before the first
    false positive.
    Reference: Davis, Goadrich, ICML 2006. doi:10.1145/1143844.1143874
    >>> pr_area(roc_of([0.8], [0.2]), pi=[0.01, 0.5]).round(4).tolist()
    [0.0345, 0.7632]
    """
    return areas(joined(rises(curve)), pi)


def areas(parts: Rises, pi: npt.ArrayLike) -> FloatArray:
    """Return the area at each pi.

    >>> areas(rises(roc_of([], [])), [0.2, 0.7]).tolist()
    [0.2, 0.7]
    """
    return _integrals(parts, check_prevalence("the prevalence", pi), "area")


def areas_of_many(parts: Rises, starts: npt.NDArray[np.int64], pi: npt.ArrayLike) -> FloatArray:
    """Return the area of several curves at each pi: curves x skews; `starts` says where the stretches of each begin.

    >>> both = Rises(np.array([0, 0, 0.5]), np.array([0, 0, 0.5]), np.array([1, 0.5, 1]), np.array([1, 0.5, 1]))
    >>> areas_of_many(both, np.array([0, 1]), [0.2, 0.7]).round(12).tolist()
    [[0.2, 0.7], [0.2, 0.7]]
    """
    share = check_prevalence("the prevalence", pi).ravel()
    if len(starts) == 1:
        return areas(parts, share)[None]
    pure, every = parts.f1 == 0, share[:, None]
    origin = np.flatnonzero((parts.r0 == 0) & (parts.f0 == 0) & ~pure)
    usual = np.flatnonzero(~pure & ((parts.r0 > 0) | (parts.f0 > 0)))
    free = np.maximum.reduceat(np.where(pure, parts.r1, 0.0), starts)
    found = np.empty((len(starts), len(share)))
    step = max(1, AT_ONCE // len(parts.r0))
    for row in range(0, len(share), step):
        some = every[row : row + step]
        each = np.zeros((len(some), len(parts.r0)))
        each[:, usual] = _each(parts.chosen(usual), some, "area")
        hits, false = some * parts.r1[origin], (1 - some) * parts.f1[origin]
        each[:, origin] = parts.r1[origin] * hits / np.where(hits + false > 0, hits + false, 1.0)
        found[:, row : row + step] = np.add.reduceat(each, starts, axis=1).T + free[:, None]
    return np.select([share == 0, share == 1], [free[:, None], 1.0], found)


def losses(parts: Rises, pi: npt.ArrayLike) -> FloatArray:
    """Return 1 - the area at each pi, with all its digits where the area is close to 1.

    >>> losses(rises(roc_of([], [])), [0.25, 1]).tolist()
    [0.75, 0.0]
    """
    return _integrals(parts, check_prevalence("the prevalence", pi), "loss")


def _integrals(parts: Rises, pi: FloatArray, what: Literal["area", "loss"]) -> FloatArray:
    every = pi.reshape(-1, 1)
    pure = int(
        np.searchsorted(parts.f1, 0.0, side="right")
    )  # the stretches before any false positive
    start = int(pure == 0 and parts.f0[0] == 0)  # 1 if the first stretch rises from the origin
    free = float(parts.r1[pure - 1]) if pure else 0.0
    total = np.full(len(every), free if what == "area" else 0.0)
    if start:
        hits, false = every[:, 0] * parts.r1[0], (1 - every[:, 0]) * parts.f1[0]
        total += parts.r1[0] * (hits if what == "area" else false) / (hits + false)
    usual = parts.chosen(slice(pure + start, None))
    for left in range(0, len(usual.r0), AT_ONCE):
        some = usual.chosen(slice(left, left + AT_ONCE))
        step = max(1, AT_ONCE // len(some.r0))
        for row in range(0, len(every), step):
            total[row : row + step] += _each(some, every[row : row + step], what).sum(axis=1)
    # At the ends every precision is 0 or 1, and the closed form would divide by 0.
    ends = [free, 1.0] if what == "area" else [1 - free, 0.0]
    return np.select([pi == 0, pi == 1], ends, total.reshape(pi.shape))


def stretch_areas(parts: Rises, pi: FloatArray) -> FloatArray:
    """Return the area under each stretch at each pi, strictly between 0 and 1: skews x stretches.

    No stretch may begin at the origin.
    >>> stretch_areas(rises(roc_of([0.5], [0.5])).chosen(slice(1, None)), np.array([0.2, 0.7])).round(12).tolist()
    [[0.1], [0.35]]
    """
    return _each(parts, pi.reshape(-1, 1), "area")


def _each(parts: Rises, pi: FloatArray, what: Literal["area", "loss"]) -> FloatArray:
    pi = np.clip(pi, 1e-200, np.nextafter(1, 0))  # the caller knows what stands at the ends
    wide, rest = parts.r1 - parts.r0, 1 - pi
    middle, half = (parts.r0 + parts.r1) / 2, wide / 2
    false, false_half = (parts.f0 + parts.f1) / 2, (parts.f1 - parts.f0) / 2
    centre = pi * middle + rest * false
    slope = (pi * half + rest * false_half) / centre
    top, change = (middle, half) if what == "area" else (false, false_half)
    first, last = pi * parts.r0 + rest * parts.f0, pi * parts.r1 + rest * parts.f1
    tops, changes = (np.broadcast_to(each, slope.shape) for each in (top, change))
    mean = fraction_mean(tops, changes, slope, first=first, last=last)
    return np.asarray(mean * (wide / centre) * (pi if what == "area" else rest))


WORST = rises(roc_of([0.0], [1.0]))
"""Every negative before every positive."""


def minimum_area(pi: npt.ArrayLike) -> FloatArray:
    """How small can the area under a precision-recall curve be?

    1 + (1 - pi) ln(1 - pi) / pi: every negative comes before every positive.
    Reference: Boyd, Santos Costa, Davis, Page, ICML 2012, theorem 2.
    >>> float(minimum_area(0.0667).round(4))
    0.0341
    """
    return areas(WORST, pi)


def random_area(pi: npt.ArrayLike) -> FloatArray:
    """What area has a classifier that scores at random? pi, at every recall.

    Reference: Lampert, Gancarski, Machine Learning 97, 2014, theorem 10. doi:10.1007/s10994-013-5432-x
    >>> float(random_area(0.2))
    0.2
    """
    return check_prevalence("the prevalence", pi).copy()


def normalised_area(curve: Roc, *, pi: npt.ArrayLike) -> FloatArray:
    """How much of the area that can be won was won?

    (area - minimum) / (1 - minimum); NaN at pi = 1, where nothing can be won.
    Reference: Boyd, Santos Costa, Davis, Page, ICML 2012, section 4.
    >>> float(normalised_area(roc_of([0.8], [0.2]), pi=0.5).round(4))
    0.6583
    """
    share, parts = check_prevalence("the prevalence", pi), joined(rises(curve))
    room = losses(WORST, share)
    won = np.where(
        share < 0.5, areas(parts, share) - areas(WORST, share), room - losses(parts, share)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(won / room)
