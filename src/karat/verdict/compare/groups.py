"""Which systems do not differ significantly: groups in the ranking."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def groups(order: Sequence[str], apart: npt.NDArray[np.bool_]) -> tuple[tuple[str, ...], ...]:
    """Return the longest stretches of a ranking in which no two systems differ significantly.

    `apart[i, j]` says whether the systems at places i and j of the order differ for sure. A system may be in several
    groups: a and b alike, b and c alike, a and c not.

    >>> groups(["a", "b", "c"], np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool))
    (('a', 'b'), ('b', 'c'))
    """
    found: list[tuple[int, int]] = []
    last = 0
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and not apart[start : end + 1, start : end + 1].any():
            end += 1
        if end > last:
            found.append((start, end))
            last = end
    return tuple(tuple(order[start:end]) for start, end in found)


def letters(order: Sequence[str], stretches: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the letters of each system: two that share one do not differ significantly.

    >>> letters(["a", "b", "c"], [("a", "b"), ("b", "c")])
    {'a': 'a', 'b': 'ab', 'c': 'b'}
    """
    return {
        system: "".join(
            _letter(place) for place, members in enumerate(stretches) if system in members
        )
        for system in order
    }


def _letter(place: int) -> str:
    return chr(ord("a") + place) if place < 26 else f"({place + 1})"
