"""What several systems say of the same items, for resamples that keep an item's scores together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import TallyError
from karat.table.labels import ordered
from karat.table.table import Table
from karat.tally.codes import block_sql, frequency, key_values
from karat.tally.scores.binned_curve import binning, counted
from karat.tally.scores.curve import NO_GROUPS, Curve, Floats, Ints, missing_last, positives
from karat.tally.tally import tally

MOST = 1_000_000
"""Items that are held in memory; beyond, blocks of them."""
BLOCK_BINS = 4_096
SQL = "select t, {keys} {scores}, {n} as n from answers where t is not null group by t, {keys} {scores}"
NUMBER = "select {n} as n from answers where t is not null"


@dataclass(frozen=True, slots=True, eq=False)
class PairedScores:
    """The distinct rows of truth and scores, a column a system, with their number; missing scores are below all."""

    systems: tuple[str, ...]
    positive: npt.NDArray[np.bool_]
    scores: Floats
    number: Ints

    def items(self) -> tuple[npt.NDArray[np.bool_], Floats]:
        """Return truth and scores of every item: each row as often as it occurs."""
        return np.repeat(self.positive, self.number), np.repeat(self.scores, self.number, axis=0)

    def of(self, system: str) -> Floats:
        """Return one system's score in every row."""
        return self.scores[:, self.systems.index(system)]


@tally(needs="scores")
def paired_scores(table: Table, systems: Sequence[str]) -> PairedScores:
    """Count the distinct rows of truth and scores; refuse more items than are held in memory."""
    return _sorted(tuple(systems), *_counted(table, systems, "")[1:])


@tally(needs="scores")
def paired_groups(table: Table, systems: Sequence[str]) -> dict[str, PairedScores]:
    """Count the distinct rows of truth and scores, group by group; a group may have but one kind."""
    if "g" not in table.keys:
        raise TallyError(NO_GROUPS)
    found, *columns = _counted(table, systems, "g, ")
    group = key_values(table, "g", found)["g"]
    parts = {name: group == name for name in ordered(set(group))}
    return {
        name: _sorted(tuple(systems), *(column[own] for column in columns))
        for name, own in parts.items()
    }


def _counted(
    table: Table, systems: Sequence[str], keys: str
) -> tuple[Arrays, npt.NDArray[np.bool_], Floats, Ints]:
    number = int(table.engine.query(NUMBER.format(n=frequency(table)))["n"][0])
    if number > MOST:
        raise TallyError(
            f"{number:,} items are too many to hold pair by pair, at most {MOST:,}; count them by block"
        )
    names = [f"s{table.systems.index(system)}" for system in systems]
    found = table.engine.query(SQL.format(scores=", ".join(names), keys=keys, n=frequency(table)))
    scores = np.stack([missing_last(found[name]) for name in names], axis=1)
    return found, positives(table, found["t"]), scores, np.ma.getdata(found["n"]).astype(np.int64)


def _sorted(
    systems: tuple[str, ...], yes: npt.NDArray[np.bool_], scores: Floats, number: Ints
) -> PairedScores:
    order = np.lexsort(
        (*scores.T[::-1], yes)
    )  # the same on every engine, so that a seed means the same
    return PairedScores(systems, yes[order], scores[order], number[order])


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """One system's items by block and bin: bins from the highest score down, a row for each pair that occurs."""

    block: Ints
    bin: Ints
    positive: Ints
    negative: Ints

    def curve(self) -> Curve:
        """Return the curve of all blocks; its scores are the numbers of the bins, falling."""
        length = int(self.bin.max()) + 1
        kinds = (self.positive, self.negative)
        sums = [np.bincount(self.bin, part, minlength=length).astype(np.int64) for part in kinds]
        return Curve(-np.arange(length, dtype=np.float64), sums[0], sums[1])


@dataclass(frozen=True, slots=True, eq=False)
class PairedBlocks:
    """Several systems' counts by block of items: an item is in the same block for all of them."""

    number: int
    systems: dict[str, Blocks]


@tally(needs="scores")
def paired_blocks(table: Table, systems: Sequence[str], *, bins: int = BLOCK_BINS) -> PairedBlocks:
    """Count the scores of several systems in bins and by block of items, for as many items as there may be.

    Blocks are those of `block_sql`, the bins those of `binned`.
    """
    block = block_sql(table)
    found = {system: _blocks(table, system, block, bins) for system in systems}
    names = np.unique(np.concatenate([blocks for blocks, _ in found.values()]))
    return PairedBlocks(
        len(names),
        {
            system: Blocks(np.searchsorted(names, blocks), *rows)
            for system, (blocks, rows) in found.items()
        },
    )


def _blocks(
    table: Table, system: str, block: str, bins: int
) -> tuple[npt.NDArray[Any], tuple[Ints, Ints, Ints]]:
    cut = binning(table, system, bins=bins)
    found = counted(table, system, cut, columns={"block": block})
    yes, number = positives(table, found["t"]), np.ma.getdata(found["n"]).astype(np.int64)
    place = int(cut.parts.sum()) - 1 - found["b"].astype(np.int64)
    return np.ma.getdata(found["block"]).astype(str), (
        place,
        np.where(yes, number, 0),
        np.where(yes, 0, number),
    )
