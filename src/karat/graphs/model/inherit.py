"""Inherited relations: what is above a fraction's line is above it with all its descendants."""

from collections.abc import Mapping

from karat.graphs.model.labelling import Labelling, Labels
from karat.graphs.model.parents import (
    Ends,
    ParentOf,
    Relations,
    lowest_parents,
    unexplained,
)
from karat.graphs.model.segments import Group, segments
from karat.graphs.model.structure import Pair


def inherited(labels: Labelling) -> Labelling:
    """Return the labels with those that a tree implies: label(a, d) is that of the first edge on the path from a to d.

    Pairs of objects that are related as written keep their labels. Where several paths lead from a to d, the pair has
    the label of each of them.
    """
    return with_implied(labels, implied_relations(segments(labels).relations))


def with_implied(labels: Labelling, implied: Relations) -> Labelling:
    """Return the labels with those of further relations between whole objects."""
    edges = dict(labels.edges)
    for (start, far), marks in implied.items():
        _put(edges, start, far, marks)
    return Labelling(labels.nodes, edges)


def implied_relations(relations: Relations) -> dict[Ends, Labels]:
    """Return the relations that follow from others and are not among them."""
    parent_of = lowest_parents(relations)
    if parent_of is not None and not unexplained(relations, parent_of):
        return _implied_by_tree(relations, parent_of)
    implied = {}
    for (start, far), firsts in first_edges(relations).items():
        marks = relations[start, firsts[0]]
        if len(firsts) > 1:
            marks = marks.union(*(relations[start, child] for child in firsts[1:]))
        implied[start, far] = marks
    return implied


def _implied_by_tree(relations: Relations, parent_of: ParentOf) -> dict[Ends, Labels]:
    """Return the relations that a tree implies, from every object upwards: no more steps than there are relations."""
    implied: dict[Ends, Labels] = {}
    for far, parent in parent_of.items():
        first = parent
        start = parent_of.get(first)
        while start is not None:
            if (start, far) not in relations:
                implied[start, far] = relations[start, first]
            first = start
            start = parent_of.get(first)
    return implied


def first_edges(
    relations: Mapping[tuple[Group, Group], Labels],
) -> dict[tuple[Group, Group], list[Group]]:
    """Return for every two objects that only a path connects the children of the first with which paths begin."""
    below: dict[Group, list[Group]] = {}
    for parent, child in relations:
        below.setdefault(parent, []).append(child)
    first_children: dict[tuple[Group, Group], list[Group]] = {}
    for start, children in below.items():
        for child in children:
            for far in _reached(start, child, below):
                if (start, far) not in relations:
                    first_children.setdefault((start, far), []).append(child)
    return first_children


def _reached(start: Group, child: Group, below: Mapping[Group, list[Group]]) -> list[Group]:
    """Return everything below a child, in the order in which it is met."""
    seen = {start, child}
    rest = [child]
    reached = []
    while rest:
        for far in below.get(rest.pop(), ()):
            if far not in seen:
                seen.add(far)
                rest.append(far)
                reached.append(far)
    return reached


def _put(edges: dict[Pair, Labels], start: Group, far: Group, marks: Labels) -> None:
    for a in start:
        for b in far:
            known = edges.get((a, b))
            edges[a, b] = marks if known is None else known | marks
