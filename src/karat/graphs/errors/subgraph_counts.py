"""What is counted of small parts of graphs: which part of the truth is read as what, and in which files."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from karat.errors import OptionError, TallyError
from karat.graphs.compare.rules import Rules
from karat.graphs.compare.table import expressions
from karat.graphs.errors.subgraphs import Shape, confused
from karat.graphs.formats.folder import GraphSet

SIZES = (1, 2, 3)
LARGEST = 5


class PartConfusion(NamedTuple):
    """What a system has instead of a part of the truth."""

    system: str
    size: int
    """The number of objects."""
    truth: Shape
    output: Shape


@dataclass(frozen=True, slots=True)
class Subgraphs:
    """How often each part is read as something else, by file."""

    systems: tuple[str, ...]
    sizes: tuple[int, ...]
    found: Mapping[PartConfusion, Mapping[str, int]]
    """The number in each file."""

    def __add__(self, other: "Subgraphs") -> "Subgraphs":
        """Return the counts of both."""
        if self.sizes != other.sizes:
            raise TallyError(
                f"parts of {self.sizes} and {other.sizes} objects cannot be added; count parts of the same sizes"
            )
        counts = {confusion: Counter(files) for confusion, files in self.found.items()}
        for confusion, files in other.found.items():
            counts.setdefault(confusion, Counter()).update(files)
        systems = dict.fromkeys((*self.systems, *other.systems))
        return Subgraphs(tuple(systems), self.sizes, counts)

    def number(self, confusion: PartConfusion) -> int:
        """Return how often a confusion occurs."""
        return sum(self.found[confusion].values())

    def ordered(self) -> list[PartConfusion]:
        """Return the confusions: small parts first, the parts most often wrong first, then what they are read as."""
        wrong: Counter[tuple[int, Shape]] = Counter()
        for confusion in self.found:
            wrong[confusion.size, confusion.truth] += self.number(confusion)

        def order(confusion: PartConfusion) -> tuple[int, int, Shape, int, Shape, int]:
            return (
                confusion.size,
                -wrong[confusion.size, confusion.truth],
                confusion.truth,
                -self.number(confusion),
                confusion.output,
                self.systems.index(confusion.system),
            )

        return sorted(self.found, key=order)


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
    labels = "best" if rules.labels == "expected" else rules.labels
    plain = Rules(inherit=rules.inherit, labels=labels, undirected=rules.undirected)
    counts: dict[PartConfusion, Counter[str]] = {}
    for file, (wanted, *outputs) in expressions(truth, systems, plain):
        for system, output in zip(systems, outputs, strict=True):
            for size in sizes:
                for part, instead in confused(output, wanted, size):
                    confusion = PartConfusion(system.name, size, part, instead)
                    counts.setdefault(confusion, Counter())[file] += 1
    return Subgraphs(tuple(one.name for one in systems), tuple(sizes), counts)
