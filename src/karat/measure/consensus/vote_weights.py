"""With what weight each system votes on what is true: equal or given confidence, oracles, families."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.numeric.arrays import FloatArray

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The confidence in each system, and in the two that retrieve all and none; only their ratios matter."""

    systems: FloatArray
    top: float = 1.0
    """Of the virtual system (all), which retrieves everything."""
    bottom: float = 1.0
    """Of the virtual system (none), which retrieves nothing."""

    @property
    def shares(self) -> FloatArray:
        """The weights of the systems, of (all) and of (none), in this order; they sum to 1."""
        every = np.array([*self.systems, self.top, self.bottom], float)
        return np.asarray(every / every.sum())


def vote_weights(systems: npt.ArrayLike, *, top: float = 1.0, bottom: float = 1.0) -> Weights:
    """How much does each system count in the vote?

    Any weights of 0 or more, not all 0; the weights of (all) and (none) are 1 by default.
    Reference: Lamiroy, Sun, Computing Precision and Recall with Missing or Uncertain Ground Truth, GREC 2011, eq. 13.
    doi:10.1007/978-3-642-36824-0_15
    >>> vote_weights([2, 1]).shares
    array([0.4, 0.2, 0.2, 0.2])
    """
    weights = Weights(np.asarray(systems, float), float(top), float(bottom))
    every = np.array([*weights.systems, weights.top, weights.bottom])
    valid = np.isfinite(every) & (every >= 0)
    if not valid.all():
        worst = every[~valid][0]
        raise OptionError(
            f"a weight in the vote is {worst:g}; give 0 for no vote, or a number above it"
        )
    if not every.any():
        raise OptionError(
            "all weights in the vote are 0, so nobody votes; give at least one system a weight above 0"
        )
    return weights


def equal_weights(systems: int) -> Weights:
    """Return the paper's weights: 1/(s+2) for each system, for (all) and for (none)."""
    weight = 1 / (systems + 2)
    return Weights(np.full(systems, weight), weight, weight)


def with_oracles(weights: Weights, oracles: Mapping[int, float]) -> Weights:
    """How much do the others count beside systems that are treated as the truth, with a given confidence?

    An oracle with confidence K leaves 1 - K to the others, (all) and (none) among them, in proportion to their weights.
    K = 1 is undisputed truth: all others weigh 0. Where a system does not answer, the weights of the rest grow by the
    same factor.
    >>> with_oracles(equal_weights(3), {2: 0.6}).shares.round(6)
    array([0.1, 0.1, 0.6, 0.1, 0.1])
    """
    places = list(oracles)
    trust = np.array(list(oracles.values()), float)
    each_valid = np.all((trust >= 0) & (trust <= 1))
    if not each_valid or trust.sum() > 1 + 1e-12:
        raise OptionError(
            f"the confidence in the oracles is {trust.tolist()}; each must be from 0 to 1, and their sum at most 1"
        )
    if any(not 0 <= place < len(weights.systems) for place in places):
        raise OptionError(
            f"the oracles are systems {places}; there are {len(weights.systems)}, counted from 0"
        )
    systems = weights.systems.copy()
    systems[places] = 0
    total_of_others = systems.sum() + weights.top + weights.bottom
    left = max(0.0, 1 - trust.sum())
    scale = left / total_of_others if total_of_others else 0.0
    systems *= scale
    systems[places] = trust
    return vote_weights(systems, top=weights.top * scale, bottom=weights.bottom * scale)


def family_places(families: Sequence[int] | npt.ArrayLike | None, systems: int) -> list[Places]:
    """Return the places of the members of each family; without families each system is its own.

    >>> family_places([0, 1, 0], 3)
    [array([0, 2]), array([1])]
    """
    codes = np.arange(systems) if families is None else np.asarray(families)
    if codes.shape != (systems,):
        raise OptionError(
            f"families name {codes.size} systems, and there are {systems}; give one family for each"
        )
    return [np.flatnonzero(codes == family) for family in np.unique(codes)]
