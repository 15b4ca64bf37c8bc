"""Graphs whose edges have no direction, as the bonds of a molecule: one label for both directions of a pair."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace

from karat.graphs.model.labelling import Labelling, Labels
from karat.graphs.model.scenes.scene import Scene, Thing


def undirected(labels: Labelling) -> Labelling:
    """Return the labels with one pair for both directions, in the order of the names."""
    edges: dict[tuple[str, str], Labels] = {}
    for (a, b), marks in labels.edges.items():
        pair = (a, b) if a < b else (b, a)
        known = edges.get(pair)
        edges[pair] = marks if known is None else known | marks
    return Labelling(labels.nodes, edges)


def turned_alike(scenes: Sequence[Scene]) -> list[Scene]:
    """Return what is drawn with every relation leading away from the first object, in all scenes the same way.

    So a relation that two files write in opposite directions is the same, and places follow one tree.
    """
    order = _order(scenes)
    return [replace(scene, relations=_turned(scene, order)) for scene in scenes]


def _order(scenes: Sequence[Scene]) -> dict[Thing, int]:
    """Return the objects of all scenes in the order in which relations, either way, lead to them."""
    near: dict[Thing, list[Thing]] = {}
    for scene in scenes:
        for thing in scene.things:
            near.setdefault(thing, [])
    for scene in scenes:
        for one, other in scene.relations:
            near[one].append(other)
            near[other].append(one)
    order: dict[Thing, int] = {}
    for start in near:
        rest = deque([start])
        while rest:
            thing = rest.popleft()
            if thing not in order:
                order[thing] = len(order)
                rest.extend(near[thing])
    return order


def _turned(scene: Scene, order: Mapping[Thing, int]) -> dict[tuple[Thing, Thing], Labels]:
    relations: dict[tuple[Thing, Thing], Labels] = {}
    for (one, other), labels in scene.relations.items():
        ends = (one, other) if order[one] < order[other] else (other, one)
        known = relations.get(ends)
        relations[ends] = labels if known is None else known | labels
    return relations
