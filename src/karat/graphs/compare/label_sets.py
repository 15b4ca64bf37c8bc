"""Sets of labels with confidences: the best of each, the best few, or the distance that is to be expected."""

from collections.abc import Mapping

from karat.graphs.model.labelling import node_labels, starred_edges
from karat.graphs.model.structure import MERGE, NONE, LabelGraph, Pair, Weights

_ABSENT = {"ABSENT": 1.0}
_NOTHING = {NONE: 1.0}


def best(graph: LabelGraph) -> LabelGraph:
    """Return the graph with the surest label on each primitive and each pair; the first of equals."""
    nodes = {name: _most(labels) for name, labels in graph.node_weights().items()}
    return LabelGraph(
        graph.name, nodes, {pair: _most(labels) for pair, labels in starred_edges(graph).items()}
    )


def among(graph: LabelGraph, truth: LabelGraph, most: int) -> LabelGraph:
    """Return the graph with the truth's label wherever it is among the best few, and with the best label elsewhere."""
    wanted, pairs = node_labels(truth), starred_edges(truth)
    nodes = {
        name: _chosen(labels, wanted.get(name, ()), most)
        for name, labels in graph.node_weights().items()
    }
    edges = {
        pair: _chosen(labels, pairs.get(pair, ()), most)
        for pair, labels in starred_edges(graph).items()
    }
    return LabelGraph(graph.name, nodes, edges)


def expected(
    output: LabelGraph, truth: LabelGraph, *, absent_edges: bool = True
) -> tuple[float, float, float]:
    """Return dC, dS and dR if each label is drawn by its confidence, those of a primitive or pair adding up to one.

    A label differs with probability 1 - Σ p(l) q(l); a merge with p(*) (1 - q(*)) + q(*) (1 - p(*)).
    """
    ours, theirs = output.node_weights(), truth.node_weights()
    names = dict.fromkeys((*ours, *theirs))
    classes = sum(_apart(ours.get(name, _ABSENT), theirs.get(name, _ABSENT)) for name in names)
    mine, other = starred_edges(output), starred_edges(truth)
    merges = others = 0.0
    begun = dict.fromkeys(names, 0)
    for pair in dict.fromkeys((*mine, *other)):
        begun[pair[0]] += 1
        p = _labels(pair, mine, ours, absent_edges=absent_edges)
        q = _labels(pair, other, theirs, absent_edges=absent_edges)
        one, two = _share(p, MERGE), _share(q, MERGE)
        merged = one * (1 - two) + two * (1 - one)
        merges += merged
        others += max(0.0, _apart(p, q) - merged)
    if absent_edges:
        others += sum(
            len(names) - 1 - begun[name] for name in names if (name in ours) != (name in theirs)
        )
    return classes, merges, others


def _most(labels: Weights) -> dict[str, float]:
    label = max(labels, key=lambda each: labels[each])
    return {label: labels[label]}


def _chosen(labels: Weights, wanted: object, most: int) -> dict[str, float]:
    few = sorted(labels, key=lambda each: -labels[each])[:most]
    right = next((label for label in few if label in wanted), few[0])  # type: ignore[operator]
    return {right: labels[right]}


def _labels(
    pair: Pair, edges: Mapping[Pair, Weights], nodes: Mapping[str, Weights], *, absent_edges: bool
) -> Weights:
    return _ABSENT if absent_edges and pair[0] not in nodes else edges.get(pair, _NOTHING)


def _share(labels: Weights, label: str) -> float:
    """Return the share of a label in the confidences; equal shares where they add up to nothing."""
    whole = sum(max(weight, 0.0) for weight in labels.values())
    return max(labels.get(label, 0.0), 0.0) / whole if whole else (label in labels) / len(labels)


def _apart(ours: Weights, theirs: Weights) -> float:
    return 1 - sum(_share(ours, label) * _share(theirs, label) for label in ours if label in theirs)
