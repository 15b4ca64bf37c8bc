"""One line of the page: a number that karat prints, a setting, what is said of it and what was measured."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from karat.doubt.interval import Interval

LEVEL = 0.95
TOLERATED = 0.02
"""By so much a measured value may fall short of what is said without a word at the number itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What was measured in one setting."""

    number: str
    """What karat prints, and by which method."""
    setting: str
    said: float
    measured: float
    runs: int
    """Simulated data sets; 0 where all outcomes were enumerated."""
    width: float | None = None
    """The mean width of the interval."""
    most: bool = False
    """Whether `said` is the most that is allowed, as for a test under the null, and not the least."""

    @property
    def short(self) -> bool:
        """Whether it falls short of what is said by more than is tolerated."""
        if self.most:
            return self.measured > self.said + TOLERATED
        return self.measured < self.said - TOLERATED


def covered(
    number: str,
    setting: str,
    truth: float,
    found: Iterable[Interval],
    *,
    runs: int,
) -> Row:
    """Return how often intervals hold a value, one interval a run or all runs in one."""
    held = 0.0
    width = 0.0
    count = 0
    for interval in found:
        low = np.atleast_1d(interval.low)
        high = np.atleast_1d(interval.high)
        held += float(((low <= truth + 1e-12) & (truth <= high + 1e-12)).sum())
        width += float((high - low).sum())
        count += low.size
    return Row(
        number=number,
        setting=setting,
        said=LEVEL,
        measured=held / count,
        runs=runs,
        width=width / count,
    )


def rejected(number: str, setting: str, p_values: np.ndarray, chance: np.ndarray | None) -> Row:
    """Return how often a test of level 0.05 rejects where there is nothing to find."""
    significant = p_values <= 1 - LEVEL + 1e-12
    if chance is None:
        measured, runs = float(significant.mean()), len(p_values)
    else:
        measured, runs = float(chance[significant].sum()), 0
    return Row(
        number=number, setting=setting, said=1 - LEVEL, measured=measured, runs=runs, most=True
    )


Topic = Callable[[int], Iterable[Row]]
"""From the number of runs to rows."""
