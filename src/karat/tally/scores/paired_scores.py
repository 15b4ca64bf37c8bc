"""Several systems' scores of the same items, for resamples that keep an item's scores together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import TallyError
from karat.table.distinct_rows import Rows
from karat.table.labels import ordered
from karat.table.table import Table
from karat.tally.scores.binned_curve import binning, binning_of_curves, counted
from karat.tally.scores.bins import Bins
from karat.tally.scores.curve import (
    NO_GROUPS,
    Counts,
    Curve,
    Floats,
    Ints,
    gathered,
    missing_last,
    positives,
    summed,
)
from karat.tally.sql import block_sql, key_columns, key_values, named_rows, numbers
from karat.tally.tally import tally

MOST = 1_000_000
"""Items that are held in memory; beyond, blocks of them."""
BLOCK_BINS = 2_048
"""Their ties move the end of an interval by about a hundredth of its width."""
SQL = (
    "select t, {keys}{scores}, {n} as n from {rows} where t is not null group by t, {keys}{scores}"
)
NUMBER = "select {n} as n, count(*) as stored from {rows} where t is not null"


@dataclass(frozen=True, slots=True, eq=False)
class PairedScores:
    """The distinct rows of truth and scores, a column a system, with their number; missing scores are below all."""

    systems: tuple[str, ...]
    positive: npt.NDArray[np.bool_]
    scores: Floats
    number: Ints
    weight: Floats | None = None
    """What an item of each row weighs, where items have weights."""
    cluster: Ints | None = None
    """In which cluster the items of each row are, from 0 up, where items are clustered."""
    clusters: int = 0
    """How many clusters there are in all, also outside these rows."""

    @property
    def sides(self) -> tuple[int, int]:
        """How many items are positive, and how many negative."""
        positives = int(self.number[self.positive].sum())
        return positives, int(self.number.sum()) - positives

    @property
    def amount(self) -> Counts:
        """How many items each row represents, or their weight."""
        if self.weight is None:
            return self.number
        return self.number * self.weight

    def chosen(self, rows: npt.NDArray[Any]) -> "PairedScores":
        """Return some of the rows, or all in another order."""
        return replace(
            self,
            positive=self.positive[rows],
            scores=self.scores[rows],
            number=self.number[rows],
            weight=None if self.weight is None else self.weight[rows],
            cluster=None if self.cluster is None else self.cluster[rows],
        )

    def in_order(self) -> "PairedScores":
        """Return the rows in an order that is the same on every engine, so that a seed means the same."""
        columns: list[npt.NDArray[Any]] = [*self.scores.T[::-1], self.positive]
        columns += [key for key in (self.weight, self.cluster) if key is not None]
        return self.chosen(np.lexsort(columns))

    def curve(self, system: str) -> Curve:
        """Return one system's curve: numbers of items, or sums of their weights."""
        amount = self.amount
        zero = np.zeros_like(amount)
        positive: Counts = np.where(self.positive, amount, zero)
        negative: Counts = np.where(self.positive, zero, amount)
        return gathered(self.of(system), positive, negative)

    def in_clusters(self) -> "PairedBlocks":
        """Return the scores by cluster of items, or by row where no clusters are known."""
        cluster = self.cluster
        if cluster is None:
            cluster = np.arange(len(self.number))
        amount = self.amount
        zero = np.zeros_like(amount)
        positive: Counts = np.where(self.positive, amount, zero)
        negative: Counts = np.where(self.positive, zero, amount)
        by_system = {}
        for system in self.systems:
            falling, place = np.unique(-self.of(system), return_inverse=True)
            by_system[system] = Blocks(cluster, place, positive, negative, 0.0 - falling)
        number = self.clusters or len(self.number)
        return PairedBlocks(number, by_system, what="clusters")

    def items(self) -> tuple[npt.NDArray[np.bool_], Floats]:
        """Return truth and scores of every item: each row as often as it occurs."""
        positive = np.repeat(self.positive, self.number)
        return positive, np.repeat(self.scores, self.number, axis=0)

    def item_weights(self) -> Floats | None:
        """Return what every item weighs, in the same order; None where all weigh the same."""
        if self.weight is None:
            return None
        return np.repeat(self.weight, self.number)

    def of(self, system: str) -> Floats:
        """Return one system's score in every row."""
        return self.scores[:, self.systems.index(system)]


@tally(needs="scores")
def fits_in_memory(table: Table, *, most: int) -> bool:
    """Return whether the scores of all items can be held: the items are few, or rows that represent many of them.

    Where clusters are resampled, and not items, a row is held once however many items it represents.
    """
    found = table.engine.query(NUMBER.format(n=table.rows.total, rows=table.rows.name))
    stored = int(found["stored"][0])
    if {"c", "n"} <= set(table.keys):
        return stored <= most
    return int(found["n"][0] or 0) <= most


@tally(needs="scores")
def paired_scores(table: Table, systems: Sequence[str]) -> PairedScores:
    """Count the distinct rows of truth and scores; refuse more items than are held in memory."""
    return _counted(table, systems, "cw").rows.in_order()


