"""Relations as a forest: the parent of every object, and the relations that are left over."""

from collections.abc import Mapping
from dataclasses import dataclass

from karat.graphs.model.labelling import Labels
from karat.graphs.model.scenes.grid_scene import Grids, grids, holds
from karat.graphs.model.scenes.scene import ACROSS, Scene, Thing

Ends = tuple[Thing, Thing]


@dataclass(frozen=True, slots=True)
class Forest:
    """The children of each object; below None, and below an object that holds others, are the roots of each part."""

    children: Mapping[Thing | None, tuple[Thing, ...]]
    mark: Mapping[Thing, Labels]
    """The label of the relation that leads to an object."""
    roots: Mapping[Thing | None, tuple[Thing, ...]]
    """The roots within each object that holds others, and within none."""
    rest: tuple[Ends, ...]
    """Relations beside the forest that do not follow from it."""
    held: Mapping[Thing, Thing]
    """The part of a matrix that holds an object by a relation Inside, so that no arrow need lead there."""
    grids: Grids
    inherited: frozenset[Ends]
    """Relations beside the forest that follow from it: label(a, d) is that of the first edge on the path."""


def forest(scene: Scene) -> Forest:
    """Return the forest of a scene.

    The parent of an object is the lowest of its parents, so that relations that are inherited, or skip one, fall away;
    a relation that would close a ring, or leads out of the object that holds both ends, is left over.
    """
    parent_of = _chosen_parents(scene)
    held = {}
    mark = {}
    for child, parent in parent_of.items():
        if holds(scene, parent, child):
            held[child] = parent
        else:
            mark[child] = scene.relations[parent, child]
    children: dict[Thing | None, list[Thing]] = {}
    roots: dict[Thing | None, list[Thing]] = {}
    for thing in scene.things:
        if thing in held:
            roots.setdefault(held[thing], []).append(thing)
        elif thing in parent_of:
            children.setdefault(parent_of[thing], []).append(thing)
        elif not _crosses(thing, scene):
            roots.setdefault(scene.homes[thing], []).append(thing)
    rest = []
    inherited = set()
    for ends in scene.relations:
        if parent_of.get(ends[1]) == ends[0]:
            continue
        if _follows(ends, scene, parent_of):
            inherited.add(ends)
        else:
            rest.append(ends)
    return Forest(
        children={parent: tuple(below) for parent, below in children.items()},
        mark=mark,
        roots={home: tuple(within) for home, within in roots.items()},
        rest=tuple(rest),
        held=held,
        grids=grids(scene, roots, children),
        inherited=frozenset(inherited),
    )


def _chosen_parents(scene: Scene) -> dict[Thing, Thing]:
    """Return the parent of each object: the lowest of its parents that closes no cycle."""
    parents: dict[Thing, list[Thing]] = {}
    for parent, child in scene.relations:
        same_home = scene.homes[parent] == scene.homes[child]
        if same_home and parent[1] not in ACROSS and child[1] not in ACROSS:
            parents.setdefault(child, []).append(parent)
    depth = _depths(parents)

    def lowest_first(thing: Thing) -> tuple[int, str, list[str]]:
        group, label = thing
        return -depth.get(thing, 0), label, sorted(group)

    parent_of: dict[Thing, Thing] = {}
    for thing in scene.things:
        for parent in sorted(parents.get(thing, ()), key=lowest_first):
            if thing not in _path(parent, parent_of):
                parent_of[thing] = parent
                break
    return parent_of


def _crosses(thing: Thing, scene: Scene) -> bool:
    """Return whether an object is drawn around others, which are elsewhere."""
    group, label = thing
    if label not in ACROSS:
        return False
    return any(other <= group and name not in ACROSS for other, name in scene.things)


def _depths(parents: Mapping[Thing, list[Thing]]) -> dict[Thing, int]:
    """Return how many relations the longest way to each object has; within a ring, some number of them."""
    depth: dict[Thing, int] = {}
    for start in parents:
        seen: set[Thing] = set()
        rest = [start]
        while rest:
            thing = rest[-1]
            above = parents.get(thing, ())
            seen.add(thing)
            unknown = [each for each in above if each not in depth and each not in seen]
            if unknown:
                rest.append(unknown[0])
                continue
            rest.pop()
            depth[thing] = max((1 + depth.get(each, 0) for each in above), default=0)
    return depth


def _path(thing: Thing, parent_of: Mapping[Thing, Thing]) -> list[Thing]:
    """Return an object and its ancestors, upwards."""
    path = [thing]
    while path[-1] in parent_of:
        path.append(parent_of[path[-1]])
    return path


def _follows(ends: Ends, scene: Scene, parent_of: Mapping[Thing, Thing]) -> bool:
    """Return whether a relation has the label of the first edge on the path between its ends, or one of its labels."""
    far, child = ends
    path = _path(child, parent_of)
    if far not in path[1:]:
        return False
    first = path[path.index(far) - 1]
    return scene.relations[ends] <= scene.relations[far, first]
