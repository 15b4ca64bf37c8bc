"""The vote from sums of votes and of their products, without looking at a row again."""

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
    """Who is best, if the vote of all systems is the truth, from sums alone?

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
    """Who is best in each block of items? The sums of `summed_consensus` with a row for each block, which add up."""
    return _summed(covotes, weights, families, leave_out)


def _summed(
    covotes: Covotes | BlockedCovotes,
    weights: Weights | None,
    families: npt.ArrayLike | None,
    leave_out: LeaveOut,
) -> Consensus:
    systems = len(covotes.systems)
    full = weights or equal_weights(systems)
    if len(full.systems) != systems:
        raise OptionError(
            f"there are {len(full.systems)} weights and {systems} systems; give one weight for each"
        )
    if leave_out not in get_args(LeaveOut):
        raise OptionError(f"leave_out is {leave_out!r}; it is 'nobody', 'itself' or 'family'")
    members = family_places(families, systems)
    blocks = covotes.number.shape[1:]
    retrieved, agreed, relevant = np.zeros((3, *blocks, systems + 2))
    left_out = np.zeros((*blocks, systems + 2), np.int64)
    for answered, number, products in zip(
        covotes.answered, covotes.number, covotes.products, strict=True
    ):
        votes = _AnsweredByTheSame(answered, number, products / UNIT, full, members)
        for voter in [*np.flatnonzero(answered), systems, systems + 1]:
            shares = votes.shares(int(voter), leave_out)
            if shares is None:
                left_out[..., voter] += number
                continue
            retrieved[..., voter] += votes.retrieved(int(voter))
            agreed[..., voter] += votes.agreed(int(voter), shares)
            relevant[..., voter] += votes.relevant(shares)
    return Consensus(full.shares, retrieved, agreed, relevant, left_out)


@dataclass(frozen=True, slots=True, eq=False)
class _AnsweredByTheSame:
    """The items that one set of systems answered, maybe block by block.

    A voter is a system, then (all), then (none), by its place. The last row and column of `products` are the vote of
    (all), which is 1: they hold the sums of the votes themselves.
    """

    answered: npt.NDArray[np.bool_]
    number: npt.NDArray[np.int64]
    products: FloatArray
    weights: Weights
    members: list[Places]

    def retrieved(self, voter: int) -> FloatArray:
        """Σ S_k."""
        if self._is_all(voter):
            return self.number.astype(float)
        if self._is_none(voter):
            return np.zeros(self.number.shape)
        return np.asarray(self.products[..., voter, -1])

    def agreed(self, voter: int, shares: FloatArray) -> FloatArray:
        """Σ P S_k."""
        if self._is_all(voter):
            return self.relevant(shares)
        if self._is_none(voter):
            return np.zeros(self.number.shape)
        return np.asarray(self.products[..., voter, :] @ shares)

    def relevant(self, shares: FloatArray) -> FloatArray:
        """Σ P."""
        return np.asarray(self.products[..., -1, :] @ shares)

    def shares(self, voter: int, leave_out: str) -> FloatArray | None:
        """Return c: what the vote of each system, then of (all), counts where this voter is judged.

        None where nobody has a vote.
        """
        systems = len(self.answered)
        judged_by_others = leave_out != "nobody"
        shares = np.zeros(systems + 1)
        total = 0.0
        if not (judged_by_others and self._is_all(voter)):
            shares[systems] = self.weights.top
            total += self.weights.top
        if not (judged_by_others and self._is_none(voter)):
            total += self.weights.bottom
        for family in self.members:
            weights = self.weights.systems[family]
            voting = weights * self.answered[family]
            if judged_by_others and voter in family:
                if leave_out == "family":
                    continue
                voting = np.where(family == voter, 0.0, voting)
            if voting.sum() > 0:
                shares[family] = voting / voting.sum() * weights.mean()
                total += weights.mean()
        return shares / total if total > 0 else None

    def _is_all(self, voter: int) -> bool:
        return voter == len(self.answered)

    def _is_none(self, voter: int) -> bool:
        return voter == len(self.answered) + 1
