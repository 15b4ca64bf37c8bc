"""How far an estimate without truth would move if the items were resampled."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import Interval, Side, tails
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray

SPREAD = (
    "spread: about how far the value would move with other items like these. It is not a confidence interval of the "
    "true value, as no resample shows errors that systems share: at level 0.95, that of combined contained the true "
    "accuracy of real systems in 0.08 to 0.79 of the cases, and in 0.01 where items were written to mislead; with 30 "
    "items it contained what the value tends to in 0.87."
)
Estimate = Callable[[FloatArray], npt.ArrayLike]
"""From the number of items of every row to any array of values, NaN where one is undefined."""


@dataclass(frozen=True, slots=True, eq=False)
class ResampledEstimate:
    """An estimate, and its values in each resample."""

    value: FloatArray
    drawn: FloatArray
    """drawn[r]: all values in resample r, NaN where one is undefined."""
    undefined: FloatArray
    """The share of resamples in which each value is undefined; they are left out of its interval."""
    method: str

    def interval(self, *, level: float = 0.95, side: Side = "both") -> Interval:
        """Return the quantiles of the resamples; from 0 to 1 where none of them has a value."""
        below, above = tails(level, side)
        known = self.undefined < 1
        filled = np.where(known, self.drawn, 0.0)
        low = np.zeros(known.shape)
        high = np.ones(known.shape)
        if below:
            low = np.where(known, np.nanquantile(filled, below, axis=0), 0.0)
        if above:
            high = np.where(known, np.nanquantile(filled, 1 - above, axis=0), 1.0)
        return Interval(low, high, level, self.method)


def consensus_bootstrap(
    estimator: Estimate,
    number: npt.ArrayLike,
    *,
    clusters: npt.ArrayLike | None = None,
    at_once: Estimate | None = None,
    draws: int = 500,
    seed: int = 0,
) -> ResampledEstimate:
    """Where does an estimate lie, if as many other items might have been drawn?

    As many items as there are, drawn from the rows in proportion to their numbers, and the estimate computed again from
    the numbers drawn; the rows of one cluster, given by a code for each row, are drawn together. `at_once` estimates
    many resamples, from a row of numbers for each to a row of values for each. Quantiles of the resamples, approximate.
    It covers only the chance of drawing these items: no resample shows errors that all systems share.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> share = consensus_bootstrap(lambda number: number[0] / number.sum(), [30, 70], draws=2000)
    >>> print(share.value, share.interval().low.round(2), share.interval().high.round(2))
    0.3 0.21 0.39
    """
    amount = np.asarray(number)
    no_counts = (amount < 0) | (amount != np.floor(amount))
    if amount.ndim != 1 or not amount.sum() or no_counts.any():
        raise OptionError(
            "number must hold whole counts of 0 or more, one for each row, and not all of them 0"
        )
    if draws < 1:
        raise OptionError(f"draws is {draws}; a bootstrap takes at least one, and 500 are usual")
    units = _units(amount, clusters)
    random = np.random.default_rng(seed)
    value = np.asarray(estimator(amount.astype(float)), float)
    resamples = (units.resample(amount, random) for _ in range(draws))
    if at_once is None:
        drawn = np.array([estimator(number) for number in resamples], float)
    else:
        drawn = np.array(at_once(np.stack(list(resamples))), float)
    return ResampledEstimate(
        value=value,
        drawn=drawn,
        undefined=np.isnan(drawn).mean(axis=0),
        method=f"bootstrap over {units.total:,} {units.name} (draws={draws}, seed={seed})",
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Units:
    """What is drawn: items, or clusters of them."""

    name: str
    size: npt.NDArray[np.int64]
    """How many units of each kind there are."""
    of_row: npt.NDArray[np.int64] | None
    """The cluster of each row; None where items are drawn."""

    @property
    def total(self) -> int:
        return int(self.size.sum())

    def resample(self, amount: npt.NDArray[np.generic], random: np.random.Generator) -> FloatArray:
        """Return how many items of each row a resample has."""
        times = random.multinomial(self.total, self.size / self.size.sum()).astype(float)
        if self.of_row is None:
            return np.asarray(times)
        return np.asarray(times[self.of_row] * amount)


def _units(amount: npt.NDArray[np.generic], clusters: npt.ArrayLike | None) -> _Units:
    if clusters is None:
        return _Units("items", amount.astype(np.int64), None)
    names, of_row = np.unique(np.asarray(clusters), return_inverse=True)
    if of_row.shape != amount.shape:
        raise OptionError(
            f"there are {of_row.size} clusters and {amount.size} rows; give the cluster of each row"
        )
    return _Units("clusters", np.ones(len(names), np.int64), of_row)
