"""What is counted of wrong labels: which stands for which, and which systems have the same ones wrong."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from karat.graphs.compare.rules import Prepared, Rules, prepare, prepared
from karat.graphs.compare.table import text
from karat.graphs.errors.label_errors import wrong_edges, wrong_nodes, wrong_objects
from karat.graphs.formats.folder import GraphSet, paired

KINDS = ("primitive", "pair", "object")
"""What may be wrong."""
Wrong = Mapping[tuple[str, ...], tuple[str, str]]
"""The labels of output and truth of everything that is wrong in one graph, by its place."""


@dataclass(frozen=True, slots=True)
class GraphErrors:
    """Wrong labels of several systems."""

    systems: tuple[str, ...]
    confusions: Mapping[tuple[str, str, str, str], int]
    """By system, kind, the truth's label and the output's."""
    shared: Mapping[tuple[str, tuple[str, ...]], int]
    """By kind and the systems that have it wrong."""
    pairs: Mapping[tuple[str, str, str], tuple[int, int, int, int]]
    """By kind and two systems: wrong alike in both, otherwise in both, in the first alone, in the second alone."""
    files: Mapping[tuple[str, ...], int]
    """In how many expressions these systems, and no others, have something wrong."""

    def __add__(self, other: "GraphErrors") -> "GraphErrors":
        """Return the errors of both, made by the same systems."""
        sums = {
            key: _four([one + two for one, two in zip(mine, other.pairs[key], strict=True)])
            for key, mine in self.pairs.items()
        }
        return GraphErrors(
            self.systems,
            Counter(self.confusions) + Counter(other.confusions),
            Counter(self.shared) + Counter(other.shared),
            sums,
            Counter(self.files) + Counter(other.files),
        )


def graph_errors(truth: GraphSet, systems: Sequence[GraphSet], rules: Rules) -> GraphErrors:
    """Count the labels of primitives, pairs and objects that are wrong, and who has them wrong together."""
    names = tuple(one.name for one in systems)
    confusions: Counter[tuple[str, str, str, str]] = Counter()
    shared: Counter[tuple[str, tuple[str, ...]]] = Counter()
    files: Counter[tuple[str, ...]] = Counter()
    pairs = {(kind, *two): [0, 0, 0, 0] for kind in KINDS for two in combinations(names, 2)}
    partners = [paired(truth, one) for one in systems]
    for file, graph in truth.graphs.items():
        wanted = prepare(graph, rules)
        outputs = [one.graph(other[file]) for one, other in zip(systems, partners, strict=True)]
        found = [_wrong(prepared(output, wanted, rules), wanted, rules) for output in outputs]
        for kind in KINDS:
            cells = [wrong[kind] for wrong in found]
            for name, wrong in zip(names, cells, strict=True):
                confusions.update((name, kind, theirs, ours) for ours, theirs in wrong.values())
            shared.update(_together(kind, names, cells))
            for (first, one), (second, two) in combinations(zip(names, cells, strict=True), 2):
                _count(pairs[kind, first, second], one, two)
        files.update(
            [tuple(name for name, wrong in zip(names, found, strict=True) if any(wrong.values()))]
        )
    counted = {key: _four(numbers) for key, numbers in pairs.items()}
    return GraphErrors(names, confusions, shared, counted, files)


def _wrong(output: Prepared, truth: Prepared, rules: Rules) -> dict[str, Wrong]:
    """Return what is wrong in a graph, by kind and place."""
    return {
        "primitive": {
            (str(one.place),): (text(one.output), text(one.truth))
            for one in wrong_nodes(output, truth)
        },
        "pair": {
            (*one.place,): (text(one.output), text(one.truth))
            for one in wrong_edges(output, truth, rules)
        },
        "object": {
            one.place: (text(one.output), text(one.truth)) for one in wrong_objects(output, truth)
        },
    }


def _together(
    kind: str, names: Sequence[str], cells: Sequence[Wrong]
) -> Counter[tuple[str, tuple[str, ...]]]:
    places = dict.fromkeys(place for wrong in cells for place in wrong)
    return Counter(
        (kind, tuple(name for name, wrong in zip(names, cells, strict=True) if place in wrong))
        for place in places
    )


def _four(numbers: Sequence[int]) -> tuple[int, int, int, int]:
    alike, otherwise, first, second = numbers
    return alike, otherwise, first, second


def _count(four: list[int], one: Wrong, two: Wrong) -> None:
    both = one.keys() & two.keys()
    alike = sum(one[place][0] == two[place][0] for place in both)
    for place, number in enumerate(
        (alike, len(both) - alike, len(one) - len(both), len(two) - len(both))
    ):
        four[place] += number
