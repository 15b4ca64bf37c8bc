"""Capitals that bet on a claim about right labels: they grow while the labels looked up bear it out."""

from copy import copy
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray

Places = npt.NDArray[np.intp]
Claims = Places | slice
"""Some claims by their places, or all that stand side by side: these are not copied."""
BOLDEST = 0.8
"""The largest share of the capital that one draw may cost."""
ASSUMED_WRONG = 0.05
"""The share of wrong labels that bets begin with."""
ASSUMED_CHECKS = 10.0
"""How many checks of each kind of item that assumption weighs."""


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The kinds of disputed items: what the right label of one could take from the lead, at the least and at the most.

    Of accuracy, where A is right by the given label and B is not, the right label takes 0, 1 (neither is right) or 2.
    """

    least: FloatArray
    most: FloatArray

    def turned(self) -> "Kinds":
        """Return the same kinds as the opposite claim sees them."""
        return Kinds(-self.most, -self.least)


@dataclass(frozen=True, slots=True, eq=False)
class Bet:
    """One draw of several capitals: what recomputes each of them."""

    chance: FloatArray
    """q: the probability with which this item was drawn, of those that the claim disputes and that were left."""
    guess: FloatArray
    """h: what the label of the drawn item was expected to take from the lead."""
    guesses: FloatArray
    """The sum of the guesses of all items left, the drawn one among them."""
    lead: FloatArray
    """M: the lead before the draw."""
    stake: FloatArray
    capital: FloatArray
    """After the draw."""


class Capitals:
    """One capital for each of many claims (or runs of one claim), each betting on draws of its own.

    A claim says that the lead by the right labels, Σ d, is above 0. The right label of item i takes e_i from the lead
    M of the given labels. Of the items left one is drawn, each equally likely or by its pull w (q = w/Σ w); with any
    guesses h made before, Z = Σ h + (e - h)/q has the mean Σ e over the items left. A false claim has Σ e ≥ M, so that

        capital x (1 + λ (M - Z)),  0 ≤ λ ≤ 0.8/(largest possible Z - M),

    does not grow on average, wherever the wrong labels are: it reaches 1/risk with a probability of at most risk,
    however often one looks. Guess h: the mean loss of the kind so far, with some checks assumed; a label counts there
    as 1/w, as heavier items are drawn more often. Stake λ: drift / (variance + drift²), drift = M - Σ h and variance
    that of Z by the losses so far. Both use labels before the draw only: bad guesses cost checks, never the guarantee.
    Reference: Waudby-Smith, Stark & Ramdas, RiLACS: Risk limiting audits via confidence sequences, E-Vote-ID 2021.
    """

    def __init__(
        self,
        kinds: Kinds,
        number: npt.ArrayLike,
        lead: npt.ArrayLike,
        *,
        scale: npt.ArrayLike | None = None,
        square: npt.ArrayLike | None = None,
        largest: npt.ArrayLike | None = None,
        pull: npt.ArrayLike | None = None,
    ) -> None:
        """Take the items of each claim: number[claim, kind]; where items weigh or draws are uneven, also their sums.

        `scale` and `pull` are the sums of weights and pulls, `square` that of weight²/pull, and `largest` is the
        largest weight/pull.
        """
        self.kinds = kinds
        self.number = _by_kind(number)
        self.lead = np.array(lead, float)
        self.scale = _by_kind(number if scale is None else scale)
        self.square = _by_kind(number if square is None else square)
        self.largest = np.ones_like(self.number) if largest is None else _by_kind(largest)
        self.pull = _by_kind(number if pull is None else pull)
        self.usual = self.pull.sum(axis=1) / np.maximum(self.number.sum(axis=1), 1.0)
        self.capital = np.ones(len(self.lead))
        self.seen = np.zeros_like(self.number)
        self._losses = np.zeros_like(self.number)
        self._squares = np.zeros_like(self.number)
        self._start = ASSUMED_WRONG * ASSUMED_CHECKS * (kinds.least + kinds.most) / 2
        self._start_square = ASSUMED_WRONG * ASSUMED_CHECKS * (kinds.least**2 + kinds.most**2) / 2

    @property
    def left(self) -> FloatArray:
        """How many disputed items of each claim were not drawn yet."""
        return np.asarray(self.number.sum(axis=1))

    @property
    def worst_lead(self) -> FloatArray:
        """The lead if every label left took as much as it could: above 0 the claim is certain."""
        return self.lead - self.scale @ self.kinds.most

    def draw(
        self,
        claims: Claims,
        kind: Places,
        loss: npt.ArrayLike,
        *,
        weight: npt.ArrayLike = 1.0,
        pull: npt.ArrayLike = 1.0,
        shift: npt.ArrayLike = 0.0,
    ) -> Bet:
        """Let some claims bet on one drawn item each, of this kind, whose label takes `loss` (by weight 1).

        `shift` makes the claim a larger one: that the lead is above it.
        """
        item = _Item(kind, np.asarray(loss, float), np.asarray(weight, float), np.asarray(pull))
        bet = self._bet(claims, item, shift)
        self.capital[claims] = bet.capital
        self._remove(claims, item)
        return bet

    def repeated(self, claims: Places) -> "Capitals":
        """Return capitals that stand as these do, each named one once: for what may come next."""
        repeated = copy(self)
        for name in ("lead", "usual", "capital"):
            setattr(repeated, name, getattr(self, name)[claims])
        for name in ("number", "scale", "square", "largest", "pull", "seen", "_losses", "_squares"):
            by_kind = getattr(self, name).T
            setattr(repeated, name, np.take(by_kind, claims, axis=1).T)
        return repeated

    def guesses(self, claims: Claims) -> tuple[FloatArray, FloatArray]:
        """Return the expected loss of each kind, and the expected square of what it misses."""
        seen = self.seen[claims]
        mean = (self._start + self._losses[claims]) / (ASSUMED_CHECKS + seen)
        square = (self._start_square + self._squares[claims]) / (ASSUMED_CHECKS + seen)
        return mean, square - mean**2

    def _bet(self, claims: Claims, item: "_Item", shift: npt.ArrayLike) -> Bet:
        rows = np.arange(len(item.kind))
        guess, spread = self.guesses(claims)
        number = self.number[claims]
        pull = self.pull[claims].sum(axis=1)
        guesses = (guess * self.scale[claims]).sum(axis=1)
        lead = self.lead[claims] - np.asarray(shift, float)
        variance = pull * (spread * self.square[claims]).sum(axis=1)
        reach = np.where(number > 0, self.largest[claims] * (self.kinds.most - guess), -np.inf)
        largest = guesses + pull * reach.max(axis=1)
        stake = _stake(lead - guesses, variance, largest - lead)
        drawn = guess[rows, item.kind] * item.weight
        z = guesses + pull / item.pull * (item.loss * item.weight - drawn)
        capital = self.capital[claims] * (1 + stake * (lead - z))
        return Bet(item.pull / pull, drawn, guesses, lead, stake, capital)

    def _remove(self, claims: Claims, item: "_Item") -> None:
        # One in the row of the drawn kind, 0 elsewhere: whole rows are changed faster than chosen places.
        drawn = np.equal.outer(np.arange(len(self.kinds.most)), item.kind).astype(float)
        counts_as = drawn * (self.usual[claims] / item.pull)
        self.lead[claims] -= item.loss * item.weight
        self.number[claims] -= drawn.T
        self.scale[claims] -= (drawn * item.weight).T
        self.pull[claims] -= (drawn * item.pull).T
        self.square[claims] -= (drawn * (item.weight**2 / item.pull)).T
        self.seen[claims] += counts_as.T
        self._losses[claims] += (counts_as * item.loss).T
        self._squares[claims] += (counts_as * item.loss**2).T


@dataclass(frozen=True, slots=True, eq=False)
class _Item:
    """A drawn item, as each claim sees it."""

    kind: Places
    loss: FloatArray
    weight: FloatArray
    pull: FloatArray


def _by_kind(values: npt.ArrayLike) -> FloatArray:
    """Return numbers of each claim (row) and kind (column), kind by kind in memory.

    There are few kinds and many claims, so sums over the kinds are sums of long columns.
    """
    return np.array(values, float, order="F")


def _stake(drift: FloatArray, variance: FloatArray, room: FloatArray) -> FloatArray:
    """Return λ: what makes the capital grow fastest by the guesses, within what a draw may cost.

    Where no draw can cost anything (room ≤ 0) the claim is as good as certain, and any stake is allowed.
    """
    wanted = drift / np.maximum(variance + drift**2, 1e-12)
    allowed = BOLDEST / np.maximum(room, 1e-9)
    return np.clip(wanted, 0.0, allowed)
