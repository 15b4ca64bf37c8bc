"""A number with its interval: what an estimate is, how it is requested, and that of bare counts."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from karat.doubt.bounds import BOUNDS
from karat.doubt.interval import Interval, Side, check_chance, check_level
from karat.measure.quantity import Quantity
from karat.measure.share import Share
from karat.numeric.arrays import FloatArray

DRAWS = 2000
"""How many resamples an interval rests on, where it is made of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalOptions:
    """How an interval is to be made."""

    level: float = 0.95
    side: Side = "both"
    bound: str = "exact"
    draws: int = DRAWS
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse impossible options."""
        check_level(self.level)
        check_chance(draws=self.draws, seed=self.seed)


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """A quantity of one system: one entry, or one per class; NaN inside arrays is undefined."""

    quantity: Quantity
    labels: tuple[str | None, ...]
    value: FloatArray
    interval: Interval
    successes: FloatArray | None = None
    trials: FloatArray | None = None

    @classmethod
    def of(
        cls,
        quantity: Quantity,
        labels: tuple[str | None, ...],
        value: FloatArray,
        interval: Interval,
        measured: Any = None,
    ) -> "Estimates":
        """Return the estimates of a measured value; those of a share carry its counts."""
        ends = replace(interval, low=np.atleast_1d(interval.low), high=np.atleast_1d(interval.high))
        value = np.atleast_1d(value)
        if not isinstance(measured, Share):
            return cls(quantity, labels, value, ends)
        successes = np.atleast_1d(measured.successes)
        trials = np.atleast_1d(measured.trials)
        return cls(quantity, labels, value, ends, successes, trials)

    def chosen(self, label: str) -> "Estimates":
        """Return the entry of one class, undefined if it neither occurs nor is answered."""
        if label not in self.labels:
            return self._unknown(label)
        place = [self.labels.index(label)]
        interval = replace(
            self.interval, low=self.interval.low[place], high=self.interval.high[place]
        )
        successes = None if self.successes is None else self.successes[place]
        trials = None if self.trials is None else self.trials[place]
        return Estimates(self.quantity, (label,), self.value[place], interval, successes, trials)

    def _unknown(self, label: str) -> "Estimates":
        """Return the entry of a class of which nothing is known: anything in the range is possible."""
        low = np.array([self.quantity.low])
        high = np.array([self.quantity.high])
        interval = replace(self.interval, low=low, high=high)
        none = None if self.successes is None else np.zeros(1)
        return Estimates(self.quantity, (label,), np.array([np.nan]), interval, none, none)


def of_counts(successes: int, trials: int, how: IntervalOptions) -> Estimates:
    """Return a share that is known only by its counts."""
    share = Share(np.array([float(successes)]), np.array([float(trials)]))
    interval: Interval = BOUNDS[how.bound]([successes], [trials], level=how.level, side=how.side)
    return Estimates.of(Quantity("share"), (None,), share.values, interval, share)
