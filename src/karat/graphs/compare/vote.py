"""What several systems say together, file by file."""

from collections.abc import Mapping, Sequence

from karat.errors import InputError, OptionError, UnknownNameError
from karat.graphs.formats.folder import GraphSet
from karat.graphs.model.grid_levels import has_grid_levels
from karat.graphs.model.merge import merged
from karat.graphs.model.structure import LabelGraph, Weights


def merged_set(
    systems: Sequence[GraphSet], weights: Mapping[str, float], *, equal: bool = False
) -> GraphSet:
    """Return the vote over several sets of graphs; a system that lacks a file does not vote on it.

    Confidences above 1 are divided by the largest of their system; with `equal` none counts.
    """
    names = [one.name for one in systems]
    if len(names) < 2:
        raise OptionError(
            f"{names[0] if names else 'nothing'} alone makes no vote; name the folders of several systems"
        )
    for name, weight in weights.items():
        if name not in names:
            raise UnknownNameError("system", name, names)
        if weight < 0:
            raise OptionError(f"--weight is {name}={weight:g}; a vote weighs 0 or more")
    if not any(weights.get(name, 1.0) for name in names):
        raise OptionError("every vote weighs 0; give at least one system a weight above 0")
    for one in systems:
        if file := next(
            (name for name, graph in one.graphs.items() if has_grid_levels(graph)), None
        ):
            raise InputError(
                f"{one.origin}, graph {file}: a matrix shares strokes with its cells, and a vote is over one level of "
                "objects; `karat convert --to symlg` makes graphs without strokes, which can be voted on"
            )
    ready = [_equal(one) if equal else _scaled(one) for one in systems]
    files = sorted({name for one in systems for name in one.graphs})
    voices = [weights.get(name, 1.0) for name in names]
    graphs = {
        file: merged([one.get(file, LabelGraph()) for one in ready], voices, name=f"{file}.lg")
        for file in files
    }
    return GraphSet("merged", "merged", graphs)


def _scaled(found: GraphSet) -> dict[str, LabelGraph]:
    """Return graphs with confidences from 0 to 1."""
    most = 1.0
    for file, graph in found.graphs.items():
        values = [value for each in _weights(graph) for value in each.values()]
        if values and min(values) < 0:
            raise InputError(
                f"{found.origin}, graph {file}: the confidence {min(values):g} is below 0, and no vote can weigh that; "
                "write shares, or let none count with --equal"
            )
        most = max([most, *values])
    return {file: _divided(graph, most) for file, graph in found.graphs.items()}


def _weights(graph: LabelGraph) -> list[Weights]:
    objects = [{one.label: one.weight} for one in graph.objects]
    relations = [{one.label: one.weight} for one in graph.relations]
    return [*graph.nodes.values(), *graph.edges.values(), *objects, *relations]


def _divided(graph: LabelGraph, most: float) -> LabelGraph:
    if most == 1:
        return graph
    return LabelGraph(
        graph.name,
        {
            name: {label: value / most for label, value in found.items()}
            for name, found in graph.nodes.items()
        },
        {
            pair: {label: value / most for label, value in found.items()}
            for pair, found in graph.edges.items()
        },
        tuple(one._replace(weight=one.weight / most) for one in graph.objects),
        tuple(one._replace(weight=one.weight / most) for one in graph.relations),
    )


def _equal(found: GraphSet) -> dict[str, LabelGraph]:
    """Return graphs in which every label has the confidence 1."""
    return {
        file: LabelGraph(
            graph.name,
            {name: dict.fromkeys(labels, 1.0) for name, labels in graph.nodes.items()},
            {pair: dict.fromkeys(labels, 1.0) for pair, labels in graph.edges.items()},
            tuple(one._replace(weight=1.0) for one in graph.objects),
            tuple(one._replace(weight=1.0) for one in graph.relations),
        )
        for file, graph in found.graphs.items()
    }
