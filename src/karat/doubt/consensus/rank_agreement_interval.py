"""How far a rank correlation with the truth may be off, where systems are few and their true values hardly known."""

import math

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.interval import Interval, check_level
from karat.measure.rank_agreement import kendall, orders
from karat.numeric.arrays import FloatArray

FEWEST = 5
"""From so many systems on their own variation is looked at."""
DRAWS = 100


def rank_agreement_interval(
    estimated: npt.ArrayLike,
    true: npt.ArrayLike,
    items: npt.ArrayLike,
    weights: npt.ArrayLike,
    *,
    level: float = 0.95,
    seed: int = 0,
) -> Interval | None:
    """Return an interval of Kendall's tau-b between estimates and true values, each of these a share of some items.

    tanh(atanh(tau) ± t s / (1 - tau²)), t Student's quantile. s is the larger of two standard errors: by leaving out
    one system after the other (of which systems there are; from 5 on), and by drawing each true value anew from
    Beta(n x + 1/2, n (1 - x) + 1/2) (of few items). Approximate. None where tau is undefined.
    Reference: Tukey, Annals of Mathematical Statistics 29, 1958 (the jackknife).
    >>> found = rank_agreement_interval([1, 2, 3, 4, 5, 6], [0.1, 0.3, 0.2, 0.6, 0.5, 0.9], [50] * 6, np.ones((6, 6)))
    >>> round(float(found.low), 2), round(float(found.high), 2)
    (-0.23, 0.97)
    """
    check_level(level)
    weight = np.asarray(weights, float)
    tau = kendall(estimated, true, weight)
    if tau is None:
        return None
    systems = len(weight)
    of_items = _error_of_items(estimated, true, items, weight, seed)
    of_systems = _error_of_systems(estimated, true, weight) if systems >= FEWEST else 0.0
    quantile = float(special.stdtrit(max(1, systems - 1), (1 + level) / 2))
    low, high = _ends(tau, quantile * max(of_items, of_systems))
    return Interval(np.array(low), np.array(high), level, "jackknife over systems, and few items")


def _ends(tau: float, reach: float) -> tuple[float, float]:
    if abs(tau) >= 1 - 1e-12:
        return max(-1.0, tau - reach), min(1.0, tau + reach)
    centre = math.atanh(tau)
    stretched = reach / (1 - tau**2)
    return math.tanh(centre - stretched), math.tanh(centre + stretched)


def _error_of_systems(estimated: npt.ArrayLike, true: npt.ArrayLike, weight: FloatArray) -> float:
    """Return the jackknife's standard error, each system left out in turn."""
    first = orders(estimated)
    second = orders(true)
    agreed = weight * first * second
    by_first = weight * (first != 0)
    by_second = weight * (second != 0)
    # A system's pairs are in its row and in its column.
    left = [part.sum() - 2 * part.sum(axis=1) for part in (agreed, by_first, by_second)]
    untied = left[1] * left[2]
    without_one = left[0][untied > 0] / np.sqrt(untied[untied > 0])
    number = len(without_one)
    if number < 2:
        return 0.0
    squares = float(((without_one - without_one.mean()) ** 2).sum())
    return math.sqrt((number - 1) / number * squares)


def _error_of_items(
    estimated: npt.ArrayLike,
    true: npt.ArrayLike,
    items: npt.ArrayLike,
    weight: FloatArray,
    seed: int,
) -> float:
    """Return how far tau varies if the true values are as uncertain as shares of so many items are."""
    share = np.asarray(true, float)
    number = np.asarray(items, float)
    rng = np.random.default_rng(seed)
    right = number * share
    drawn = rng.beta(right + 0.5, number - right + 0.5, (DRAWS, len(share)))
    taus = []
    for values in drawn:
        tau = kendall(estimated, values, weight)
        if tau is not None:
            taus.append(tau)
    return float(np.std(taus)) if taus else 0.0
