"""Which graphs are most like a given one, whatever their primitives are."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from karat.errors import InputError
from karat.graphs.compare.distance import distance
from karat.graphs.model.grid_levels import told_apart
from karat.graphs.model.labelling import Labels, by_star
from karat.graphs.model.layout import layout
from karat.graphs.model.places import side
from karat.graphs.model.segments import Group, Segments, segments
from karat.graphs.model.structure import LabelGraph

Feature = tuple[str, ...]


class Match(NamedTuple):
    """A graph, and what it has in common with the one that was asked for."""

    name: str
    distance: float
    shared_symbols: int
    shared_relations: int
    symbols: int
    relations: int


class Shelf:
    """Graphs in which others can be looked up: by symbols, pairs of related symbols and chains of three."""

    def __init__(self, graphs: Mapping[str, LabelGraph]) -> None:
        if not graphs:
            raise InputError("there are no graphs to search; name a folder that holds some")
        self.graphs = graphs
        self.features = {name: features(graph) for name, graph in graphs.items()}
        self.sizes = {name: _sizes(found) for name, found in self.features.items()}
        self.places: dict[Feature, list[tuple[str, int]]] = {}
        for name, found in self.features.items():
            for feature, number in found.items():
                self.places.setdefault(feature, []).append((name, number))

    def find(self, query: LabelGraph, *, most: int = 10) -> list[Match]:
        """Which graphs are nearest to a query, at the level of symbols? The nearest first.

        1 - 2 |A ∩ B| / (|A| + |B|), A and B the multisets of symbols, of related pairs and of chains of two
        relations. Inherited relations do not count, and relations have one name whatever the year of the file. Among
        graphs at distance 0 those with fewer differences in their primitives (dB) come first, then the one of the
        query's own name.
        Reference: Dice, Ecology 26, 1945. doi:10.2307/1932409
        """
        asked = features(query)
        whole = asked.total()
        shared: dict[str, list[int]] = {name: [0, 0, 0] for name in self.graphs}
        for feature, number in asked.items():
            for name, times in self.places.get(feature, ()):
                shared[name][len(feature) // 2] += min(number, times)
        found = [self._match(name, whole, common) for name, common in shared.items()]
        found.sort(
            key=lambda one: (
                one.distance,
                self._beside(query, one),
                one.name != query.name,
                one.name,
            )
        )
        return found[:most]

    def _match(self, name: str, asked: int, common: list[int]) -> Match:
        own = self.sizes[name]
        whole = asked + sum(own)
        far = 1 - 2 * sum(common) / whole if whole else 0.0
        return Match(name, far, common[0], common[1], own[0], own[1])

    def _beside(self, query: LabelGraph, one: Match) -> float:
        return distance(query, self.graphs[one.name]) if one.distance == 0 else 0.0


def features(graph: LabelGraph) -> Counter[Feature]:
    """Return the symbols of a graph, its pairs of related symbols, and its chains of three, each with its number."""
    found = segments(by_star(*told_apart(graph)))
    below: dict[Group, list[tuple[str, Group]]] = {}
    for (parent, child), labels in _own_relations(found).items():
        below.setdefault(parent, []).append((_said(labels), child))
    names = {group: "|".join(sorted(labels)) for group, labels in found.objects.items()}
    counted: Counter[Feature] = Counter()
    for group, name in names.items():
        counted[name,] += 1
        for first, child in below.get(group, ()):
            counted[name, first, names[child]] += 1
            for second, far in below.get(child, ()):
                counted[name, first, names[child], second, names[far]] += 1
    return counted


def _own_relations(found: Segments) -> Mapping[tuple[Group, Group], Labels]:
    """Return the relations without those that are inherited."""
    tree = layout(found)
    if tree is None:
        return found.relations
    return {
        (parent, child): tree.mark[child]
        for parent, below in tree.children.items()
        if parent is not None
        for child in below
    }


def _said(labels: Labels) -> str:
    return side(labels) or "|".join(sorted(labels))


def _sizes(found: Counter[Feature]) -> tuple[int, int, int]:
    """Return the numbers of symbols, of related pairs and of chains."""
    numbers = [0, 0, 0]
    for feature, number in found.items():
        numbers[len(feature) // 2] += number
    return numbers[0], numbers[1], numbers[2]
