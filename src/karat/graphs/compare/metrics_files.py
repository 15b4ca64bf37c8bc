"""One file of metrics and one of differences per graph, as LgEval writes them, but sorted."""

from collections.abc import Iterator, Mapping
from math import sqrt

from karat.graphs.compare.label_errors import wrong_edges, wrong_merges, wrong_nodes
from karat.graphs.compare.rules import Comparison, Prepared, Rules, compare, prepare, prepared
from karat.graphs.formats.folder import GraphSet, paired
from karat.graphs.model.labelling import NOTHING, Labels


def metrics_files(
    truth: GraphSet, system: GraphSet, rules: Rules
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Give for each graph its name, the text of its metrics and that of its differences, empty if there are none."""
    for name, other in paired(truth, system).items():
        theirs = prepare(truth.graphs[name], rules)
        ours = prepared(system.graph(other), theirs, rules)
        lines = difference_lines(ours, theirs, rules)
        text = "".join(f"{line}\n" for line in lines)
        yield name, (metrics_line(metrics(compare(ours, theirs, rules), rules)), text)


def metrics(found: Comparison, rules: Rules) -> dict[str, float]:
    """Return a comparison under LgEval's names: the 28 of version 0.3.8, or those of 0.2.1 for paper semantics."""
    return (
        _newer(found)
        if rules.semantics == "lgeval"
        else _older(found, ways=1 if rules.undirected else 2)
    )


def metrics_line(values: Mapping[str, float]) -> str:
    """Return the line of a file of metrics."""
    return ",".join(f"{name},{value!r}" for name, value in values.items()) + "\n"


def _newer(found: Comparison) -> dict[str, float]:
    links, n = found.dS + found.dR, found.n
    return {
        "D_B": found.dC + links,
        "D_C": found.dC,
        "D_L": links,
        "D_R": found.dR,
        "D_S": found.dS,
        "D_E(%)": _error(found, n * (n - 1)),
        "nNodes": n,
        "nEdges": n * (n - 1),
        "nSegRelEdges": found.relations,
        "dPairs": found.pairs,
        "segPairErrors": found.merge_pairs,
        "nodeCorrect": found.right_nodes,
        "edgeDiffClassCount": found.merge_class,
        "undirDiffClassCount": found.merge_class_pairs,
        "nSeg": found.objects,
        "detectedSeg": found.found_objects,
        "dSegRelEdges": found.found_relations,
        "CorrectSegments": found.right_objects,
        "CorrectSegmentsAndClass": found.right_classes,
        "ClassError": found.class_errors,
        "CorrectSegRels": found.right_relations,
        "CorrectSegRelLocations": found.right_places,
        "SegRelErrors": found.found_relations - found.right_relations,
        "hasCorrectSegments": found.all_objects,
        "hasCorrectSegLab": found.all_classes,
        "hasCorrectRelationLocations": found.all_places,
        "hasCorrectRelLab": found.all_relations,
        "hasCorrectStructure": found.all_objects * found.all_places,
    }


def _older(found: Comparison, *, ways: int) -> dict[str, float]:
    """Return the names of 0.2.1, with the paper's n: the primitives of both graphs together."""
    n, links = found.n, found.dS + found.dR
    edges, total = n * (n - 1) * ways // 2, found.dC + links
    return {
        "D_C": found.dC,
        "D_S": found.dS,
        "D_L": links,
        "D_Bn(%)": total / (n + edges) if n else 0.0,
        "D_E(%)": found.dC if n == 1 else _error(found, edges),
        "D_C(%)": found.dC / n if n else 0.0,
        "D_S(%)": found.dS / edges if edges else 0.0,
        "D_L(%)": links / edges if edges else 0.0,
        "D_B": total,
        "nNodes": n,
        "nEdges": edges,
        "nSegRelEdges": found.relations,
        "dPairs": found.pairs,
        "segPairErrors": found.merge_pairs,
        "nodeCorrect": found.right_nodes,
        "SegError": found.objects - found.right_objects,
        "ClassError": found.class_errors,
        "nSeg": found.objects,
        "detectedSeg": found.found_objects,
        "dSegRelEdges": found.found_relations,
        "SegRelError": found.found_relations - found.right_relations,
    }


def _error(found: Comparison, edges: int) -> float:
    if not found.n:
        return 0.0
    roots = sqrt(found.dS / edges) + sqrt((found.dS + found.dR) / edges) if edges else 0.0
    return (found.dC / found.n + roots) / 3


def difference_lines(output: Prepared, truth: Prepared, rules: Rules) -> list[str]:
    """Return the lines of a file of differences: labels of primitives and of pairs, and merges."""
    lines = [
        f"*N,{one.place},{marks}"
        for one in wrong_nodes(output, truth)
        for marks in _versus(one.output, one.truth)
    ]
    for one in wrong_edges(output, truth, rules):
        lines += [
            f"*E,{one.place[0]},{one.place[1]},{marks}" for marks in _versus(one.output, one.truth)
        ]
    return [*lines, *(f"*S,{a},{b}" for a, b in wrong_merges(output, truth, rules))]


def _versus(ours: Labels, theirs: Labels) -> Iterator[str]:
    """Give every label that only the output has against every one that only the truth has."""
    for mine in sorted(ours - theirs or NOTHING):
        yield from (f"{mine},1.0,:vs:,{other},1.0" for other in sorted(theirs - ours or NOTHING))
