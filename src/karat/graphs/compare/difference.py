"""Where two graphs differ, label by label, and how many of these are classes, merges and relations.

The first graph is the output, the second the truth; the numbers are the same the other way round.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from karat.graphs.model.labelling import NOTHING, Labelling, Labels, one
from karat.graphs.model.structure import MERGE, Pair

ABSENT = one("ABSENT")
"""The label of a primitive that is not in the graph, and of the pairs it begins (the paper's `?`)."""
Change = tuple[Labels, Labels]
Distances = tuple[int, int, int, int, int, int, int, int]
"""dC, dS, dR, and what `karat.graphs.compare.rules.Comparison` names after them, up to absent_pairs."""


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
    nodes, missing, extra = _nodes(first.nodes, second.nodes)
    found: dict[Pair, Change] = {}
    ours, theirs = first.edges, second.edges
    if ours != theirs:
        for pair, labels in ours.items():
            other = theirs.get(pair, NOTHING)
            if other is not labels and other != labels:
                found[pair] = labels, other
        for pair, labels in theirs.items():
            if pair not in ours:
                found[pair] = NOTHING, labels
    return Difference(len(first.nodes) + len(missing), nodes, found, missing, extra)


def _nodes(
    ours: Mapping[str, Labels], theirs: Mapping[str, Labels]
) -> tuple[dict[str, Change], frozenset[str], frozenset[str]]:
    if ours == theirs:
        return {}, frozenset(), frozenset()
    found: dict[str, Change] = {}
    for name, labels in ours.items():
        other = theirs.get(name, ABSENT)
        if other is not labels and other != labels:
            found[name] = labels, other
    missing = theirs.keys() - ours.keys()
    for name in missing:
        found[name] = ABSENT, theirs[name]
    return found, frozenset(missing), frozenset(ours.keys() - theirs.keys())


def cost(ours: Labels, theirs: Labels) -> int:
    """Return how many labels must change: the larger of the two sets of labels that only one side has."""
    if len(ours) == len(theirs) == 1:
        return int(ours != theirs)
    return max(len(ours - theirs), len(theirs - ours))


def paper_distances(
    found: Difference,
    first: Labelling,
    second: Labelling,
    *,
    absent_edges: bool = True,
    undirected: bool = False,
) -> Distances:
    """Return the distances of the paper: merges are `*`, and dS counts the pairs that only one graph merges.

    A primitive that one graph lacks has there the label `?`, and so have all pairs that it begins; without
    `absent_edges` these pairs have no label. In an undirected graph every pair counts once, and `?` stands on every
    pair of such a primitive.
    """
    away = found.missing | found.extra if absent_edges else frozenset()
    edges = found.edges
    if away:
        edges = {
            pair: _absent(pair, change, found, undirected=undirected)
            for pair, change in edges.items()
        }
    merged = [
        pair for pair, (ours, theirs) in edges.items() if (MERGE in ours) != (MERGE in theirs)
    ]
    total, unordered = sum(cost(*change) for change in edges.values()), _unordered(edges)
    absent = 0
    if away:
        around = len(away) * (found.n - len(away)) + len(away) * (len(away) - 1) // 2
        touching = [pair for pair in edges if pair[0] in away or pair[1] in away]
        marked = touching if undirected else [pair for pair in touching if pair[0] in away]
        unlabelled = (around if undirected else len(away) * (found.n - 1)) - len(marked)
        total += unlabelled
        absent = (
            unlabelled
            + sum(cost(*edges[pair]) for pair in marked)
            - len(set(marked).intersection(merged))
        )
        unordered += around - _unordered(touching)
    classes = _wrong_class(found, first, second)
    return (
        sum(cost(*change) for change in found.nodes.values()),
        len(merged),
        total - len(merged),
        len(classes),
        unordered,
        _unordered(merged),
        _unordered(classes),
        absent,
    )


def class_distances(found: Difference, first: Labelling, second: Labelling) -> Distances:
    """Return the distances of LgEval 0.3.8, where a merged pair bears the class of its ends.

    dR holds, as there, the pairs merged in both graphs with another class; `merge_class` tells them apart. With sets of
    labels a class that only one side has stands against one that only the other side has, each once, so that dS is
    never negative. A pair of the same label may be a merge in one graph and a relation in the other, where a relation
    is called like a class: it counts for dS and not for dL, so that dR may be negative, as there.
    """
    total, merges, classes = 0, 0, 0
    split, reclassed = [], []
    for pair, (ours, theirs) in {**found.edges, **same_labels(found, first, second)}.items():
        total += cost(ours, theirs)
        mine, other = _merge(pair, ours, first), _merge(pair, theirs, second)
        only, lost = mine - other, other - mine
        if not only and not lost:
            continue
        swapped = min(len(only), len(lost))
        merges += max(len(only), len(lost)) - swapped
        classes += swapped
        if not swapped:
            split.append(pair)
        if mine and other:
            reclassed.append(pair)
    wrong = sum(cost(*change) for change in found.nodes.values())
    pairs, merge_pairs, merge_class_pairs = (
        _unordered(found.edges),
        _unordered(split),
        _unordered(reclassed),
    )
    return wrong, merges, total - merges, classes, pairs, merge_pairs, merge_class_pairs, 0


def same_labels(found: Difference, first: Labelling, second: Labelling) -> dict[Pair, Change]:
    """Return the pairs of the same labels in both graphs of which an end has another class."""
    if not found.nodes:
        return {}
    return {
        pair: (labels, labels)
        for pair, labels in first.edges.items()
        if (pair[0] in found.nodes or pair[1] in found.nodes) and second.edges.get(pair) == labels
    }


def _absent(pair: Pair, change: Change, found: Difference, *, undirected: bool) -> Change:
    """Return the labels of a pair, with that of a primitive which one graph lacks."""
    ours, theirs = change
    ends = pair if undirected else pair[:1]
    if any(end in found.missing for end in ends):
        ours = ABSENT
    if any(end in found.extra for end in ends):
        theirs = ABSENT
    return ours, theirs


def _merge(pair: Pair, labels: Labels, graph: Labelling) -> Labels:
    """Return the labels of a pair that both its ends have."""
    if labels is NOTHING:
        return _NONE
    return labels & graph.nodes.get(pair[0], _NONE) & graph.nodes.get(pair[1], _NONE)


_NONE: Labels = frozenset()


def _wrong_class(found: Difference, first: Labelling, second: Labelling) -> list[Pair]:
    """Return the pairs that both graphs merge, of another class."""
    if not found.nodes:
        return []
    return [
        (a, b)
        for (a, b), labels in first.edges.items()
        if MERGE in labels
        and (a in found.nodes or b in found.nodes)
        and MERGE in second.edges.get((a, b), _NONE)
        and first.nodes[a] & first.nodes[b] != second.nodes[a] & second.nodes[b]
    ]


def _unordered(pairs: Iterable[Pair]) -> int:
    """Return how many pairs there are, whichever way round."""
    return len({(a, b) if a < b else (b, a) for a, b in pairs})
