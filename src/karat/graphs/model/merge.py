"""One graph by the majority of several, made legal."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from karat.graphs.model.labelling import by_star, starred_edges
from karat.graphs.model.layout import Layout, layout
from karat.graphs.model.segments import Group, Segments, segments
from karat.graphs.model.structure import MERGE, NONE, LabelGraph, Object, Pair, Relation

RelationVotes = Mapping[tuple[Group, Group], Mapping[str, float]]
"""The votes for each label of a relation between two objects."""


_NO_RELATION = {MERGE, NONE}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ballot:
    """The graph of one system for an expression."""

    weight: float
    nodes: Mapping[str, Mapping[str, float]]
    edges: Mapping[Pair, Mapping[str, float]]
    """Labels of pairs without merges; of a tree only those that are not inherited."""
    groups: tuple[Group, ...]
    is_tree: bool
    is_closed: bool
    """Whether relations were inherited."""


def merged(graphs: Sequence[LabelGraph], weights: Sequence[float], *, name: str = "") -> LabelGraph:
    """What is the vote of several systems on one expression?

    Each system has a vote of its weight times the confidence it gives. A primitive is kept if half of the votes have
    it. Objects are those with the most votes that do not overlap, their classes the ones with the most votes. Where
    most systems give trees, every object has the parent with the most votes for it, without cycles; else each
    pair of objects is related if half of the votes are for it. So the result is legal whatever the parts are. A system
    without any primitive does not vote. Weights of the result are shares of the votes.
    """
    ballots = []
    for graph, weight in zip(graphs, weights, strict=True):
        if graph.primitives() and weight:
            ballots.append(_ballot(graph, weight))
    whole = sum(one.weight for one in ballots)
    groups = _groups(ballots, _kept(ballots, whole))
    classes = {group: _most(_classes(ballots, group)) for group in groups}
    ids = _ids({group: label for group, (label, _) in classes.items()})
    objects = []
    for group, (label, votes) in classes.items():
        primitives = tuple(_sorted(group))
        objects.append(Object(ids[group], label, _share(votes, whole), primitives))
    relations = []
    for link in _links(ballots, groups, whole):
        share = _share(link.votes, whole)
        relations.append(Relation(ids[link.parent], ids[link.child], link.label, share))
    return LabelGraph(name, objects=tuple(objects), relations=tuple(relations))


class _Link(NamedTuple):
    parent: Group
    child: Group
    label: str
    votes: float


def _links(ballots: Sequence[_Ballot], groups: Sequence[Group], whole: float) -> list[_Link]:
    """Return the relations of the vote: a tree where most systems give trees, closed where most are closed."""
    votes = _relations(ballots, groups)
    trees = sum(one.weight for one in ballots if one.is_tree)
    closed = sum(one.weight for one in ballots if one.is_closed)
    if 2 * trees <= whole:
        return _pairs(votes, whole)
    links = _tree(ballots, groups, votes)
    if 2 * closed > whole:
        return _closed(links)
    return links


def _ballot(graph: LabelGraph, weight: float) -> _Ballot:
    written = segments(by_star(graph))
    tree = layout(written)
    edges: dict[Pair, dict[str, float]] = {}
    for pair, labels in starred_edges(graph).items():
        edges[pair] = {label: value for label, value in labels.items() if label not in _NO_RELATION}
    is_closed = tree is not None and len(written.relations) > len(tree.mark)
    if tree is not None and is_closed:
        edges = _tree_edges(written, edges, tree)
    return _Ballot(
        weight=weight,
        nodes=graph.node_weights(),
        edges=edges,
        groups=tuple(written.objects),
        is_tree=tree is not None,
        is_closed=is_closed,
    )


def _tree_edges(
    written: Segments, edges: Mapping[Pair, dict[str, float]], tree: Layout
) -> dict[Pair, dict[str, float]]:
    """Return the labels of pairs that are not inherited."""
    home = {name: group for group in written.objects for name in group}
    parent_of = {}
    for parent, children in tree.children.items():
        for child in children:
            parent_of[child] = parent
    return {(a, b): labels for (a, b), labels in edges.items() if parent_of[home[b]] == home[a]}


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


def _relations(ballots: Sequence[_Ballot], groups: Sequence[Group]) -> RelationVotes:
    """Return the votes for each relation between two objects: the share of their pairs that carry it."""
    object_of = {name: group for group in groups for name in group}
    votes: dict[tuple[Group, Group], dict[str, float]] = {}
    for ballot in ballots:
        for (a, b), labels in ballot.edges.items():
            parent = object_of.get(a)
            child = object_of.get(b)
            if parent is None or child is None or parent is child:
                continue
            pairs = len(parent) * len(child)
            own = votes.setdefault((parent, child), {})
            for label, value in labels.items():
                own[label] = own.get(label, 0.0) + ballot.weight * value / pairs
    return {ends: own for ends, own in votes.items() if own}


class _Choice(NamedTuple):
    """A possible parent of an object, or none."""

    votes: float
    parent: Group | None
    child: Group

    def order(self) -> tuple[float, bool, list[str], list[str]]:
        """Return a key to sort choices by: the most votes first, and a parent before none."""
        parent = self.parent or frozenset()
        return -self.votes, self.parent is None, _sorted(self.child), _sorted(parent)


def _tree(ballots: Sequence[_Ballot], groups: Sequence[Group], votes: RelationVotes) -> list[_Link]:
    """Return relations in which every object has one parent or none, without cycles."""
    choices = [_Choice(sum(here.values()), *ends) for ends, here in votes.items()]
    for group, for_root in _roots(ballots, groups).items():
        choices.append(_Choice(for_root, None, group))
    choices.sort(key=_Choice.order)
    parent_of: dict[Group, Group | None] = {}
    for _, parent, child in choices:
        closes_ring = parent is not None and child in _above(parent, parent_of)
        if child not in parent_of and not closes_ring:
            parent_of[child] = parent
    links = []
    for child in groups:
        parent = parent_of[child]
        if parent is not None:
            label, number = _most(votes[parent, child])
            links.append(_Link(parent, child, label, number))
    return links


def _roots(ballots: Sequence[_Ballot], groups: Sequence[Group]) -> dict[Group, float]:
    """Return the votes for each object to have no parent."""
    votes = dict.fromkeys(groups, 0.0)
    for one in ballots:
        hung = {child for (_, child), labels in one.edges.items() if labels}
        for group in groups:
            known = [name for name in group if name in one.nodes]
            if known and hung.isdisjoint(known):
                votes[group] += one.weight * len(known) / len(group)
    return votes


def _above(group: Group, parent_of: Mapping[Group, Group | None]) -> Iterator[Group]:
    """Give an object and its ancestors."""
    here: Group | None = group
    while here is not None:
        yield here
        here = parent_of.get(here)


def _pairs(votes: RelationVotes, whole: float) -> list[_Link]:
    """Return the relations that half of the votes are for, whatever their label."""
    links = []
    for (parent, child), here in votes.items():
        if 2 * sum(here.values()) > whole:
            label, number = _most(here)
            links.append(_Link(parent, child, label, number))
    return links


def _closed(links: Sequence[_Link]) -> list[_Link]:
    """Return the relations of a tree and those they imply."""
    below: dict[Group, list[_Link]] = {}
    for link in links:
        below.setdefault(link.parent, []).append(link)
    closed = []
    for link in links:
        rest = [link.child]
        while rest:
            far = rest.pop()
            closed.append(_Link(link.parent, far, link.label, link.votes))
            rest += (each.child for each in below.get(far, ()))
    return closed


def _ids(labels: Mapping[Group, str]) -> dict[Group, str]:
    """Return a name for every object: its class and a number."""
    number: Counter[str] = Counter()
    ids = {}
    for group, label in labels.items():
        number[label] += 1
        ids[group] = f"{label}_{number[label]}"
    return ids


def _share(votes: float, whole: float) -> float:
    return round(votes / whole, 4)


def _sorted(names: Group) -> list[str]:
    return sorted(names, key=lambda name: (len(name), name))
