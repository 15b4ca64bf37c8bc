"""How likely each place in the ranking is, had the items been resampled."""

from dataclasses import dataclass

import numpy as np

from karat.doubt.resampling.joint import Joint
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """P(rank) of every system, by simulation."""

    systems: tuple[str, ...]
    chance: FloatArray
    """chance[i, r]: how often system i has rank r + 1; systems with equal values share the better rank."""
    standard_error: float
    """The largest standard error of any of these, from the number of draws alone."""
    method: str

    def best(self) -> dict[str, float]:
        """Return how likely each system is the best, or among the best."""
        return {
            system: float(share)
            for system, share in zip(self.systems, self.chance[:, 0], strict=True)
        }

    def range(self, system: str, *, level: float = 0.95) -> tuple[int, int]:
        """Return the central ranks that a system has with at least this probability."""
        below = np.cumsum(self.chance[self.systems.index(system)])
        tail = (1 - level) / 2
        first = int(np.searchsorted(below, tail, side="right"))
        return first + 1, int(np.searchsorted(below, 1 - tail - 1e-12)) + 1


def ranks(joint: Joint, *, lower_is_better: bool = False) -> Ranks:
    """Which places may each system have?

    The share of resamples in which a system has that rank: one more than the number of systems strictly before it.
    """
    values = -joint.drawn if lower_is_better else joint.drawn
    size = values.shape[1]
    chance = np.zeros((size, size))
    for system in range(size):
        place = (values > values[:, [system]]).sum(axis=1)
        chance[system] = np.bincount(place, minlength=size) / len(values)
    error = float(np.sqrt(chance * (1 - chance) / len(values)).max())
    return Ranks(joint.systems, chance, error, joint.method)
