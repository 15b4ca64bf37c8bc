"""The vote on a block of rows: who answered, how likely each row is relevant, also without one voter."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.consensus.vote_weights import Places, Weights
from karat.numeric.arrays import FloatArray

Bools = npt.NDArray[np.bool_]


class Ballots(Protocol):
    """The votes of each system on each row: on one document, or on one document for every label."""

    @property
    def answered(self) -> Bools:
        """answered[k, i]: system k answered row i."""

    @property
    def channels(self) -> int:
        """How many documents a row is."""

    @property
    def systems(self) -> int:
        """How many systems there are."""

    def cast(self, table: FloatArray, system: int, weight: float) -> None:
        """Add a system's votes to a table of the caller's, with a column for each document of a row."""

    def gained(
        self, chance: FloatArray, system: int, number: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return Σ S_k and Σ P S_k of every document."""


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Votes from 0 to 1 on one document a row."""

    values: FloatArray
    answered: Bools
    channels: int = 1

    @classmethod
    def of(cls, votes: npt.NDArray[Any]) -> "Votes":
        """Read a block of votes, NaN where there is no answer."""
        values = np.ascontiguousarray(votes.T, float)
        answered = ~np.isnan(values)
        values = np.where(answered, values, 0.0)
        outside = (values < 0) | (values > 1)
        if outside.any():
            worst = values[outside][0]
            raise OptionError(
                f"a vote is {worst:g}; a vote is a confidence from 0 to 1, or NaN for unknown"
            )
        return cls(values, answered)

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return len(self.values)

    def cast(self, table: FloatArray, system: int, weight: float) -> None:
        """Add a system's votes to the table."""
        table[:, 0] += weight * self.values[system]

    def gained(
        self, chance: FloatArray, system: int, number: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return Σ S_k and Σ P S_k."""
        amount = number * self.values[system]
        return np.array([amount.sum()]), _total(amount, chance)


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """One label for each row and system, as a code below the number of labels; codes below 0 are unknown."""

    codes: npt.NDArray[np.int64]
    answered: Bools
    channels: int

    @classmethod
    def of(cls, answers: npt.NDArray[Any], classes: int) -> "Answers":
        """Read a block of codes."""
        codes = np.ascontiguousarray(answers.T, np.int64)
        return cls(codes, codes >= 0, classes)

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return len(self.codes)

    def cast(self, table: FloatArray, system: int, weight: float) -> None:
        """Add a system's votes to the table."""
        rows = np.flatnonzero(self.answered[system])
        table[rows, self.codes[system, rows]] += weight

    def gained(
        self, chance: FloatArray, system: int, number: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return Σ S_k and Σ P S_k of every label."""
        rows = np.flatnonzero(self.answered[system])
        codes = self.codes[system, rows]
        amount = number[rows]
        retrieved = np.bincount(codes, amount, self.channels)
        agreed = np.bincount(codes, amount * chance[rows, codes], self.channels)
        return retrieved.astype(float), agreed.astype(float)


@dataclass(frozen=True, slots=True, eq=False)
class _Judgement:
    """By whom a system is judged: where anybody with a weight answered, and P there, 0 elsewhere."""

    voted: Bools
    chance: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Poll:
    """The votes that each row got, the weight of those who answered, and how many of them have any weight."""

    got: FloatArray
    given: FloatArray
    voters: FloatArray

    @property
    def chance(self) -> FloatArray:
        """Votes got / weight given; NaN where nobody with a weight answered."""
        # The voters are counted too: a difference of weights that should be 0 may be 1e-17.
        given = np.where(self.voters > 0, self.given, 0.0)[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(given > 0, self.got / given, np.nan)

    @property
    def judgement(self) -> _Judgement:
        """As it judges a system."""
        return _Judgement(self.voters > 0, np.nan_to_num(self.chance))

    def plus(self, other: "_Poll") -> "_Poll":
        """Return the votes of both."""
        return _Poll(self.got + other.got, self.given + other.given, self.voters + other.voters)

    def minus(self, other: "_Poll") -> "_Poll":
        """Return the votes without those of another, which are among them."""
        got = np.maximum(self.got - other.got, 0)
        return _Poll(got, self.given - other.given, self.voters - other.voters)

    def as_one(self, weight: float) -> "_Poll":
        """Return the vote of a family that has one vote: where a member answered, the members' P with this weight."""
        answered = (self.voters > 0).astype(float)
        return _Poll(weight * np.nan_to_num(self.chance), weight * answered, answered)


@dataclass(frozen=True, slots=True, eq=False)
class VoteSums:
    """Sums over rows, with a row for each system, for (all) and for (none), and a column for each document."""

    retrieved: FloatArray
    """Σ S_k."""
    agreed: FloatArray
    """Σ P S_k."""
    relevant: FloatArray
    """Σ P."""
    left_out: FloatArray
    """Items for which nobody else voted."""

    @classmethod
    def zeros(cls, systems: int, channels: int) -> "VoteSums":
        """Return the sums over no rows."""
        retrieved, agreed, relevant = np.zeros((3, systems + 2, channels))
        return cls(retrieved, agreed, relevant, np.zeros(systems + 2))

    def __add__(self, other: "VoteSums") -> "VoteSums":
        """Return the sums over the rows of both."""
        return VoteSums(
            self.retrieved + other.retrieved,
            self.agreed + other.agreed,
            self.relevant + other.relevant,
            self.left_out + other.left_out,
        )


@dataclass(frozen=True, slots=True, eq=False)
class VoteCount:
    """The votes on a block of rows."""

    ballots: Ballots
    weights: Weights
    members: Sequence[Places]
    full: _Poll

    @property
    def chance(self) -> FloatArray:
        """P of every row and document; NaN where nobody with a weight answered."""
        return self.full.chance

    def sums(self, number: FloatArray, leave_out: str) -> VoteSums:
        """Return what each system, (all) and (none) retrieved and how much of it is relevant."""
        sums = VoteSums.zeros(self.ballots.systems, self.ballots.channels)
        everybody = self.full.judgement
        for family in self.members:
            if leave_out == "nobody":
                judgements = iter([everybody] * len(family))
            else:
                judgements = self._judgements_of_others(family, leave_out)
            for system, judgement in zip(family, judgements, strict=True):
                answered = self.ballots.answered[system]
                chance = judgement.chance
                amount = number * (answered & judgement.voted)
                retrieved, agreed = self.ballots.gained(chance, system, amount)
                sums.retrieved[system] = retrieved
                sums.agreed[system] = agreed
                sums.relevant[system] = _total(amount, chance)
                sums.left_out[system] = number[answered & ~judgement.voted].sum()
        for place, vote in ((-2, 1.0), (-1, 0.0)):  # (all) and (none)
            judgement = self._judgement_of_virtual(vote, leave_out)
            relevant = _total(number * judgement.voted, judgement.chance)
            sums.retrieved[place] = vote * number[judgement.voted].sum()
            sums.agreed[place] = vote * relevant
            sums.relevant[place] = relevant
            sums.left_out[place] = number[~judgement.voted].sum()
        return sums

    def _judgements_of_others(self, family: Places, leave_out: str) -> Iterator[_Judgement]:
        """Yield, for each member of a family, how others vote where it is judged."""
        whole = _votes_of(self.ballots, self.weights, family)
        weight = float(self.weights.systems[family].mean())
        others = self.full.minus(whole.as_one(weight))
        if leave_out == "family" or len(family) == 1:
            yield from [others.judgement] * len(family)
            return
        for system in family:
            own = _votes_of(self.ballots, self.weights, np.array([system]))
            rest_of_family = whole.minus(own)
            yield others.plus(rest_of_family.as_one(weight)).judgement

    def _judgement_of_virtual(self, vote: float, leave_out: str) -> _Judgement:
        """Return how others vote where (all), whose vote is 1, or (none), whose vote is 0, is judged."""
        if leave_out == "nobody":
            return self.full.judgement
        weight = self.weights.top if vote else self.weights.bottom
        rows = len(self.full.given)
        own = _Poll(
            got=np.full_like(self.full.got, weight * vote),
            given=np.full(rows, weight),
            voters=np.full(rows, float(weight > 0)),
        )
        return self.full.minus(own).judgement


def _total(amount: FloatArray, chance: FloatArray) -> FloatArray:
    # einsum and not @: BLAS would wake all its threads for a sum, at many times the CPU seconds.
    return np.asarray(np.einsum("i,ic->c", amount, chance))


def _votes_of(ballots: Ballots, weights: Weights, systems: Places) -> _Poll:
    """Return the votes of some systems."""
    rows = ballots.answered.shape[1]
    got = np.zeros((rows, ballots.channels))
    given = np.zeros(rows)
    voters = np.zeros(rows)
    for system in systems:
        weight = float(weights.systems[system])
        answered = ballots.answered[system]
        ballots.cast(got, system, weight)
        given += weight * answered
        if weight > 0:
            voters += answered
    return _Poll(got, given, voters)


def count_votes(ballots: Ballots, weights: Weights, members: Sequence[Places]) -> VoteCount:
    """Return the vote on every row: P = Σ κ S / Σ κ, over (all), (none) and the families of those that answered."""
    rows = ballots.answered.shape[1]
    virtual_voters = float((weights.top > 0) + (weights.bottom > 0))
    full = _Poll(
        got=np.full((rows, ballots.channels), weights.top),
        given=np.full(rows, weights.top + weights.bottom),
        voters=np.full(rows, virtual_voters),
    )
    singles = [family for family in members if len(family) == 1]
    alone = np.concatenate([np.zeros(0, np.int64), *singles])
    full = full.plus(_votes_of(ballots, weights, alone))
    for family in members:
        if len(family) > 1:
            weight = float(weights.systems[family].mean())
            full = full.plus(_votes_of(ballots, weights, family).as_one(weight))
    return VoteCount(ballots, weights, members, full)