@tally(needs="scores")
def paired_groups(table: Table, systems: Sequence[str]) -> dict[str, PairedScores]:
    """Count the distinct rows of truth and scores, group by group; a group may have but one kind."""
    if "g" not in table.keys:
        raise TallyError(NO_GROUPS)
    counted_rows = _counted(table, systems, "gcw")
    group = key_values(table, "g", counted_rows.columns)["g"]
    by_group: dict[str, PairedScores] = {}
    for name in ordered(set(group)):
        by_group[name] = counted_rows.rows.chosen(group == name).in_order()
    return by_group


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """The rows in the order of the engine, and the columns that it counted, keys among them."""

    rows: PairedScores
    columns: Arrays


def _counted(table: Table, systems: Sequence[str], keys: str) -> _Counted:
    if not fits_in_memory(table, most=MOST):
        raise TallyError(
            f"{table.counts.items:,} items are too many to hold pair by pair, at most {MOST:,}; count them by block"
        )
    names = [f"s{table.systems.index(system)}" for system in systems]
    key_sql = "".join(f"{key}, " for key in key_columns(table, keys))
    columns = table.engine.query(
        SQL.format(scores=", ".join(names), keys=key_sql, n=table.rows.total, rows=table.rows.name)
    )
    scores = np.stack([missing_last(columns[name]) for name in names], axis=1)
    positive = positives(table, columns["t"])
    rows = PairedScores(tuple(systems), positive, scores, numbers(columns))
    values = key_values(table, keys, columns)
    if "w" in values:
        rows = replace(rows, weight=np.asarray(values["w"], float))
    if "c" in values:
        clusters, cluster = np.unique(values["c"].astype(str), return_inverse=True)
        rows = replace(rows, cluster=cluster, clusters=len(clusters))
    return _Counted(rows, columns)


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """One system's items by block and bin: bins from the highest score down, a row for each pair that occurs."""

    block: Ints
    bin: Ints
    positive: Counts
    negative: Counts
    score: Floats | None = None
    """The score of each bin, falling; None where only the order of the bins is known."""

    def curve(self) -> Curve:
        """Return the curve of all blocks."""
        return self.curve_where(np.ones(len(self.bin), np.int64))

    def curve_where(self, times: Counts) -> Curve:
        """Return the curve where each row of the counts is there so many times."""
        length = int(self.bin.max()) + 1
        positive = summed(self.bin, times * self.positive, length)
        negative = summed(self.bin, times * self.negative, length)
        score = self.score
        if score is None:
            score = -np.arange(length, dtype=np.float64)
        return Curve(score, positive, negative)


@dataclass(frozen=True, slots=True, eq=False)
class PairedBlocks:
    """Several systems' counts by block of items: an item is in the same block for all of them."""

    number: int
    systems: dict[str, Blocks]
    what: Literal["blocks of items", "blocks of clusters", "clusters"] = "blocks of items"


@tally(needs="scores")
def paired_blocks(
    table: Table,
    systems: Sequence[str],
    *,
    bins: int = BLOCK_BINS,
    curves: Mapping[str, Curve] | None = None,
) -> PairedBlocks:
    """Count the scores of several systems in bins and by block of items, for as many items as there may be.

    Blocks are those of `block_sql`, the bins those of `binned`; where the curves of all scores are known already,
    nothing more is counted to place the bins.
    """
    block = block_sql(table)
    rows = named_rows(table)
    if curves is None:
        edges = binning(table, systems, bins=bins)
    else:
        edges = binning_of_curves({system: curves[system] for system in systems}, bins=bins)
    in_blocks = Rows(f"(select *, {block} as block from {rows.name}) as in_blocks", rows.number)
    counts = counted(table, edges, by="block", rows=in_blocks)
    blocks = {system: _by_block(table, edges[system], counts[system]) for system in systems}
    names = np.unique(np.concatenate([own.block for own in blocks.values()]))
    by_system: dict[str, Blocks] = {}
    for system, own in blocks.items():
        place = np.searchsorted(names, own.block)
        score = _scores(edges[system], own.bin)
        by_system[system] = Blocks(place, own.bin, own.positive, own.negative, score)
    what: Literal["blocks of items", "blocks of clusters"] = "blocks of items"
    if "c" in table.keys:
        what = "blocks of clusters"
    return PairedBlocks(len(names), by_system, what=what)


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
    last = edges.number - 1
    return _NamedBlocks(
        block=np.ma.getdata(columns["block"]).astype(str),
        bin=last - columns["b"].astype(np.int64),
        positive=np.where(is_positive, number, 0),
        negative=np.where(is_positive, 0, number),
    )


def _scores(edges: Bins, bins: Ints) -> Floats:
    """Return the lowest score of each bin, falling; that of missing scores comes last, if there are any."""
    falling = np.append(edges.edges()[::-1], -np.inf)
    return falling[: int(bins.max()) + 1]
