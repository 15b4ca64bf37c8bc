"""One graph out of several: what most of them say, made legal."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from karat.graphs.model.labelling import by_star, starred_edges
from karat.graphs.model.layout import layout
from karat.graphs.model.segments import Group, Segments, segments
from karat.graphs.model.structure import MERGE, NONE, LabelGraph, Object, Pair, Relation

Parents = dict[Group, tuple[Group | None, str, float]]
"""What each object hangs on, by which relation, and how many votes that has; None for a root."""


@dataclass(frozen=True, slots=True)
class _Ballot:
    """What one system says of an expression."""

    weight: float
    nodes: Mapping[str, Mapping[str, float]]
    edges: Mapping[Pair, Mapping[str, float]]
    """Labels of pairs without merges; of a tree only those that are not inherited."""
    groups: tuple[Group, ...]
    is_tree: bool
    is_closed: bool
    """Whether relations were inherited."""


def merged(graphs: Sequence[LabelGraph], weights: Sequence[float], *, name: str = "") -> LabelGraph:
    """What do several systems say of one expression together?

    Each system has a vote of its weight times the confidence it gives. A primitive is kept if half of the votes have
    it. Objects are those with the most votes that do not overlap, their classes the ones with the most votes. Where
    most systems give trees, every object hangs on the one with the most votes for it, without rings; else each
    pair of objects is related if half of the votes say so. So the result is legal whatever the parts are. A system
    without any primitive does not vote. Weights of the result are shares of the votes.
    """
    voting = [
        (graph, weight)
        for graph, weight in zip(graphs, weights, strict=True)
        if graph.primitives() and weight
    ]
    ballots = [_ballot(graph, weight) for graph, weight in voting]
    whole = sum(one.weight for one in ballots)
    groups = _groups(ballots, _kept(ballots, whole))
    classes = {group: _most(_classes(ballots, group)) for group in groups}
    votes = _relations(ballots, groups)
    trees = 2 * sum(one.weight for one in ballots if one.is_tree) > whole
    links = _tree(ballots, groups, votes) if trees else _pairs(votes, whole)
    if trees and 2 * sum(one.weight for one in ballots if one.is_closed) > whole:
        links = _closed(links)
    ids = _ids(groups, {group: label for group, (label, _) in classes.items()})
    objects = tuple(
        Object(ids[group], label, _share(vote, whole), tuple(_sorted(group)))
        for group, (label, vote) in classes.items()
    )
    relations = tuple(
        Relation(ids[link.parent], ids[link.child], link.label, _share(link.votes, whole))
        for link in links
    )
    return LabelGraph(name, objects=objects, relations=relations)


class _Link(NamedTuple):
    parent: Group
    child: Group
    label: str
    votes: float


def _ballot(graph: LabelGraph, weight: float) -> _Ballot:
    found = segments(by_star(graph))
    edges = {
        pair: {label: value for label, value in labels.items() if label not in {MERGE, NONE}}
        for pair, labels in starred_edges(graph).items()
    }
    tree = layout(found)
    is_closed = tree is not None and len(found.relations) > len(tree.mark)
    if tree is not None and is_closed:
        edges = _tree_edges(
            found,
            edges,
            {(parent, child) for parent, below in tree.children.items() for child in below},
        )
    return _Ballot(
        weight, graph.node_weights(), edges, tuple(found.objects), tree is not None, is_closed
    )


def _tree_edges(
    found: Segments, edges: Mapping[Pair, dict[str, float]], kept: set[tuple[Group | None, Group]]
) -> dict[Pair, dict[str, float]]:
    home = {name: group for group in found.objects for name in group}
    return {
        pair: labels for pair, labels in edges.items() if (home[pair[0]], home[pair[1]]) in kept
    }


def _kept(ballots: Sequence[_Ballot], whole: float) -> list[str]:
    """Return the primitives that half of the votes have."""
    there: Counter[str] = Counter()
    for one in ballots:
        for name in one.nodes:
            there[name] += one.weight  # type: ignore[assignment]
    return [name for name, vote in there.items() if 2 * vote >= whole]


def _groups(ballots: Sequence[_Ballot], kept: Sequence[str]) -> list[Group]:
    """Return the objects with the most votes that do not overlap; a primitive left over is one of its own."""
    votes: dict[Group, float] = {}
    for one in ballots:
        for group in one.groups:
            if left := group.intersection(kept):
                votes[left] = votes.get(left, 0.0) + one.weight * _confidence(one, left)
    taken: dict[str, Group] = {}
    for group in sorted(votes, key=lambda each: (-votes[each], -len(each), _sorted(each))):
        if not any(name in taken for name in group):
            taken |= dict.fromkeys(group, group)
    return list(dict.fromkeys(taken.get(name, frozenset((name,))) for name in kept))


def _confidence(one: _Ballot, group: Group) -> float:
    return sum(max(one.nodes[name].values(), default=0.0) for name in group) / len(group)


def _classes(ballots: Sequence[_Ballot], group: Group) -> dict[str, float]:
    """Return the votes for each class of an object."""
    votes: dict[str, float] = {}
    for one in ballots:
        for name in _sorted(group):
            for label, value in one.nodes.get(name, {}).items():
                if label != NONE:
                    votes[label] = votes.get(label, 0.0) + one.weight * value / len(group)
    return votes or {NONE: 0.0}


def _most(votes: Mapping[str, float]) -> tuple[str, float]:
    """Return what has the most votes; of equals the first."""
    label = max(votes, key=lambda each: votes[each])
    return label, votes[label]


def _relations(
    ballots: Sequence[_Ballot], groups: Sequence[Group]
) -> dict[tuple[Group, Group], dict[str, float]]:
    """Return the votes for each relation between two objects: the share of their pairs that carry it."""
    home = {name: group for group in groups for name in group}
    votes: dict[tuple[Group, Group], dict[str, float]] = {}
    for one in ballots:
        for (a, b), labels in one.edges.items():
            if a in home and b in home and home[a] is not home[b]:
                parent, child = home[a], home[b]
                here = votes.setdefault((parent, child), {})
                for label, value in labels.items():
                    here[label] = here.get(label, 0.0) + one.weight * value / (
                        len(parent) * len(child)
                    )
    return {ends: here for ends, here in votes.items() if here}


def _tree(
    ballots: Sequence[_Ballot],
    groups: Sequence[Group],
    votes: Mapping[tuple[Group, Group], Mapping[str, float]],
) -> list[_Link]:
    """Return relations such that every object hangs on one other or on none, without rings."""
    choices = [(sum(here.values()), parent, child) for (parent, child), here in votes.items()]
    roots = _roots(ballots, groups)
    wishes: list[tuple[float, Group | None, Group]] = [
        *choices,
        *((roots[group], None, group) for group in groups),
    ]
    wishes.sort(
        key=lambda wish: (
            -wish[0],
            wish[1] is None,
            _sorted(wish[2]),
            _sorted(wish[1] or frozenset()),
        )
    )
    up: dict[Group, Group | None] = {}
    for _, parent, child in wishes:
        if child not in up and (parent is None or child not in _above(parent, up)):
            up[child] = parent
    hung = [(parent, group) for group in groups if (parent := up[group]) is not None]
    return [_Link(parent, child, *_most(votes[parent, child])) for parent, child in hung]


def _roots(ballots: Sequence[_Ballot], groups: Sequence[Group]) -> dict[Group, float]:
    """Return the votes for each object to hang on nothing."""
    found = dict.fromkeys(groups, 0.0)
    for one in ballots:
        hung = {b for (a, b), labels in one.edges.items() if labels}
        for group in groups:
            there = [name for name in group if name in one.nodes]
            if there and not hung.intersection(there):
                found[group] += one.weight * len(there) / len(group)
    return found


def _above(group: Group, up: Mapping[Group, Group | None]) -> Iterator[Group]:
    """Give an object and all it hangs on."""
    here: Group | None = group
    while here is not None:
        yield here
        here = up.get(here)


def _pairs(votes: Mapping[tuple[Group, Group], Mapping[str, float]], whole: float) -> list[_Link]:
    """Return the relations that half of the votes are for, whatever their label."""
    return [
        _Link(*ends, *_most(here)) for ends, here in votes.items() if 2 * sum(here.values()) > whole
    ]


def _closed(links: Sequence[_Link]) -> list[_Link]:
    """Return the relations of a tree and those they imply."""
    below: dict[Group, list[_Link]] = {}
    for link in links:
        below.setdefault(link.parent, []).append(link)
    found = []
    for link in links:
        rest = [link.child]
        while rest:
            far = rest.pop()
            found.append(_Link(link.parent, far, link.label, link.votes))
            rest += [each.child for each in below.get(far, ())]
    return found


def _ids(groups: Sequence[Group], labels: Mapping[Group, str]) -> dict[Group, str]:
    number: Counter[str] = Counter()
    found = {}
    for group in groups:
        number[labels[group]] += 1
        found[group] = f"{labels[group]}_{number[labels[group]]}"
    return found


def _share(votes: float, whole: float) -> float:
    return round(votes / whole, 4)


def _sorted(names: Group) -> list[str]:
    return sorted(names, key=lambda name: (len(name), name))
