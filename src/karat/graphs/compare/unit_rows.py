"""The rows of a table of graphs: an expression, object, primitive or pair each, with its label in every graph."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, get_args

from karat.graphs.compare.comparison import PreparedGraph
from karat.graphs.compare.difference import ABSENT
from karat.graphs.compare.rules import Rules
from karat.graphs.model.labelling import NOTHING, Labels
from karat.graphs.model.structure import Pair
from karat.graphs.options import Unit

UNITS = get_args(Unit)
NO_OBJECT = "∅"
"""The answer of a system that has no object of these primitives, or not this primitive."""
ExpressionGraphs = Sequence[PreparedGraph]
"""One expression: the truth's graph first, if there is one, and then each system's."""
Presence = tuple[bool, ...]
"""Which graphs have a primitive."""


class UnitRow(NamedTuple):
    """One row of the table."""

    item: str
    labels: list[str | None]
    """The label in each graph; None where a system need not answer."""
    number: int
    """How many such rows there are."""
    primitives: tuple[str, ...]
    """The primitives of the row; empty where it counts many units at once."""


def label_text(labels: Labels) -> str:
    """Return a set of labels as one."""
    if len(labels) == 1:
        (label,) = labels
        return label
    return " | ".join(sorted(labels)) or NO_OBJECT


def _label_or_none(labels: Labels | None) -> str:
    return NO_OBJECT if labels is None else label_text(labels)


class _WholeReading(NamedTuple):
    """All labels of a graph."""

    nodes: frozenset[tuple[str, Labels]]
    edges: frozenset[tuple[Pair, Labels]]

    def order(self) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
        """Return a key to sort readings by."""
        nodes = sorted((name, *sorted(labels)) for name, labels in self.nodes)
        edges = sorted((*pair, *sorted(labels)) for pair, labels in self.edges)
        return nodes, edges


def _expression(file: str, graphs: ExpressionGraphs, _: Rules, __: bool) -> Iterator[UnitRow]:
    """Give one row; equal graphs have the same label, which has no meaning across expressions."""
    readings = [
        _WholeReading(frozenset(one.labels.nodes.items()), frozenset(one.labels.edges.items()))
        for one in graphs
    ]
    distinct = sorted(set(readings), key=_WholeReading.order)
    labels = {reading: f"reading {number}" for number, reading in enumerate(distinct, 1)}
    yield UnitRow(file, [labels[reading] for reading in readings], 1, ())


def _object(file: str, graphs: ExpressionGraphs, _: Rules, has_truth: bool) -> Iterator[UnitRow]:
    """Give a row for every object of the truth, or of any system where there is no truth."""
    rows_of = graphs[:1] if has_truth else graphs
    for group in dict.fromkeys(group for one in rows_of for group in one.segments.objects):
        labels: list[str | None] = [
            _label_or_none(one.segments.objects.get(group)) for one in graphs
        ]
        yield UnitRow(f"{file}: {' '.join(sorted(group))}", labels, 1, (*group,))


def _primitive(file: str, graphs: ExpressionGraphs, _: Rules, __: bool) -> Iterator[UnitRow]:
    """Give a row for every primitive of any graph."""
    for name in dict.fromkeys(name for one in graphs for name in one.labels.nodes):
        labels: list[str | None] = [_label_or_none(one.labels.nodes.get(name)) for one in graphs]
        yield UnitRow(f"{file}: {name}", labels, 1, (name,))


def _pair(file: str, graphs: ExpressionGraphs, rules: Rules, has_truth: bool) -> Iterator[UnitRow]:
    """Give a row for every labelled pair, and one for all others that have the same labels.

    A system answers for the pairs of its own primitives and those of the truth, but not for pairs of primitives that
    only other systems have.
    """
    presence = _presence(graphs)
    answers = _PairAnswers(rules, has_truth)
    # Pairs without a label are not listed, only counted: of n primitives there are n(n-1) pairs, and those without a
    # label differ only in which graphs have their two primitives.
    unlabelled = _possible_pairs(Counter(presence.values()), undirected=rules.undirected)
    labelled = dict.fromkeys(pair for one in graphs for pair in one.labels.edges)
    for pair in labelled:
        first, second = pair
        ends = presence[first], presence[second]
        if ends in unlabelled:
            unlabelled[ends] -= 1
        else:
            # In an undirected graph a pair is counted one way round only.
            unlabelled[ends[::-1]] -= 1
        labels = [one.labels.edges.get(pair, NOTHING) for one in graphs]
        yield UnitRow(f"{file}: {first} > {second}", answers.of(ends, labels), 1, pair)
    for answer, number in _without_label(unlabelled, answers, len(graphs)).items():
        if number:
            kind = "".join(map(_character, answer))
            yield UnitRow(f"{file}: pairs without a label, {kind}", list(answer), number, ())


def _presence(graphs: ExpressionGraphs) -> dict[str, Presence]:
    """Return which graphs have each primitive."""
    presence: dict[str, Presence] = {}
    for one in graphs:
        for name in one.labels.nodes:
            if name not in presence:
                presence[name] = tuple(name in other.labels.nodes for other in graphs)
    return presence


def _without_label(
    unlabelled: Mapping[tuple[Presence, Presence], int], answers: "_PairAnswers", graphs: int
) -> Counter[tuple[str | None, ...]]:
    """Return how many pairs without a label there are, by the answers of the graphs."""
    nothing = [NOTHING] * graphs
    same: Counter[tuple[str | None, ...]] = Counter()
    for ends, number in unlabelled.items():
        same[tuple(answers.of(ends, nothing))] += number
    return same


def _character(label: str | None) -> str:
    """Return one character for the answer of a graph to a pair without a label."""
    if label is None:
        return "."
    return "-" if label == label_text(ABSENT) else "+"


def _possible_pairs(
    number: Mapping[Presence, int], *, undirected: bool
) -> dict[tuple[Presence, Presence], int]:
    """Return how many pairs there are, by the graphs that have their first and their second primitive."""
    pairs: dict[tuple[Presence, Presence], int] = {}
    if undirected:
        for one, other in combinations(number, 2):
            pairs[one, other] = number[one] * number[other]
        for one, many in number.items():
            pairs[one, one] = many * (many - 1) // 2
        return pairs
    for one in number:
        for other in number:
            others = number[other] - 1 if one == other else number[other]
            pairs[one, other] = number[one] * others
    return pairs


class _PairAnswers(NamedTuple):
    """The answers of graphs to a pair, by the rules about primitives that some graphs lack."""

    rules: Rules
    has_truth: bool

    def of(self, ends: tuple[Presence, Presence], labels: Sequence[Labels]) -> list[str | None]:
        """Return the label in each graph; None of a system that lacks an end of the pair, as does the truth."""
        answers: list[str | None] = []
        for place, marks in enumerate(labels):
            if self._need_not_answer(ends, place):
                answers.append(None)
            elif self._is_absent(ends, place):
                answers.append(label_text(ABSENT))
            else:
                answers.append(label_text(marks))
        return answers

    def _need_not_answer(self, ends: tuple[Presence, Presence], place: int) -> bool:
        if not self.has_truth or place == 0:
            return False
        return any(not end[place] and not end[0] for end in ends)

    def _is_absent(self, ends: tuple[Presence, Presence], place: int) -> bool:
        if not self.rules.marks_absent:
            return False
        first, second = ends
        if self.rules.undirected:
            return not (first[place] and second[place])
        return not first[place]


UNIT_ROWS: Mapping[str, Callable[[str, ExpressionGraphs, Rules, bool], Iterator[UnitRow]]] = {
    "expression": _expression,
    "object": _object,
    "primitive": _primitive,
    "pair": _pair,
}
"""The rows of one expression, by unit: of its file, its graphs, the rules, and whether the first is the truth."""
