"""Several levels of structure over the same primitives: symbols, cells, rows, each a graph of its own."""

from collections.abc import Mapping

from karat.errors import OptionError
from karat.graphs.model.structure import LabelGraph, Pair


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
    level = {label: name for name, labels in named.items() for label in labels}
    return {name: _level(graph, name, level, rest) for name in (rest, *named)}


def _level(graph: LabelGraph, name: str, level: Mapping[str, str], rest: str) -> LabelGraph:
    """Return the labels of one level."""
    nodes = {prim: _kept(labels, name, level, rest) for prim, labels in graph.nodes.items()}
    edges: dict[Pair, dict[str, float]] = {
        pair: _kept(marks, name, level, rest) for pair, marks in graph.edges.items()
    }
    objects = tuple(one for one in graph.objects if level.get(one.label, rest) == name)
    there, members = {one.id for one in objects}, graph.members()
    home = {one.id: level.get(one.label, rest) for one in graph.objects}
    relations = []
    for link in graph.relations:
        ends = sorted((link.parent, link.child), key=lambda end: -len(members[end]))
        if level.get(link.label, home[ends[0]]) != name:
            continue
        if {link.parent, link.child} <= there:
            relations.append(link)
            continue
        for pair in ((a, b) for a in members[link.parent] for b in members[link.child] if a != b):
            edges.setdefault(pair, {})[link.label] = link.weight
    return LabelGraph(
        graph.name,
        {prim: labels for prim, labels in nodes.items() if labels},
        {pair: marks for pair, marks in edges.items() if marks},
        objects,
        tuple(relations),
    )


def _kept(
    labels: Mapping[str, float], name: str, level: Mapping[str, str], rest: str
) -> dict[str, float]:
    return {label: weight for label, weight in labels.items() if level.get(label, rest) == name}
