"""What is counted of small parts of graphs: which part of the truth is read as what, and in which files."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.errors import OptionError, TallyError
from karat.graphs.compare.rules import Rules, prepare, prepared
from karat.graphs.errors.subgraphs import Shape, confused
from karat.graphs.formats.folder import GraphSet, paired

SIZES = (1, 2, 3)
LARGEST = 5
Confusion = tuple[str, int, Shape, Shape]
"""A system, the number of objects, what they are and what the system has instead."""


@dataclass(frozen=True, slots=True)
class Subgraphs:
    """How often each part is read as something else, by file."""

    systems: tuple[str, ...]
    sizes: tuple[int, ...]
    found: Mapping[Confusion, Mapping[str, int]]
    """The number in each file."""

    def __add__(self, other: "Subgraphs") -> "Subgraphs":
        """Return the counts of both."""
        if self.sizes != other.sizes:
            raise TallyError(
                f"parts of {self.sizes} and {other.sizes} objects cannot be added; count them alike"
            )
        found = {key: Counter(files) for key, files in self.found.items()}
        for key, files in other.found.items():
            found.setdefault(key, Counter()).update(files)
        return Subgraphs(tuple(dict.fromkeys((*self.systems, *other.systems))), self.sizes, found)

    def number(self, key: Confusion) -> int:
        """Return how often a confusion occurs."""
        return sum(self.found[key].values())

    def ordered(self) -> list[Confusion]:
        """Return the confusions: small parts first, the parts most often wrong first, then what they are read as."""
        wrong: Counter[tuple[int, Shape]] = Counter()
        for key in self.found:
            wrong[key[1], key[2]] += self.number(key)
        places = {name: place for place, name in enumerate(self.systems)}
        return sorted(
            self.found,
            key=lambda key: (
                key[1],
                -wrong[key[1], key[2]],
                key[2],
                -self.number(key),
                key[3],
                places[key[0]],
            ),
        )


def subgraphs(
    truth: GraphSet, systems: Sequence[GraphSet], rules: Rules, *, sizes: Sequence[int] = SIZES
) -> Subgraphs:
    """Count which parts of the truth each system has wrong, and what it has instead.

    Objects are those of the paper, whatever the semantics; relations are inherited first if the rules say so,
    and of sets of labels those count that the rules name.
    """
    for size in sizes:
        if not 1 <= size <= LARGEST:
            raise OptionError(
                f"parts of {size} objects are not counted; take sizes from 1 to {LARGEST}"
            )
    plain = Rules(
        inherit=rules.inherit, labels="best" if rules.labels == "expected" else rules.labels
    )
    wanted = {name: prepare(graph, plain) for name, graph in truth.graphs.items()}
    found: dict[Confusion, Counter[str]] = {}
    for system in systems:
        for name, other in paired(truth, system).items():
            output = prepared(system.graph(other), wanted[name], plain)
            for size in sizes:
                for target, instead in confused(output, wanted[name], size):
                    found.setdefault((system.name, size, target, instead), Counter())[name] += 1
    return Subgraphs(tuple(one.name for one in systems), tuple(sizes), found)
