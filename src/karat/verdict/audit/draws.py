"""In which order items are drawn: the same for the same seed, on every machine, engine and version."""

import hashlib
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

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


def draws(seed: str, items: int, disputed: Places, random: Fraction) -> Draws:
    """Return the order of all draws; `random` is the share of them that goes to all items, disputed or not."""
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


def _takes_all(seed: str, draw: int, random: Fraction) -> bool:
    """Return whether a draw goes to all items: in whole numbers, so that no rounding decides."""
    return number_of(seed, "which", draw) * random.denominator < random.numerator << 256
