"""In which order items are drawn: the same for the same seed, on every machine, engine and version."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import IntArray

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """All draws in their order: the place of each item, and whether it was drawn from all items.

    An item may stand in it twice: drawn from all items, and from the disputed ones.
    """

    item: Places
    from_all: npt.NDArray[np.bool_]


def number_of(seed: str, what: str, draw: int) -> int:
    """Return the whole number, below 2^256, of one draw: the SHA-256 of the seed, what is drawn, and the draw.

    >>> number_of("1", "disputed", 1) % 1000
    458
    """
    text = f"karat audit\0{seed}\0{what}\0{draw}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")


def shuffled(seed: str, what: str, places: Places) -> Places:
    """Return places in the order in which they are drawn, each time evenly among those that are left.

    The k-th draw of n items left takes the one at `number_of(seed, what, k) mod n`, and the last one moves there.
    """
    left = places.tolist()
    drawn = []
    for draw in range(1, len(left) + 1):
        at = number_of(seed, what, draw) % len(left)
        drawn.append(left[at])
        last = left.pop()
        if at < len(left):
            left[at] = last
    return np.array(drawn, np.intp)


def draws(
    seed: str, items: int, disputed: Places, random: Fraction, pulls: IntArray | None = None
) -> Draws:
    """Return the order of all draws; `random` is the share of them that goes to all items, disputed or not."""
    if pulls is not None:
        return Draws(drawn_by_pull(seed, disputed, pulls), np.zeros(len(disputed), bool))
    among_disputed = shuffled(seed, "disputed", disputed)
    if not random:
        return Draws(among_disputed, np.zeros(len(disputed), bool))
    among_all = shuffled(seed, "all", np.arange(items))
    total = len(among_all) + len(among_disputed)
    order = np.empty(total, np.intp)
    from_all = np.empty(total, bool)
    taken = {True: 0, False: 0}
    sources = {True: among_all, False: among_disputed}
    for draw in range(total):
        takes_all = _takes_all(seed, draw + 1, random)
        if taken[takes_all] == len(sources[takes_all]):
            takes_all = not takes_all
        order[draw] = sources[takes_all][taken[takes_all]]
        from_all[draw] = takes_all
        taken[takes_all] += 1
    return Draws(order, from_all)


def drawn_by_pull(seed: str, places: Places, pulls: IntArray) -> Places:
    """Return places in the order in which they are drawn, each time with probabilities in proportion to their pulls.

    The k-th draw takes the item in whose part of all pulls left, laid end to end in the order of the names, the
    number `number_of(seed, "guided", k) mod their sum` falls. What one pair disputes comes in such an order, too.
    """
    sums = PullSums(pulls[places].tolist())
    drawn = []
    for draw in range(1, len(places) + 1):
        at = sums.place_of(number_of(seed, "guided", draw) % sums.total)
        drawn.append(places[at])
        sums.take(at)
    return np.array(drawn, np.intp)


class PullSums:
    """Running sums of whole numbers, one of which can be set to 0 in few steps: a Fenwick tree."""

    def __init__(self, pulls: Sequence[int]) -> None:
        """Take the numbers."""
        self.pulls = list(pulls)
        self.total = sum(self.pulls)
        self._tree = [0, *self.pulls]
        for node in range(1, len(self._tree)):
            above = node + (node & -node)
            if above < len(self._tree):
                self._tree[above] += self._tree[node]

    def place_of(self, number: int) -> int:
        """Return the place of the first running sum above a number."""
        place = 0
        step = 1 << (len(self._tree).bit_length() - 1)
        while step:
            after = place + step
            if after < len(self._tree) and self._tree[after] <= number:
                place = after
                number -= self._tree[after]
            step >>= 1
        return place

    def take(self, place: int) -> None:
        """Set the number at a place to 0."""
        pull = self.pulls[place]
        self.pulls[place] = 0
        self.total -= pull
        node = place + 1
        while node < len(self._tree):
            self._tree[node] -= pull
            node += node & -node


def _takes_all(seed: str, draw: int, random: Fraction) -> bool:
    """Return whether a draw goes to all items: in whole numbers, so that no rounding decides."""
    return number_of(seed, "which", draw) * random.denominator < random.numerator << 256
