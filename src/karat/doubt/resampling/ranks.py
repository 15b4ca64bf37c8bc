"""Probabilities of the ranks of all systems, over resamples of the items."""

from dataclasses import dataclass

import numpy as np

from karat.doubt.resampling.joint import Joint
from karat.numeric.arrays import FloatArray
from karat.numeric.ties import equal_but_for_rounding


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """P(rank) of every system, by simulation."""

    systems: tuple[str, ...]
    chance: FloatArray
    """chance[i, r]: how often system i has rank r + 1; systems with equal values share the better rank."""
    standard_error: float
    """The largest standard error of any of these, from the number of draws."""
    method: str

    def best(self) -> dict[str, float]:
        """Return the probability of each system to be the best, or among the best."""
        first = self.chance[:, 0].tolist()
        return dict(zip(self.systems, first, strict=True))

    def range(self, system: str, *, level: float = 0.95) -> tuple[int, int]:
        """Return the central ranks that a system has with at least this probability."""
        below = np.cumsum(self.chance[self.systems.index(system)])
        tail = (1 - level) / 2
        first = int(np.searchsorted(below, tail, side="right"))
        # Sums of shares may miss 1 - tail by rounding.
        last = int(np.searchsorted(below, 1 - tail - 1e-12))
        return first + 1, last + 1


def ranks(joint: Joint, *, lower_is_better: bool = False) -> Ranks:
    """Probabilities of each system's ranks.

    The share of resamples in which a system has that rank: one more than the number of systems strictly before it.
    """
    values = equal_but_for_rounding(joint.drawn)
    if lower_is_better:
        values = -values
    size = values.shape[1]
    chance = np.zeros((size, size))
    for system in range(size):
        ahead = (values > values[:, [system]]).sum(axis=1)
        chance[system] = np.bincount(ahead, minlength=size) / len(values)
    variances = chance * (1 - chance) / len(values)
    error = float(np.sqrt(variances).max())
    return Ranks(joint.systems, chance, error, joint.method)
