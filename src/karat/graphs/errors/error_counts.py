"""Counts of wrong labels: which are confused, and which systems have the same ones wrong."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from karat.graphs.compare.comparison import PreparedGraph
from karat.graphs.compare.label_errors import wrong_edges, wrong_nodes, wrong_objects
from karat.graphs.compare.rules import Rules
from karat.graphs.compare.table import expressions
from karat.graphs.compare.unit_rows import label_text
from karat.graphs.formats.folder import GraphSet

KINDS = ("primitive", "pair", "object")
"""What may be wrong."""
Place = tuple[str, ...]
"""A primitive, a pair, or the primitives of an object."""
Wrong = Mapping[Place, tuple[str, str]]
"""The labels of output and truth of everything that is wrong in one graph, by its place."""
FourCounts = tuple[int, int, int, int]
"""Of two systems' errors: the same in both, others in both, only in the first, only in the second."""


@dataclass(frozen=True, slots=True)
class GraphErrors:
    """Wrong labels of several systems."""

    systems: tuple[str, ...]
    confusions: Mapping[tuple[str, str, str, str], int]
    """By system, kind, the truth's label and the output's."""
    shared: Mapping[tuple[str, tuple[str, ...]], int]
    """By kind and the systems that have it wrong."""
    pairs: Mapping[tuple[str, str, str], FourCounts]
    """By kind and two systems."""
    files: Mapping[tuple[str, ...], int]
    """In how many expressions these systems, and no others, have something wrong."""

    def __add__(self, other: "GraphErrors") -> "GraphErrors":
        """Return the errors of both, made by the same systems."""
        return GraphErrors(
            self.systems,
            Counter(self.confusions) + Counter(other.confusions),
            Counter(self.shared) + Counter(other.shared),
            {key: _sum(mine, other.pairs[key]) for key, mine in self.pairs.items()},
            Counter(self.files) + Counter(other.files),
        )


def graph_errors(truth: GraphSet, systems: Sequence[GraphSet], rules: Rules) -> GraphErrors:
    """Count the labels of primitives, pairs and objects that are wrong, and which systems have them wrong."""
    errors = _Errors(tuple(one.name for one in systems))
    for _, (wanted, *outputs) in expressions(truth, systems, rules):
        errors.add([_wrong(output, wanted, rules) for output in outputs])
    return GraphErrors(errors.systems, errors.confusions, errors.shared, errors.pairs, errors.files)


class _Errors:
    """Wrong labels as they are counted, one expression after the other."""

    def __init__(self, systems: tuple[str, ...]) -> None:
        self.systems = systems
        self.confusions: Counter[tuple[str, str, str, str]] = Counter()
        self.shared: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self.files: Counter[tuple[str, ...]] = Counter()
        self.pairs: dict[tuple[str, str, str], FourCounts] = {}
        for kind in KINDS:
            for first, second in combinations(systems, 2):
                self.pairs[kind, first, second] = (0, 0, 0, 0)

    def add(self, errors: Sequence[Mapping[str, Wrong]]) -> None:
        """Count an expression: what each system has wrong, by kind."""
        by_system = dict(zip(self.systems, errors, strict=True))
        for kind in KINDS:
            self._add_kind(kind, {name: wrong[kind] for name, wrong in by_system.items()})
        self.files[tuple(name for name, wrong in by_system.items() if any(wrong.values()))] += 1

    def _add_kind(self, kind: str, wrong: Mapping[str, Wrong]) -> None:
        for name, labels in wrong.items():
            for output_label, truth_label in labels.values():
                self.confusions[name, kind, truth_label, output_label] += 1
        for having in _systems_by_place(wrong).values():
            self.shared[kind, tuple(having)] += 1
        for first, second in combinations(self.systems, 2):
            counts = _compared(wrong[first], wrong[second])
            self.pairs[kind, first, second] = _sum(self.pairs[kind, first, second], counts)


def _wrong(output: PreparedGraph, truth: PreparedGraph, rules: Rules) -> dict[str, Wrong]:
    """Return what is wrong in a graph, by kind and place."""
    nodes: Wrong = {
        (one.place,): (label_text(one.output), label_text(one.truth))
        for one in wrong_nodes(output, truth)
    }
    edges: Wrong = {
        one.place: (label_text(one.output), label_text(one.truth))
        for one in wrong_edges(output, truth, rules)
    }
    objects = {
        one.place: (label_text(one.output), label_text(one.truth))
        for one in wrong_objects(output, truth)
    }
    return {"primitive": nodes, "pair": edges, "object": objects}


def _systems_by_place(wrong: Mapping[str, Wrong]) -> dict[Place, list[str]]:
    """Return for every place at which something is wrong the systems that have it wrong."""
    systems: dict[Place, list[str]] = {}
    for name, places in wrong.items():
        for place in places:
            systems.setdefault(place, []).append(name)
    return systems


def _compared(first: Wrong, second: Wrong) -> FourCounts:
    both = first.keys() & second.keys()
    same = sum(first[place][0] == second[place][0] for place in both)
    return same, len(both) - same, len(first) - len(both), len(second) - len(both)


def _sum(one: FourCounts, other: FourCounts) -> FourCounts:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]
