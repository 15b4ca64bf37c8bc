"""Which rows of a truth are wrong together: the strokes of an object, the pairs of a relation, all of an expression."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from karat.graphs.compare.comparison import PreparedGraph, prepare
from karat.graphs.compare.rules import Rules
from karat.graphs.compare.table import ITEM, NUMBER, OWNER, TRUTH, expressions
from karat.graphs.compare.unit_rows import (
    NO_OBJECT,
    UNIT_ROWS,
    ExpressionGraphs,
    label_text,
)
from karat.graphs.formats.folder import GraphSet
from karat.graphs.model.inherit import first_edges
from karat.graphs.model.labelling import NOTHING, STAR, Labels
from karat.graphs.model.parents import (
    Ends,
    Relations,
    first_children,
    inherited_from,
    lowest_parents,
)
from karat.graphs.model.segments import Group
from karat.graphs.model.structure import Pair

FIRM = "(firm)"
"""The owner of rows that no wrong object changes."""


class OwnedRow(NamedTuple):
    """A row of labels, what it is wrong with, and how many such rows there are."""

    owner: str
    labels: list[str | None]
    """None: right in no case, or nothing that a system has to answer."""
    number: int


class Structure(NamedTuple):
    """A graph without its classes."""

    objects: frozenset[Group]
    merged: frozenset[Pair]
    between: frozenset[tuple[Pair, Labels]]
    """The labels between objects."""


@dataclass(frozen=True, slots=True)
class OwnedRows:
    """Rows as columns, with what each is wrong with; and the labels that may be true where the given one is wrong."""

    columns: Mapping[str, list[Any]]
    labels: frozenset[str]


def owned_rows(truth: GraphSet, systems: Sequence[GraphSet], unit: str, rules: Rules) -> OwnedRows:
    """Return the rows of primitives or pairs, or of an expression's objects, each with what it is wrong with."""
    kind = _UNITS[unit]
    rows: list[OwnedRow] = []
    labels: set[str] = set()
    for file, graphs in expressions(truth, systems, rules):
        rows += kind.rows(file, graphs, rules)
        for graph in graphs:
            labels.update(map(label_text, kind.labels(graph, rules)))
    columns: dict[str, list[Any]] = {
        ITEM: [str(place) for place in range(len(rows))],
        OWNER: [row.owner for row in rows],
        NUMBER: [row.number for row in rows],
    }
    names = [TRUTH, *(system.name for system in systems)]
    for place, name in enumerate(names):
        columns[name] = [row.labels[place] for row in rows]
    return OwnedRows(columns, frozenset(labels) - {NO_OBJECT})


def _primitives(file: str, graphs: ExpressionGraphs, rules: Rules) -> Iterator[OwnedRow]:
    """Give the rows of primitives: those of one object are wrong with it."""
    home = _homes(graphs[0])
    for row in UNIT_ROWS["primitive"](file, graphs, rules, True):
        (name,) = row.primitives
        owner = f"{file}: {home[name]} {row.labels[0]}" if name in home else FIRM
        yield OwnedRow(owner, row.labels, row.number)


def _pairs(file: str, graphs: ExpressionGraphs, rules: Rules) -> Iterator[OwnedRow]:
    """Give the rows of pairs: those between two objects are wrong with their relation, or with the one they inherit."""
    truth = graphs[0]
    home = _homes(truth)
    first_children = {} if rules.undirected else _first_children(truth, rules)
    for row in UNIT_ROWS["pair"](file, graphs, rules, True):
        owner = FIRM
        if row.primitives in truth.labels.edges:
            start, end = row.primitives
            parent, child = home[start], home[end]
            if parent != child:
                related = first_children.get((parent, child), child)
                owner = f"{file}: {parent} {related} {row.labels[0]}"
        yield OwnedRow(owner, row.labels, row.number)


def _homes(graph: PreparedGraph) -> dict[str, int]:
    """Return the object of every primitive, as a number."""
    home = {}
    for place, group in enumerate(graph.segments.objects):
        for name in group:
            home[name] = place
    return home


