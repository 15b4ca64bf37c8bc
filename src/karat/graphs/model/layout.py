"""The tree of objects that relations make, and how well two such trees match, position by position."""

from collections.abc import Mapping
from typing import NamedTuple

from karat.graphs.model.labelling import Labels
from karat.graphs.model.parents import lowest_parents, unexplained
from karat.graphs.model.segments import Group, Segments

Children = Mapping[Group | None, list[Group]]


class Layout(NamedTuple):
    """A tree or forest of objects: below each the next ones; below None the roots."""

    children: Children
    mark: Mapping[Group, Labels]
    """The label of the relation that leads to an object; none leads to a root."""
    classes: Mapping[Group, Labels]
    inherited: int
    """How many relations beside those of the tree are written, all of them inherited."""


class LayoutMatch(NamedTuple):
    """How two layouts match: whether every position of the one is one of the other, and the labels that differ."""

    same_shape: bool
    relations: int
    classes: int
    distinct: int
    """The errors as the competition's tool counted them: each label of the truth once."""


def layout(written: Segments) -> Layout | None:
    """Return the tree of the relations, without those that are inherited; None if they do not form a tree.

    It does not matter whether all inherited relations are written, some, or none.
    """
    parent_of = lowest_parents(written.relations)
    if parent_of is None or unexplained(written.relations, parent_of):
        return None
    children: dict[Group | None, list[Group]] = {}
    mark: dict[Group, Labels] = {}
    for each in written.objects:
        parent = parent_of.get(each)
        children.setdefault(parent, []).append(each)
        if parent is not None:
            mark[each] = written.relations[parent, each]
    inherited = len(written.relations) - len(mark)
    return Layout(children, mark, written.objects, inherited)


def match(output: Layout | None, truth: Layout) -> LayoutMatch:
    """Return how the tree of an output matches that of the truth, from the roots on, whatever the primitives are."""
    if output is None:
        return LayoutMatch(False, 0, 0, 0)
    relations = classes = 0
    distinct: set[tuple[str, Labels]] = set()
    rest: list[tuple[Group | None, Group | None]] = [(None, None)]
    while rest:
        ours, theirs = rest.pop()
        if ours is not None and theirs is not None:
            common = output.classes[ours] & truth.classes[theirs]
            if not common:
                classes += 1
                distinct.add(("class", truth.classes[theirs]))
        our_children = output.children.get(ours, [])
        their_children = truth.children.get(theirs, [])
        if len(our_children) != len(their_children):
            return LayoutMatch(False, 0, 0, 0)
        for one, two in _paired(output, our_children, truth, their_children):
            if output.mark.get(one) != truth.mark.get(two):
                relations += 1
                distinct.add(("relation", truth.mark.get(two, frozenset())))
            rest.append((one, two))
    return LayoutMatch(True, relations, classes, len(distinct))


def _paired(
    output: Layout, ours: list[Group], truth: Layout, theirs: list[Group]
) -> list[tuple[Group, Group]]:
    """Return the children in pairs: those of the same relation, and then the others in order."""
    if len(ours) <= 1:
        return list(zip(ours, theirs, strict=True))
    pairs = []
    left = sorted(ours, key=min)
    unpaired = []
    for two in sorted(theirs, key=min):
        one = next((each for each in left if output.mark.get(each) == truth.mark.get(two)), None)
        if one is None:
            unpaired.append(two)
        else:
            left.remove(one)
            pairs.append((one, two))
    return [*pairs, *zip(left, unpaired, strict=True)]
