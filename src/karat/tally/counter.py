"""Counters: a table in its engine, or patterns that were counted before. Both have the one method `count`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn, ParamSpec, Protocol, TypeVar

from karat.errors import InputError, OptionError, TallyError
from karat.source.origin import files, shown
from karat.table.kinds import score, yesno
from karat.table.table import Counts, Table, Use
from karat.tally.codes import MISSING
from karat.tally.facts import Facts
from karat.tally.saved import Saved, load
from karat.tally.sql import judged_labels
from karat.tally.tally import Tally
from karat.tally.votes.patterns import Patterns, patterns

Options = ParamSpec("Options")
Counted = TypeVar("Counted")


class Counter(Protocol):
    """Something that can count tallies."""

    @property
    def facts(self) -> Facts:
        """What is known of the rows."""
        ...

    def count(
        self, tally: Tally[Options, Counted], /, *args: Options.args, **options: Options.kwargs
    ) -> Counted:
        """Return a tally of the rows: `count(confusions, keys="g")`."""
        ...

    def at(self, threshold: float) -> "Counter":
        """Return the same rows with scores taken as yes from a threshold on."""
        ...


@dataclass(frozen=True, slots=True)
class TableCounter:
    """Counts in the engine that holds the table."""

    table: Table
    facts: Facts

    def count(
        self, tally: Tally[Options, Counted], /, *args: Options.args, **options: Options.kwargs
    ) -> Counted:
        """Return a tally of the table; threads take turns."""
        with self.table.engine.lock:
            return tally.of_table(self.table, *args, **options)

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled: the engine and what it has open belong to this process."""
        raise InputError(
            f"{self.facts.origin} is open in this process, and its table cannot be pickled or copied to another; read "
            "it there, or hand over results or saved tallies (Bench.save), which can be pickled"
        )

    def at(self, threshold: float) -> "TableCounter":
        """Return the same rows with scores taken as yes from a threshold on."""
        if self.facts.kind != score:
            raise OptionError(f"--threshold is for scores; these answers are {self.facts.kind}")
        if not math.isfinite(threshold):
            raise OptionError(f"--threshold is {threshold}; it must be a score")
        labels = judged_labels(self.table)
        table = replace(self.table, threshold=float(threshold), kind=yesno, labels=labels)
        return from_table(table)


def from_table(table: Table) -> TableCounter:
    """Return the counter of a table."""
    options = table.reading.signature()
    if table.threshold is not None:
        options["threshold"] = str(table.threshold)
    facts = Facts(
        origin=table.origin,
        systems=table.systems,
        kind=table.kind,
        meaning=table.labels,
        keys=table.keys,
        has_truth=table.has_truth,
        counts=table.counts,
        options=options,
        uses=table.uses,
        notes=table.notes,
        images=table.images,
    )
    return TableCounter(table, facts)


@dataclass(frozen=True, slots=True)
class SavedCounter:
    """Derives tallies from patterns that were counted before and saved."""

    saved: Saved
    facts: Facts

    def count(
        self, tally: Tally[Options, Counted], /, *args: Options.args, **options: Options.kwargs
    ) -> Counted:
        """Return a tally as it follows from the patterns; refuse where they do not hold what it takes."""
        if tally.from_patterns is None:
            raise TallyError(f"a saved tally holds no {tally.needs}; count the table again")
        return tally.from_patterns(self.saved.patterns, *args, **options)

    def at(self, threshold: float) -> "SavedCounter":
        """Refuse: the scores are gone."""
        raise TallyError(
            f"a saved tally holds no scores to compare with {threshold:g}; count the table again"
        )


def from_saved(paths: Sequence[str | Path]) -> SavedCounter:
    """Return the counter of the tallies in files."""
    paths = files(paths)
    saved = load(paths)
    counts = _counts(saved)
    systems = saved.patterns.systems
    uses = tuple(
        Use(name, "system", saved.kind, counts.items - counts.missing[name], None, "")
        for name in systems
    )
    facts = Facts(
        origin=shown(paths),
        systems=systems,
        kind=saved.kind,
        meaning=saved.patterns.meaning,
        keys=tuple(saved.patterns.keys),
        has_truth=_has_truth(saved.patterns),
        counts=counts,
        options=saved.options,
        uses=uses,
    )
    return SavedCounter(saved, facts)


def _has_truth(rows: Patterns) -> bool:
    return bool((rows.truth != MISSING).any())


def _counts(saved: Saved) -> Counts:
    """Return how much there is, and how much is missing among the items that a result is about."""
    rows = saved.patterns
    with_truth = rows.truth != MISSING
    judged = with_truth if _has_truth(rows) else ~with_truth
    missing: dict[str, int] = {}
    for place, system in enumerate(rows.systems):
        unanswered = judged & (rows.answers[:, place] == MISSING)
        missing[system] = int(rows.number[unanswered].sum())
    return Counts(
        items=int(rows.number.sum()),
        without_truth=int(rows.number[~with_truth].sum()),
        missing=missing,
        unanswered=saved.unanswered,
    )


def to_saved(counter: Counter) -> Saved:
    """Return the patterns of a table with all its keys, for a file."""
    facts = counter.facts
    if facts.kind == score:
        raise OptionError(
            "a table of scores has no patterns to save; turn it into yes and no with --threshold first"
        )
    counts = counter.count(patterns, keys="".join(facts.keys))
    return Saved(counts, facts.kind, facts.counts.unanswered, facts.options)
