"""How sure the area of a curve is."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import Interval, Side, tails
from karat.measure.curves import average_precisions
from karat.measure.of_scores.roc_area import roc_area
from karat.numeric.arrays import FloatArray
from karat.numeric.resampled_counts import drawing
from karat.tally.scores.curve import Curve

AT_MOST = 100_000_000
"""Numbers drawn in all; many distinct scores mean fewer draws, and the method says how many."""
AT_ONCE = 32_768
"""Items drawn in one step: as many as the cache of a core holds."""
FEWEST = 200


def delong(curve: Curve, *, level: float = 0.95, side: Side = "both") -> Interval:
    """Where does the area under the ROC curve lie?

    area ± z √(V+/m + V-/n): V+ the variance over the m positives of the share of negatives below each, V- that over
    the n negatives of the share of positives above each, ties half. Approximate: independent items, many of each.
    An area of 1 or 0 has no variance: there g^(1/k) bounds it, g the error on that side and k the smaller of m and n,
    as if k positives had each met a negative of their own. Of a single positive or negative nothing is known.
    Reference: DeLong, DeLong, Clarke-Pearson, Biometrics 44, 1988. doi:10.2307/2531595
    """
    from scipy.special import ndtri  # noqa: PLC0415 (wanted only here)

    positive, negative = curve.positive.astype(float), curve.negative.astype(float)
    above = (positive.cumsum() - positive / 2) / positive.sum()
    below = (negative.sum() - negative.cumsum() + negative / 2) / negative.sum()
    error = np.sqrt(
        _variance(below, positive) / positive.sum() + _variance(above, negative) / negative.sum()
    )
    value = roc_area(curve)
    first, last = tails(level, side)
    low = max(0.0, value + ndtri(first) * error) if first else 0.0
    high = min(1.0, value - ndtri(last) * error) if last else 1.0
    return _sure(curve, low, high, level, side, "delong")


def _sure(curve: Curve, low: float, high: float, level: float, side: Side, method: str) -> Interval:
    """Return an interval that is no surer than the number of positives and negatives allows."""
    fewer = min(int(curve.positive.sum()), int(curve.negative.sum()))
    if fewer < 2:
        return Interval(np.array(0.0), np.array(1.0), level, method)
    first, last = tails(level, side)
    low = first ** (1 / fewer) if low == 1 and first else low
    high = 1 - last ** (1 / fewer) if high == 0 and last else high
    return Interval(np.array(low), np.array(high), level, method)


def _variance(values: FloatArray, number: FloatArray) -> float:
    mean = (values * number).sum() / number.sum()
    return float((number * (values - mean) ** 2).sum() / max(number.sum() - 1, 1))


def _steps(curve: Curve) -> tuple[npt.NDArray[np.int64], int]:
    """Return the positives at each score that has any, the negatives from the one before down to it, and the rest.

    All that an average precision depends on: negatives between two positives need not be distinguished.
    """
    step = np.flatnonzero(curve.positive)
    before = np.append(0, np.cumsum(curve.negative))
    parts = np.diff(np.concatenate([[0], before[step + 1], before[-1:]]))
    return np.concatenate([curve.positive[step], parts]), len(step)


def redrawn(
    curve: Curve, *, level: float = 0.95, side: Side = "both", draws: int = 2000, seed: int = 0
) -> Interval:
    """Where does the average precision lie, if the items had been resampled?

    Quantiles over seeded multinomial resamples of the curve's counts; approximate. Resamples without a positive have
    no average precision and are left out; what quantiles of a perfect curve do not see is bounded as in `delong`.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    """
    number, steps = _steps(curve)
    draws = max(min(draws, AT_MOST // len(number)), min(draws, FEWEST))
    random, draw = np.random.default_rng(seed), drawing(number)
    step = max(1, AT_ONCE // int(number.sum()))
    parts: list[FloatArray] = []
    for start in range(0, draws, step):
        drawn = draw(random, min(step, draws - start))
        parts.append(average_precisions(drawn[:, :steps], drawn[:, steps : 2 * steps]))
    values = np.concatenate(parts)
    values = values[~np.isnan(values)]
    first, last = tails(level, side)
    low = float(np.quantile(values, first)) if first and len(values) else 0.0
    high = float(np.quantile(values, 1 - last)) if last and len(values) else 1.0
    return _sure(curve, low, high, level, side, f"bootstrap (draws={draws}, seed={seed})")


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
    """Where does any number of a curve lie, if the items had been resampled?

    Quantiles over seeded multinomial resamples of the curve's counts, as `redrawn`, but for a number whose formula
    takes one curve at a time; approximate. Resamples in which it is undefined are left out. Where all of them agree,
    quantiles say nothing, and g^(1/k) bounds how far the range reaches beyond, k the smaller of the positives and
    negatives. Of a single positive or negative nothing is known.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    """
    method = f"bootstrap (draws={draws}, seed={seed})"
    fewer = min(int(curve.positive.sum()), int(curve.negative.sum()))
    random = np.random.default_rng(seed)
    counts = drawing(np.concatenate([curve.positive, curve.negative]))(random, draws)
    size = len(curve.score)
    every = np.array([value(Curve(curve.score, row[:size], row[size:])) for row in counts], float)
    known = every[~np.isnan(every)]
    if fewer < 2 or not len(known):
        return Interval(np.array(low), np.array(high), level, method)
    first, last = tails(level, side)
    bottom = float(np.quantile(known, first)) if first else low
    top = float(np.quantile(known, 1 - last)) if last else high
    if np.ptp(known) == 0:
        bottom = low + (bottom - low) * first ** (1 / fewer) if first else low
        top = high - (high - top) * last ** (1 / fewer) if last else high
    return Interval(np.array(bottom), np.array(top), level, method)
