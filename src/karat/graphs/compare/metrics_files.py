"""One file of metrics and one of differences per graph, as LgEval writes them, but sorted."""

from collections.abc import Iterator, Mapping
from math import sqrt

from karat.graphs.compare.comparison import (
    GraphComparison,
    PreparedGraph,
    compare,
    prepare,
    prepared,
)
from karat.graphs.compare.label_errors import wrong_edges, wrong_merges, wrong_nodes
from karat.graphs.compare.rules import Rules
from karat.graphs.formats.folder import GraphSet
from karat.graphs.formats.pairing import paired
from karat.graphs.model.labelling import NOTHING, Labels


def metrics_files(
    truth: GraphSet, system: GraphSet, rules: Rules
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Give for each graph its name, the text of its metrics and that of its differences, empty if there are none."""
    for name, other in paired(truth, system).items():
        theirs = prepare(truth.graphs[name], rules)
        ours = prepared(system.graph(other), theirs, rules)
        values = metrics(compare(ours, theirs, rules), rules)
        differences = "".join(f"{line}\n" for line in difference_lines(ours, theirs, rules))
        yield name, (metrics_line(values), differences)


def metrics(counts: GraphComparison, rules: Rules) -> dict[str, float]:
    """Return a comparison under LgEval's names: the 28 of version 0.3.8, or those of 0.2.1 for paper semantics."""
    if rules.semantics == "lgeval":
        return _newer(counts)
    return _older(counts, ways=1 if rules.undirected else 2)


def metrics_line(values: Mapping[str, float]) -> str:
    """Return the line of a file of metrics."""
    return ",".join(f"{name},{value!r}" for name, value in values.items()) + "\n"


def _newer(counts: GraphComparison) -> dict[str, float]:
    n = counts.n
    links = counts.dS + counts.dR
    return {
        "D_B": counts.dC + links,
        "D_C": counts.dC,
        "D_L": links,
        "D_R": counts.dR,
        "D_S": counts.dS,
        "D_E(%)": _error(counts, n * (n - 1)),
        "nNodes": n,
        "nEdges": n * (n - 1),
        "nSegRelEdges": counts.relations,
        "dPairs": counts.pairs,
        "segPairErrors": counts.merge_pairs,
        "nodeCorrect": counts.right_nodes,
        "edgeDiffClassCount": counts.merge_class,
        "undirDiffClassCount": counts.merge_class_pairs,
        "nSeg": counts.objects,
        "detectedSeg": counts.found_objects,
        "dSegRelEdges": counts.found_relations,
        "CorrectSegments": counts.right_objects,
        "CorrectSegmentsAndClass": counts.right_classes,
        "ClassError": counts.class_errors,
        "CorrectSegRels": counts.right_relations,
        "CorrectSegRelLocations": counts.right_places,
        "SegRelErrors": counts.found_relations - counts.right_relations,
        "hasCorrectSegments": counts.all_objects,
        "hasCorrectSegLab": counts.all_classes,
        "hasCorrectRelationLocations": counts.all_places,
        "hasCorrectRelLab": counts.all_relations,
        "hasCorrectStructure": counts.all_objects * counts.all_places,
    }


def _older(counts: GraphComparison, *, ways: int) -> dict[str, float]:
    """Return the names of 0.2.1, with the paper's n: the primitives of both graphs together."""
    n = counts.n
    links = counts.dS + counts.dR
    edges = n * (n - 1) * ways // 2
    total = counts.dC + links
    return {
        "D_C": counts.dC,
        "D_S": counts.dS,
        "D_L": links,
        "D_Bn(%)": total / (n + edges) if n else 0.0,
        "D_E(%)": counts.dC if n == 1 else _error(counts, edges),
        "D_C(%)": counts.dC / n if n else 0.0,
        "D_S(%)": counts.dS / edges if edges else 0.0,
        "D_L(%)": links / edges if edges else 0.0,
        "D_B": total,
        "nNodes": n,
        "nEdges": edges,
        "nSegRelEdges": counts.relations,
        "dPairs": counts.pairs,
        "segPairErrors": counts.merge_pairs,
        "nodeCorrect": counts.right_nodes,
        "SegError": counts.objects - counts.right_objects,
        "ClassError": counts.class_errors,
        "nSeg": counts.objects,
        "detectedSeg": counts.found_objects,
        "dSegRelEdges": counts.found_relations,
        "SegRelError": counts.found_relations - counts.right_relations,
    }


def _error(counts: GraphComparison, edges: int) -> float:
    """Return dE = (dC/n + √(dS/edges) + √(dL/edges)) / 3; 0 of no primitive."""
    if not counts.n:
        return 0.0
    roots = 0.0
    if edges:
        roots = sqrt(counts.dS / edges) + sqrt((counts.dS + counts.dR) / edges)
    return (counts.dC / counts.n + roots) / 3


def difference_lines(output: PreparedGraph, truth: PreparedGraph, rules: Rules) -> list[str]:
    """Return the lines of a file of differences: labels of primitives and of pairs, and merges."""
    lines: list[str] = []
    for node in wrong_nodes(output, truth):
        labels = _versus(node.output, node.truth)
        lines += (f"*N,{node.place},{each}" for each in labels)
    for edge in wrong_edges(output, truth, rules):
        a, b = edge.place
        labels = _versus(edge.output, edge.truth)
        lines += (f"*E,{a},{b},{each}" for each in labels)
    lines += (f"*S,{a},{b}" for a, b in wrong_merges(output, truth, rules))
    return lines


def _versus(ours: Labels, theirs: Labels) -> Iterator[str]:
    """Give every label that only the output has against every one that only the truth has."""
    only_output = ours - theirs or NOTHING
    only_truth = theirs - ours or NOTHING
    for mine in sorted(only_output):
        for other in sorted(only_truth):
            yield f"{mine},1.0,:vs:,{other},1.0"
