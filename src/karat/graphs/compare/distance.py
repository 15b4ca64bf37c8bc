"""How far graphs are from each other: of two of them, for training, and of many, for clustering."""

from collections.abc import Mapping
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.errors import InputError, OptionError
from karat.graphs.compare.rules import Comparison, Rules, compare, prepare
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


def of_counts(found: Comparison, measure: str, rules: Rules) -> float:
    """Return a distance from what was counted of two graphs; 0 between two graphs without primitives."""
    if measure not in DISTANCES:
        raise OptionError(f"no distance is called {measure!r}; there are {', '.join(DISTANCES)}")
    n, links = found.n, found.dS + found.dR
    pairs = n * (n - 1) / (2 if rules.undirected else 1)
    if measure == "dBn":
        return (found.dC + links) / (n + pairs) if n else 0.0
    if measure == "dE":
        if n < 2:
            return found.dC / n / (3 if rules.semantics == "lgeval" else 1) if n else 0.0
        return float((found.dC / n + np.sqrt(found.dS / pairs) + np.sqrt(links / pairs)) / 3)
    return float(
        {"dC": found.dC, "dS": found.dS, "dR": found.dR, "dL": links, "dB": found.dC + links}[
            measure
        ]
    )


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
    found = np.zeros((len(names), len(names)))
    for a, b in combinations(range(len(names)), 2):
        found[a, b] = found[b, a] = of_counts(compare(ready[a], ready[b], rules), measure, rules)
    return names, found


def restricted(graph: LabelGraph, primitives: set[str]) -> LabelGraph:
    """Return what a graph says of some primitives."""
    objects = [one._replace(primitives=tuple(name for name in one.primitives if name in primitives))
               for one in graph.objects]  # fmt: skip
    there = {one.id for one in objects if one.primitives}
    return LabelGraph(
        graph.name,
        {name: labels for name, labels in graph.nodes.items() if name in primitives},
        {pair: labels for pair, labels in graph.edges.items() if primitives.issuperset(pair)},
        tuple(one for one in objects if one.primitives),
        tuple(link for link in graph.relations if link.parent in there and link.child in there),
    )
