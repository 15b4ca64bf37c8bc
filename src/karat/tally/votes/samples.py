"""How often each system answered each item, and how often it was right: several samples of one item stay together."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import TallyError
from karat.table.table import Table
from karat.tally.codes import MISSING, UNASKED
from karat.tally.digest import Part, digest, joined
from karat.tally.tally import marginal_tally
from karat.tally.votes.patterns import Patterns, patterns
from karat.tally.votes.right_answers import right

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class SampleCounts:
    """The samples of each item: a row an item, a column a system."""

    systems: tuple[str, ...]
    number: Whole
    """How many items a row represents: 1, unless every item has one sample."""
    taken: Whole
    """How many samples a system has of the item."""
    right: Whole
    """How many of these are right."""
    keys: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)

    def __add__(self, other: "SampleCounts") -> "SampleCounts":
        """Return the items of both."""
        if (self.systems, set(self.keys)) != (other.systems, set(other.keys)):
            raise TallyError("these samples are of other systems, or have other keys")
        keys = {name: np.concatenate([self.keys[name], other.keys[name]]) for name in self.keys}
        return replace(
            self,
            number=np.concatenate([self.number, other.number]),
            taken=np.concatenate([self.taken, other.taken]),
            right=np.concatenate([self.right, other.right]),
            keys=keys,
        )

    def chosen(self, rows: npt.NDArray[np.bool_]) -> "SampleCounts":
        """Return some of the items."""
        return replace(
            self,
            number=self.number[rows],
            taken=self.taken[rows],
            right=self.right[rows],
            keys={name: column[rows] for name, column in self.keys.items()},
        )

    def digest(self) -> str:
        """Return a short hash of the counts."""
        parts: list[Part] = [joined(self.systems), self.number, self.taken, self.right]
        for name, column in sorted(self.keys.items()):
            parts += [name, column]
        return digest(parts)


def _of_patterns(rows: Patterns, *, keys: str = "") -> SampleCounts:
    """Count the right samples of each item; without repeated answers every row is an item, or several equal ones."""
    rows = rows.marginal(f"c{keys}").filled()
    has_truth = rows.truth != MISSING
    answers = rows.answers[has_truth]
    number = rows.number[has_truth]
    is_right = right(rows.truth[has_truth], answers, rows.labels, rows.meaning)
    counts = answers != UNASKED
    if rows.meaning.missing == "skip":
        counts &= answers != MISSING
    own = {name: column[has_truth] for name, column in rows.keys.items()}
    if "c" not in own:
        return SampleCounts(
            rows.systems, number, counts.astype(np.int64), is_right.astype(np.int64), own
        )
    item_of_row, first = _items(own.pop("c"))
    size = (len(first), len(rows.systems))
    taken = np.zeros(size, np.int64)
    right_of_item = np.zeros(size, np.int64)
    np.add.at(taken, item_of_row, counts * number[:, None])
    np.add.at(right_of_item, item_of_row, is_right * number[:, None])
    keys_of_items = {name: column[first] for name, column in own.items()}
    return SampleCounts(
        rows.systems, np.ones(len(first), np.int64), taken, right_of_item, keys_of_items
    )


def _items(names: npt.NDArray[Any]) -> tuple[Whole, Whole]:
    """Return the item of each row, and the first row of each item."""
    texts = np.array([str(name) for name in names], object)
    _, first, item_of_row = np.unique(texts, return_index=True, return_inverse=True)
    return item_of_row.reshape(-1), first


@marginal_tally(_of_patterns)
def samples(table: Table, *, keys: str = "") -> SampleCounts:
    """Count the samples of every item, and those that are right."""
    return _of_patterns(patterns.of_table(table, keys=f"c{keys}"), keys=keys)
