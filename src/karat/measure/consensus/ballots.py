"""The vote on a block of rows: who answered, what each row got, and what is left of it without one voter."""

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
    """What each system says of each row: of one document, or of one document for every label."""

    @property
    def answered(self) -> Bools:
        """answered[k, i]: system k says something of row i."""

    @property
    def channels(self) -> int:
        """How many documents a row is."""

    @property
    def systems(self) -> int:
        """How many systems there are."""

    def cast(self, table: FloatArray, system: int, weight: float) -> None:
        """Add a system's votes to a table of the caller's, a row a row, a column a document."""

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
        """Read a block of votes, NaN where nothing is said."""
        values = np.ascontiguousarray(votes.T, float)
        answered = ~np.isnan(values)
        values = np.where(answered, values, 0.0)
        if np.any((values < 0) | (values > 1)):
            worst = values[(values < 0) | (values > 1)][0]
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
    """One label a row and system, as a code below the number of labels; codes below 0 are unknown."""

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
        there = np.flatnonzero(self.answered[system])
        table[there, self.codes[system, there]] += weight

    def gained(
        self, chance: FloatArray, system: int, number: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return Σ S_k and Σ P S_k of every label."""
        there = np.flatnonzero(self.answered[system])
        codes, amount = self.codes[system, there], number[there]
        weights = (amount, amount * chance[there, codes])
        retrieved, agreed = (
            np.bincount(codes, part, self.channels).astype(float) for part in weights
        )
        return retrieved, agreed


@dataclass(frozen=True, slots=True, eq=False)
class _Tally:
    """Votes got, the weight of who answered, and how many of them have any weight."""

    got: FloatArray
    given: FloatArray
    voters: FloatArray

    @property
    def chance(self) -> FloatArray:
        """Votes got / weight given; NaN where nobody with a weight answered."""
        # Who voted is counted apart: a difference of weights that should be 0 may be 1e-17.
        return _over(self.got, np.where(self.voters > 0, self.given, 0.0))

    @property
    def verdict(self) -> tuple[Bools, FloatArray]:
        """Where anybody with a weight answered, and P there, 0 elsewhere."""
        return self.voters > 0, np.nan_to_num(self.chance)

    def plus(self, other: "_Tally", sign: int = 1) -> "_Tally":
        """Return the tally with the votes of another, or without them."""
        got = np.maximum(self.got + sign * other.got, 0)
        return _Tally(got, self.given + sign * other.given, self.voters + sign * other.voters)

    def as_one(self, weight: float) -> "_Tally":
        """Return the tally of a family that has one vote."""
        there = (self.voters > 0).astype(float)
        return _Tally(weight * np.nan_to_num(self.chance), weight * there, there)


def _total(amount: FloatArray, chance: FloatArray) -> FloatArray:
    # einsum and not @: BLAS would wake all its threads for a sum, at many times the CPU seconds.
    return np.asarray(np.einsum("i,ic->c", amount, chance))


def _over(above: FloatArray, below: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below[:, None] > 0, above / below[:, None], np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class Poll:
    """The votes of a block of rows."""

    ballots: Ballots
    weights: Weights
    members: Sequence[Places]
    full: _Tally

    @property
    def chance(self) -> FloatArray:
        """P of every row and document; NaN where nobody with a weight answered."""
        return self.full.chance

    def sums(self, number: FloatArray, leave_out: str) -> tuple[FloatArray, FloatArray]:
        """Return Σ S_k, Σ P S_k and Σ P of the systems, (all) and (none), and the items left out for each."""
        size, answered = self.ballots.systems, self.ballots.answered
        found, left = np.zeros((3, size + 2, self.ballots.channels)), np.zeros(size + 2)
        everybody = self.full.verdict
        for family in self.members:
            judges = (
                [everybody] * len(family)
                if leave_out == "nobody"
                else self._judges(family, leave_out)
            )
            for system, (voters, chance) in zip(family, judges, strict=True):
                amount = number * (answered[system] & voters)
                found[:2, system] = self.ballots.gained(chance, system, amount)
                found[2, system] = _total(amount, chance)
                left[system] = number[answered[system] & ~voters].sum()
        for place, vote in ((-2, 1.0), (-1, 0.0)):
            voters, chance = self._without_virtual(vote, leave_out)
            relevant = _total(number * voters, chance)
            retrieved = np.full(len(relevant), vote * number[voters].sum())
            found[:, place] = np.stack([retrieved, vote * relevant, relevant])
            left[place] = number[~voters].sum()
        return found, left

    def _judges(self, family: Places, leave_out: str) -> Iterator[tuple[Bools, FloatArray]]:
        """Yield, for each member of a family, where and how others vote on what it says."""
        whole, weight = (
            _cast(self.ballots, self.weights, family),
            float(self.weights.systems[family].mean()),
        )
        rest = self.full.plus(whole.as_one(weight), -1)
        if leave_out == "family" or len(family) == 1:
            yield from [rest.verdict] * len(family)
            return
        for system in family:
            own = _cast(self.ballots, self.weights, np.array([system]))
            yield rest.plus(whole.plus(own, -1).as_one(weight)).verdict

    def _without_virtual(self, vote: float, leave_out: str) -> tuple[Bools, FloatArray]:
        if leave_out == "nobody":
            return self.full.verdict
        weight = self.weights.top if vote else self.weights.bottom
        rows = len(self.full.given)
        own = _Tally(
            np.full_like(self.full.got, weight * vote),
            np.full(rows, weight),
            np.full(rows, weight > 0, float),
        )
        return self.full.plus(own, -1).verdict


def _cast(ballots: Ballots, weights: Weights, family: Places) -> _Tally:
    rows = ballots.answered.shape[1]
    got, given, voters = np.zeros((rows, ballots.channels)), np.zeros(rows), np.zeros(rows)
    for system in family:
        weight = float(weights.systems[system])
        ballots.cast(got, system, weight)
        given += weight * ballots.answered[system]
        voters += (weight > 0) * ballots.answered[system]
    return _Tally(got, given, voters)


def poll(ballots: Ballots, weights: Weights, members: Sequence[Places]) -> Poll:
    """Return the vote on every row: P = Σ κ S / Σ κ, over (all), (none) and the families of those that answered."""
    rows = ballots.answered.shape[1]
    got = np.full((rows, ballots.channels), weights.top)
    always = float((weights.top > 0) + (weights.bottom > 0))
    full = _Tally(got, np.full(rows, weights.top + weights.bottom), np.full(rows, always))
    alone = np.concatenate(
        [family for family in members if len(family) == 1] or [np.zeros(0, np.int64)]
    )
    full = full.plus(_cast(ballots, weights, alone))
    for family in members:
        if len(family) > 1:
            full = full.plus(
                _cast(ballots, weights, family).as_one(float(weights.systems[family].mean()))
            )
    return Poll(ballots, weights, members, full)
