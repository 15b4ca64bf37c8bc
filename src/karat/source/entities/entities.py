"""Spans of several systems as rows: which of them matches which true one, and which none."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from karat.errors import ChoiceError, OptionError
from karat.source.counted_rows import Row
from karat.source.entities.tags import Span
from karat.source.vote_rows import NO, YES
from karat.words import NOTHING

Place = tuple[int, int]
"""Two ends; or the places of a true span and of an answer."""
EXACT, PARTIAL, FUZZY = "exact", "partial", "fuzzy"
MATCHES = (EXACT, PARTIAL, FUZZY)
ANY_TYPE = "entity"
"""The type of every span where types do not count."""


def check_match(match: str, *, has_truth: bool) -> None:
    """Refuse an unknown way of matching, and one that needs a truth where there is none."""
    if match not in MATCHES:
        raise ChoiceError("--using match", match, MATCHES)
    if match != EXACT and not has_truth:
        raise OptionError(
            f"--using match={match} needs a truth; without one, spans are the same or they are not"
        )


def matched(
    truth: Sequence[Span], answers: Sequence[Span], *, match: str
) -> tuple[list[str], list[Span]]:
    """Return the label answered for each true span, nothing where it was missed; and the answers that match none.

    A span matches one with the same ends, of the same type if there is one. With partial matching also, one to one, a
    span that overlaps it: those of the same type first, then by the length of what both cover, then from left to right.
    With fuzzy matching each answer in turn, from left to right, matches the first true span that it overlaps and that
    is still free, whatever its type: so SemEval-2013 (task 9.1, `type`) and CLEF-HIPE have it.

    >>> matched([Span(0, 2, "PER")], [Span(0, 2, "ORG"), Span(5, 6, "LOC")], match="exact")
    (['ORG'], [Span(start=5, end=6, label='LOC')])
    """
    labels = [NOTHING] * len(truth)
    unmatched = dict(enumerate(answers))
    for i, j in matched_places(truth, answers, match=match):
        labels[i] = unmatched.pop(j).label
    return labels, list(unmatched.values())


def matched_places(truth: Sequence[Span], answers: Sequence[Span], *, match: str) -> list[Place]:
    """Return the places of each true span and of the answer that matches it, one to one; see `matched`."""
    if match == PARTIAL:
        wanted = _best_first(truth, answers, _overlapping(truth, answers))
    else:
        wanted = _best_first(truth, answers, _with_same_ends(truth, answers))
    if match == FUZZY:
        wanted += _from_left_to_right(truth, answers)
    pairs: list[Place] = []
    is_taken: set[int] = set()
    is_given: set[int] = set()
    for i, j in wanted:
        if i not in is_taken and j not in is_given:
            is_taken.add(i)
            is_given.add(j)
            pairs.append((i, j))
    return pairs


def _best_first(
    truth: Sequence[Span], answers: Sequence[Span], pairs: Iterable[Place]
) -> list[Place]:
    """Return pairs of places, the best first, of equal ones the leftmost."""
    ordered = [_Pair(_likeness(truth[i], answers[j]), -i, -j) for i, j in pairs]
    return [(-pair.minus_true, -pair.minus_answer) for pair in sorted(ordered, reverse=True)]


def _from_left_to_right(truth: Sequence[Span], answers: Sequence[Span]) -> list[Place]:
    """Return pairs of places of spans that overlap: answer by answer, and for each the true spans from the left."""

    def place(pair: Place) -> tuple[Span, Span]:
        i, j = pair
        return answers[j], truth[i]

    return sorted(_overlapping(truth, answers), key=place)


class _Pair(NamedTuple):
    likeness: tuple[bool, bool, bool, int]
    minus_true: int
    minus_answer: int


def _overlapping(truth: Sequence[Span], answers: Sequence[Span]) -> Iterator[Place]:
    for i, true in enumerate(truth):
        for j, answer in enumerate(answers):
            if answer.start < true.end and true.start < answer.end:
                yield i, j


def _with_same_ends(truth: Sequence[Span], answers: Sequence[Span]) -> Iterator[Place]:
    by_ends: dict[Place, list[int]] = {}
    for j, answer in enumerate(answers):
        by_ends.setdefault(answer[:2], []).append(j)
    for i, true in enumerate(truth):
        for j in by_ends.get(true[:2], ()):
            yield i, j


def _likeness(true: Span, answer: Span) -> tuple[bool, bool, bool, int]:
    """Return how well two spans match, to be compared: equal, same ends, same type, length of what both cover."""
    common = min(true.end, answer.end) - max(true.start, answer.start)
    return true == answer, true[:2] == answer[:2], true.label == answer.label, common


def without_types(spans: Sequence[Span]) -> list[Span]:
    """Return spans that are all of one type."""
    return [span._replace(label=ANY_TYPE) for span in spans]


def against_truth(
    truth: Sequence[Span], answers: Sequence[Sequence[Span] | None], *, match: str
) -> tuple[list[Row], list[str]]:
    """Return a row for each true span and for each place of spans that match none, with a name for each."""
    columns: list[Sequence[str | None]] = []
    unmatched: list[Sequence[Span]] = []
    for answer in answers:
        if answer is None:
            columns.append([None] * len(truth))
            unmatched.append([])
        else:
            labels, others = matched(truth, answer, match=match)
            columns.append(labels)
            unmatched.append(others)
    rows: list[Row] = list(zip((span.label for span in truth), *columns, strict=True))
    places = [f"{span.start}-{span.end}" for span in truth]
    for row, place in zip(*_spurious(unmatched), strict=True):
        rows.append((NOTHING, *row))
        places.append(f"+{place}")
    return rows, places


def _spurious(answers: Sequence[Sequence[Span]]) -> tuple[list[Row], list[str]]:
    """Return a row for each place where any system has a span: the label each gives it, nothing where it has none."""
    labels_by_place = [_by_place(answer) for answer in answers]
    rows: list[Row] = []
    names: list[str] = []
    for key in sorted(set().union(*labels_by_place)):
        rows.append(tuple(labels.get(key, NOTHING) for labels in labels_by_place))
        start, end, turn = key
        names.append(_numbered(f"{start}-{end}", turn))
    return rows, names


def _numbered(name: str, turn: int) -> str:
    """Return the name of the first, second, ... span of one place."""
    return name if turn == 1 else f"{name}/{turn}"


def spans_voted_on(answers: Sequence[Sequence[Span] | None]) -> tuple[list[Row], list[str]]:
    """Return a row for each span that any system has, yes or no of each; two of one place and type are two.

    >>> spans_voted_on([[Span(0, 5, "A"), Span(0, 5, "B")], [Span(0, 5, "B")], None])
    ([('1', '0', None), ('1', '1', None)], ['0-5/A', '0-5/B'])
    """
    copies_of = [None if answer is None else Counter(answer) for answer in answers]
    most_copies: Counter[Span] = Counter()
    for copies in copies_of:
        most_copies |= copies or Counter()
    rows: list[Row] = []
    names: list[str] = []
    for span in sorted(most_copies):
        for copy in range(1, most_copies[span] + 1):
            rows.append(tuple(_vote(copies, span, copy) for copies in copies_of))
            names.append(_numbered(f"{span.start}-{span.end}/{span.label}", copy))
    return rows, names


def _vote(copies: Counter[Span] | None, span: Span, copy: int) -> str | None:
    """Return whether a system has so many copies of a span."""
    if copies is None:
        return None
    return YES if copies[span] >= copy else NO


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
    for one, other in pairwise(sorted(spans)):
        if other.start < one.end:
            return one, other
    return None
