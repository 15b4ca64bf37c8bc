"""How far graphs are from each other: of two of them, for training, and of many, for clustering."""

from collections.abc import Mapping
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.errors import InputError, OptionError
from karat.graphs.compare.comparison import GraphComparison, compare, prepare
from karat.graphs.compare.rules import Rules
from karat.graphs.model.structure import LabelGraph

Distance = Literal["dC", "dS", "dR", "dL", "dB", "dBn", "dE"]
DISTANCES = ("dC", "dS", "dR", "dL", "dB", "dBn", "dE")


def distance(
    first: LabelGraph, second: LabelGraph, *, measure: Distance = "dB", rules: Rules | None = None
) -> float:
    """How far are two graphs from each other? The same either way round; 0 for two equal ones.

    On the same primitives dC, dS, dL, dB, dBn and dE satisfy the triangle inequality; dR does not (R, *, Sup).
    Reference: Zanibbi, Mouchère & Viard-Gaudin, DRR 2013. doi:10.1117/12.2008409

    >>> from karat.graphs.formats.label_graph import parse
    >>> distance(parse("N, a, x").graph, parse("N, a, y").graph)
    1.0
    """
    rules = rules or Rules()
    return of_counts(compare(prepare(first, rules), prepare(second, rules), rules), measure, rules)


def of_counts(counts: GraphComparison, measure: str, rules: Rules) -> float:
    """Return a distance from what was counted of two graphs; 0 between two graphs without primitives."""
    if measure not in DISTANCES:
        raise OptionError(f"no distance is called {measure!r}; there are {', '.join(DISTANCES)}")
    wrong_pairs = counts.dS + counts.dR
    totals = {"dL": wrong_pairs, "dB": counts.dC + wrong_pairs}
    totals |= {"dC": counts.dC, "dS": counts.dS, "dR": counts.dR}
    if measure in totals:
        return float(totals[measure])
    n = counts.n
    if n == 0:
        return 0.0
    pairs = n * (n - 1) / (2 if rules.undirected else 1)
    if measure == "dBn":
        return totals["dB"] / (n + pairs)
    wrong_classes = counts.dC / n
    if n == 1:
        return wrong_classes / 3 if rules.semantics == "lgeval" else wrong_classes
    merges = np.sqrt(counts.dS / pairs)
    all_pairs = np.sqrt(wrong_pairs / pairs)
    return float((wrong_classes + merges + all_pairs) / 3)


def distances(
    graphs: Mapping[str, LabelGraph], *, measure: Distance = "dB", rules: Rules | None = None
) -> tuple[tuple[str, ...], npt.NDArray[np.float64]]:
    """How far is every graph from every other, over the primitives that all of them have?

    Returns the names and a symmetric matrix with zeros on its diagonal, as clustering wants it.
    """
    rules = rules or Rules()
    names = tuple(graphs)
    if not names:
        raise InputError("there are no graphs; name at least one")
    shared = set.intersection(*(set(graph.primitives()) for graph in graphs.values()))
    if not shared:
        raise InputError(
            f"the graphs {', '.join(map(repr, names[:3]))} ... have no primitive in common"
        )
    ready = [prepare(restricted(graphs[name], shared), rules) for name in names]
    matrix = np.zeros((len(names), len(names)))
    for a, b in combinations(range(len(names)), 2):
        between = of_counts(compare(ready[a], ready[b], rules), measure, rules)
        matrix[a, b] = between
        matrix[b, a] = between
    return names, matrix


def restricted(graph: LabelGraph, primitives: set[str]) -> LabelGraph:
    """Return the labels of a graph for some primitives."""
    objects = []
    for one in graph.objects:
        kept = tuple(name for name in one.primitives if name in primitives)
        if kept:
            objects.append(one._replace(primitives=kept))
    ids = {one.id for one in objects}
    return LabelGraph(
        graph.name,
        {name: labels for name, labels in graph.nodes.items() if name in primitives},
        {pair: labels for pair, labels in graph.edges.items() if primitives.issuperset(pair)},
        tuple(objects),
        tuple(link for link in graph.relations if link.parent in ids and link.child in ids),
    )
