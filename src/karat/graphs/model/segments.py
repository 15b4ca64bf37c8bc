"""The objects of a graph and the relations between them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from karat.graphs.model.labelling import NOTHING, STAR, Labelling, Labels
from karat.graphs.model.structure import MERGE, Pair

Group = frozenset[str]
"""The primitives of an object, by which it is known."""


@dataclass(frozen=True, slots=True)
class Segments:
    """Objects with their classes, relations with their labels, each object known by its primitives."""

    objects: Mapping[Group, Labels]
    relations: Mapping[tuple[Group, Group], Labels]
    unclosed: int = 0
    """How many objects have two primitives that are not merged, both ways, in the labels as written."""


def segments(labels: Labelling, *, one_way: bool = False) -> Segments:
    """Return what merges hold together, directly or through others, and the relations between whole objects.

    An object's class is what all its primitives have in common. A relation is a label that every pair of a primitive
    of the one and a primitive of the other carries. In an undirected graph pairs are written `one_way`.

    >>> from karat.graphs.model.labelling import one
    >>> chain = Labelling({name: one("x") for name in "abc"}, {("a", "b"): STAR, ("b", "c"): STAR})
    >>> [sorted(group) for group in segments(chain).objects], segments(chain).unclosed
    ([['a', 'b', 'c']], 1)
    """
    merges = [pair for pair, marks in labels.edges.items() if MERGE in marks]
    home = _components(labels.nodes, merges)
    objects = {group: _common(labels.nodes, group) for group in dict.fromkeys(home.values())}
    relations = _relations(labels.edges, home, one_way=one_way)
    ways = 1 if one_way else 2
    possible = sum(len(group) * (len(group) - 1) for group in objects) if merges else 0
    if 2 * len(merges) == ways * possible:
        return Segments(objects, relations)
    unclosed = 0
    for group, number in Counter(home[a] for a, _ in merges).items():
        if 2 * number != ways * len(group) * (len(group) - 1):
            unclosed += 1
    return Segments(objects, relations, unclosed)


def _components(nodes: Mapping[str, Labels], merges: list[Pair]) -> dict[str, Group]:
    """Return the group of every primitive."""
    if not merges:
        return {name: frozenset((name,)) for name in nodes}
    near: dict[str, list[str]] = {}
    for a, b in merges:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    home: dict[str, Group] = {}
    for name in nodes:
        if name not in home:
            group = frozenset(_reached(name, near)) if name in near else frozenset((name,))
            home.update(dict.fromkeys(group, group))
    return home


def _reached(start: str, near: Mapping[str, list[str]]) -> set[str]:
    seen = {start}
    rest = [start]
    while rest:
        for each in near[rest.pop()]:
            if each not in seen:
                seen.add(each)
                rest.append(each)
    return seen


def _common(nodes: Mapping[str, Labels], group: Group) -> Labels:
    if len(group) == 1:
        (name,) = group
        return nodes[name]
    return frozenset.intersection(*(nodes[name] for name in group))


def _relations(
    edges: Mapping[Pair, Labels], home: Mapping[str, Group], *, one_way: bool
) -> dict[tuple[Group, Group], Labels]:
    common: dict[tuple[Group, Group], Labels] = {}
    number: dict[tuple[Group, Group], int] = {}
    for (a, b), labels in edges.items():
        ends = home[a], home[b]
        if ends[0] is ends[1] or labels is STAR:
            continue
        if one_way and min(ends[1]) < min(ends[0]):
            ends = ends[1], ends[0]
        known = common.get(ends)
        # Sets of one label are the same object, so that most pairs need no intersection.
        common[ends] = labels if known is None or known is labels else known & labels
        number[ends] = number.get(ends, 0) + 1
    relations = {}
    for ends, labels in common.items():
        left = labels - STAR - NOTHING
        if left and number[ends] == len(ends[0]) * len(ends[1]):
            relations[ends] = left
    return relations
