"""Alignment of the tokens of two files that are nearly the same.

Runs of tokens that occur once in either file are found first, as patience diff does, so that long files take the time
of a sort; what is between them is short, and Python's difflib matches it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

RUN = 4
"""How many tokens in a row must occur once in either file, to be treated as the same place."""
MOST = 4_000_000
"""Up to which product of lengths the tokens between such places are matched."""
RESPELT = 5
"""Up to how many tokens in place of as many others are taken for these, written otherwise."""
Pair = tuple[int, int]


def aligned(first: Sequence[str], second: Sequence[str]) -> Iterator[Pair]:
    """Yield the places of tokens that correspond to each other, from left to right.

    >>> list(aligned(["a", "b", "c", "d"], ["a", "c", "D"]))
    [(0, 0), (2, 1), (3, 2)]
    """
    i = j = 0
    for a, b in [*_common_runs(first, second), (len(first), len(second))]:
        if a < i or b < j:
            continue  # in the run before it
        yield from _between(first[i:a], second[j:b], i, j)
        i = a
        j = b
        while i < len(first) and j < len(second) and first[i] == second[j]:
            yield i, j
            i += 1
            j += 1


def _between(first: Sequence[str], second: Sequence[str], i: int, j: int) -> Iterator[Pair]:
    if len(first) * len(second) > MOST:
        return
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    for edit, start, end, other_start, other_end in matcher.get_opcodes():
        length = end - start
        is_respelt = length == other_end - other_start and length <= RESPELT
        if edit == "equal" or (edit == "replace" and is_respelt):
            for step in range(length):
                yield i + start + step, j + other_start + step


def _common_runs(first: Sequence[str], second: Sequence[str]) -> list[Pair]:
    """Return the places of runs that occur once in either file, as many as are in the same order in both."""
    places = _single_runs(first)
    others = _single_runs(second)
    pairs = [(place, others[run]) for run, place in places.items() if run in others]
    return _longest_increasing(sorted(pairs))


def _single_runs(tokens: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Return the place of each run of tokens that occurs once."""
    places: dict[tuple[str, ...], int] = {}
    repeated: set[tuple[str, ...]] = set()
    for place in range(len(tokens) - RUN + 1):
        run = tuple(tokens[place : place + RUN])
        if run in places:
            repeated.add(run)
        places[run] = place
    for run in repeated:
        del places[run]
    return places


def _longest_increasing(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the most pairs, which are in the order of their first places, that are in that of their second too.

    >>> _longest_increasing([(0, 5), (1, 0), (2, 1)])
    [(1, 0), (2, 1)]
    """
    ends: list[int] = []  # the least second place that a row of each length ends with
    last: list[int] = []  # and which pair that is
    before: list[int | None] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else None)
        if length == len(ends):
            ends.append(place)
            last.append(number)
        else:
            ends[length] = place
            last[length] = number
    chain: list[Pair] = []
    step = last[-1] if last else None
    while step is not None:
        chain.append(pairs[step])
        step = before[step]
    return chain[::-1]