def _first_children(graph: PreparedGraph, rules: Rules) -> dict[tuple[int, int], int]:
    """Return for objects whose relation is inherited the first child on the path, where there is one path.

    It does not matter whether the file has the relation, or `--inherit` adds it.
    """
    written = prepare(graph.graph, replace(rules, inherit=False)).segments.relations
    place = {group: number for number, group in enumerate(graph.segments.objects)}
    first_children = {}
    for (start, far), child in _inherited_from(written, closed=rules.inherit).items():
        if {start, far, child} <= place.keys():
            first_children[place[start], place[far]] = place[child]
    return first_children


def _inherited_from(written: Relations, *, closed: bool) -> dict[Ends, Group]:
    """Return for inherited relations, also those that are not written if all are `closed`, the first child."""
    firsts: dict[Ends, Group] = {}
    parent_of = lowest_parents(written)
    if parent_of is not None:
        firsts |= inherited_from(written, parent_of)
    if closed:
        for ends, children in first_edges(written).items():
            if len(children) == 1:
                firsts[ends] = children[0]
            elif parent_of is not None:
                start, far = ends
                first = first_children(far, [start], parent_of).get(start)
                if first is not None:
                    firsts[ends] = first
    return firsts


def _objects(file: str, graphs: ExpressionGraphs, _: Rules) -> Iterator[OwnedRow]:
    """Give the rows of an expression's objects: it is right if all of them are.

    A system that differs from the truth in more than classes of objects has none of them right, whatever their
    classes are.
    """
    truth = graphs[0]
    classes: list[Mapping[Group, Labels] | None] = [truth.segments.objects]
    classes += (_classes(output, truth) for output in graphs[1:])
    if not truth.segments.objects:
        yield OwnedRow(FIRM, [None if each is None else NO_OBJECT for each in classes], 1)
    for group in truth.segments.objects:
        labels = [None if each is None else label_text(each[group]) for each in classes]
        yield OwnedRow(file, labels, 1)


def _classes(output: PreparedGraph, truth: PreparedGraph) -> Mapping[Group, Labels] | None:
    """Return a graph's classes of the truth's objects; None where it differs in more than these."""
    if output.labels.nodes == truth.labels.nodes and output.labels.edges == truth.labels.edges:
        return truth.segments.objects
    own = _structure(output)
    if own is not None and own == _structure(truth):
        return output.segments.objects
    return None


def _structure(graph: PreparedGraph) -> Structure | None:
    """Return a graph without its classes; None where these are not those of whole objects."""
    nodes = graph.labels.nodes
    objects = graph.segments.objects
    home = {name: group for group in objects for name in group}
    for group, classes in objects.items():
        if any(nodes[name] != classes for name in group):
            return None
    merged = set()
    between = set()
    for pair, marks in graph.labels.edges.items():
        start, end = pair
        if home[start] is not home[end]:
            between.add((pair, marks))
        elif marks in (STAR, nodes[start]):
            merged.add(pair)
        else:
            return None
    return Structure(frozenset(objects), frozenset(merged), frozenset(between))


def _relation_labels(graph: PreparedGraph, rules: Rules) -> Iterator[Labels]:
    """Give the labels of relations, and that of none, unless inherited relations would be lost with it."""
    if not rules.inherit:
        yield NOTHING
    yield from graph.segments.relations.values()


def _object_labels(graph: PreparedGraph, _: Rules) -> Iterable[Labels]:
    return graph.segments.objects.values()


def _primitive_labels(graph: PreparedGraph, _: Rules) -> Iterable[Labels]:
    return graph.labels.nodes.values()


class _Unit(NamedTuple):
    """The rows of a unit, and the labels that may be true of them."""

    rows: Callable[[str, ExpressionGraphs, Rules], Iterator[OwnedRow]]
    labels: Callable[[PreparedGraph, Rules], Iterable[Labels]]


_UNITS = {
    "expression": _Unit(_objects, _object_labels),
    "primitive": _Unit(_primitives, _primitive_labels),
    "pair": _Unit(_pairs, _relation_labels),
}
