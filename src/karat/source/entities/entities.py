"""Spans of several systems as rows: which of them stands for which true one, and which for none."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from karat.source.counted_rows import Row
from karat.source.entities.tags import Span
from karat.source.vote_rows import NO, YES
from karat.words import NOTHING

Place = tuple[int, int]


def matched(
    truth: Sequence[Span], answers: Sequence[Span], *, partial: bool
) -> tuple[list[str], list[Span]]:
    """Return what was answered for each true span, nothing where it was missed; and the answers that match none.

    A span matches one with the same ends, of the same type if there is one; with partial matching also, one to one, a
    span that overlaps it: those of the same type first, then by the length of what both cover, then from left to right.

    >>> matched([Span(0, 2, "PER")], [Span(0, 2, "ORG"), Span(5, 6, "LOC")], partial=False)
    (['ORG'], [Span(start=5, end=6, label='LOC')])
    """
    said: list[str | None] = [None] * len(truth)
    left = dict(enumerate(answers))
    near = _overlapping if partial else _by_ends
    pairs = [(_kinship(truth[i], answers[j]), -i, -j) for i, j in near(truth, answers)]
    for _, i, j in sorted(pairs, reverse=True):
        if said[-i] is None and -j in left:
            said[-i] = left.pop(-j).label
    return [NOTHING if label is None else label for label in said], list(left.values())


def _overlapping(truth: Sequence[Span], answers: Sequence[Span]) -> Iterator[tuple[int, int]]:
    for i, one in enumerate(truth):
        yield from (
            (i, j)
            for j, other in enumerate(answers)
            if other.start < one.end and one.start < other.end
        )


def _by_ends(truth: Sequence[Span], answers: Sequence[Span]) -> Iterator[tuple[int, int]]:
    at: dict[Place, list[int]] = {}
    for j, other in enumerate(answers):
        at.setdefault(other[:2], []).append(j)
    for i, one in enumerate(truth):
        yield from ((i, j) for j in at.get(one[:2], ()))


def _kinship(one: Span, other: Span) -> tuple[bool, bool, bool, int]:
    """Return how well two spans match, the best last: equal, with the same ends, of one type, by what both cover."""
    common = min(one.end, other.end) - max(one.start, other.start)
    return one == other, one[:2] == other[:2], one.label == other.label, common


def against_truth(
    truth: Sequence[Span], answers: Sequence[Sequence[Span] | None], *, partial: bool
) -> tuple[list[Row], list[str]]:
    """Return a row per true span and a row per place of spans that match none, with a name for each."""
    found = [matched(truth, answer or (), partial=partial) for answer in answers]
    columns = [
        [None] * len(truth) if answer is None else said
        for answer, (said, _) in zip(answers, found, strict=True)
    ]
    rows: list[Row] = list(zip((span.label for span in truth), *columns, strict=True))
    extra, places = _among([rest for _, rest in found])
    rows += [(NOTHING, *row) for row in extra]
    return rows, [
        *(f"{span.start}-{span.end}" for span in truth),
        *(f"+{place}" for place in places),
    ]


def _among(answers: Sequence[Sequence[Span]]) -> tuple[list[Row], list[str]]:
    """Return a row per place where anybody sees a span: what each calls it, nothing where he sees none."""
    tables = [_by_place(answer) for answer in answers]
    keys = sorted({key for table in tables for key in table})
    rows: list[Row] = [tuple(table.get(key, NOTHING) for table in tables) for key in keys]
    return rows, [f"{start}-{end}" + f"/{turn}" * (turn > 1) for start, end, turn in keys]


def spans_voted_on(answers: Sequence[Sequence[Span] | None]) -> tuple[list[Row], list[str]]:
    """Return a row per span that anybody sees, yes or no of each; two of one place and type are two.

    >>> spans_voted_on([[Span(0, 5, "A"), Span(0, 5, "B")], [Span(0, 5, "B")], None])
    ([('1', '0', None), ('1', '1', None)], ['0-5/A', '0-5/B'])
    """
    bags = [None if answer is None else Counter(answer) for answer in answers]
    most: dict[Span, int] = {}
    for bag in bags:
        most |= {span: max(times, most.get(span, 0)) for span, times in (bag or {}).items()}
    found = [(span, copy) for span in sorted(most) for copy in range(1, most[span] + 1)]
    rows: list[Row] = [
        tuple(None if bag is None else YES if bag[span] >= copy else NO for bag in bags)
        for span, copy in found
    ]
    return rows, [
        f"{one.start}-{one.end}/{one.label}" + f"/{copy}" * (copy > 1) for one, copy in found
    ]


def _by_place(spans: Sequence[Span]) -> dict[tuple[int, int, int], str]:
    """Return labels by start, end, and which of several spans there it is."""
    turn: Counter[Place] = Counter()
    table: dict[tuple[int, int, int], str] = {}
    for span in sorted(spans):
        turn[span[:2]] += 1
        table[span.start, span.end, turn[span[:2]]] = span.label
    return table


def first_overlap(spans: Sequence[Span]) -> tuple[Span, Span] | None:
    """Return two spans that share a place, if any do."""
    ordered = sorted(spans)
    return next(((one, other) for one, other in pairwise(ordered) if other.start < one.end), None)
