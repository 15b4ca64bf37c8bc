"""The same graph with other relations: without those that follow from others, with them, or under other names."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from karat.errors import InputError
from karat.graphs.model.formula import LONG, SHORT
from karat.graphs.model.grid_levels import CELL_BELOW, NEXT, by_ids, has_grid_levels
from karat.graphs.model.inherit import inherited
from karat.graphs.model.labelling import Labelling, by_star, is_starred, node_labels
from karat.graphs.model.layout import layout
from karat.graphs.model.segments import Group, segments
from karat.graphs.model.structure import LabelGraph, Pair, Relation

Names = Literal["given", "long", "short"]


def as_tree(graph: LabelGraph) -> LabelGraph:
    """Return the graph without inherited relations: each object hangs on one other, or on none.

    Relations that make no tree are an error.
    """
    return _by_direction(graph, _as_tree) if has_grid_levels(graph) else _as_tree(graph)


def as_inherited(graph: LabelGraph) -> LabelGraph:
    """Return the graph with the relations that a tree implies: label(a, d) is that of the first edge from a to d."""
    return _by_direction(graph, _as_inherited) if has_grid_levels(graph) else _as_inherited(graph)


def _by_direction(graph: LabelGraph, change: Callable[[LabelGraph], LabelGraph]) -> LabelGraph:
    """Return a graph with matrices in levels changed in its relations: those down the columns by themselves.

    Objects share strokes, so each is told by its id.
    """
    down = tuple(link for link in graph.relations if NEXT.get(link.label, link.label) == CELL_BELOW)
    other = tuple(link for link in graph.relations if link not in down)
    changed = (change(replace(by_ids(graph), relations=some)) for some in (other, down))
    return replace(graph, relations=tuple(link for each in changed for link in each.relations))


def _as_tree(graph: LabelGraph) -> LabelGraph:
    labels = by_star(graph)
    found = segments(labels)
    tree = layout(found)
    if tree is None:
        raise InputError(
            f"{graph.name or 'the graph'}: its relations make no tree, with or without inherited ones; "
            "`karat check` says where"
        )
    kept = {
        (parent, child)
        for parent, below in tree.children.items()
        if parent is not None
        for child in below
    }
    return _with(
        graph, labels, {ends: marks for ends, marks in found.relations.items() if ends in kept}
    )


def _as_inherited(graph: LabelGraph) -> LabelGraph:
    labels = by_star(graph)
    return _with(graph, labels, segments(inherited(labels)).relations)


def _with(
    graph: LabelGraph, labels: Labelling, relations: Mapping[tuple[Group, Group], frozenset[str]]
) -> LabelGraph:
    """Return the graph with these relations instead of its own, written as its objects are."""
    ids = {frozenset(one.primitives): one.id for one in graph.objects}
    told = len(ids) == len(graph.objects) and all(end in ids for ends in relations for end in ends)
    if told and not graph.nodes and not graph.edges:
        known = {(one.parent, one.child, one.label): one.weight for one in graph.relations}
        kept = [
            (ids[parent], ids[child], mark)
            for (parent, child), marks in relations.items()
            for mark in sorted(marks)
        ]
        return replace(graph, relations=tuple(Relation(*one, known.get(one, 1.0)) for one in kept))
    wanted = {
        (a, b): marks for (parent, child), marks in relations.items() for a in parent for b in child
    }
    related = {
        (a, b) for parent, child in segments(labels).relations for a in parent for b in child
    }
    edges = {
        pair: weights
        for pair, weights in graph.edges.items()
        if pair not in related or pair in wanted
    }
    new = {
        pair: dict.fromkeys(sorted(marks), 1.0)
        for pair, marks in wanted.items()
        if pair not in related
    }
    return replace(graph, edges={**edges, **new}, relations=_kept(graph, wanted))


def _kept(graph: LabelGraph, wanted: dict[Pair, frozenset[str]]) -> tuple[Relation, ...]:
    members = graph.members()
    return tuple(
        one
        for one in graph.relations
        if all((a, b) in wanted for a in members[one.parent] for b in members[one.child])
    )


def renamed(graph: LabelGraph, names: Names) -> LabelGraph:
    """Return the graph with the `long` names of the layout relations (Right, Above), the `short` ones (R, A), or as is.

    A label that holds two primitives of one class together keeps its name.
    """
    if names == "given":
        return graph
    table = (
        LONG
        if names == "long"
        else {**{old: SHORT.get(new, new) for old, new in LONG.items()}, **SHORT}
    )
    nodes, starred = node_labels(graph), is_starred(graph)
    edges = {}
    for (a, b), weights in graph.edges.items():
        merges = frozenset() if starred else nodes[a] & nodes[b]
        edges[a, b] = {
            mark if mark in merges else table.get(mark, mark): weight
            for mark, weight in weights.items()
        }
    relations = tuple(
        one._replace(label=table.get(one.label, one.label)) for one in graph.relations
    )
    return replace(graph, edges=edges, relations=relations)
