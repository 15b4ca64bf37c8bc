"""The objects and relations of a graph as LgEval 0.3.8 has them: overlapping where merges are not closed."""

from collections.abc import Mapping

from karat.graphs.model.labelling import NOTHING, Labelling, Labels
from karat.graphs.model.segments import Group, Segments
from karat.graphs.model.structure import Pair

_NONE: Labels = frozenset()


def class_segments(labels: Labelling) -> Segments:
    """Return an object for every primitive and class: the primitive and all that share an edge of that class with it.

    One direction of the edge is enough, and neighbours of neighbours do not count. A relation is a label that every
    pair of the two objects carries and that is, in one pair at least, not a class of either end.
    """
    near: dict[tuple[str, str], list[str]] = {}
    others: dict[Pair, Labels] = {}
    nodes = labels.nodes
    merges = 0
    for pair, marks in labels.edges.items():
        a, b = pair
        shared = nodes[a] & nodes[b] & marks
        if shared:
            merges += 1
        for label in shared:
            near.setdefault((a, label), []).append(b)
            near.setdefault((b, label), []).append(a)
        left = marks - nodes[a] - nodes[b] - NOTHING
        if left:
            others[pair] = left
    objects = _objects(nodes, near)
    unclosed = 0
    if merges != sum(len(group) * (len(group) - 1) for group in objects):
        unclosed = sum(1 for group in objects if not _is_closed(group, labels))
    return Segments(objects, _relations(labels.edges, others, objects), unclosed)


def _is_closed(group: Group, labels: Labelling) -> bool:
    """Return whether a class holds every two primitives of an object together, both ways."""
    common = frozenset.intersection(*(labels.nodes[name] for name in group))
    return all(common & labels.edges.get((a, b), _NONE) for a in group for b in group if a != b)


def _objects(
    nodes: Mapping[str, Labels], near: Mapping[tuple[str, str], list[str]]
) -> dict[Group, Labels]:
    """Return the objects with their classes."""
    objects: dict[Group, Labels] = {}
    for name, classes in nodes.items():
        for label in classes:
            group = frozenset((name, *near.get((name, label), ())))
            objects[group] = objects.get(group, _NONE) | {label}
    return objects


def _relations(
    edges: Mapping[Pair, Labels], others: Mapping[Pair, Labels], objects: Mapping[Group, Labels]
) -> dict[tuple[Group, Group], Labels]:
    """Return the labels between objects that every pair of these carries; `others` are those that are not merges."""
    homes: dict[str, list[Group]] = {}
    for group in objects:
        for name in group:
            homes.setdefault(name, []).append(group)
    candidates: dict[tuple[Group, Group], set[str]] = {}
    for (a, b), labels in others.items():
        for parent in homes[a]:
            for child in homes[b]:
                if parent is not child:
                    candidates.setdefault((parent, child), set()).update(labels)
    relations = {}
    for (parent, child), possible in candidates.items():
        carried = _carried(edges, parent, child, frozenset(possible))
        if carried:
            relations[parent, child] = carried
    return relations


def _carried(edges: Mapping[Pair, Labels], parent: Group, child: Group, labels: Labels) -> Labels:
    """Return those labels that every pair of the two objects carries."""
    for a in parent:
        for b in child:
            labels &= edges.get((a, b), _NONE)
            if not labels:
                return labels
    return labels
