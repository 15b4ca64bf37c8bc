"""A few checked items and many judged ones: what a judge, whose errors the checked items show, adds to them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.bounds.exact import exact
from karat.doubt.consensus.stratified_share import stratified_share
from karat.doubt.interval import check_level, refuse
from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray

NO_TRUTH: FloatArray = np.empty((0, 2))
"""The truth of items that were only judged."""


@dataclass(frozen=True, slots=True)
class Powered:
    """A share from checked and judged items, beside the same from the checked ones alone."""

    value: float | None
    low: float
    high: float
    level: float
    weight: float
    """How far the judge was trusted, from 0 (not at all) to 1."""
    classical: float | None
    """The share among the checked items."""
    classical_low: float
    classical_high: float
    """Its exact interval."""
    checked: int
    judged: int
    """Items that only the judge saw."""
    method: str


@dataclass(frozen=True, slots=True, eq=False)
class _Sample:
    """Rows of equal items: the numerator and denominator of each, whose means make the ratio."""

    true: FloatArray
    """true[row] = (numerator, denominator) by the truth; empty for items that were only judged."""
    judged: FloatArray
    """The same by the judge."""
    number: FloatArray
    """How many items each row represents."""

    @property
    def items(self) -> float:
        return float(self.number.sum())

    def mean(self, values: FloatArray) -> FloatArray:
        return np.asarray(self.number @ values / self.number.sum())

    def variance(self, values: FloatArray) -> float:
        return float(self.mean((values - self.mean(values)) ** 2))


def powered_mean(
    judged: npt.ArrayLike,
    true: npt.ArrayLike,
    number: npt.ArrayLike,
    judged_only: npt.ArrayLike,
    number_only: npt.ArrayLike,
    *,
    level: float = 0.95,
    weight: float | None = None,
) -> Powered:
    """How often is it true, if a few items were checked and many only judged?

    w mean_N(f) + mean_n(y - w f), y the checked truth, 0 or 1, and f the judge's answer, from 0 to 1; w = 1 trusts the
    judge fully, as prediction-powered inference does; the default w = cov(y, f) / ((1 + n/N) var(f)), kept from 0 to 1,
    makes the variance smallest.
    Interval by the normal approximation, √(w² var_N(f) / N + var_n(y - w f) / n). Rows of equal items, with their
    number. Assumes that the checked items were drawn at random from all; poor for few checked items, or few wrong.
    Where nothing varies among the checked items their exact interval is given instead.
    Reference: Angelopoulos, Bates, Fannjiang, Jordan, Zrnic, Science 382, 2023. doi:10.1126/science.adi6000
    Reference: Angelopoulos, Duchi, Zrnic, PPI++: Efficient Prediction-Powered Inference, 2023. arXiv:2311.01453
    >>> share = powered_mean([0, 0, 1, 1], [0, 1, 0, 1], [24, 7, 13, 56], [0, 1], [361, 639])
    >>> round(share.value, 4), round(share.low, 4), round(share.high, 4), round(share.weight, 3)
    (0.6047, 0.5246, 0.6848, 0.496)
    """
    y = np.asarray(true, float)
    f = np.asarray(judged, float)
    g = np.asarray(judged_only, float)
    if y.shape != f.shape or y.shape != np.shape(number) or g.shape != np.shape(number_only):
        raise OptionError(
            f"there are {y.size} truths, {f.size} and {g.size} judgements; give one row a kind of item"
        )
    refuse((y != 0) & (y != 1), "true", y, "what was checked is 0 or 1")
    few = _Sample(_over_one(y), _over_one(f), np.asarray(number, float))
    many = _Sample(NO_TRUTH, _over_one(g), np.asarray(number_only, float))
    return _ratio(few, many, level, weight)


def powered_accuracy(
    checked: npt.ArrayLike,
    judged: npt.ArrayLike,
    *,
    level: float = 0.95,
    weight: float | None = None,
) -> Powered:
    """How often is a system right, if a few items were checked and many only judged?

    checked[s, j, t] counts items by the system's answer, the judge's label and the true label; judged[s, j] the items
    that nobody checked. Σ W p over the items on which system and judge agree and those on which they do not: W the
    share of all items, p the share right among the checked. As that is the estimate of `powered_mean` with the weight
    p(agree) - p(disagree), `weight` asks for another one. Interval by MOVER, v - √(Σ W² (p - l)²), l the end of
    Jeffreys' interval of p, and so upwards; z² W(1-W) (p - p')² / N is added under the root, as W is of N items.
    Where none of either kind was checked, p is unknown: 1/2, from 0 to 1.
    Reference: post-stratification: Cochran, Sampling Techniques, Wiley 1977, section 5A.9; MOVER: Zou, Donner,
    Statistics in Medicine 27, 2008. doi:10.1002/sim.3095
    >>> counts = [[[20, 1], [3, 4]], [[4, 3], [5, 60]]]
    >>> found = powered_accuracy(counts, [[250, 60], [70, 620]])
    >>> round(found.value, 4), round(found.low, 4), round(found.high, 4)
    (0.8646, 0.7975, 0.9136)
    """
    checked_counts, judged_counts = _counts(checked, judged)
    if weight is None:
        return _post_stratified(checked_counts, judged_counts, level)
    system, judge, truth = np.indices(checked_counts.shape).reshape(3, -1)
    right = _over_one(system == truth)
    right_by_judge = _over_one(system == judge)
    few = _Sample(right, right_by_judge, checked_counts.ravel())
    system, judge = np.indices(judged_counts.shape).reshape(2, -1)
    many = _Sample(NO_TRUTH, _over_one(system == judge), judged_counts.ravel())
    return _ratio(few, many, level, weight)


def _post_stratified(checked: FloatArray, judged: FloatArray, level: float) -> Powered:
    """Return the accuracy by strata of agreement with the judge, beside that of the checked items alone."""
    check_level(level)
    for name, counts in (("checked", checked), ("judged", judged)):
        _check_number(name, counts)
    system, judge = np.indices(judged.shape)
    answer, _, truth = np.indices(checked.shape)
    agree = system == judge
    of_kind = checked.sum(axis=2)
    right = np.where(answer == truth, checked, 0.0).sum(axis=2)
    kinds = (agree, ~agree)
    right_of = np.array([right[kind].sum() for kind in kinds])
    checked_of = np.array([of_kind[kind].sum() for kind in kinds])
    items_of = checked_of + [judged[kind].sum() for kind in kinds]
    value, interval = stratified_share(right_of, checked_of, items_of, level=level)
    shares = np.where(checked_of > 0, right_of / np.maximum(checked_of, 1), 0.5)
    hits = float(right.sum())
    trials = float(checked.sum())
    alone = exact(hits, trials, level=level)
    return Powered(
        value=float(value),
        low=float(interval.low),
        high=float(interval.high),
        level=level,
        weight=float(shares[0] - shares[1]),
        classical=hits / trials,
        classical_low=float(alone.low),
        classical_high=float(alone.high),
        checked=int(trials),
        judged=int(judged.sum()),
        method="post-stratified by agreement with the majority, Jeffreys and MOVER",
    )


def powered_precision(
    checked: npt.ArrayLike,
    judged: npt.ArrayLike,
    *,
    label: int = 1,
    level: float = 0.95,
    weight: float | None = None,
) -> Powered:
    """How many of the items that a system gave a label have it, if a few items were checked and many only judged?

    The ratio of the prediction-powered means of [s = t = label] and [s = label], counted as in `powered_accuracy`; the
    interval by linearisation.
    """
    return _of_label(checked, judged, label, level, weight, by_system=True)


def powered_recall(
    checked: npt.ArrayLike,
    judged: npt.ArrayLike,
    *,
    label: int = 1,
    level: float = 0.95,
    weight: float | None = None,
) -> Powered:
    """How many of the items that have a label were given it, if a few items were checked and many only judged?

    The ratio of the prediction-powered means of [s = t = label] and [t = label], counted as in `powered_accuracy`; the
    interval by linearisation.
    """
    return _of_label(checked, judged, label, level, weight, by_system=False)


def _of_label(
    checked: npt.ArrayLike,
    judged: npt.ArrayLike,
    label: int,
    level: float,
    weight: float | None,
    *,
    by_system: bool,
) -> Powered:
    """Return how many of the items with a label, by the system or by the truth, have it by both."""
    checked_counts, judged_counts = _counts(checked, judged)

    def numerator_and_denominator(system: BoolArray, other: BoolArray) -> FloatArray:
        both = system & other
        below = system if by_system else other
        return np.stack([both, below], 1).astype(float)

    system, judge, truth = np.indices(checked_counts.shape).reshape(3, -1) == label
    few = _Sample(
        true=numerator_and_denominator(system, truth),
        judged=numerator_and_denominator(system, judge),
        number=checked_counts.ravel(),
    )
    system, judge = np.indices(judged_counts.shape).reshape(2, -1) == label
    many = _Sample(NO_TRUTH, numerator_and_denominator(system, judge), judged_counts.ravel())
    return _ratio(few, many, level, weight)


def _over_one(values: npt.NDArray[np.generic]) -> FloatArray:
    """Return values as ratios: each over 1."""
    return np.column_stack([values, np.ones(len(values))]).astype(float)


def _counts(checked: npt.ArrayLike, judged: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    few = np.asarray(checked, float)
    many = np.asarray(judged, float)
    is_cube = few.ndim == 3 and len(set(few.shape)) == 1
    if not is_cube or many.shape != few.shape[:2]:
        raise OptionError(
            f"the counts are of shape {few.shape} and {many.shape}; give [answer, judge, truth] of the checked and "
            "[answer, judge] of the others, over the same labels"
        )
    return few, many


@dataclass(frozen=True, slots=True)
class _Estimate:
    """A ratio, its standard error and the weight of the judge."""

    value: float
    error: float
    weight: float


def _ratio(few: _Sample, many: _Sample, level: float, weight: float | None) -> Powered:
    """Return the ratio of two means, and the same from the checked items alone."""
    _check(few, many, level, weight)
    above, below = few.mean(few.true)
    hits, trials = np.round([above * few.items, below * few.items])
    checked_only = exact(hits, trials, level=level)
    classical = float(above / below) if below else None
    classical_low = float(checked_only.low)
    classical_high = float(checked_only.high)
    estimate = None
    if classical is not None:
        estimate = _prediction_powered(few, many, classical, weight)
    if estimate is None:
        value = classical
        low = classical_low
        high = classical_high
        trust = 0.0
        method = "exact, of the checked items alone: nothing varies among them"
    else:
        value = estimate.value
        reach = -special.ndtri((1 - level) / 2) * estimate.error
        low = max(0.0, value - reach)
        high = min(1.0, value + reach)
        trust = estimate.weight
        method = f"prediction-powered, normal approximation (weight={trust:.4g})"
    return Powered(
        value=value,
        low=float(low),
        high=float(high),
        level=level,
        weight=trust,
        classical=classical,
        classical_low=classical_low,
        classical_high=classical_high,
        checked=int(few.items),
        judged=int(many.items),
        method=method,
    )


def _prediction_powered(
    few: _Sample, many: _Sample, start: float, weight: float | None
) -> _Estimate | None:
    """Return the ratio of the two prediction-powered means; None where it is undefined or has no standard error.

    The error of a ratio R = A / B is that of A - R B, divided by B (linearisation): the projection of every row on
    (1, -R) is one number, whose variance among the judged and the checked items gives the standard error.
    """
    trust = _best_weight(few, many, start) if weight is None else weight
    corrections = few.true - trust * few.judged
    above, below = trust * many.mean(many.judged) + few.mean(corrections)
    if below <= 0:
        return None
    value = float(np.clip(above / below, 0, 1))
    projection = np.array([1.0, -value])
    variance_of_checked = few.variance(corrections @ projection)
    if not variance_of_checked:
        return None
    variance_of_judged = many.variance(many.judged @ projection)
    variance = trust**2 * variance_of_judged / many.items + variance_of_checked / few.items
    error = float(np.sqrt(variance) / below)
    return _Estimate(value, error, trust) if error else None


def _best_weight(few: _Sample, many: _Sample, value: float) -> float:
    """cov(y, f) / ((1 + n/N) var(f)) of the linearised ratio, kept from 0 to 1: it makes the variance smallest."""
    projection = np.array([1.0, -value])
    y = few.true @ projection
    f = few.judged @ projection
    covariance = few.mean((y - few.mean(y)) * (f - few.mean(f)))
    # The judge's answers are known of all items, checked or not: their variance is taken over both.
    everything = _Sample(
        true=NO_TRUTH,
        judged=np.concatenate([few.judged, many.judged]),
        number=np.concatenate([few.number, many.number]),
    )
    n = few.items
    m = many.items
    variance = everything.variance(everything.judged @ projection) * (n + m) / (n + m - 1)
    if variance <= 0:
        return 0.0
    return float(np.clip(covariance / ((1 + n / m) * variance), 0, 1))


def _check(few: _Sample, many: _Sample, level: float, weight: float | None) -> None:
    check_level(level)
    for name, sample in (("checked", few), ("judged", many)):
        _check_number(name, sample.number)
    if weight is not None and not 0 <= weight <= 1:
        raise OptionError(f"weight is {weight}; the judge is trusted from 0, not at all, to 1")


def _check_number(name: str, number: FloatArray) -> None:
    refuse(
        (number < 0) | ~np.isfinite(number),
        f"the {name} items",
        number,
        "a count is >= 0",
    )
    if not number.sum():
        raise OptionError(
            f"there are no {name} items; give some of both kinds, or use an interval of one kind"
        )
