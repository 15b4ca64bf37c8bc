"""The ranks that each system may have, and the groups it belongs to."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.verdict.compare.comparison import BETTER, WORSE, Comparison
from karat.verdict.compare.groups import groups, letters


@dataclass(frozen=True, slots=True)
class RankRange:
    """The ranks that a system may have, and the letters of its groups."""

    best: int
    """One more than the systems that are significantly better."""
    worst: int
    """All systems less those that are significantly worse."""
    letters: str

    @property
    def ranks(self) -> str:
        """The ranks in words.

        >>> RankRange(1, 3, "a").ranks, RankRange(2, 2, "b").ranks
        ('1 to 3', '2')
        """
        if self.best == self.worst:
            return f"{self.best:,}"
        return f"{self.best:,} to {self.worst:,}"


@dataclass(frozen=True, slots=True)
class RankRanges:
    """The ranks that each system may have, the best first, and how many orders are settled."""

    systems: tuple[RankRange, ...]
    settled_neighbours: int
    settled: int
    """Of all pairs."""
    pairs: int


def rank_ranges(better: npt.NDArray[np.bool_]) -> RankRanges:
    """Return the ranks that systems may have; `better[i, j]` is whether system i is significantly better than system j.

    With p-values that are adjusted for all pairs, all ranges hold together at the level of the tests.

    >>> found = rank_ranges(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], bool))
    >>> [(one.ranks, one.letters) for one in found.systems], found.settled, found.pairs
    ([('1 to 2', 'a'), ('1 to 3', 'ab'), ('2 to 3', 'b')], 1, 3)
    """
    size = len(better)
    places = [str(place) for place in range(size)]
    different = better | better.T
    letters_of = letters(places, groups(places, different))
    above = better.sum(axis=0).tolist()
    below = better.sum(axis=1).tolist()
    systems = [
        RankRange(1 + above[place], size - below[place], letters_of[str(place)])
        for place in range(size)
    ]
    return RankRanges(
        systems=tuple(systems),
        settled_neighbours=int(np.diagonal(different, 1).sum()),
        settled=int(better.sum()),
        pairs=size * (size - 1) // 2,
    )


def better_by(order: Sequence[str], comparisons: Sequence[Comparison]) -> npt.NDArray[np.bool_]:
    """Return which system of an order was found to be better than which."""
    place = {system: number for number, system in enumerate(order)}
    better = np.zeros((len(order), len(order)), bool)
    for one in comparisons:
        if one.verdict == BETTER:
            better[place[one.first], place[one.second]] = True
        if one.verdict == WORSE:
            better[place[one.second], place[one.first]] = True
    return better
