"""The graphs most similar to a given one, whatever their primitives are."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from karat.errors import InputError
from karat.graphs.compare.distance import distance
from karat.graphs.model.grid_levels import without_shared_strokes
from karat.graphs.model.labelling import Labels, by_star
from karat.graphs.model.layout import layout
from karat.graphs.model.scenes.boxes import side
from karat.graphs.model.segments import Group, Segments, segments
from karat.graphs.model.structure import LabelGraph

Feature = tuple[str, ...]


class GraphMatch(NamedTuple):
    """A graph, and what it has in common with the query."""

    name: str
    distance: float
    shared_symbols: int
    shared_relations: int
    symbols: int
    relations: int


class GraphSearch:
    """Graphs in which others can be looked up: by symbols, pairs of related symbols and chains of three."""

    def __init__(self, graphs: Mapping[str, LabelGraph]) -> None:
        if not graphs:
            raise InputError("there are no graphs to search; name a folder that holds some")
        self.graphs = graphs
        self.features = {name: features(graph) for name, graph in graphs.items()}
        self.sizes = {name: _sizes(counts) for name, counts in self.features.items()}
        self.places: dict[Feature, list[tuple[str, int]]] = {}
        """The graphs that have a feature, and how often."""
        for name, counts in self.features.items():
            for feature, number in counts.items():
                self.places.setdefault(feature, []).append((name, number))

    def find(self, query: LabelGraph, *, most: int = 10) -> list[GraphMatch]:
        """Which graphs are nearest to a query, at the level of symbols? The nearest first.

        1 - 2 |A ∩ B| / (|A| + |B|), A and B the multisets of symbols, of related pairs and of chains of two
        relations. Inherited relations do not count, and relations have one name whatever the year of the file. Among
        graphs at distance 0 those with fewer differences in their primitives (dB) come first, then the one of the
        query's own name.
        Reference: Dice, Ecology 26, 1945. doi:10.2307/1932409
        """
        wanted = features(query)
        shared: dict[str, list[int]] = {name: [0, 0, 0] for name in self.graphs}
        for feature, number in wanted.items():
            for name, times in self.places.get(feature, ()):
                shared[name][_length(feature)] += min(number, times)

        def nearest_first(match: GraphMatch) -> tuple[float, float, bool, str]:
            beside = 0.0
            if match.distance == 0:
                beside = distance(query, self.graphs[match.name])
            return match.distance, beside, match.name != query.name, match.name

        matches = [self._match(name, wanted.total(), common) for name, common in shared.items()]
        matches.sort(key=nearest_first)
        return matches[:most]

    def _match(self, name: str, query_size: int, common: list[int]) -> GraphMatch:
        own = self.sizes[name]
        whole = query_size + sum(own)
        far = 1 - 2 * sum(common) / whole if whole else 0.0
        return GraphMatch(
            name=name,
            distance=far,
            shared_symbols=common[0],
            shared_relations=common[1],
            symbols=own[0],
            relations=own[1],
        )


def features(graph: LabelGraph) -> Counter[Feature]:
    """Return the symbols of a graph, its pairs of related symbols, and its chains of three, each with its number."""
    (flat,) = without_shared_strokes(graph)
    written = segments(by_star(flat))
    below: dict[Group, list[tuple[str, Group]]] = {}
    for (parent, child), labels in _own_relations(written).items():
        below.setdefault(parent, []).append((_relation_name(labels), child))
    names = {group: "|".join(sorted(labels)) for group, labels in written.objects.items()}
    counts: Counter[Feature] = Counter()
    for group, name in names.items():
        counts[name,] += 1
        for first, child in below.get(group, ()):
            counts[name, first, names[child]] += 1
            for second, far in below.get(child, ()):
                counts[name, first, names[child], second, names[far]] += 1
    return counts


def _own_relations(written: Segments) -> Mapping[tuple[Group, Group], Labels]:
    """Return the relations without those that are inherited."""
    tree = layout(written)
    if tree is None:
        return written.relations
    relations = {}
    for parent, children in tree.children.items():
        if parent is not None:
            for child in children:
                relations[parent, child] = tree.mark[child]
    return relations


def _relation_name(labels: Labels) -> str:
    return side(labels) or "|".join(sorted(labels))


def _sizes(counts: Counter[Feature]) -> tuple[int, int, int]:
    """Return the numbers of symbols, of related pairs and of chains."""
    numbers = [0, 0, 0]
    for feature, number in counts.items():
        numbers[_length(feature)] += number
    return numbers[0], numbers[1], numbers[2]


def _length(feature: Feature) -> int:
    """Return how many relations a feature has: 0 of a symbol, 1 of a pair, 2 of a chain."""
    return len(feature) // 2
