"""Where two graphs differ, label by label, and how many of these are classes, merges and relations.

The first graph is the output, the second the truth; the numbers are the same the other way round.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from karat.graphs.model.labelling import NOTHING, Labelling, Labels, one
from karat.graphs.model.structure import MERGE, Pair

ABSENT = one("ABSENT")
"""The label of a primitive that is not in the graph, and of the pairs it begins (the paper's `?`)."""
Change = tuple[Labels, Labels]
Key = TypeVar("Key", str, Pair)


class LabelDistances(NamedTuple):
    """The fields of `karat.graphs.compare.comparison.GraphComparison` from dC to absent_pairs."""

    dC: int  # noqa: N815 (the paper's names)
    dS: int  # noqa: N815
    dR: int  # noqa: N815
    merge_class: int
    pairs: int
    merge_pairs: int
    merge_class_pairs: int
    absent_pairs: int


class Difference(NamedTuple):
    """What differs between two graphs: labels of primitives, and of pairs that one of the graphs labels."""

    n: int
    nodes: Mapping[str, Change]
    edges: Mapping[Pair, Change]
    missing: frozenset[str]
    """Primitives that only the second graph has."""
    extra: frozenset[str]
    """Primitives that only the first graph has."""


def difference(first: Labelling, second: Labelling) -> Difference:
    """Return where two graphs differ, before any rule about primitives that one of them lacks."""
    missing = frozenset(second.nodes.keys() - first.nodes.keys())
    extra = frozenset(first.nodes.keys() - second.nodes.keys())
    nodes = _changes(first.nodes, second.nodes, ABSENT)
    edges = _changes(first.edges, second.edges, NOTHING)
    return Difference(len(first.nodes) + len(missing), nodes, edges, missing, extra)


def _changes(
    ours: Mapping[Key, Labels], theirs: Mapping[Key, Labels], absent: Labels
) -> dict[Key, Change]:
    """Return what has other labels on the two sides; `absent` is the label of what one side lacks."""
    if ours == theirs:
        return {}
    changes: dict[Key, Change] = {}
    for key, labels in ours.items():
        other = theirs.get(key, absent)
        # Sets of one label are the same object, so most comparisons end here.
        if other is not labels and other != labels:
            changes[key] = labels, other
    for key, labels in theirs.items():
        if key not in ours:
            changes[key] = absent, labels
    return changes


def cost(ours: Labels, theirs: Labels) -> int:
    """Return how many labels must change: the larger of the two sets of labels that only one side has."""
    if len(ours) == len(theirs) == 1:
        return int(ours != theirs)
    return max(len(ours - theirs), len(theirs - ours))


def paper_distances(
    differing: Difference,
    first: Labelling,
    second: Labelling,
    *,
    absent_edges: bool = True,
    undirected: bool = False,
) -> LabelDistances:
    """Return the distances of the paper: merges are `*`, and dS counts the pairs that only one graph merges.

    A primitive that one graph lacks has there the label `?`, and so have all pairs that it begins; without
    `absent_edges` these pairs have no label. In an undirected graph every pair counts once, and `?` stands on every
    pair of such a primitive.
    """
    edges = differing.edges
    absent = _AbsentPairs(0, 0, 0)
    away = differing.missing | differing.extra
    if absent_edges and away:
        edges = {
            pair: _with_absent(pair, change, differing, undirected=undirected)
            for pair, change in edges.items()
        }
        absent = _absent_pairs(edges, away, differing.n, undirected=undirected)
    merged = [pair for pair, change in edges.items() if _is_split(change)]
    wrong_pairs = absent.unlabelled + sum(cost(*change) for change in edges.values())
    classes = _wrong_class(differing, first, second)
    return LabelDistances(
        dC=sum(cost(*change) for change in differing.nodes.values()),
        dS=len(merged),
        dR=wrong_pairs - len(merged),
        merge_class=len(classes),
        pairs=_unordered(edges) + absent.unordered,
        merge_pairs=_unordered(merged),
        merge_class_pairs=_unordered(classes),
        absent_pairs=absent.cost,
    )


class _AbsentPairs(NamedTuple):
    """What pairs of primitives that one graph lacks add to the distances."""

    unlabelled: int
    """Pairs that neither graph labels: one has `?` there."""
    unordered: int
    """How many pairs these are, whichever way round."""
    cost: int
    """How much of dR are all pairs that such a primitive begins."""


def _absent_pairs(
    edges: Mapping[Pair, Change], away: frozenset[str], n: int, *, undirected: bool
) -> _AbsentPairs:
    """Count the pairs of the primitives that one graph lacks, of n primitives in both."""
    around = len(away) * (n - len(away)) + len(away) * (len(away) - 1) // 2
    touching = [pair for pair in edges if pair[0] in away or pair[1] in away]
    if undirected:
        marked = touching
        unlabelled = around - len(marked)
    else:
        marked = [pair for pair in touching if pair[0] in away]
        unlabelled = len(away) * (n - 1) - len(marked)
    relations = unlabelled
    for pair in marked:
        change = edges[pair]
        relations += cost(*change)
        if _is_split(change):
            relations -= 1
    return _AbsentPairs(unlabelled, around - _unordered(touching), relations)


def _is_split(change: Change) -> bool:
    """Return whether only one of the graphs merges a pair."""
    ours, theirs = change
    return (MERGE in ours) != (MERGE in theirs)


def class_distances(differing: Difference, first: Labelling, second: Labelling) -> LabelDistances:
    """Return the distances of LgEval 0.3.8, where a merged pair has the class of its ends.

    dR holds, as there, the pairs merged in both graphs with another class; `merge_class` counts these. With sets of
    labels a class that only one side has stands against one that only the other side has, each once, so that dS is
    never negative. A pair of the same label may be a merge in one graph and a relation in the other, where a relation
    is called like a class: it counts for dS and not for dL, so that dR may be negative, as there.
    """
    wrong_pairs = 0
    merges = 0
    classes = 0
    split = []
    reclassed = []
    changes = {**differing.edges, **same_labels(differing, first, second)}
    for pair, (ours, theirs) in changes.items():
        wrong_pairs += cost(ours, theirs)
        mine = _merge(pair, ours, first)
        other = _merge(pair, theirs, second)
        if mine == other:
            continue
        only_first = len(mine - other)
        only_second = len(other - mine)
        swapped = min(only_first, only_second)
        merges += max(only_first, only_second) - swapped
        classes += swapped
        if not swapped:
            split.append(pair)
        if mine and other:
            reclassed.append(pair)
    return LabelDistances(
        dC=sum(cost(*change) for change in differing.nodes.values()),
        dS=merges,
        dR=wrong_pairs - merges,
        merge_class=classes,
        pairs=_unordered(differing.edges),
        merge_pairs=_unordered(split),
        merge_class_pairs=_unordered(reclassed),
        absent_pairs=0,
    )


def same_labels(differing: Difference, first: Labelling, second: Labelling) -> dict[Pair, Change]:
    """Return the pairs of the same labels in both graphs of which an end has another class."""
    if not differing.nodes:
        return {}
    return {
        pair: (labels, labels)
        for pair, labels in first.edges.items()
        if (pair[0] in differing.nodes or pair[1] in differing.nodes)
        and second.edges.get(pair) == labels
    }


def _with_absent(pair: Pair, change: Change, differing: Difference, *, undirected: bool) -> Change:
    """Return the labels of a pair, with that of a primitive which one graph lacks."""
    ours, theirs = change
    ends = pair if undirected else pair[:1]
    if any(end in differing.missing for end in ends):
        ours = ABSENT
    if any(end in differing.extra for end in ends):
        theirs = ABSENT
    return ours, theirs


def _merge(pair: Pair, labels: Labels, graph: Labelling) -> Labels:
    """Return the labels of a pair that both its ends have."""
    if labels is NOTHING:
        return _NONE
    return labels & graph.nodes.get(pair[0], _NONE) & graph.nodes.get(pair[1], _NONE)


_NONE: Labels = frozenset()


def _wrong_class(differing: Difference, first: Labelling, second: Labelling) -> list[Pair]:
    """Return the pairs that both graphs merge, of another class."""
    if not differing.nodes:
        return []
    wrong = []
    for pair, labels in first.edges.items():
        a, b = pair
        if MERGE not in labels or (a not in differing.nodes and b not in differing.nodes):
            continue
        if MERGE not in second.edges.get(pair, _NONE):
            continue
        if first.nodes[a] & first.nodes[b] != second.nodes[a] & second.nodes[b]:
            wrong.append(pair)
    return wrong


def _unordered(pairs: Iterable[Pair]) -> int:
    """Return how many pairs there are, whichever way round."""
    return len({(a, b) if a < b else (b, a) for a, b in pairs})
