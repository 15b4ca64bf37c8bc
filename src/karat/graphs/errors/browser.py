"""Which parts of graphs are read as what, and in which files: the result, and examples to look at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from karat.graphs.errors.subgraph_counts import Subgraphs
from karat.graphs.formats.folder import GraphSet, paired
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


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphBrowser(Result):
    """Confusions of small parts by frequency, from each to its files."""

    tally: Subgraphs
    examples: tuple[Example, ...] = ()
    left_out: int = 0
    """Outputs with errors beside the examples."""
    about: Mapping[str, Any] = field(default_factory=dict)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per confusion: small parts first, the parts most often wrong first."""
        return [
            {
                "size": key[1],
                "system": key[0],
                "truth": key[2].words(),
                "output": key[3].words(),
                "number": self.tally.number(key),
                "files": sorted(self.tally.found[key]),
            }
            for key in self.tally.ordered()
        ]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the most frequent confusions of each size, a system each."""
        found: dict[str, list[Row]] = {}
        for size in self.tally.sizes:
            rows = sorted(
                (row for row in self.rows() if row["size"] == size),
                key=lambda row: (-row["number"], row["truth"], row["output"], row["system"]),
            )
            if rows:
                found[f"parts of {counted(size, 'object')}"] = [_shown(row) for row in rows[:SHOWN]]
        return found

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what the signs mean, and what is not shown."""
        many = len(self.tally.found)
        said = [
            f"The {SHOWN} most frequent of each size; {counted(many, 'confusion')} in all, in --json and --csv."
        ]
        said.append(
            "∅: nothing; …: part of a larger object; commas part objects that are not related."
        )
        return said


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
    """Return outputs with errors to look at, and how many there are beside them.

    Every confusion has its turn, the most frequent first: each round takes the first output of it that is not yet
    taken.
    """
    rest = {
        key: sorted(tally.found[key])
        for key in sorted(tally.found, key=lambda key: (-tally.number(key), key))
    }
    wrong = {(key[0], file) for key, files in rest.items() for file in files}
    taken: dict[tuple[str, str], None] = {}
    while len(taken) < min(most, len(wrong)):
        for key, files in rest.items():
            free = next((file for file in files if (key[0], file) not in taken), None)
            if free is not None and len(taken) < most:
                taken[key[0], free] = None
    by_name = {one.name: one for one in systems}
    names = {one.name: paired(truth, one) for one in systems}
    found = tuple(
        Example(system, file, by_name[system].graph(names[system][file]), truth.graphs[file])
        for system, file in sorted(taken, key=lambda pair: (list(by_name).index(pair[0]), pair[1]))
    )
    return found, len(wrong) - len(found)
