"""Several levels of structure over the same primitives: symbols, cells, rows, each a graph of its own."""

from collections.abc import Mapping

from karat.errors import OptionError
from karat.graphs.model.structure import LabelGraph


def levels(
    graph: LabelGraph, named: Mapping[str, frozenset[str]], *, rest: str = "symbols"
) -> dict[str, LabelGraph]:
    """Return a graph per level: that of the labels named for it, and one of all other labels.

    A relation is of the level for which its label is named; else of the level of its ends, or, where these differ, of
    the end that has more primitives.

    >>> from karat.graphs.model.structure import Object
    >>> found = levels(LabelGraph(objects=(Object("x", "x", 1.0, ("a",)), Object("c", "Cell", 1.0, ("a", "b")))),
    ...                {"cells": frozenset({"Cell"})})
    >>> {name: [one.label for one in level.objects] for name, level in found.items()}
    {'symbols': ['x'], 'cells': ['Cell']}
    """
    if rest in named:
        raise OptionError(
            f"all other labels are of the level {rest!r}; call the one you name otherwise"
        )
    level_of = {label: name for name, labels in named.items() for label in labels}
    return {name: _level(graph, name, level_of, rest) for name in (rest, *named)}


def _level(graph: LabelGraph, name: str, level_of: Mapping[str, str], rest: str) -> LabelGraph:
    """Return the labels of one level."""

    def own(labels: Mapping[str, float]) -> dict[str, float]:
        return {
            label: weight for label, weight in labels.items() if level_of.get(label, rest) == name
        }

    nodes = {primitive: own(labels) for primitive, labels in graph.nodes.items()}
    edges = {pair: own(labels) for pair, labels in graph.edges.items()}
    objects = tuple(one for one in graph.objects if level_of.get(one.label, rest) == name)
    ids = {one.id for one in objects}
    home = {one.id: level_of.get(one.label, rest) for one in graph.objects}
    members = graph.members()
    relations = []
    for link in graph.relations:
        parent, child = link.parent, link.child
        larger = child if len(members[child]) > len(members[parent]) else parent
        if level_of.get(link.label, home[larger]) != name:
            continue
        if parent in ids and child in ids:
            relations.append(link)
            continue
        # An end is of another level: what is left of the relation are the labels of its pairs.
        for a in members[parent]:
            for b in members[child]:
                if a != b:
                    edges.setdefault((a, b), {})[link.label] = link.weight
    return LabelGraph(
        graph.name,
        {primitive: labels for primitive, labels in nodes.items() if labels},
        {pair: labels for pair, labels in edges.items() if labels},
        objects,
        tuple(relations),
    )
