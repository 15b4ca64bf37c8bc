"""How many checks an audit may take: simulated, at a share of wrong labels or as they were so far."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.audit.capital import Capitals, Claims, Kinds
from karat.numeric.arrays import FloatArray

Places = npt.NDArray[np.intp]
ALL = slice(None)
FIRST, SECOND, NEITHER, UNDECIDED = 1, 2, 3, 0
"""How a simulated audit ends: for the claimed system, for the other, tied, or not before the last check."""


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """How likely the right label of an item of each kind takes the most, or the least (gives the most), by claim."""

    up: FloatArray
    down: FloatArray


def errors_at(kinds: Kinds, share: float, claims: int) -> Errors:
    """Return the errors where this share of the disputed labels is wrong, and the right one is an answer of the two.

    Where neither answer is the given label, each is equally likely to be right.
    """
    up = np.where(kinds.most > 0, share, 0.0)
    down = np.where(kinds.least < 0, share, 0.0)
    both = (up > 0) & (down > 0)
    up = np.where(both, share / 2, up)
    down = np.where(both, share / 2, down)
    return Errors(np.tile(up, (claims, 1)), np.tile(down, (claims, 1)))


def errors_seen(capitals: Capitals, claims: Claims) -> Errors:
    """Return the errors that have the mean and the spread of those seen so far, with what bets begin with."""
    mean, spread = capitals.guesses(claims)
    square = spread + mean**2
    least = capitals.kinds.least
    most = capitals.kinds.most
    # u most + d least = mean and u most² + d least² = square.
    with np.errstate(divide="ignore", invalid="ignore"):
        up = (square - mean * least) / (most * (most - least))
        down = (square - mean * most) / (least * (least - most))
    up = np.where(most > 0, np.nan_to_num(up), 0.0)
    down = np.where(least < 0, np.nan_to_num(down), 0.0)
    up = np.clip(up, 0.0, 1.0)
    return Errors(up, np.clip(down, 0.0, 1.0 - up))


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedChecks:
    """Of each simulated audit: how many checks it took, and how it ended."""

    checks: npt.NDArray[np.int64]
    ending: npt.NDArray[np.int64]


def simulated_checks(
    capitals: Capitals, turned: Capitals, errors: Errors, *, risk: float, most: int, seed: int
) -> SimulatedChecks:
    """Return how long audits take from where these capitals stand, each lane one audit.

    Right labels are drawn independently, item by item. The capitals given stay as they are.
    """
    random = np.random.default_rng(seed)
    size = len(capitals.lead)
    checks = np.zeros(size, np.int64)
    ending = np.full(size, UNDECIDED)
    lanes = np.arange(size)
    going = _Going(capitals.repeated(lanes), turned.repeated(lanes), errors)
    for check in range(most + 1):
        ended = going.ending(risk)
        ending[lanes] = ended
        checks[lanes] = check
        stays = np.flatnonzero(ended == UNDECIDED)
        if len(stays) < len(lanes):
            lanes = lanes[stays]
            going = going.only(stays)
        if not len(lanes) or check == most:
            break
        going.check(random)
    return SimulatedChecks(checks, ending)


@dataclass(frozen=True, slots=True, eq=False)
class _Going:
    """The audits that have not ended yet: the capitals of both claims, and how labels are wrong."""

    capitals: Capitals
    turned: Capitals
    errors: Errors

    def only(self, lanes: Places) -> "_Going":
        """Return some of them."""
        errors = Errors(self.errors.up[lanes], self.errors.down[lanes])
        return _Going(self.capitals.repeated(lanes), self.turned.repeated(lanes), errors)

    def ending(self, risk: float) -> npt.NDArray[np.int64]:
        """Return how audits have ended, if they have."""
        needed = 1 / risk
        first = (self.capitals.capital >= needed) | (self.capitals.worst_lead > 0)
        second = (self.turned.capital >= needed) | (self.turned.worst_lead > 0)
        ending = np.where(self.capitals.left == 0, NEITHER, UNDECIDED)
        ending[second] = SECOND
        ending[first] = FIRST
        return ending

    def check(self, random: np.random.Generator) -> None:
        """Draw an item of each audit and its right label, and let both claims bet on it."""
        capitals = self.capitals
        rows = np.arange(len(capitals.lead))
        pulls = np.where(capitals.number > 0, capitals.pull, 0.0)
        kind = _drawn_kind(pulls, random.random(len(rows)))
        loss = _drawn_loss(capitals.kinds, self.errors, kind, random.random(len(rows)))
        number = capitals.number[rows, kind]
        weight = capitals.scale[rows, kind] / number
        pull = capitals.pull[rows, kind] / number
        capitals.draw(ALL, kind, loss, weight=weight, pull=pull)
        self.turned.draw(ALL, kind, -loss, weight=weight, pull=pull)


def _drawn_kind(pull: FloatArray, chance: FloatArray) -> Places:
    """Return the kind of an item drawn among those left, by their pulls."""
    up_to = np.cumsum(pull, axis=1)
    drawn = (up_to <= (chance * up_to[:, -1])[:, None]).sum(axis=1)
    return np.asarray(np.minimum(drawn, pull.shape[1] - 1), np.intp)


def _drawn_loss(kinds: Kinds, errors: Errors, kind: Places, chance: FloatArray) -> FloatArray:
    rows = np.arange(len(kind))
    up = errors.up[rows, kind]
    down = errors.down[rows, kind]
    loss = np.where(chance < up, kinds.most[kind], 0.0)
    return np.where((chance >= up) & (chance < up + down), kinds.least[kind], loss)
