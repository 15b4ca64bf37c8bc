"""Several systems' scores of the same items, for resamples that keep an item's scores together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import TallyError
from karat.table.distinct_rows import Rows
from karat.table.labels import ordered
from karat.table.table import Table
from karat.tally.scores.binned_curve import Bins, binning, counted
from karat.tally.scores.curve import NO_GROUPS, Curve, Floats, Ints, missing_last, positives
from karat.tally.sql import block_sql, key_values, named_rows, numbers
from karat.tally.tally import tally

MOST = 1_000_000
"""Items that are held in memory; beyond, blocks of them."""
BLOCK_BINS = 4_096
SQL = "select t, {keys} {scores}, {n} as n from {rows} where t is not null group by t, {keys} {scores}"
NUMBER = "select {n} as n from {rows} where t is not null"


@dataclass(frozen=True, slots=True, eq=False)
class PairedScores:
    """The distinct rows of truth and scores, a column a system, with their number; missing scores are below all."""

    systems: tuple[str, ...]
    positive: npt.NDArray[np.bool_]
    scores: Floats
    number: Ints

    def items(self) -> tuple[npt.NDArray[np.bool_], Floats]:
        """Return truth and scores of every item: each row as often as it occurs."""
        positive = np.repeat(self.positive, self.number)
        return positive, np.repeat(self.scores, self.number, axis=0)

    def of(self, system: str) -> Floats:
        """Return one system's score in every row."""
        return self.scores[:, self.systems.index(system)]


@tally(needs="scores")
def paired_scores(table: Table, systems: Sequence[str]) -> PairedScores:
    """Count the distinct rows of truth and scores; refuse more items than are held in memory."""
    return _sorted(_counted(table, systems, "").rows)


@tally(needs="scores")
def paired_groups(table: Table, systems: Sequence[str]) -> dict[str, PairedScores]:
    """Count the distinct rows of truth and scores, group by group; a group may have but one kind."""
    if "g" not in table.keys:
        raise TallyError(NO_GROUPS)
    counted_rows = _counted(table, systems, "g, ")
    rows = counted_rows.rows
    group = key_values(table, "g", counted_rows.columns)["g"]
    by_group: dict[str, PairedScores] = {}
    for name in ordered(set(group)):
        own = group == name
        part = PairedScores(rows.systems, rows.positive[own], rows.scores[own], rows.number[own])
        by_group[name] = _sorted(part)
    return by_group


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """The rows in the order of the engine, and the columns that it counted, keys among them."""

    rows: PairedScores
    columns: Arrays


def _counted(table: Table, systems: Sequence[str], keys: str) -> _Counted:
    number = int(
        table.engine.query(NUMBER.format(n=table.rows.total, rows=table.rows.name))["n"][0]
    )
    if number > MOST:
        raise TallyError(
            f"{number:,} items are too many to hold pair by pair, at most {MOST:,}; count them by block"
        )
    names = [f"s{table.systems.index(system)}" for system in systems]
    columns = table.engine.query(
        SQL.format(scores=", ".join(names), keys=keys, n=table.rows.total, rows=table.rows.name)
    )
    scores = np.stack([missing_last(columns[name]) for name in names], axis=1)
    positive = positives(table, columns["t"])
    return _Counted(PairedScores(tuple(systems), positive, scores, numbers(columns)), columns)


def _sorted(rows: PairedScores) -> PairedScores:
    """Return the rows in an order that is the same on every engine, so that a seed means the same."""
    order = np.lexsort((*rows.scores.T[::-1], rows.positive))
    return PairedScores(rows.systems, rows.positive[order], rows.scores[order], rows.number[order])


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
        positive = np.bincount(self.bin, self.positive, minlength=length).astype(np.int64)
        negative = np.bincount(self.bin, self.negative, minlength=length).astype(np.int64)
        return Curve(-np.arange(length, dtype=np.float64), positive, negative)


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
    rows = named_rows(table)
    edges = binning(table, systems, bins=bins)
    in_blocks = Rows(f"(select *, {block} as block from {rows.name}) as in_blocks", rows.number)
    counts = counted(table, edges, by="block", rows=in_blocks)
    blocks = {system: _by_block(table, edges[system], counts[system]) for system in systems}
    names = np.unique(np.concatenate([own.block for own in blocks.values()]))
    by_system: dict[str, Blocks] = {}
    for system, own in blocks.items():
        place = np.searchsorted(names, own.block)
        by_system[system] = Blocks(place, own.bin, own.positive, own.negative)
    return PairedBlocks(len(names), by_system)


@dataclass(frozen=True, slots=True, eq=False)
class _NamedBlocks:
    """As `Blocks`, with the names of the blocks in the place of their numbers."""

    block: npt.NDArray[Any]
    bin: Ints
    positive: Ints
    negative: Ints


def _by_block(table: Table, edges: Bins, columns: Arrays) -> _NamedBlocks:
    is_positive = positives(table, columns["t"])
    number = numbers(columns)
    last = int(edges.parts.sum()) - 1
    return _NamedBlocks(
        block=np.ma.getdata(columns["block"]).astype(str),
        bin=last - columns["b"].astype(np.int64),
        positive=np.where(is_positive, number, 0),
        negative=np.where(is_positive, 0, number),
    )
