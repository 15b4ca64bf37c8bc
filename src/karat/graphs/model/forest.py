"""Relations as a forest: for every object the one it hangs on, and what is left over."""

from collections.abc import Mapping
from dataclasses import dataclass

from karat.graphs.model.grid_scene import Grids, grids, holds
from karat.graphs.model.labelling import Labels
from karat.graphs.model.scene import ACROSS, Scene, Thing

Ends = tuple[Thing, Thing]


@dataclass(frozen=True, slots=True)
class Forest:
    """What hangs on what; below None, and below an object that holds others, are the roots of each part."""

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


def forest(found: Scene) -> Forest:
    """Return the forest of a scene.

    An object hangs on the lowest of its parents, so that relations that are inherited, or skip one, fall away;
    a relation that would close a ring, or leads out of the object that holds both ends, is left over.
    """
    above: dict[Thing, list[Thing]] = {}
    for parent, child in found.relations:
        if (
            found.homes[parent] == found.homes[child]
            and parent[1] not in ACROSS
            and child[1] not in ACROSS
        ):
            above.setdefault(child, []).append(parent)
    up: dict[Thing, Thing] = {}
    depth = _depths(above)
    for thing in found.things:
        best = sorted(above.get(thing, ()), key=lambda each: (-depth.get(each, 0), _name(each)))
        free = [each for each in best if thing not in _path(each, up)]
        if free:
            up[thing] = free[0]
    held = {child: parent for child, parent in up.items() if holds(found, parent, child)}
    children: dict[Thing | None, list[Thing]] = {}
    roots: dict[Thing | None, list[Thing]] = {}
    for thing in found.things:
        if thing in held:
            roots.setdefault(held[thing], []).append(thing)
        elif thing in up:
            children.setdefault(up[thing], []).append(thing)
        elif not _crosses(thing, found):
            roots.setdefault(found.homes[thing], []).append(thing)
    left = [ends for ends in found.relations if up.get(ends[1]) != ends[0]]
    inherited = frozenset(ends for ends in left if _follows(ends, found, up))
    return Forest(
        {parent: tuple(below) for parent, below in children.items()},
        {
            child: found.relations[parent, child]
            for child, parent in up.items()
            if child not in held
        },
        {home: tuple(within) for home, within in roots.items()},
        tuple(ends for ends in left if ends not in inherited),
        held,
        grids(found, roots, children),
        inherited,
    )


def _crosses(thing: Thing, found: Scene) -> bool:
    """Return whether an object is drawn around others, which stand elsewhere."""
    return thing[1] in ACROSS and any(
        one[0] <= thing[0] and one[1] not in ACROSS for one in found.things
    )


def _depths(above: Mapping[Thing, list[Thing]]) -> dict[Thing, int]:
    """Return how many relations the longest way to each object has; within a ring, some number of them."""
    depth: dict[Thing, int] = {}
    for start in above:
        rest, seen = [start], set[Thing]()
        while rest:
            thing = rest[-1]
            new = [each for each in above.get(thing, ()) if each not in depth and each not in seen]
            seen.add(thing)
            if new:
                rest.append(new[0])
            else:
                rest.pop()
                depth[thing] = max(
                    (1 + depth.get(each, 0) for each in above.get(thing, ())), default=0
                )
    return depth


def _path(thing: Thing, up: Mapping[Thing, Thing]) -> list[Thing]:
    """Return an object and all it hangs on, upwards."""
    found = [thing]
    while found[-1] in up:
        found.append(up[found[-1]])
    return found


def _follows(ends: Ends, found: Scene, up: Mapping[Thing, Thing]) -> bool:
    far, child = ends
    path = _path(child, up)
    if far not in path[1:]:
        return False
    return found.relations[far, path[path.index(far) - 1]] == found.relations[ends]


def _name(thing: Thing) -> tuple[str, list[str]]:
    return thing[1], sorted(thing[0])
