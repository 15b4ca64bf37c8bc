"""What of a graph can be drawn: its objects, the relations between them, and which object holds which."""

from collections.abc import Mapping
from dataclasses import dataclass

from karat.graphs.model.class_segments import class_segments
from karat.graphs.model.grid_levels import CELL, COLUMN, KINDS, MATRIX, ROW
from karat.graphs.model.labelling import NOTHING, Labels, by_class, by_star, node_labels, one
from karat.graphs.model.segments import Group, segments
from karat.graphs.model.structure import MERGE, LabelGraph

Thing = tuple[Group, str]
"""An object: its primitives, and its class where objects of several levels share primitives."""
RANKS = {label: 1 + (CELL, ROW, COLUMN, MATRIX).index(kind) for label, kind in KINDS.items()}
"""Which of two levels with the same primitives holds the other; symbols are below all of them."""
ACROSS = {label for label, kind in KINDS.items() if kind == COLUMN}
"""Levels that cross others: cells stand in their row, and the column is drawn around them."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The objects of a graph with their classes, their relations, and the object that holds each, if one does."""

    things: Mapping[Thing, Labels]
    relations: Mapping[tuple[Thing, Thing], Labels]
    homes: Mapping[Thing, Thing | None]
    loose: int
    """Labelled pairs of primitives that make no relation between whole objects."""

    @property
    def primitives(self) -> Group:
        """Every primitive."""
        return frozenset().union(*(group for group, _ in self.things))


def has_levels(graph: LabelGraph) -> bool:
    """Return whether primitives belong to several objects at once, such as a symbol, a cell and a row."""
    return any(len(labels) > 1 for labels in node_labels(graph).values())


def scene(graph: LabelGraph, *, levels: bool) -> Scene:
    """Return what can be drawn; with `levels`, objects of different classes may share primitives."""
    return _levelled(graph) if levels else _flat(graph)


def _flat(graph: LabelGraph) -> Scene:
    labels = by_star(graph)
    found = segments(labels)
    home = {name: group for group in found.objects for name in group}
    loose = sum(
        1
        for (a, b), marks in labels.edges.items()
        if marks - one(MERGE) - NOTHING
        and home[a] is not home[b]
        and (home[a], home[b]) not in found.relations
    )
    things = {(group, ""): marks for group, marks in found.objects.items()}
    relations = {((a, ""), (b, "")): marks for (a, b), marks in found.relations.items()}
    return Scene(things, relations, dict.fromkeys(things), loose)


def _levelled(graph: LabelGraph) -> Scene:
    things: dict[Thing, Labels] = {}
    relations: dict[tuple[Thing, Thing], Labels] = {}
    if graph.objects:
        by_id = {each.id: (frozenset(each.primitives), each.label) for each in graph.objects}
        things = {thing: one(thing[1]) for thing in by_id.values()}
        held = frozenset().union(*(group for group, _ in things))
        for name, labels in graph.nodes.items():
            if name not in held:
                things |= {(frozenset((name,)), label): one(label) for label in labels}
        for link in graph.relations:
            ends = by_id[link.parent], by_id[link.child]
            if ends[0] == ends[1]:
                continue
            relations[ends] = relations.get(ends, frozenset()) | {link.label}
        loose = sum(1 for labels in graph.edges.values() if MERGE not in labels)
    else:
        found = class_segments(by_class(graph))
        things = {
            (group, label): one(label)
            for group, labels in found.objects.items()
            for label in sorted(labels)
        }
        first = {group: thing for thing in reversed(things) for group in (thing[0],)}
        relations = {(first[a], first[b]): marks for (a, b), marks in found.relations.items()}
        loose = 0
    return Scene(things, relations, _homes(things), loose)


def _homes(things: Mapping[Thing, Labels]) -> dict[Thing, Thing | None]:
    """Return the smallest object that holds each: of a larger set of primitives, or of a higher level of the same."""

    def size(thing: Thing) -> tuple[int, int, str]:
        return len(thing[0]), RANKS.get(thing[1], 0), thing[1]

    holders = sorted((each for each in things if each[1] not in ACROSS), key=size)
    return {
        thing: next(
            (each for each in holders if each[0] >= thing[0] and size(each) > size(thing)),
            None,
        )
        for thing in things
    }
