"""The one parent of every object, where relations may be inherited in full, in part or not at all."""

from collections.abc import Mapping

from karat.graphs.model.labelling import Labels
from karat.graphs.model.segments import Group

Ends = tuple[Group, Group]
Relations = Mapping[Ends, Labels]
ParentOf = Mapping[Group, Group]


def lowest_parents(relations: Relations) -> dict[Group, Group] | None:
    """Return for every object the lowest of those that are related to it; None if relations lead round in a ring.

    The lowest is the one that the longest path leads to: where all others are above it, whichever of their relations
    are written, it is the parent in the tree.
    """
    only_parent = {child: parent for parent, child in relations}
    if len(only_parent) == len(relations):
        return None if _leads_round(only_parent) else only_parent
    below: dict[Group, list[Group]] = {}
    waiting: dict[Group, int] = {}
    for parent, child in relations:
        below.setdefault(parent, []).append(child)
        waiting[child] = waiting.get(child, 0) + 1
    depth = {group: 0 for group in below if group not in waiting}
    ready = list(depth)
    parent_of: dict[Group, Group] = {}
    while ready:
        parent = ready.pop()
        for child in below.get(parent, ()):
            if depth.get(child, 0) <= depth[parent]:
                depth[child] = depth[parent] + 1
                parent_of[child] = parent
            waiting[child] -= 1
            if not waiting[child]:
                ready.append(child)
    return None if any(waiting.values()) else parent_of


def _leads_round(parent_of: ParentOf) -> bool:
    """Return whether the way up from some object comes back to it."""
    met: dict[Group, int] = {}
    for number, start in enumerate(parent_of):
        here = start
        while here in parent_of and here not in met:
            met[here] = number
            here = parent_of[here]
        # The way ends at a root, at what an earlier way has met, or, in a ring, at what this way has met.
        if met.get(here) == number:
            return True
    return False


def inherited_from(relations: Relations, parent_of: ParentOf) -> dict[Ends, Group]:
    """Return the inherited relations, each with the child of its parent that the path leads through.

    A relation from a to d is inherited if a is above d, and its label is that of the first edge on the path, or one of
    its labels.
    """
    above: dict[Group, list[Group]] = {}
    for parent, child in relations:
        if parent_of[child] != parent:
            above.setdefault(child, []).append(parent)
    firsts: dict[Ends, Group] = {}
    for child, parents in above.items():
        for parent, first in first_children(child, parents, parent_of).items():
            if relations[parent, child] <= relations[parent, first]:
                firsts[parent, child] = first
    return firsts


def unexplained(relations: Relations, parent_of: ParentOf) -> list[Ends]:
    """Return the relations beside the tree that are not inherited."""
    if len(relations) == len(parent_of):
        return []
    explained = inherited_from(relations, parent_of)
    beside = [(parent, child) for parent, child in relations if parent_of[child] != parent]
    return [ends for ends in beside if ends not in explained]


def first_children(child: Group, parents: list[Group], parent_of: ParentOf) -> dict[Group, Group]:
    """Return for those of `parents` that are above an object their own child on the path to it."""
    wanted = set(parents)
    firsts: dict[Group, Group] = {}
    here = child
    while wanted and here in parent_of:
        first = here
        here = parent_of[first]
        if here in wanted:
            wanted.remove(here)
            firsts[here] = first
    return firsts
