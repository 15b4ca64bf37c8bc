"""The labels of a graph as sets: those of each primitive and each pair, in whatever form the file gives them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from karat.graphs.model.structure import MERGE, NONE, LabelGraph, Pair, Weights

Labels = frozenset[str]


@cache
def one(label: str) -> Labels:
    """Return the set of one label, always the same object, so that comparing two of them is fast."""
    return frozenset((label,))


STAR, NOTHING = one(MERGE), one(NONE)


@dataclass(frozen=True, slots=True)
class Labelling:
    """The labels of every primitive, and of every pair that has one."""

    nodes: Mapping[str, Labels]
    edges: Mapping[Pair, Labels]


def by_star(graph: LabelGraph) -> Labelling:
    """Return the labels as the paper has them: primitives of one object are joined by `*`, whatever its class.

    An edge that carries the class of both its ends is such a merge too, as files since 2013 write it, unless the file
    has edges `*` of its own: then a relation may be called like a class.
    """
    nodes = node_labels(graph)
    edges: dict[Pair, Labels] = {}
    merged = _given(graph, nodes)
    for pair, labels in graph.edges.items():
        edges[pair] = merged(pair, labels)
    for thing in graph.objects:
        if len(thing.primitives) > 1:
            _add(edges, thing.primitives, thing.primitives, STAR)
    return Labelling(nodes, _related(graph, edges))


def by_class(graph: LabelGraph) -> Labelling:
    """Return the labels as LgEval has them since 2013: primitives of one object are joined by its class.

    An edge `*` means the first class that both ends have; where they have none in common it stays `*`.
    """
    nodes = node_labels(graph)
    first = _first(graph, nodes) if is_starred(graph) else None
    edges: dict[Pair, Labels] = {}
    for pair, labels in graph.edges.items():
        marks = _set(labels)
        if first is not None and MERGE in marks:
            marks = (marks - STAR) | one(first(pair))
        edges[pair] = marks
    for thing in graph.objects:
        if len(thing.primitives) > 1:
            _add(edges, thing.primitives, thing.primitives, one(thing.label))
    return Labelling(nodes, _related(graph, edges))


def is_starred(graph: LabelGraph) -> bool:
    """Return whether edges of the graph are written `*`."""
    return any(MERGE in labels for labels in graph.edges.values())


def node_labels(graph: LabelGraph) -> dict[str, Labels]:
    """Return the labels of every primitive; one that occurs only in edges has `_`."""
    labels_of = {name: _set(labels) for name, labels in graph.nodes.items()}
    for thing in graph.objects:
        label = one(thing.label)
        for each in thing.primitives:
            known = labels_of.get(each)
            labels_of[each] = label if known is None else known | label
    for a, b in graph.edges:
        if a not in labels_of:
            labels_of[a] = NOTHING
        if b not in labels_of:
            labels_of[b] = NOTHING
    return labels_of


def starred_edges(graph: LabelGraph) -> dict[Pair, dict[str, float]]:
    """Return the labels and weights of every pair as `by_star` has them."""
    nodes = node_labels(graph)
    merged = _given(graph, nodes)
    edges: dict[Pair, dict[str, float]] = {}
    for pair, weights in graph.edges.items():
        kept = merged(pair, weights)
        starred = dict.fromkeys(sorted(kept), 0.0)
        for label in starred:
            if label in weights:
                starred[label] = weights[label]
            else:
                # The merge, written as a class of both ends: the surest of these.
                starred[label] = max(value for each, value in weights.items() if each not in kept)
        edges[pair] = starred
    return _weighted(graph, edges, lambda _: MERGE)


def classed_edges(graph: LabelGraph) -> dict[Pair, dict[str, float]]:
    """Return the labels and weights of every pair as `by_class` has them."""
    labels = by_class(graph).edges
    edges: dict[Pair, dict[str, float]] = {}
    for pair, weights in graph.edges.items():
        kept = sorted(labels.get(pair, NOTHING))
        edges[pair] = {label: weights.get(label, weights.get(MERGE, 1.0)) for label in kept}
    return _weighted(graph, edges, lambda label: label)


def _weighted(
    graph: LabelGraph, edges: dict[Pair, dict[str, float]], merge: Callable[[str], str]
) -> dict[Pair, dict[str, float]]:
    """Add the labels of objects and relations."""
    for thing in graph.objects:
        for pair in _pairs(thing.primitives, thing.primitives):
            edges.setdefault(pair, {})[merge(thing.label)] = thing.weight
    members = graph.members()
    for link in graph.relations:
        for pair in _pairs(members[link.parent], members[link.child]):
            edges.setdefault(pair, {})[link.label] = link.weight
    return edges


def _given(graph: LabelGraph, nodes: Mapping[str, Labels]) -> Callable[[Pair, Weights], Labels]:
    """Return how the labels of an edge are read where merges are `*`."""
    if is_starred(graph):
        return lambda _, labels: _set(labels)

    def merged(pair: Pair, labels: Weights) -> Labels:
        marks = _set(labels)
        shared = marks & nodes[pair[0]] & nodes[pair[1]] - NOTHING
        if not shared:
            return marks
        return (marks - shared) | STAR

    return merged


def _related(graph: LabelGraph, edges: dict[Pair, Labels]) -> dict[Pair, Labels]:
    """Return the edges with those of the relations; a pair labelled `_` alone is a pair without a label."""
    if graph.relations:
        members = graph.members()
        for link in graph.relations:
            _add(edges, members[link.parent], members[link.child], one(link.label))
    if NOTHING in edges.values():
        return {pair: labels for pair, labels in edges.items() if labels != NOTHING}
    return edges


def _add(
    edges: dict[Pair, Labels], parents: tuple[str, ...], children: tuple[str, ...], label: Labels
) -> None:
    """Add a label to every pair of a parent and a child."""
    for a in parents:
        for b in children:
            if a != b:
                known = edges.get((a, b))
                edges[a, b] = label if known is None else known | label


def _pairs(parents: tuple[str, ...], children: tuple[str, ...]) -> Iterator[Pair]:
    return ((a, b) for a in parents for b in children if a != b)


def _set(labels: Weights) -> Labels:
    if len(labels) == 1:
        (label,) = labels
        return one(label)
    return frozenset(labels)


def _first(graph: LabelGraph, nodes: Mapping[str, Labels]) -> Callable[[Pair], str]:
    """Return a function that gives the class that an edge `*` means: the first that both ends have."""
    order = {name: list(labels) for name, labels in graph.node_weights().items()}

    def first(pair: Pair) -> str:
        common = nodes[pair[0]] & nodes[pair[1]] - NOTHING
        return next((label for label in order[pair[0]] if label in common), MERGE)

    return first
