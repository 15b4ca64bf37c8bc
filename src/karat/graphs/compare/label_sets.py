"""Sets of labels with confidences: the best of each, the best few, or the distance that is to be expected."""

from collections.abc import Container, Mapping
from typing import NamedTuple

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
    wanted = node_labels(truth)
    pairs = starred_edges(truth)
    nodes = {
        name: _chosen(labels, wanted.get(name, ()), most)
        for name, labels in graph.node_weights().items()
    }
    edges = {
        pair: _chosen(labels, pairs.get(pair, ()), most)
        for pair, labels in starred_edges(graph).items()
    }
    return LabelGraph(graph.name, nodes, edges)


class ExpectedDistance(NamedTuple):
    """dC, dS and dR where each label is drawn by its confidence."""

    classes: float
    merges: float
    relations: float


def expected(
    output: LabelGraph, truth: LabelGraph, *, absent_edges: bool = True
) -> ExpectedDistance:
    """Return dC, dS and dR if each label is drawn by its confidence, those of a primitive or pair adding up to one.

    A label differs with probability 1 - Σ p(l) q(l); a merge with p(*) (1 - q(*)) + q(*) (1 - p(*)).
    """
    ours = output.node_weights()
    theirs = truth.node_weights()
    names = dict.fromkeys((*ours, *theirs))
    classes = 0.0
    for name in names:
        classes += _apart(ours.get(name, _ABSENT), theirs.get(name, _ABSENT))
    our_edges = starred_edges(output)
    their_edges = starred_edges(truth)
    merges = 0.0
    relations = 0.0
    labelled = dict.fromkeys(names, 0)
    for pair in dict.fromkeys((*our_edges, *their_edges)):
        labelled[pair[0]] += 1
        p = _labels(pair, our_edges, ours, absent_edges=absent_edges)
        q = _labels(pair, their_edges, theirs, absent_edges=absent_edges)
        p_merge = _share(p, MERGE)
        q_merge = _share(q, MERGE)
        merge_differs = p_merge * (1 - q_merge) + q_merge * (1 - p_merge)
        merges += merge_differs
        relations += max(0.0, _apart(p, q) - merge_differs)
    if absent_edges:
        # A primitive that only one graph has begins n - 1 pairs there; those that no graph labels differ surely.
        unlabelled = 0
        for name in names:
            if (name in ours) != (name in theirs):
                unlabelled += len(names) - 1 - labelled[name]
        relations += unlabelled
    return ExpectedDistance(classes, merges, relations)


def _most(labels: Weights) -> dict[str, float]:
    label = max(labels, key=lambda each: labels[each])
    return {label: labels[label]}


def _chosen(labels: Weights, wanted: Container[str], most: int) -> dict[str, float]:
    best_few = sorted(labels, key=lambda each: -labels[each])[:most]
    right = next((label for label in best_few if label in wanted), best_few[0])
    return {right: labels[right]}


def _labels(
    pair: Pair, edges: Mapping[Pair, Weights], nodes: Mapping[str, Weights], *, absent_edges: bool
) -> Weights:
    if absent_edges and pair[0] not in nodes:
        return _ABSENT
    return edges.get(pair, _NOTHING)


def _share(labels: Weights, label: str) -> float:
    """Return the share of a label in the confidences; equal shares where they add up to nothing."""
    whole = sum(max(weight, 0.0) for weight in labels.values())
    if whole:
        return max(labels.get(label, 0.0), 0.0) / whole
    return (label in labels) / len(labels)


def _apart(ours: Weights, theirs: Weights) -> float:
    return 1 - sum(_share(ours, label) * _share(theirs, label) for label in ours if label in theirs)
