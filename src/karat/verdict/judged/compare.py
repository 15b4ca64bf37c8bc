"""Is one system better than another, from a few checked items and a judge of all: verdicts, and what to label next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from karat.doubt.consensus.stratified_difference import (
    Strata,
    p_not_above,
    stratified_difference,
)
from karat.planning.labels import further_labels
from karat.result.base import Row
from karat.verdict.compare.compare import pairs_to_compare, verdicts
from karat.verdict.compare.comparison import UNDECIDED, Comparison
from karat.verdict.compare.comparison_options import ComparisonOptions
from karat.verdict.compare.evidence_parts import Evidence, Pair
from karat.verdict.compare.groups import not_significantly_different
from karat.verdict.compare.legend import legend
from karat.verdict.compare.measure_ranking import MeasureRanking
from karat.verdict.compare.result import ComparisonResult
from karat.verdict.judged.items import JudgedItems
from karat.verdict.judged.record import JudgeRecord
from karat.verdict.judged.scores import ACCURACY, JudgedSystem

NEXT = 20
"""So many items are named that may be labelled next."""
SHOWN = 5
"""So many of them on a terminal."""


@dataclass(frozen=True, slots=True)
class LabelNext:
    """Items to label next, drawn at random from those on which two systems differ."""

    first: str
    second: str
    of: int
    items: tuple[str, ...]
    graded: bool = False
    """Whether outputs are graded, so that every item tells something, not only those on which the two differ."""

    def row(self) -> dict[str, Any]:
        """Return it as it stands beside the rows."""
        return {
            "first": self.first,
            "second": self.second,
            "of": self.of,
            "items": list(self.items),
        }

    def words(self) -> str:
        """Return what to label next, in words."""
        pair = f"{self.first!r} and {self.second!r}"
        if not self.items:
            return f"Every item that can tell {pair} apart has been looked at by people."
        shown = ", ".join(self.items[:SHOWN])
        more = " ..." if len(self.items) > SHOWN else ""
        named = (
            f"{shown}{more} (--json has {len(self.items)}, for every undecided pair of neighbours)"
        )
        if self.graded:
            return (
                f"Grade next, for {pair}, both outputs of items drawn at random from the {self.of:,} of which people "
                f"have not graded both: {named}."
            )
        return (
            f"Label next, for {pair}, items drawn at random from the {self.of:,} without truth on which they differ: "
            f"{named}. Labels so chosen serve these two; for values and other pairs they are not a random sample."
        )


def compare_judged(
    items: JudgedItems, systems: Sequence[JudgedSystem], options: ComparisonOptions
) -> tuple[list[Comparison], MeasureRanking]:
    """Return every comparison of two accuracies, and the ranking they are about."""
    order = [one.system for one in systems]
    pairs = pairs_to_compare(items.systems, order, options.baseline)
    strata = items.strata(pairs)
    value_of = {one.system: one.value for one in systems}
    known = [value_of[name] for name in items.systems]
    evidence = _evidence(strata, options)
    decided = verdicts(items.systems, pairs, ACCURACY, known, evidence, options)
    comparisons = _with_labels(decided, strata, options)
    if not items.alike_tells_nothing:
        comparisons = [replace(one, differ=None) for one in comparisons]
    return comparisons, _ranking(order, value_of, comparisons, options)


def _evidence(strata: Strata, options: ComparisonOptions) -> Evidence:
    found = stratified_difference(strata, level=options.level)
    no_worse = None
    if options.margin is not None:
        first = p_not_above(strata, -options.margin)
        second = p_not_above(strata.turned(), -options.margin)
        no_worse = (first, second)
    # Of two that differ on some items, none of which was checked, nothing is known.
    unchecked = (strata.checked.sum(axis=-1) == 0) & (strata.items.sum(axis=-1) > 0)
    difference = np.where(unchecked, np.nan, found.difference)
    # Without the number of items, no number of further items is computed from discordant ones.
    only = (strata.only_first.sum(axis=-1), strata.only_second.sum(axis=-1))
    return Evidence(difference, found.low, found.high, found.p_value, no_worse, found.method, only)


def _with_labels(
    comparisons: Sequence[Comparison], strata: Strata, options: ComparisonOptions
) -> list[Comparison]:
    """Return the comparisons with their items, those of them that tell something, and how many more would decide."""
    more = further_labels(strata, pairs=max(1, len(comparisons)), level=options.level)
    with_labels = []
    for place, one in enumerate(comparisons):
        undecided = one.verdict == UNDECIDED
        with_labels.append(
            replace(
                one,
                items=int(strata.total[place]),
                differ=int(strata.items[place].sum()),
                labelled=int(strata.checked[place].sum()),
                more_labels=_whole(more.exactly[place]) if undecided else None,
                more_labels_80=_whole(more.likely[place]) if undecided else None,
            )
        )
    return with_labels


def _whole(number: float) -> int | None:
    return None if np.isnan(number) else int(number)


def _ranking(
    order: Sequence[str],
    values: dict[str, float],
    comparisons: Sequence[Comparison],
    options: ComparisonOptions,
) -> MeasureRanking:
    not_different = () if options.baseline else not_significantly_different(order, comparisons)
    return MeasureRanking(ACCURACY, tuple(order), values, not_different, None, options.level)


def label_next(
    items: JudgedItems,
    comparisons: Sequence[Comparison],
    order: Sequence[str],
    names: Sequence[str],
    rows: np.ndarray[Any, np.dtype[np.int64]],
    seed: int,
) -> tuple[LabelNext, ...]:
    """Return items to label for each undecided pair of neighbours in the ranking; `rows` are the rows of the items."""
    neighbours = set(pairwise(order))
    in_order = np.argsort(np.array(names, dtype=object), kind="stable")
    found = []
    for one in comparisons:
        pair: Pair = (items.systems.index(one.first), items.systems.index(one.second))
        if one.verdict != UNDECIDED or (one.first, one.second) not in neighbours:
            continue
        useful = items.differing(*pair)
        candidates = [names[place] for place in in_order if useful[rows[place]]]
        # Drawn from the sorted names: the same items in whatever order the file has them.
        drawn = np.random.default_rng(seed).permutation(len(candidates))[:NEXT]
        chosen = tuple(candidates[place] for place in drawn.tolist())
        found.append(
            LabelNext(
                one.first,
                one.second,
                len(candidates),
                chosen,
                graded=not items.alike_tells_nothing,
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True, repr=False)
class JudgedComparisonResult(ComparisonResult):
    """Every requested comparison, from a few checked items and a judge of all."""

    record: JudgeRecord | None = None
    next_labels: tuple[LabelNext, ...] = ()

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the ranking, the pairs, and the judge's errors."""
        errors = {} if self.record is None else self.record.tables()
        return {**ComparisonResult.parts(self), **errors}

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, the ranking, the judge, the sample, and what to label next."""
        beside: dict[str, Any] = {**ComparisonResult.beside(self)}
        if self.record is not None:
            beside["judge"] = self.record.row()
            beside["sample"] = self.record.sample.row()
        beside["next"] = [one.row() for one in self.next_labels]
        return beside

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        notes = legend(self.comparisons, self.rankings)
        if self.next_labels:
            notes.append(self.next_labels[0].words())
        return (*notes, *self.remarks)
