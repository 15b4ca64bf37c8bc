"""Groups of a ranking: systems that are not significantly different."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from karat.verdict.compare.comparison import Comparison


def not_significantly_different(
    order: Sequence[str], comparisons: "Sequence[Comparison]"
) -> tuple[tuple[str, ...], ...]:
    """Return the groups of a ranking in which no comparison found a difference."""
    place = {system: number for number, system in enumerate(order)}
    different = np.zeros((len(order), len(order)), bool)
    for one in comparisons:
        if one.is_significant:
            different[place[one.first], place[one.second]] = True
            different[place[one.second], place[one.first]] = True
    return groups(order, different)


def groups(order: Sequence[str], different: npt.NDArray[np.bool_]) -> tuple[tuple[str, ...], ...]:
    """Return the longest stretches of a ranking in which no two systems differ significantly.

    `different[i, j]` is whether the systems at places i and j of the order are significantly different. A system may be
    in several groups: a may not differ from b, nor b from c, while a and c do.

    >>> groups(["a", "b", "c"], np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool))
    (('a', 'b'), ('b', 'c'))
    """
    stretches: list[tuple[str, ...]] = []
    last = 0
    for start in range(len(order)):
        end = max(last, start + 1)
        while end < len(order):
            if different[start:end, end].any() or different[end, start:end].any():
                break
            end += 1
        # A stretch that ends where the one before does is a part of it.
        if end > last:
            stretches.append(tuple(order[start:end]))
            last = end
    return tuple(stretches)


def letters(order: Sequence[str], stretches: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the letters of each system: two that share one do not differ significantly.

    >>> letters(["a", "b", "c"], [("a", "b"), ("b", "c")])
    {'a': 'a', 'b': 'ab', 'c': 'b'}
    """
    letters_of = dict.fromkeys(order, "")
    for place, members in enumerate(stretches):
        for system in members:
            letters_of[system] += _letter(place)
    return letters_of


def _letter(place: int) -> str:
    """Return a letter, or a number in brackets after z."""
    if place < 26:
        return chr(ord("a") + place)
    return f"({place + 1})"
