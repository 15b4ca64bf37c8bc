"""Relations that hold for all that follows: what is above a fraction's line is above it as a whole."""

from collections.abc import Mapping

from karat.graph.labelling import Labelling, Labels
from karat.graph.segments import Group, segments
from karat.graph.structure import Pair


def inherited(labels: Labelling) -> Labelling:
    """Return the labels with those that a tree implies: label(a, d) is that of the first edge on the path from a to d.

    Pairs of objects that are related as written keep their labels. Where several paths lead from a to d, the pair has
    the label of each of them.
    """
    found = segments(labels)
    below: dict[Group, list[tuple[Group, Labels]]] = {}
    for (parent, child), marks in found.relations.items():
        below.setdefault(parent, []).append((child, marks))
    edges = dict(labels.edges)
    for start, children in below.items():
        for far, marks in _followers(start, children, below).items():
            if (start, far) not in found.relations:
                _put(edges, start, far, marks)
    return Labelling(labels.nodes, edges)


def _followers(
    start: Group, children: list[tuple[Group, Labels]], below: Mapping[Group, list[tuple[Group, Labels]]]
) -> dict[Group, Labels]:
    """Return everything that a path from the start leads to, with the labels of the paths' first edges."""
    found: dict[Group, Labels] = {}
    for child, marks in children:
        seen, rest = {start, child}, [child]
        while rest:
            for far, _ in below.get(rest.pop(), ()):
                if far not in seen:
                    seen.add(far)
                    rest.append(far)
                    found[far] = found.get(far, frozenset()) | marks
    return found


def _put(edges: dict[Pair, Labels], start: Group, far: Group, marks: Labels) -> None:
    for a in start:
        for b in far:
            known = edges.get((a, b))
            edges[a, b] = marks if known is None else known | marks
