"""What of a graph can be drawn: its objects, the relations between them, and which object holds which."""

from collections.abc import Mapping
from dataclasses import dataclass

from karat.graphs.model.class_segments import class_segments
from karat.graphs.model.grid_levels import CELL, COLUMN, KINDS, MATRIX, ROW
from karat.graphs.model.labelling import (
    NOTHING,
    Labelling,
    Labels,
    by_class,
    by_star,
    node_labels,
    one,
)
from karat.graphs.model.segments import Group, Segments, segments
from karat.graphs.model.structure import MERGE, LabelGraph

Thing = tuple[Group, str]
"""An object: its primitives, and its class where objects of several levels share primitives."""
RANKS = {label: 1 + (CELL, ROW, COLUMN, MATRIX).index(kind) for label, kind in KINDS.items()}
"""Which of two levels with the same primitives holds the other; symbols are below all of them."""
ACROSS = {label for label, kind in KINDS.items() if kind == COLUMN}
"""Levels that cross others: cells are in their row, and the column is drawn around them."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The objects of a graph with their classes, their relations, and the object that holds each, if one does."""

    things: Mapping[Thing, Labels]
    relations: Mapping[tuple[Thing, Thing], Labels]
    homes: Mapping[Thing, Thing | None]
    loose: int
    """Labelled pairs of primitives that belong to no relation between whole objects."""

    @property
    def primitives(self) -> Group:
        """Every primitive."""
        return frozenset().union(*(group for group, _ in self.things))


def has_levels(graph: LabelGraph) -> bool:
    """Return whether primitives belong to several objects at once, such as a symbol, a cell and a row."""
    return any(len(labels) > 1 for labels in node_labels(graph).values())


def scene(graph: LabelGraph, *, levels: bool) -> Scene:
    """Return what can be drawn; with `levels`, objects of different classes may share primitives."""
    return _levelled(graph) if levels else flat_scene(by_star(graph))


def flat_scene(labels: Labelling, *, one_way: bool = False) -> Scene:
    """Return what can be drawn of labels of one level; in an undirected graph each pair is written `one_way`."""
    written = segments(labels, one_way=one_way)
    # Objects of one level do not share primitives, so their class is not needed to identify them.
    things: dict[Thing, Labels] = {(group, ""): own for group, own in written.objects.items()}
    relations = {}
    for (parent, child), marks in written.relations.items():
        relations[(parent, ""), (child, "")] = marks
    loose = _pairs_without_relation(labels, written, one_way=one_way)
    return Scene(things, relations, dict.fromkeys(things), loose)


def _pairs_without_relation(labels: Labelling, written: Segments, *, one_way: bool) -> int:
    """Return how many labelled pairs of primitives belong to no relation between whole objects."""
    group_of = {name: group for group in written.objects for name in group}
    number = 0
    for (a, b), marks in labels.edges.items():
        first, second = group_of[a], group_of[b]
        is_labelled = bool(marks - one(MERGE) - NOTHING)
        if first is second or not is_labelled:
            continue
        is_related = (first, second) in written.relations
        if one_way:
            is_related = is_related or (second, first) in written.relations
        if not is_related:
            number += 1
    return number


def _levelled(graph: LabelGraph) -> Scene:
    if graph.objects:
        return _levelled_by_objects(graph)
    return _levelled_by_class(graph)


def _levelled_by_objects(graph: LabelGraph) -> Scene:
    """Return the objects as they are written, and primitives that are in none of them."""
    by_id = {each.id: (frozenset(each.primitives), each.label) for each in graph.objects}
    things: dict[Thing, Labels] = {thing: one(thing[1]) for thing in by_id.values()}
    in_objects = frozenset().union(*(group for group, _ in things))
    for name, labels in graph.nodes.items():
        if name in in_objects:
            continue
        for label in labels:
            things[frozenset((name,)), label] = one(label)
    relations: dict[tuple[Thing, Thing], Labels] = {}
    for link in graph.relations:
        parent, child = by_id[link.parent], by_id[link.child]
        if parent != child:
            known = relations.get((parent, child), frozenset())
            relations[parent, child] = known | {link.label}
    loose = sum(1 for labels in graph.edges.values() if MERGE not in labels)
    return Scene(things, relations, _homes(things), loose)


def _levelled_by_class(graph: LabelGraph) -> Scene:
    """Return an object for each class that some primitives share."""
    written = class_segments(by_class(graph))
    things: dict[Thing, Labels] = {}
    first: dict[Group, Thing] = {}
    for group, labels in written.objects.items():
        for label in sorted(labels):
            things[group, label] = one(label)
            first.setdefault(group, (group, label))
    relations = {(first[a], first[b]): marks for (a, b), marks in written.relations.items()}
    return Scene(things, relations, _homes(things), 0)


def _homes(things: Mapping[Thing, Labels]) -> dict[Thing, Thing | None]:
    """Return the smallest object that holds each: of a larger set of primitives, or of a higher level of the same."""
    holders = sorted((each for each in things if each[1] not in ACROSS), key=_size)
    homes: dict[Thing, Thing | None] = {}
    for thing in things:
        homes[thing] = None
        for holder in holders:
            if holder[0] >= thing[0] and _size(holder) > _size(thing):
                homes[thing] = holder
                break
    return homes


def _size(thing: Thing) -> tuple[int, int, str]:
    group, label = thing
    return len(group), RANKS.get(label, 0), label
