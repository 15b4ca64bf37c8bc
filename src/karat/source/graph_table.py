"""Graphs as a table of answers: rows are expressions, objects, primitives or pairs; columns the truth and systems."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from karat.errors import InputError, OptionError
from karat.graph.difference import ABSENT
from karat.graph.labelling import NOTHING, Labels
from karat.graph.rules import Prepared, Rules, prepare
from karat.source.graph_folder import GraphSet, extra, paired
from karat.words import counted, listing

Unit = Literal["expression", "object", "primitive", "pair"]
UNITS = get_args(Unit)
NO_OBJECT = "∅"
"""The answer of a system that has no object of these primitives, or not this primitive."""
ITEM, TRUTH, FILE, NUMBER = "(item)", "(truth)", "(file)", "(number)"
"""Columns that no system is called like."""
GRAPHS_OF_AN_EXPRESSION = 1_000_000
"""So many graphs an expression might have: where its truth is wrong, hardly any output is right by that."""


@dataclass(frozen=True, slots=True)
class GraphTable:
    """Columns by name, and how many rows of which kind they leave out."""

    unit: Unit
    systems: tuple[str, ...]
    columns: Mapping[str, list[Any]]
    objects: tuple[int, ...]
    """How many objects the first graph of the row's expression has."""
    has_truth: bool
    origin: str
    remarks: tuple[str, ...]
    """What was left out or is absent, in words."""

    def error_of(self, rate: float) -> list[float]:
        """Return how likely each expression's truth is wrong if an object's is with this rate, each by itself."""
        return [1 - (1 - rate) ** number for number in self.objects]


Graphs = Sequence[Prepared]
"""One expression: the truth's graph first, if there is one, and then each system's."""
Row = tuple[str, list[str | None], int]
"""The item, its labels, and how many such rows there are."""


def graph_table(truth: GraphSet | None, systems: Sequence[GraphSet], unit: str, rules: Rules) -> GraphTable:
    """Return the answers of graphs, one row a unit."""
    if unit not in UNITS:
        raise OptionError(f"--unit is {unit!r}; it takes {', '.join(UNITS[:-1])} or {UNITS[-1]}")
    names = tuple(one.name for one in systems)
    if len(set(names)) < len(names):
        raise InputError(f"two systems are called {max(names, key=names.count)!r}; name them as NAME=DIR")
    rows: list[tuple[str, Row, int]] = []
    surplus = dict.fromkeys(names, 0)
    told = truth is not None
    for file, graphs in _expressions(truth, systems, rules):
        objects = len(graphs[0].segments.objects)
        rows += ((file, row, objects) for row in _ROWS[unit](file, graphs, told))
        if unit == "object" and told:
            for name, graph in zip(names, graphs[1:], strict=True):
                surplus[name] += len(graph.segments.objects.keys() - graphs[0].segments.objects.keys())
    if not rows:
        raise InputError(f"no graph has {_AN[unit]}; there is nothing to judge")
    columns: dict[str, list[Any]] = {
        ITEM: [row[0] for _, row, _ in rows],
        FILE: [file for file, _, _ in rows],
        NUMBER: [row[2] for _, row, _ in rows],
    }
    for place, name in enumerate((TRUTH, *names) if told else names):
        columns[name] = [row[1][place] for _, row, _ in rows]
    origin = " and ".join([truth.origin] if truth else [one.origin for one in systems])
    said = (*_absent(truth, systems), *_extra_objects(surplus))
    return GraphTable(unit, names, columns, tuple(objects for _, _, objects in rows), told, origin, said)  # type: ignore[arg-type]


def _absent(truth: GraphSet | None, systems: Sequence[GraphSet]) -> Iterator[str]:
    """Say which files are answered by nothing, or count for nothing."""
    every = dict.fromkeys(name for one in systems for name in one.graphs)
    for one in systems:
        names = [*paired(truth, one).values()] if truth else list(every)
        states = Counter(state for name in names if (state := one.state(name)))
        for state, number in states.items():
            yield f"{one.name}: {counted(number, 'file')} {state}, taken as a graph without primitives."
        if truth and (others := extra(truth, one)):
            yield f"{one.name}: {counted(len(others), 'file')} without a truth left out: {listing(others, most=3)}."
        if lines := sum(one.malformed().values()):
            yield f"{one.name}: {counted(lines, 'line')} that mean nothing left out."


