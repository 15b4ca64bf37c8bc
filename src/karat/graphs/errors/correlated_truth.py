"""What of a truth errs as one: the strokes of an object, the pairs of a relation, the objects of an expression."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from karat.graphs.compare.rules import Prepared, Rules, prepare
from karat.graphs.compare.table import (
    ITEM,
    NO_OBJECT,
    NUMBER,
    OWNER,
    ROWS,
    TRUTH,
    Graphs,
    expressions,
    text,
)
from karat.graphs.formats.folder import GraphSet
from karat.graphs.model.inherit import first_edges
from karat.graphs.model.labelling import NOTHING, STAR, Labels
from karat.graphs.model.segments import Group
from karat.graphs.model.structure import Pair

FIRM = "(firm)"
"""The owner of rows that no wrong object changes."""
Owned = tuple[str, list[str | None], int]
"""What a row errs with, its labels (None: right in no case, or not asked), and how many such rows there are."""
Structure = tuple[frozenset[Group], frozenset[Pair], frozenset[tuple[Pair, Labels]]]
"""Which primitives are objects, which pairs of them are merged, and the labels between objects."""


@dataclass(frozen=True, slots=True)
class Erring:
    """Rows as columns, with what each errs with; and the labels of which one is true where the given one is wrong."""

    columns: Mapping[str, list[Any]]
    labels: frozenset[str]


def erring(truth: GraphSet, systems: Sequence[GraphSet], unit: str, rules: Rules) -> Erring:
    """Return the rows of primitives or pairs, or for expressions those of their objects, by what they err with."""
    rows: list[Owned] = []
    labels = set()
    give, told = _UNITS[unit]
    for file, graphs in expressions(truth, systems, rules):
        rows += give(file, graphs, rules)
        labels |= {text(each) for one in graphs for each in told(one, rules)}
    columns: dict[str, list[Any]] = {
        ITEM: [f"{number}" for number in range(len(rows))],
        OWNER: [owner for owner, _, _ in rows],
        NUMBER: [number for _, _, number in rows],
    }
    for place, name in enumerate((TRUTH, *(one.name for one in systems))):
        columns[name] = [marks[place] for _, marks, _ in rows]
    return Erring(columns, frozenset(labels) - {NO_OBJECT})


def _primitives(file: str, graphs: Graphs, rules: Rules) -> Iterator[Owned]:
    """Give the rows of primitives: those of one object err with it."""
    home = _homes(graphs[0])
    for _, marks, number, (name,) in ROWS["primitive"](file, graphs, rules, True):
        yield f"{file}: {home[name]} {marks[0]}" if name in home else FIRM, marks, number


def _pairs(file: str, graphs: Graphs, rules: Rules) -> Iterator[Owned]:
    """Give the rows of pairs: those between two objects err with their relation, or with that which they inherit."""
    home, edges = _homes(graphs[0]), graphs[0].labels.edges
    source = _inherited(graphs[0], rules) if rules.inherit else {}
    for _, marks, number, ends in ROWS["pair"](file, graphs, rules, True):
        owner = FIRM
        if ends in edges and home[ends[0]] != home[ends[1]]:
            parent, child = home[ends[0]], home[ends[1]]
            owner = f"{file}: {parent} {source.get((parent, child), child)} {marks[0]}"
        yield owner, marks, number


def _homes(graph: Prepared) -> dict[str, int]:
    """Return the object of every primitive, as a number."""
    return {name: place for place, group in enumerate(graph.segments.objects) for name in group}


def _inherited(graph: Prepared, rules: Rules) -> dict[tuple[int, int], int]:
    """Return for objects that only a path connects the first child on it, where there is one path."""
    written = prepare(graph.graph, replace(rules, inherit=False)).segments.relations
    place = {group: number for number, group in enumerate(graph.segments.objects)}
    return {
        (place[start], place[far]): place[firsts[0]]
        for (start, far), firsts in first_edges(written).items()
        if len(firsts) == 1 and {start, far, firsts[0]} <= place.keys()
    }


def _objects(file: str, graphs: Graphs, _: Rules) -> Iterator[Owned]:
    """Give the rows of an expression's objects: it is right if all of them are.

    Who differs from the truth in more than classes of objects has none of them right, whatever their classes are.
    """
    given = graphs[0]
    classes = [given.segments.objects, *(_classes(one, given) for one in graphs[1:])]
    if not given.segments.objects:
        yield FIRM, [NO_OBJECT if found is not None else None for found in classes], 1
    for group in given.segments.objects:
        yield file, [None if found is None else text(found[group]) for found in classes], 1


def _classes(one: Prepared, given: Prepared) -> Mapping[Group, Labels] | None:
    """Return a graph's classes of the truth's objects; None where it differs in more than these."""
    if one.labels.nodes == given.labels.nodes and one.labels.edges == given.labels.edges:
        return given.segments.objects
    own = _structure(one)
    return one.segments.objects if own is not None and own == _structure(given) else None


def _structure(one: Prepared) -> Structure | None:
    """Return a graph without its classes; None where these are not those of whole objects."""
    nodes, edges = one.labels.nodes, one.labels.edges
    home = {name: group for group in one.segments.objects for name in group}
    inside = {pair: marks for pair, marks in edges.items() if home[pair[0]] is home[pair[1]]}
    merged = all(marks in (STAR, nodes[a]) for (a, _), marks in inside.items())
    if not merged or any(
        nodes[name] != marks for group, marks in one.segments.objects.items() for name in group
    ):
        return None
    between = frozenset((pair, marks) for pair, marks in edges.items() if pair not in inside)
    return frozenset(one.segments.objects), frozenset(inside), between


def _relations(one: Prepared, rules: Rules) -> Iterator[Labels]:
    """Give the labels of relations, and that of none, unless others would be lost with it that are inherited."""
    yield from () if rules.inherit else (NOTHING,)
    yield from one.segments.relations.values()


_UNITS: Mapping[
    str,
    tuple[
        Callable[[str, Graphs, Rules], Iterator[Owned]],
        Callable[[Prepared, Rules], Iterable[Labels]],
    ],
] = {
    "expression": (_objects, lambda one, _: one.segments.objects.values()),
    "primitive": (_primitives, lambda one, _: one.labels.nodes.values()),
    "pair": (_pairs, _relations),
}
"""The rows of a unit, and the labels that may be true of them."""
