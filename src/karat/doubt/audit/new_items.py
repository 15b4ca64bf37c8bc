"""From the right labels of these items to new ones: a lower bound of the lead, and McNemar's worst table."""

from collections.abc import Mapping

import numpy as np
from scipy.special import bdtrc

from karat.doubt.audit.capital import Capitals, Kinds
from karat.numeric.arrays import FloatArray


class LeadBound:
    """A lower bound of the lead by the right labels, at every time: a capital for each possible lead.

    The claim that the lead is above m has a capital of its own, for m = 0, 1, ...; while all of them up to m have
    reached 1/risk once, the lead is above m, but for a probability of at most risk: only the true lead's capital
    could mislead.
    """

    def __init__(
        self,
        kinds: Kinds,
        number: FloatArray,
        lead: float,
        *,
        risk: float,
        sums: Mapping[str, FloatArray] | None = None,
    ) -> None:
        """Take the disputed items of one pair, by kind; `sums`: those of uneven draws, as of Capitals."""
        highest = max(0, int(lead - number @ kinds.least))
        self._shift = np.arange(highest + 1.0)
        size = len(self._shift)
        tiled = {name: np.tile(values, (size, 1)) for name, values in (sums or {}).items()}
        self._capitals = Capitals(kinds, np.tile(number, (size, 1)), np.full(size, lead), **tiled)
        self._reached = np.zeros(size, bool)
        self._needed = 1 / risk

    def draw(self, kind: int, loss: float, *, pull: float = 1.0) -> None:
        """Let every capital bet on one more label."""
        size = len(self._shift)
        every = np.arange(size)
        kinds = np.full(size, kind)
        losses = np.full(size, loss)
        self._capitals.draw(every, kinds, losses, pull=pull, shift=self._shift)
        self._reached |= self._capitals.capital >= self._needed

    @property
    def low(self) -> int:
        """The lower bound: at least so many items more are right for the better system."""
        not_reached = np.flatnonzero(~self._reached)
        first = int(not_reached[0]) if len(not_reached) else len(self._shift)
        return max(first, int(self._capitals.worst_lead[0]))


def worst_p_value(lead: int, discordant: int) -> float:
    """McNemar's p-value, one-sided and exact, of the worst table with at least this lead.

    With s items that only one of the two has right, P(Bin(s, 1/2) ≥ (s + lead)/2) grows with s and falls with the
    lead: the worst table has this lead and the most such items, as many as are disputed.
    Assumes independent items. Reference: McNemar, Psychometrika 12, 1947. doi:10.1007/BF02295996
    >>> round(worst_p_value(10, 40), 4)
    0.0769
    """
    if lead <= 0:
        return 1.0
    size = discordant if (discordant - lead) % 2 == 0 else discordant - 1
    if size < lead:
        return float(0.5**lead)
    only_better = (size + lead) // 2
    return float(bdtrc(only_better - 1, size, 0.5))