def _extra_objects(number: Mapping[str, int]) -> Iterator[str]:
    """Say how many objects the truth does not have: they are no rows."""
    if any(number.values()):
        told = ", ".join(f"{name} {many:,}" for name, many in number.items() if many)
        yield f"Objects that the truth does not have, which are no rows: {told}."


def _expressions(
    truth: GraphSet | None, systems: Sequence[GraphSet], rules: Rules
) -> Iterator[tuple[str, list[Prepared]]]:
    """Give the graphs of each expression, ready to be compared."""
    if truth is None:
        for name in sorted({name for one in systems for name in one.graphs}):
            yield name, [prepare(one.graph(name), rules) for one in systems]
        return
    pairs = [paired(truth, one) for one in systems]
    for name, graph in truth.graphs.items():
        others = [one.graph(pair[name]) for one, pair in zip(systems, pairs, strict=True)]
        yield name, [prepare(each, rules) for each in (graph, *others)]


def _expression(file: str, graphs: Graphs, _: bool) -> Iterator[Row]:
    """Give one row; graphs that are the same have the same label, which says nothing of other expressions."""
    keys = [(frozenset(one.labels.nodes.items()), frozenset(one.labels.edges.items())) for one in graphs]
    kinds = sorted(
        set(keys),
        key=lambda key: (sorted((a, *sorted(b)) for a, b in key[0]), sorted((*a, *sorted(b)) for a, b in key[1])),
    )
    place = {key: f"reading {number}" for number, key in enumerate(kinds, 1)}
    yield file, [place[key] for key in keys], 1


def _object(file: str, graphs: Graphs, told: bool) -> Iterator[Row]:
    """Give a row for every object of the truth, or of any system where there is no truth."""
    wanted = graphs[:1] if told else graphs
    groups = dict.fromkeys(group for one in wanted for group in one.segments.objects)
    for group in groups:
        found = [one.segments.objects.get(group) for one in graphs]
        yield _name(file, sorted(group)), [NO_OBJECT if each is None else text(each) for each in found], 1


def _primitive(file: str, graphs: Graphs, _: bool) -> Iterator[Row]:
    """Give a row for every primitive of any graph."""
    for name in dict.fromkeys(name for one in graphs for name in one.labels.nodes):
        found = [one.labels.nodes.get(name) for one in graphs]
        yield _name(file, [name]), [NO_OBJECT if each is None else text(each) for each in found], 1


def _pair(file: str, graphs: Graphs, _: bool) -> Iterator[Row]:
    """Give a row for every labelled pair, and one for all others that a primitive begins which the same graphs lack."""
    names = dict.fromkeys(name for one in graphs for name in one.labels.nodes)
    begun = dict.fromkeys(names, 0)
    for a, b in dict.fromkeys(pair for one in graphs for pair in one.labels.edges):
        begun[a] += 1
        yield _name(file, [a, b], " > "), [text(_edge(one, a, b)) for one in graphs], 1
    rest: dict[tuple[bool, ...], int] = {}
    for name in names:
        lacking = tuple(name not in one.labels.nodes for one in graphs)
        rest[lacking] = rest.get(lacking, 0) + len(names) - 1 - begun[name]
    for lacking, number in rest.items():
        if number:
            marks = [text(ABSENT if away else NOTHING) for away in lacking]
            yield f"{file}: pairs without a label, {''.join('-+'[not away] for away in lacking)}", list(marks), number


def _edge(one: Prepared, a: str, b: str) -> Labels:
    return ABSENT if a not in one.labels.nodes else one.labels.edges.get((a, b), NOTHING)


def text(labels: Labels) -> str:
    """Return a set of labels as one."""
    if len(labels) == 1:
        (label,) = labels
        return label
    return " | ".join(sorted(labels)) or NO_OBJECT


def _name(file: str, parts: Sequence[str], between: str = " ") -> str:
    return f"{file}: {between.join(parts)}"


_ROWS: Mapping[str, Callable[[str, Graphs, bool], Iterator[Row]]] = {
    "expression": _expression,
    "object": _object,
    "primitive": _primitive,
    "pair": _pair,
}
_AN = {"expression": "an expression", "object": "an object", "primitive": "a primitive", "pair": "a pair"}
