"""Several levels of structure over the same primitives: symbols, cells, rows, each a graph of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from karat.errors import OptionError
from karat.graphs.model.structure import LabelGraph, Pair, Weights

_Labelled = TypeVar("_Labelled", str, Pair)
"""A primitive, or a pair of them."""


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
            f"all other labels are of the level {rest!r}; give your level another name"
        )
    level_of: dict[str, str] = {}
    for name, labels in named.items():
        level_of |= dict.fromkeys(labels, name)
    divided = _LevelsOfGraph(graph, level_of, rest)
    return {name: divided.level(name) for name in (rest, *named)}


@dataclass(frozen=True, slots=True)
class _LevelsOfGraph:
    """A graph, and the level of each label; labels that are not named are of the level `rest`."""

    graph: LabelGraph
    level_of: Mapping[str, str]
    rest: str

    def level(self, name: str) -> LabelGraph:
        """Return the part of the graph that is of one level."""
        graph = self.graph
        nodes = self._labels_of_level(graph.nodes, name)
        edges = self._labels_of_level(graph.edges, name)
        objects = [one for one in graph.objects if self._of_label(one.label) == name]
        ids = {one.id for one in objects}
        level_of_object = {one.id: self._of_label(one.label) for one in graph.objects}
        members = graph.members()
        relations = []
        for link in graph.relations:
            larger = link.parent
            if len(members[link.child]) > len(members[link.parent]):
                larger = link.child
            if self.level_of.get(link.label, level_of_object[larger]) != name:
                continue
            if link.parent in ids and link.child in ids:
                relations.append(link)
                continue
            # One end is of another level, so the relation can only be kept as labels of pairs of primitives.
            for pair in product(members[link.parent], members[link.child]):
                if pair[0] != pair[1]:
                    edges.setdefault(pair, {})[link.label] = link.weight
        return LabelGraph(
            name=graph.name,
            nodes=_without_unlabelled(nodes),
            edges=_without_unlabelled(edges),
            objects=tuple(objects),
            relations=tuple(relations),
        )

    def _of_label(self, label: str) -> str:
        return self.level_of.get(label, self.rest)

    def _labels_of_level(
        self, labelled: Mapping[_Labelled, Weights], name: str
    ) -> dict[_Labelled, dict[str, float]]:
        """Return primitives, or pairs of them, with their labels of one level."""
        kept = {}
        for key, labels in labelled.items():
            kept[key] = {
                label: weight for label, weight in labels.items() if self._of_label(label) == name
            }
        return kept


def _without_unlabelled(labelled: Mapping[_Labelled, Weights]) -> dict[_Labelled, Weights]:
    return {key: labels for key, labels in labelled.items() if labels}
