"""The objects and relations of a graph as LgEval 0.3.8 has them: overlapping where merges are not closed."""

from collections.abc import Mapping

from karat.graphs.model.labelling import NOTHING, Labelling, Labels
from karat.graphs.model.segments import Group, Segments
from karat.graphs.model.structure import Pair

_NONE: Labels = frozenset()


def class_segments(labels: Labelling) -> Segments:
    """Return an object for every primitive and class: the primitive and all that share an edge of that class with it.

    One direction of the edge is enough, and neighbours of neighbours do not count. A relation is a label that every
    pair of the two objects carries and that is no class of the ends of one such pair.
    """
    near: dict[tuple[str, str], list[str]] = {}
    others: dict[Pair, Labels] = {}
    nodes = labels.nodes
    merges = 0
    for pair, found in labels.edges.items():
        a, b = pair
        ours, theirs = nodes[a], nodes[b]
        if not (ours is theirs or ours & theirs) or not (shared := found & ours & theirs):
            if left := found - ours - theirs - NOTHING:
                others[pair] = left
            continue
        merges += 1
        for label in shared:
            near.setdefault((a, label), []).append(b)
            near.setdefault((b, label), []).append(a)
        if left := found - ours - theirs - NOTHING:
            others[pair] = left
    objects, homes = _objects(nodes, near)
    closed = merges == sum(len(group) * (len(group) - 1) for group in objects)
    unclosed = 0 if closed else sum(1 for group in objects if not _is_closed(group, labels))
    return Segments(objects, _relations(labels.edges, others, homes), unclosed)


def _is_closed(group: Group, labels: Labelling) -> bool:
    """Return whether a class holds every two primitives of an object together, both ways."""
    common = frozenset.intersection(*(labels.nodes[name] for name in group))
    return all(common & labels.edges.get((a, b), _NONE) for a in group for b in group if a != b)


def _objects(
    nodes: Mapping[str, Labels], near: Mapping[tuple[str, str], list[str]]
) -> tuple[dict[Group, Labels], dict[str, list[Group]]]:
    """Return the objects with their classes, and those that each primitive is in."""
    found: dict[Group, Labels] = {}
    for name, classes in nodes.items():
        for label in classes:
            group = frozenset((name, *near.get((name, label), ())))
            found[group] = found.get(group, _NONE) | {label}
    homes: dict[str, list[Group]] = {}
    for group in found:
        for name in group:
            homes.setdefault(name, []).append(group)
    return found, homes


def _relations(
    edges: Mapping[Pair, Labels], others: Mapping[Pair, Labels], homes: Mapping[str, list[Group]]
) -> dict[tuple[Group, Group], Labels]:
    found: dict[tuple[Group, Group], set[str]] = {}
    for (a, b), labels in others.items():
        for parent in homes[a]:
            for child in homes[b]:
                if parent is not child:
                    found.setdefault((parent, child), set()).update(labels)
    clean = {ends: _carried(edges, *ends, frozenset(labels)) for ends, labels in found.items()}
    return {ends: labels for ends, labels in clean.items() if labels}


def _carried(edges: Mapping[Pair, Labels], parent: Group, child: Group, labels: Labels) -> Labels:
    """Return those labels that every pair of the two objects carries."""
    for a in parent:
        for b in child:
            labels &= edges.get((a, b), _NONE)
            if not labels:
                return labels
    return labels
