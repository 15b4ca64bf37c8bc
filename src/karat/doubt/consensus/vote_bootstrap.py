"""How far an estimate without truth would move, had the items been drawn anew."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import Interval, Side, tails
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray

Estimator = Callable[[FloatArray], npt.ArrayLike]
"""From the number of items of every row to any array of values, NaN where one is undefined."""


@dataclass(frozen=True, slots=True, eq=False)
class Redrawn:
    """An estimate, and what it was in each resample."""

    value: FloatArray
    drawn: FloatArray
    """drawn[r]: all values in resample r, NaN where one is undefined."""
    undefined: FloatArray
    """The share of resamples in which each value is undefined; they say nothing of it."""
    method: str

    def interval(self, *, level: float = 0.95, side: Side = "both") -> Interval:
        """Return the quantiles of the resamples; from 0 to 1 where none of them has a value."""
        below, above = tails(level, side)
        known = self.undefined < 1
        filled = np.where(known, self.drawn, 0.0)
        low = np.nanquantile(filled, below, axis=0) if below else np.zeros(known.shape)
        high = np.nanquantile(filled, 1 - above, axis=0) if above else np.ones(known.shape)
        return Interval(np.where(known, low, 0.0), np.where(known, high, 1.0), level, self.method)


def consensus_bootstrap(
    estimator: Estimator,
    number: npt.ArrayLike,
    *,
    clusters: npt.ArrayLike | None = None,
    at_once: Estimator | None = None,
    draws: int = 500,
    seed: int = 0,
) -> Redrawn:
    """Where does an estimate lie, had as many items been drawn anew?

    As many items as there are, drawn from the rows in proportion to their numbers, and the estimate made again from
    the numbers drawn; the rows of one cluster, a code a row, are drawn together. `at_once` is the estimator of many
    resamples, from a row of numbers each to a row of values each. Quantiles of the resamples, approximate. It tells the
    chance of the items only: what all systems have wrong together no resample shows.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    >>> share = consensus_bootstrap(lambda number: number[0] / number.sum(), [30, 70], draws=2000)
    >>> print(share.value, share.interval().low.round(2), share.interval().high.round(2))
    0.3 0.21 0.39
    """
    amount = np.asarray(number)
    if amount.ndim != 1 or not amount.sum() or np.any((amount < 0) | (amount != np.floor(amount))):
        raise OptionError(
            "number must hold whole counts of 0 or more, one for each row, and not all of them 0"
        )
    if draws < 1:
        raise OptionError(f"draws is {draws}; a bootstrap takes at least one, and 500 are usual")
    owner, size = _units(amount, clusters)
    random = np.random.default_rng(seed)
    value = np.asarray(estimator(amount.astype(float)), float)
    times = (
        random.multinomial(int(size.sum()), size / size.sum()).astype(float) for _ in range(draws)
    )
    numbers = (one if owner is None else one[owner] * amount for one in times)
    drawn = np.array(
        [estimator(one) for one in numbers] if at_once is None else at_once(np.stack([*numbers])),
        float,
    )
    what = f"{int(size.sum()):,} {'items' if owner is None else 'clusters'}"
    return Redrawn(
        value,
        drawn,
        np.isnan(drawn).mean(axis=0),
        f"bootstrap over {what} (draws={draws}, seed={seed})",
    )


def _units(
    amount: npt.NDArray[np.generic], clusters: npt.ArrayLike | None
) -> tuple[npt.NDArray[np.int64] | None, npt.NDArray[np.int64]]:
    """Return the unit of every row, None where each item is one, and how many units of each kind there are."""
    if clusters is None:
        return None, amount.astype(np.int64)
    names, owner = np.unique(np.asarray(clusters), return_inverse=True)
    if owner.shape != amount.shape:
        raise OptionError(
            f"there are {owner.size} clusters and {amount.size} rows; give the cluster of each row"
        )
    return owner, np.ones(len(names), np.int64)
