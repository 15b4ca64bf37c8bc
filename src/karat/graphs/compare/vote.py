"""The vote of several systems, file by file."""

from collections.abc import Callable, Mapping, Sequence

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
    _check_votes(names, weights)
    for one in systems:
        _refuse_matrices(one)
    ready = [_equal(one) if equal else _scaled(one) for one in systems]
    votes = [weights.get(name, 1.0) for name in names]
    graphs = {}
    for file in sorted({name for one in systems for name in one.graphs}):
        of_file = [one.get(file, LabelGraph()) for one in ready]
        graphs[file] = merged(of_file, votes, name=f"{file}.lg")
    return GraphSet("merged", "merged", graphs)


def _check_votes(names: Sequence[str], weights: Mapping[str, float]) -> None:
    """Refuse a vote of one, weights of systems that do not vote, and weights that are negative or all 0."""
    if len(names) < 2:
        only = names[0] if names else "nothing"
        raise OptionError(
            f"{only} is only one system, too few for a vote; name the folders of several systems"
        )
    for name, weight in weights.items():
        if name not in names:
            raise UnknownNameError("system", name, names)
        if weight < 0:
            raise OptionError(f"--weight is {name}={weight:g}; a vote weighs 0 or more")
    if not any(weights.get(name, 1.0) for name in names):
        raise OptionError("every vote weighs 0; give at least one system a weight above 0")


def _refuse_matrices(system: GraphSet) -> None:
    for file, graph in system.graphs.items():
        if has_grid_levels(graph):
            raise InputError(
                f"{system.origin}, graph {file}: a matrix shares strokes with its cells, "
                "and a vote is over one level of objects; "
                "`karat convert --to symlg` makes graphs without strokes, which can be voted on"
            )


def _scaled(system: GraphSet) -> dict[str, LabelGraph]:
    """Return graphs with confidences from 0 to 1."""
    largest = 1.0
    for file, graph in system.graphs.items():
        values = [value for labels in _weights(graph) for value in labels.values()]
        if not values:
            continue
        if min(values) < 0:
            raise InputError(
                f"{system.origin}, graph {file}: the confidence {min(values):g} is below 0, "
                "and no vote can weigh that; write shares, or let none count with --equal"
            )
        largest = max(largest, *values)
    if largest == 1:
        return dict(system.graphs)
    return {
        file: _reweighted(graph, lambda weight: weight / largest)
        for file, graph in system.graphs.items()
    }


def _weights(graph: LabelGraph) -> list[Weights]:
    objects = [{one.label: one.weight} for one in graph.objects]
    relations = [{one.label: one.weight} for one in graph.relations]
    return [*graph.nodes.values(), *graph.edges.values(), *objects, *relations]


def _equal(system: GraphSet) -> dict[str, LabelGraph]:
    """Return graphs in which every label has the confidence 1."""
    return {file: _reweighted(graph, lambda _: 1.0) for file, graph in system.graphs.items()}


def _reweighted(graph: LabelGraph, change: Callable[[float], float]) -> LabelGraph:
    """Return a graph with other confidences."""

    def changed(labels: Weights) -> dict[str, float]:
        return {label: change(weight) for label, weight in labels.items()}

    return LabelGraph(
        graph.name,
        {name: changed(labels) for name, labels in graph.nodes.items()},
        {pair: changed(labels) for pair, labels in graph.edges.items()},
        tuple(one._replace(weight=change(one.weight)) for one in graph.objects),
        tuple(one._replace(weight=change(one.weight)) for one in graph.relations),
    )
