"""The vote from sums of votes and of their products: no row is looked at again."""

from dataclasses import dataclass
from typing import get_args

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.consensus.vote_weights import Places, Weights, equal_weights, family_places
from karat.measure.consensus.votes import Consensus, LeaveOut
from karat.numeric.arrays import FloatArray
from karat.tally.votes.covotes import UNIT, BlockedCovotes, Covotes


def summed_consensus(
    covotes: Covotes,
    *,
    weights: Weights | None = None,
    families: npt.ArrayLike | None = None,
    leave_out: LeaveOut = "nobody",
) -> Consensus:
    """Who is best, if what all say together is the truth, from sums alone?

    Among the items that one set of systems answered P(i) = Σ_j c_j S_j(i), c the weights made to sum to 1 over that
    set; so Σ P S_k = Σ_j c_j Σ S_j S_k and Σ P = Σ_j c_j Σ S_j. The same as `consensus` of
    `karat.measure.consensus.votes`, but for the votes being rounded to billionths.
    Reference: Lamiroy, Sun, Computing Precision and Recall with Missing or Uncertain Ground Truth, GREC 2011.
    doi:10.1007/978-3-642-36824-0_15
    """
    return _summed(covotes, weights, families, leave_out)


def blocked_consensus(
    covotes: BlockedCovotes,
    *,
    weights: Weights | None = None,
    families: npt.ArrayLike | None = None,
    leave_out: LeaveOut = "nobody",
) -> Consensus:
    """Who is best in each block of items? The sums of `summed_consensus`, a row a block; those of all blocks add up."""
    return _summed(covotes, weights, families, leave_out)


def _summed(
    covotes: Covotes | BlockedCovotes,
    weights: Weights | None,
    families: npt.ArrayLike | None,
    leave_out: LeaveOut,
) -> Consensus:
    size = len(covotes.systems)
    full = weights or equal_weights(size)
    if len(full.systems) != size:
        raise OptionError(
            f"there are {len(full.systems)} weights and {size} systems; give one weight for each"
        )
    if leave_out not in get_args(LeaveOut):
        raise OptionError(f"leave_out is {leave_out!r}; it is 'nobody', 'itself' or 'family'")
    members, blocks = family_places(families, size), covotes.number.shape[1:]
    sums, left = np.zeros((3, *blocks, size + 2)), np.zeros((*blocks, size + 2), np.int64)
    for answered, number, products in zip(
        covotes.answered, covotes.number, covotes.products, strict=True
    ):
        votes = _Votes(answered, number, products / UNIT, full, members)
        for k in [*np.flatnonzero(answered), size, size + 1]:
            found = votes.judged(int(k), leave_out)
            left[..., k] += number if found is None else 0
            sums[..., k] += 0.0 if found is None else found
    return Consensus(full.shares, sums[0], sums[1], sums[2], left)


@dataclass(frozen=True, slots=True, eq=False)
class _Votes:
    """The items that one set of systems answered, maybe block by block."""

    answered: npt.NDArray[np.bool_]
    number: npt.NDArray[np.int64]
    products: FloatArray
    weights: Weights
    members: list[Places]

    def judged(self, k: int, leave_out: str) -> FloatArray | None:
        """Return Σ S_k, Σ P S_k and Σ P for a system, (all) or (none); None where nobody has a vote."""
        size = len(self.answered)
        shares = self._shares(k, leave_out)
        if shares is None:
            return None
        relevant = self.products[..., -1, :] @ shares
        if k < size:
            return np.array(
                [self.products[..., k, -1], self.products[..., k, :] @ shares, relevant]
            )
        return np.array([self.number * (k == size), relevant * (k == size), relevant])

    def _shares(self, k: int, leave_out: str) -> FloatArray | None:
        """Return c: what the vote of each system, then of (all), counts where system k is judged."""
        size, apart = len(self.answered), leave_out != "nobody"
        shares = np.zeros(size + 1)
        shares[size] = 0.0 if apart and k == size else self.weights.top
        given = shares[size] + (0.0 if apart and k == size + 1 else self.weights.bottom)
        for family in self.members:
            own = self.weights.systems[family] * self.answered[family]
            if apart and k in family:
                own = own * (family != k) * (leave_out == "itself")
            if own.sum() > 0:
                shares[family] = own / own.sum() * self.weights.systems[family].mean()
                given += self.weights.systems[family].mean()
        return shares / given if given > 0 else None
