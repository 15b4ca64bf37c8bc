"""Precision-recall curves and the areas under them, at any prevalence."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.prevalence.precision_at import check_prevalence, check_rate, precision_at
from karat.numeric.arrays import FloatArray
from karat.numeric.fraction_mean import fraction_mean
from karat.tally.scores.curve import Counts, Curve

AT_ONCE = 16_000
"""Numbers worked on in one step: as many as the cache of a core holds, and as stay below 128 KiB.

Larger arrays can be given back to the system after every step, which then has to clear their memory again."""


@dataclass(frozen=True, slots=True, eq=False)
class RocCurve:
    """True and false positive rates from (0, 0) to (1, 1), one point per distinct score."""

    tpr: FloatArray
    fpr: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class RocStretches:
    """The stretches of a ROC curve on which recall rises, from (r0, f0) to (r1, f1), in order."""

    r0: FloatArray
    f0: FloatArray
    r1: FloatArray
    f1: FloatArray

    def chosen(
        self, which: npt.NDArray[np.bool_] | npt.NDArray[np.int64] | slice
    ) -> "RocStretches":
        """Return some of them."""
        return RocStretches(self.r0[which], self.f0[which], self.r1[which], self.f1[which])

    @property
    def widths(self) -> FloatArray:
        """How much recall each of them gains."""
        return self.r1 - self.r0


def roc(curve: Curve) -> RocCurve:
    """Which shares of the positives and of the negatives score at least so high?

    The point after each distinct score, from the highest down; ties are one point.
    Reference: Fawcett, Pattern Recognition Letters 27, 2006. doi:10.1016/j.patrec.2005.10.010
    >>> roc(Curve(np.array([0.9, 0.1]), np.array([3, 1]), np.array([1, 1]))).tpr.tolist()
    [0.0, 0.75, 1.0]
    """
    hits = _running_sum(curve.positive)
    false = _running_sum(curve.negative)
    if not hits[-1]:
        raise OptionError("the curve has no positives; its rates need items of both kinds")
    if not false[-1]:
        raise OptionError("the curve has no negatives; its rates need items of both kinds")
    return RocCurve(hits / hits[-1], false / false[-1])


def _running_sum(number: Counts) -> Counts:
    """Return sums from 0 to that of all."""
    sums = np.zeros(len(number) + 1, np.result_type(number, np.int64))
    np.cumsum(number, out=sums[1:])
    return sums


def roc_of(tpr: npt.ArrayLike, fpr: npt.ArrayLike) -> RocCurve:
    """Return a curve from its rates, in the order of falling thresholds; (0, 0) and (1, 1) may be left out.

    >>> roc_of([0.8], [0.2]).fpr.tolist()
    [0.0, 0.2, 1.0]
    """
    true_rates = check_rate("TPR", tpr)
    false_rates = check_rate("FPR", fpr)
    if true_rates.ndim != 1 or true_rates.shape != false_rates.shape:
        raise OptionError(
            f"there are {true_rates.size} TPR and {false_rates.size} FPR; give one of each per point"
        )
    _check_rising("TPR", true_rates)
    _check_rising("FPR", false_rates)
    start = [0.0]
    end = [1.0]
    return RocCurve(
        np.concatenate([start, true_rates, end]), np.concatenate([start, false_rates, end])
    )


def _check_rising(name: str, rates: FloatArray) -> None:
    falls = np.flatnonzero(np.diff(rates) < 0)
    if falls.size:
        before = rates[falls[0]]
        after = rates[falls[0] + 1]
        raise OptionError(f"{name} falls from {before:g} to {after:g}; sort by falling threshold")


def rises(curve: RocCurve) -> RocStretches:
    """Return the stretches on which recall rises, one per distinct score that holds a positive.

    >>> rises(roc_of([0.8, 0.8], [0.2, 0.4])).r1.tolist()
    [0.8, 1.0]
    """
    up = np.flatnonzero(curve.tpr[1:] > curve.tpr[:-1])
    # Each stretch begins at the recall at which the one before ends.
    recall = np.concatenate([curve.tpr[:1], curve.tpr[1:][up]])
    return RocStretches(recall[:-1], curve.fpr[up], recall[1:], curve.fpr[1:][up])


def joined(parts: RocStretches) -> RocStretches:
    """Return the same stretches, those without a negative between or in them joined into one: no area changes.

    >>> joined(rises(roc_of([0.5, 0.8], [0.0, 0.0]))).r1.tolist()
    [0.8, 1.0]
    """
    without_negatives = parts.f0 == parts.f1
    touching = parts.f0[1:] == parts.f1[:-1]
    joins = touching & without_negatives[1:] & without_negatives[:-1]
    first = np.flatnonzero(np.append(True, ~joins))
    last = np.flatnonzero(np.append(~joins, True))
    return RocStretches(parts.r0[first], parts.f0[first], parts.r1[last], parts.f1[last])


def precision_along(curve: RocCurve, recall: npt.ArrayLike, *, pi: npt.ArrayLike) -> FloatArray:
    """What is the precision at this recall, between the points too?

    That at the false positive rate on the straight ROC line between the two points around it (Davis and Goadrich's
    interpolation); where the rate jumps, before the jump.
    Reference: Davis, Goadrich, ICML 2006. doi:10.1145/1143844.1143874
    >>> float(precision_along(roc_of([0.8], [0.2]), 0.4, pi=0.5))
    0.8
    """
    return precision_at(recall, fall_out_along(rises(curve), recall), pi=pi)


def fall_out_along(parts: RocStretches, recall: npt.ArrayLike) -> FloatArray:
    """Return the false positive rate at this recall, on the straight line between the points around it.

    >>> float(fall_out_along(rises(roc_of([0.8], [0.2])), 0.4))
    0.1
    """
    wanted = check_rate("the recall", recall)
    place = np.minimum(np.searchsorted(parts.r1, wanted), len(parts.r1) - 1)
    r0 = parts.r0[place]
    f0 = parts.f0[place]
    share_of_stretch = (wanted - r0) / (parts.r1[place] - r0)
    return np.asarray(f0 + (parts.f1[place] - f0) * share_of_stretch)


def pr_area(curve: RocCurve, *, pi: npt.ArrayLike) -> FloatArray:
    """What is the area under the precision-recall curve where a share pi of the items is positive?

    The sum over straight ROC stretches of the integral of pi R / (pi R + (1 - pi) F(R)) dR, in closed form:
    Davis and Goadrich's interpolation, exact, at every pi. At pi = 0 its limit: the recall before the first
    false positive.
    Reference: Davis, Goadrich, ICML 2006. doi:10.1145/1143844.1143874
    >>> pr_area(roc_of([0.8], [0.2]), pi=[0.01, 0.5]).round(4).tolist()
    [0.0345, 0.7632]
    """
    return areas(joined(rises(curve)), pi)


def areas(parts: RocStretches, pi: npt.ArrayLike) -> FloatArray:
    """Return the area at each pi.

    >>> areas(rises(roc_of([], [])), [0.2, 0.7]).tolist()
    [0.2, 0.7]
    """
    return _integrals(parts, check_prevalence("the prevalence", pi), "area")


def areas_of_many(
    parts: RocStretches, starts: npt.NDArray[np.int64], pi: npt.ArrayLike
) -> FloatArray:
    """Return the area of several curves at each pi: curves x prevalences; `starts`: where the stretches of each begin.

    >>> both = RocStretches(np.array([0, 0, 0.5]), np.array([0, 0, 0.5]), np.array([1, 0.5, 1]), np.array([1, 0.5, 1]))
    >>> areas_of_many(both, np.array([0, 1]), [0.2, 0.7]).round(12).tolist()
    [[0.2, 0.7], [0.2, 0.7]]
    """
    share = check_prevalence("the prevalence", pi).ravel()
    if len(starts) == 1:
        return areas(parts, share)[None]
    # Three kinds of stretches: those before any false positive, where the precision is 1; those that rise from the
    # origin, where it is constant; and all others, where the closed form holds.
    pure = parts.f1 == 0
    at_origin = (parts.r0 == 0) & (parts.f0 == 0)
    origin = np.flatnonzero(at_origin & ~pure)
    usual = np.flatnonzero(~at_origin & ~pure)
    pure_recall = np.maximum.reduceat(np.where(pure, parts.r1, 0.0), starts)[:, None]
    total = np.empty((len(starts), len(share)))
    step = max(1, AT_ONCE // len(parts.r0))
    for row in range(0, len(share), step):
        some = share[row : row + step, None]
        each = np.zeros((len(some), len(parts.r0)))
        each[:, usual] = _stretch_integrals(parts.chosen(usual), some, "area")
        hits = some * parts.r1[origin]
        answers = hits + (1 - some) * parts.f1[origin]
        each[:, origin] = parts.r1[origin] * hits / np.where(answers > 0, answers, 1.0)
        total[:, row : row + step] = np.add.reduceat(each, starts, axis=1).T + pure_recall
    return np.select([share == 0, share == 1], [pure_recall, 1.0], total)


def losses(parts: RocStretches, pi: npt.ArrayLike) -> FloatArray:
    """Return 1 - the area at each pi, with all its digits where the area is close to 1.

    >>> losses(rises(roc_of([], [])), [0.25, 1]).tolist()
    [0.75, 0.0]
    """
    return _integrals(parts, check_prevalence("the prevalence", pi), "loss")


def _integrals(parts: RocStretches, pi: FloatArray, what: Literal["area", "loss"]) -> FloatArray:
    """Return the area, or 1 - area, at each pi: the sum over three kinds of stretches, as in `areas_of_many`.

    1. Stretches before the first negative: precision 1, so the area is their recall and the loss 0.
    2. A first stretch that rises from the origin with both rates: its precision is the same everywhere.
    3. All others, by the closed form of `_stretch_integrals`.
    """
    is_area = what == "area"
    flat = pi.ravel()
    pure = int(np.searchsorted(parts.f1, 0.0, side="right"))
    pure_recall = float(parts.r1[pure - 1]) if pure else 0.0
    total = np.full(len(flat), pure_recall if is_area else 0.0)
    first_usual = pure
    if pure == 0 and parts.f0[0] == 0:
        recall = parts.r1[0]
        hits = flat * recall
        false = (1 - flat) * parts.f1[0]
        wanted = hits if is_area else false
        total += recall * wanted / (hits + false)
        first_usual = 1
    usual = parts.chosen(slice(first_usual, None))
    total = _with_integrals(total, usual, flat, what)
    # At the ends every precision is 0 or 1, and the closed form would divide by 0.
    at_zero = pure_recall if is_area else 1 - pure_recall
    at_one = 1.0 if is_area else 0.0
    return np.select([pi == 0, pi == 1], [at_zero, at_one], total.reshape(pi.shape))


def _with_integrals(
    sums: FloatArray, parts: RocStretches, pi: FloatArray, what: Literal["area", "loss"]
) -> FloatArray:
    """Return the sums with the integrals over all stretches added, block by block: a block fits into the cache."""
    total = sums.copy()
    for left in range(0, len(parts.r0), AT_ONCE):
        some = parts.chosen(slice(left, left + AT_ONCE))
        step = max(1, AT_ONCE // len(some.r0))
        for row in range(0, len(pi), step):
            prevalences = pi[row : row + step, None]
            total[row : row + step] += _stretch_integrals(some, prevalences, what).sum(axis=1)
    return total


def stretch_areas(parts: RocStretches, pi: FloatArray) -> FloatArray:
    """Return the area under each stretch at each pi, strictly between 0 and 1: prevalences x stretches.

    No stretch may begin at the origin.
    >>> stretch_areas(rises(roc_of([0.5], [0.5])).chosen(slice(1, None)), np.array([0.2, 0.7])).round(12).tolist()
    [[0.1], [0.35]]
    """
    return _stretch_integrals(parts, pi.reshape(-1, 1), "area")


def _stretch_integrals(
    parts: RocStretches, pi: FloatArray, what: Literal["area", "loss"]
) -> FloatArray:
    """Return the integral of the precision, or of 1 - precision, over the recall of each stretch, at each pi.

    On a straight ROC line R and F both run linearly from one end to the other, and so does the denominator of the
    precision pi R / (pi R + (1 - pi) F). The mean of a fraction of two linear functions is `fraction_mean`, with both
    multiplied by 2, so that the middle is the sum of the ends.
    """
    pi = np.clip(pi, 1e-200, np.nextafter(1, 0))  # the caller fills in the values at the ends
    rest = 1 - pi
    first = pi * parts.r0 + rest * parts.f0
    last = pi * parts.r1 + rest * parts.f1
    middle = first + last
    slope = (last - first) / middle
    width = parts.widths
    if what == "area":
        top = np.broadcast_to(parts.r0 + parts.r1, slope.shape)
        change = np.broadcast_to(width, slope.shape)
        share = pi
    else:
        top = np.broadcast_to(parts.f0 + parts.f1, slope.shape)
        change = np.broadcast_to(parts.f1 - parts.f0, slope.shape)
        share = rest
    mean = fraction_mean(top, change, slope, first=first, last=last)
    return np.asarray(mean * (width / middle) * share)


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


def normalised_area(curve: RocCurve, *, pi: npt.ArrayLike) -> FloatArray:
    """How much of the area that can be won was won?

    (area - minimum) / (1 - minimum); NaN at pi = 1, where nothing can be won.
    Reference: Boyd, Santos Costa, Davis, Page, ICML 2012, section 4.
    >>> float(normalised_area(roc_of([0.8], [0.2]), pi=0.5).round(4))
    0.6583
    """
    share = check_prevalence("the prevalence", pi)
    parts = joined(rises(curve))
    room = losses(WORST, share)
    # Where most items are positive all areas are close to 1: differences of losses keep their digits.
    from_areas = areas(parts, share) - areas(WORST, share)
    from_losses = room - losses(parts, share)
    won = np.where(share < 0.5, from_areas, from_losses)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(won / room)
