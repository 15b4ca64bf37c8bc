"""Objects that hold others over the same primitives: the parts of matrices, words over characters."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from karat.graphs.model.grid_levels import (
    CELL,
    CELL_BELOW,
    COLUMN,
    KINDS,
    MATRIX,
    NEXT,
    NEXT_CELL,
    NEXT_COLUMN,
    NEXT_ROW,
    ROW,
    has_grid_levels,
    kind_of,
)
from karat.graphs.model.segments import Group
from karat.graphs.model.structure import LabelGraph, Object

LEVELS = {CELL: "cells", ROW: "rows", COLUMN: "columns", MATRIX: "matrices"}
"""What the levels of matrices are called, from the smallest parts to the largest."""
RELATIONS = {
    CELL: {NEXT_CELL, CELL_BELOW},
    ROW: {NEXT_ROW},
    COLUMN: {NEXT_COLUMN},
    MATRIX: frozenset[str](),
}


class HoldingObjects(NamedTuple):
    """Labels of objects that hold others, and of the relations between such objects."""

    objects: tuple[str, ...]
    relations: tuple[str, ...]


def matrix_levels(graphs: Iterable[LabelGraph]) -> dict[str, tuple[str, ...]]:
    """Return the levels that parts of matrices make in graphs, each with the labels of its objects and relations."""
    kinds: set[str] = set()
    for graph in graphs:
        kinds |= _matrix_kinds(graph)
    levels = {}
    for kind, name in LEVELS.items():
        if kind in kinds:
            objects = [label for label, each in KINDS.items() if each == kind]
            relations = [label for label, each in NEXT.items() if each in RELATIONS[kind]]
            levels[name] = (*objects, *sorted(RELATIONS[kind]), *relations)
    return levels


def _matrix_kinds(graph: LabelGraph) -> set[str]:
    """Return which parts of matrices share the primitives of what they hold, on lines O or on lines N."""
    kinds = set()
    if has_grid_levels(graph):
        kinds |= {kind_of(one.label) for one in graph.objects}
    for labels in graph.nodes.values():
        of_parts = {kind_of(label) for label in labels}
        if None in of_parts:
            kinds |= of_parts
    return {kind for kind in kinds if kind is not None}


def holding_groups(graph: LabelGraph) -> set[Group]:
    """Return the primitives of the objects that consist of whole other objects."""
    groups = {frozenset(one.primitives) for one in graph.objects}
    every = frozenset[str]().union(*groups)
    if len(every) == sum(map(len, groups)):
        return set()
    holding = set()
    for group in groups:
        smaller = [other for other in groups if other < group]
        if group == frozenset().union(*smaller):
            holding.add(group)
    return holding


def holding_labels(graph: LabelGraph) -> HoldingObjects | None:
    """Return the labels of objects that hold others and are not parts of matrices, and those of their relations."""
    holding = holding_groups(graph)
    labels = set()
    for one in graph.objects:
        if frozenset(one.primitives) in holding and kind_of(one.label) is None:
            labels.add(one.label)
    if not labels:
        return None
    ids = {one.id for one in graph.objects if one.label in labels}
    relations = {link.label for link in graph.relations if {link.parent, link.child} <= ids}
    return HoldingObjects(tuple(sorted(labels)), tuple(sorted(relations)))


def by_themselves(graph: LabelGraph) -> LabelGraph:
    """Return the graph in which every object that holds others has one primitive of its own, named by its strokes.

    Objects are known by their primitives, so that a cell and the only symbol in it would be one object of two classes.
    """
    holding = holding_labels(graph)
    labels = set() if holding is None else set(holding.objects)
    if has_grid_levels(graph):
        labels.update(KINDS)
    if not labels:
        return graph
    objects = [_by_itself(one) if one.label in labels else one for one in graph.objects]
    return replace(graph, objects=tuple(objects))


def _by_itself(one: Object) -> Object:
    return one._replace(primitives=(f"{one.label}({' '.join(sorted(one.primitives))})",))
