"""The same graph with other relations: without those that follow from others, with them, or under other names."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from karat.errors import InputError
from karat.graphs.model.formula import LONG, SHORT
from karat.graphs.model.grid_levels import CELL_BELOW, NEXT, by_ids, has_grid_levels
from karat.graphs.model.inherit import inherited
from karat.graphs.model.labelling import Labels, by_star, is_starred, node_labels
from karat.graphs.model.layout import layout
from karat.graphs.model.legality import why_no_tree
from karat.graphs.model.segments import Group, Segments, segments
from karat.graphs.model.structure import LabelGraph, Pair, Relation

Names = Literal["given", "long", "short"]
GroupRelations = Mapping[tuple[Group, Group], Labels]


def as_tree(graph: LabelGraph) -> LabelGraph:
    """Return the graph without inherited relations: each object has one parent, or none.

    Relations that do not form a tree are an error.
    """
    if has_grid_levels(graph):
        return _by_direction(graph, _as_tree)
    return _as_tree(graph)


def as_inherited(graph: LabelGraph) -> LabelGraph:
    """Return the graph with the relations that a tree implies: label(a, d) is that of the first edge from a to d."""
    if has_grid_levels(graph):
        return _by_direction(graph, _as_inherited)
    return _as_inherited(graph)


def _by_direction(graph: LabelGraph, change: Callable[[LabelGraph], LabelGraph]) -> LabelGraph:
    """Return a graph with matrices in levels changed in its relations: those down the columns by themselves.

    Objects share strokes, so each is known by its id.
    """
    down: list[Relation] = []
    other: list[Relation] = []
    for link in graph.relations:
        is_down = NEXT.get(link.label, link.label) == CELL_BELOW
        (down if is_down else other).append(link)
    relations: list[Relation] = []
    for links in (other, down):
        relations += change(replace(by_ids(graph), relations=tuple(links))).relations
    return replace(graph, relations=tuple(relations))


def _as_tree(graph: LabelGraph) -> LabelGraph:
    written = segments(by_star(graph))
    tree = layout(written)
    if tree is None:
        raise InputError(
            f"{graph.name or 'the graph'}: its relations do not form a tree: {why_no_tree(written)}; "
            "`karat check` says where"
        )
    kept = {}
    for ends, labels in written.relations.items():
        parent, child = ends
        if child in tree.children.get(parent, ()):
            kept[ends] = labels
    return _with_relations(graph, written, kept)


def _as_inherited(graph: LabelGraph) -> LabelGraph:
    labels = by_star(graph)
    closed = segments(inherited(labels))
    return _with_relations(graph, segments(labels), closed.relations)


def _with_relations(graph: LabelGraph, written: Segments, relations: GroupRelations) -> LabelGraph:
    """Return the graph with these relations instead of its own, written as its objects are."""
    id_of = {frozenset(one.primitives): one.id for one in graph.objects}
    if not graph.nodes and not graph.edges and _are_between(relations, id_of, graph):
        return replace(graph, relations=_between_objects(graph, id_of, relations))
    wanted: dict[Pair, Labels] = {}
    for ends, labels in relations.items():
        wanted |= dict.fromkeys(_pairs_of(ends), labels)
    related: set[Pair] = set()
    for ends in written.relations:
        related.update(_pairs_of(ends))
    unwanted = related - wanted.keys()
    edges = {pair: weights for pair, weights in graph.edges.items() if pair not in unwanted}
    # In order, so that the same graph is always written in the same way.
    for pair in sorted(wanted.keys() - related):
        edges[pair] = dict.fromkeys(sorted(wanted[pair]), 1.0)
    return replace(graph, edges=edges, relations=_kept(graph, wanted))


def _are_between(relations: GroupRelations, id_of: Mapping[Group, str], graph: LabelGraph) -> bool:
    """Return whether all relations are between objects with ids, each object of other primitives."""
    if len(id_of) < len(graph.objects):
        return False
    return all(parent in id_of and child in id_of for parent, child in relations)


def _between_objects(
    graph: LabelGraph, ids: Mapping[Group, str], relations: GroupRelations
) -> tuple[Relation, ...]:
    """Return relations between the objects as they are written; one that is new has the weight 1."""
    weights = {(one.parent, one.child, one.label): one.weight for one in graph.relations}
    links = []
    for (parent, child), labels in relations.items():
        for label in sorted(labels):
            weight = weights.get((ids[parent], ids[child], label), 1.0)
            links.append(Relation(ids[parent], ids[child], label, weight))
    return tuple(links)


def _pairs_of(ends: tuple[Group, Group]) -> list[Pair]:
    """Return every pair of a primitive of the parent and one of the child."""
    parent, child = ends
    return [(a, b) for a in parent for b in child]


def _kept(graph: LabelGraph, wanted: Mapping[Pair, Labels]) -> tuple[Relation, ...]:
    """Return the written relations that are wanted on every pair of their ends."""
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
    table = LONG
    if names == "short":
        table = {old: SHORT.get(new, new) for old, new in LONG.items()} | SHORT
    nodes = node_labels(graph)
    starred = is_starred(graph)
    edges = {}
    for (a, b), weights in graph.edges.items():
        merges = frozenset() if starred else nodes[a] & nodes[b]
        new_weights = {}
        for label, weight in weights.items():
            new_label = label if label in merges else table.get(label, label)
            new_weights[new_label] = weight
        edges[a, b] = new_weights
    relations = [one._replace(label=table.get(one.label, one.label)) for one in graph.relations]
    return replace(graph, edges=edges, relations=tuple(relations))
