"""Confidence intervals of the area under a curve."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from karat.doubt.bounds.binormal_score import delong_variance
from karat.doubt.interval import Interval, Side, tails
from karat.measure.curves import average_precisions
from karat.numeric.arrays import FloatArray
from karat.numeric.resampled_counts import drawing
from karat.tally.scores.curve import Curve

DELONG_CAUTION = (
    "delong: too narrow where few items are out of order; of 20 positives and 200 negatives well apart it covered 0.76 "
    "instead of 0.95."
)
AT_ONCE = 32_768
"""Items drawn in one step: as many as the cache of a core holds."""


def delong(curve: Curve, *, level: float = 0.95, side: Side = "both") -> Interval:
    """Interval of the area under the ROC curve, by DeLong's variance.

    area ± z √(V+/m + V-/n): V+ the variance over the m positives of the share of negatives below each, V- that over
    the n negatives of the share of positives above each, ties half. Approximate, and too narrow where few items are out
    of order: `binormal_score` holds there.
    An area of 1 or 0 has no variance: there g^(1/k) bounds it, g the error on that side and k the smaller of m and n,
    as if each of k positives had been compared with a negative of its own. A single positive or negative gives [0, 1].
    Reference: DeLong, DeLong, Clarke-Pearson, Biometrics 44, 1988. doi:10.2307/2531595
    """
    from scipy.special import ndtri  # noqa: PLC0415 (wanted only here)

    area = delong_variance(curve)
    value = area.value
    error = np.sqrt(area.variance)
    first, last = tails(level, side)
    low = 0.0
    high = 1.0
    if first:
        low = max(0.0, value + ndtri(first) * error)
    if last:
        high = min(1.0, value - ndtri(last) * error)
    interval = _widened(curve, low, high, level, side, "delong")
    return replace(interval, caution=DELONG_CAUTION)


def _widened(
    curve: Curve, low: float, high: float, level: float, side: Side, method: str
) -> Interval:
    """Return the interval, no narrower than the number of positives and negatives allows."""
    fewer = _fewer(curve)
    if fewer < 2:
        return Interval(np.array(0.0), np.array(1.0), level, method)
    first, last = tails(level, side)
    if first and low == 1:
        low = first ** (1 / fewer)
    if last and high == 0:
        high = 1 - last ** (1 / fewer)
    return Interval(np.array(low), np.array(high), level, method)


def _fewer(curve: Curve) -> int:
    """Return the number of positives or of negatives, whichever is smaller."""
    positives = int(curve.positive.sum())
    negatives = int(curve.negative.sum())
    return min(positives, negatives)


def _steps(curve: Curve) -> tuple[npt.NDArray[np.int64], int]:
    """Return the positives at each score that has any, the negatives from the one before down to it, and the rest.

    All that an average precision depends on: negatives between two positives need not be distinguished.
    """
    step = np.flatnonzero(curve.positive)
    before = np.append(0, np.cumsum(curve.negative))
    cuts = np.concatenate([[0], before[step + 1], before[-1:]])
    negatives = np.diff(cuts)
    return np.concatenate([curve.positive[step], negatives]), len(step)


def resampled_average_precision(
    curve: Curve, *, level: float = 0.95, side: Side = "both", draws: int = 2000, seed: int = 0
) -> Interval:
    """Interval of the average precision, by resampling the items.

    Quantiles over seeded multinomial resamples of the curve's counts; approximate, and too narrow for few items:
    `average_precision_interval` holds there. Resamples without a positive have no average precision and are left out;
    what quantiles of a perfect curve do not see is bounded as in `delong`.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    """
    number, steps = _steps(curve)
    values = _average_precisions(number, steps, draws=draws, seed=seed)
    first, last = tails(level, side)
    low = 0.0
    high = 1.0
    if first and len(values):
        low = float(np.quantile(values, first))
    if last and len(values):
        high = float(np.quantile(values, 1 - last))
    return _widened(curve, low, high, level, side, f"bootstrap (draws={draws}, seed={seed})")


def _average_precisions(
    number: npt.NDArray[np.int64], steps: int, *, draws: int, seed: int
) -> FloatArray:
    """Return the average precision of each resample that has a positive."""
    random = np.random.default_rng(seed)
    draw = drawing(number)
    at_once = max(1, AT_ONCE // int(number.sum()))
    parts: list[FloatArray] = []
    for start in range(0, draws, at_once):
        counts = draw(random, min(at_once, draws - start))
        positive = counts[:, :steps]
        negative = counts[:, steps : 2 * steps]
        parts.append(average_precisions(positive, negative))
    values = np.concatenate(parts)
    return values[~np.isnan(values)]


def resampled(
    value: Callable[[Curve], float],
    curve: Curve,
    *,
    low: float = 0.0,
    high: float = 1.0,
    level: float = 0.95,
    side: Side = "both",
    draws: int = 2000,
    seed: int = 0,
) -> Interval:
    """Interval of any measure of a curve, by resampling the items.

    Quantiles over seeded multinomial resamples of the curve's counts, for a measure whose formula takes one curve at a
    time; approximate. Resamples in which it is undefined are left out. Where all of them agree,
    there is no spread to take quantiles of: there the interval reaches from their value towards each end of the range
    by all but g^(1/k) of the way, k the smaller of the positives and negatives. A single positive or negative gives
    the whole range.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    """
    method = f"bootstrap (draws={draws}, seed={seed})"
    fewer = _fewer(curve)
    values = _values_of_resamples(value, curve, draws=draws, seed=seed)
    if fewer < 2 or not len(values):
        return Interval(np.array(low), np.array(high), level, method)
    first, last = tails(level, side)
    agree = np.ptp(values) == 0
    bottom = low
    top = high
    if first:
        bottom = float(np.quantile(values, first))
        if agree:
            bottom = low + (bottom - low) * first ** (1 / fewer)
    if last:
        top = float(np.quantile(values, 1 - last))
        if agree:
            top = high - (high - top) * last ** (1 / fewer)
    return Interval(np.array(bottom), np.array(top), level, method)


def _values_of_resamples(
    value: Callable[[Curve], float], curve: Curve, *, draws: int, seed: int
) -> FloatArray:
    """Return the measure's value in each resample in which it is defined."""
    random = np.random.default_rng(seed)
    number = np.concatenate([curve.positive, curve.negative])
    size = len(curve.score)
    values = []
    for counts in drawing(number)(random, draws):
        resample = Curve(curve.score, counts[:size], counts[size:])
        values.append(value(resample))
    every: FloatArray = np.array(values, float)
    return every[~np.isnan(every)]
