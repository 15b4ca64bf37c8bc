"""Which parts of graphs are read as what, and in which files: the result, and examples to look at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from karat.graphs.errors.subgraph_counts import Subgraphs
from karat.graphs.formats.folder import GraphSet
from karat.graphs.formats.pairing import paired
from karat.graphs.model.structure import LabelGraph
from karat.result import Result
from karat.result.base import Row
from karat.words import counted

SHOWN = 12
"""So many confusions of each size a reader is shown."""
MOST_DRAWN = 240
"""So many outputs are drawn on a page."""


class Example(NamedTuple):
    """An output with errors, and its truth."""

    system: str
    file: str
    output: LabelGraph
    truth: LabelGraph


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GraphBrowser(Result):
    """Confusions of small parts by frequency, from each to its files."""

    tally: Subgraphs
    examples: tuple[Example, ...] = ()
    left_out: int = 0
    """Outputs with errors beside the examples."""
    undirected: bool = False
    """Whether relations have no direction."""
    about: Mapping[str, Any] = field(default_factory=dict)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per confusion: small parts first, the parts most often wrong first."""
        rows = []
        for confusion in self.tally.ordered():
            row = {
                "size": confusion.size,
                "system": confusion.system,
                "truth": confusion.truth.words(),
                "output": confusion.output.words(),
                "number": self.tally.number(confusion),
                "files": sorted(self.tally.found[confusion]),
            }
            rows.append(row)
        return rows

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the most frequent confusions of each size, a system each."""
        tables: dict[str, list[Row]] = {}
        for size in self.tally.sizes:
            rows = [row for row in self.rows() if row["size"] == size]
            rows.sort(key=lambda row: (-row["number"], row["truth"], row["output"], row["system"]))
            if rows:
                head = f"parts of {counted(size, 'object')}"
                tables[head] = [_shown(row) for row in rows[:SHOWN]]
        return tables

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what the characters mean, and what is not shown."""
        number = counted(len(self.tally.found), "confusion")
        return [
            f"The {SHOWN} most frequent of each size; {number} in all, in --json and --csv.",
            "∅: nothing; …: part of a larger object; commas separate objects that are not related.",
        ]


def _shown(row: Row) -> Row:
    first, *others = row["files"]
    more = f" and {len(others):,} more" if others else ""
    return {
        "given": row["truth"],
        "read": row["output"],
        "number": row["number"],
        "system": row["system"],
        "in": f"{first}{more}",
    }


def examples(
    tally: Subgraphs, truth: GraphSet, systems: Sequence[GraphSet], *, most: int = MOST_DRAWN
) -> tuple[tuple[Example, ...], int]:
    """Return outputs with errors to look at, and how many more there are.

    In rounds: each takes an output of every confusion, of the most frequent one first, that is not taken yet.
    """
    confusions = sorted(tally.found, key=lambda each: (-tally.number(each), each))
    outputs_of = {}
    wrong: set[tuple[str, str]] = set()
    for confusion in confusions:
        own = [(confusion.system, file) for file in sorted(tally.found[confusion])]
        outputs_of[confusion] = own
        wrong.update(own)
    number = min(most, len(wrong))
    chosen: set[tuple[str, str]] = set()
    while len(chosen) < number:
        for own in outputs_of.values():
            free = next((output for output in own if output not in chosen), None)
            if free is not None and len(chosen) < number:
                chosen.add(free)
    outputs = []
    for system in systems:
        own_name = paired(truth, system)
        for file in sorted(file for name, file in chosen if name == system.name):
            output = system.graph(own_name[file])
            outputs.append(Example(system.name, file, output, truth.graphs[file]))
    return tuple(outputs), len(wrong) - len(outputs)
