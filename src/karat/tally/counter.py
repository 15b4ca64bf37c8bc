"""Who counts: a table in its engine, or tallies that were counted before. Both answer the same questions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from karat.errors import OptionError, TallyError
from karat.source.origin import files, shown
from karat.table.kinds import score, yesno
from karat.table.labels import Codes, Labels
from karat.table.table import Counts, Table, Use
from karat.table.usual_names import RIGHT
from karat.tally.codes import MISSING, judged_labels
from karat.tally.item_names import items
from karat.tally.preview import first_rows, uses
from karat.tally.saved import Saved, load
from karat.tally.scores.binned_curve import BINS, Costs, binned, binned_groups
from karat.tally.scores.curve import Curve, curve, curves
from karat.tally.scores.depths import depths
from karat.tally.scores.paired_scores import (
    BLOCK_BINS,
    PairedBlocks,
    PairedScores,
    paired_blocks,
    paired_groups,
    paired_scores,
)
from karat.tally.scores.rankings import Rankings, rankings
from karat.tally.votes.confidences import Confidences, confidences
from karat.tally.votes.confusion import Confusion, confusion
from karat.tally.votes.covotes import BlockedCovotes, Covotes, covotes, covotes_by_block, covotes_of
from karat.tally.votes.pairs import Pairs, pairs, pairs_of
from karat.tally.votes.patterns import Patterns, patterns
from karat.words import counted

FEW_SYSTEMS = 12
"""Up to so many yes/no systems have fewer patterns than products of votes cost."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the rows that are counted."""

    origin: str
    systems: tuple[str, ...]
    kind: str
    meaning: Labels
    keys: tuple[str, ...]
    has_truth: bool
    counts: Counts
    options: Mapping[str, str]
    uses: tuple[Use, ...] = ()
    notes: tuple[str, ...] = ()

    def about(self) -> dict[str, Any]:
        """Return the input as every result carries it."""
        return {
            "origin": self.origin,
            "items": self.counts.items,
            "systems": list(self.systems),
            "kind": self.kind,
            "missing": dict(self.counts.missing),
            "without_truth": self.counts.without_truth,
            "unanswered": self.counts.unanswered,
        }

    def remarks(self) -> tuple[str, ...]:
        """Return in words what is missing; nothing is left out in silence."""
        counts = self.counts
        noun = "row" if "r" in self.keys or self.options.get("repeats") == "keep" else "item"
        said = [f"{counted(counts.items, noun)}, {counted(len(self.systems), 'system')}"]
        if self.has_truth and counts.without_truth:
            said.append(f"{counted(counts.without_truth, 'item')} without truth left out")
        if counts.unanswered is None:
            said.append("some items of the truth may be in none of these tallies")
        elif counts.unanswered:
            said.append(
                f"{counted(counts.unanswered, 'item')} of the truth not in the table, left out"
            )
        absent = sum(counts.missing.values())
        if absent:
            rule = {
                "wrong": "counted as wrong and as not retrieved",
                "skip": "left out, system by system",
            }
            what = rule.get(
                self.meaning.missing, f"counted as {self.meaning.missing.removeprefix('as:')!r}"
            )
            what = "below every score" if self.kind == score else what
            said.append(f"{counted(absent, 'answer')} missing, {what}")
        return (f"{'; '.join(said)}.",)

    def untold(self) -> str:
        """Return what to do about a table without truth."""
        right = next(
            (
                use.column
                for use in self.uses
                if use.role == "left out" and use.column.lower() in RIGHT
            ),
            None,
        )
        remedy = "name it with --truth COL, FILE or FILE:COL"
        if right is None and self.kind != yesno:
            return remedy
        what = f"{right!r} says" if right else f"{(self.meaning.pair or '1')[0]} means"
        return f"{remedy}; or say --correct, if {what} that the system was right"

    def voted(self) -> tuple[str, ...]:
        """Return in words what is missing where the systems judge each other: nothing counts as wrong."""
        said = [f"{counted(self.counts.items, 'item')}, {counted(len(self.systems), 'system')}"]
        absent = sum(self.counts.missing.values())
        where = " among the items with truth" if self.has_truth else ""
        said += [f"{counted(absent, 'answer')} missing{where}, unknown"] if absent else []
        return (f"{'; '.join(said)}.",)

    def listed(self) -> tuple[str, ...]:
        """Return in words what is missing where lists are cut."""
        said = f"{counted(self.counts.items, 'document')} of all queries, {counted(len(self.systems), 'system')}"
        return (f"{said}; what a system does not list it does not retrieve.",)


class Counter(Protocol):
    """Something that can be asked for tallies."""

    @property
    def facts(self) -> Facts:
        """What is known of the rows."""
        ...

    def confusion(self, system: str, *, keys: str = "") -> Confusion:
        """Return truth x answer of one system, split by keys."""
        ...

    def patterns(self, *, keys: str = "") -> Patterns:
        """Return the distinct rows."""
        ...

    def covotes(self) -> Covotes:
        """Return sums of votes and of products of two."""
        ...

    def covotes_by_block(self) -> BlockedCovotes:
        """Return the same for each block of items apart."""
        ...

    def pairs(self, first: str, second: str) -> Pairs:
        """Return truth x answer x answer of two systems."""
        ...

    def curve(self, system: str) -> Curve:
        """Return positives and negatives at each score of one system."""
        ...

    def curves(self, system: str, *, bins: int | None = None) -> dict[str, Curve]:
        """Return positives and negatives at each score of one system, or in bins, group by group."""
        ...

    def binned(self, system: str, *, bins: int = BINS, costs: Costs | None = None) -> Curve:
        """Return positives and negatives in bins of one system's scores."""
        ...

    def paired_scores(self, systems: Sequence[str]) -> PairedScores:
        """Return the distinct rows of truth and scores, of up to a million items."""
        ...

    def paired_groups(self, systems: Sequence[str]) -> dict[str, PairedScores]:
        """Return the distinct rows of truth and scores, group by group."""
        ...

    def paired_blocks(self, systems: Sequence[str], *, bins: int = BLOCK_BINS) -> PairedBlocks:
        """Return several systems' scores in bins, by block of items."""
        ...

    def confidences(self) -> Confidences:
        """Return every system's confidence in every label."""
        ...

    def rankings(self, system: str) -> Rankings:
        """Return where the relevant documents of each query stand."""
        ...

    def depths(self, cuts: Sequence[int]) -> dict[int, Patterns]:
        """Return the distinct rows where the first so many documents of every list are retrieved."""
        ...

    def items(self, patterns: Patterns) -> tuple[Sequence[str], Codes]:
        """Return the name of every item, and the place of its pattern."""
        ...

    def first(self, number: int) -> tuple[dict[str, Any], ...]:
        """Return the first rows, as a reader sees them."""
        ...

    def uses(self) -> tuple[Use, ...]:
        """Return what each column is used for, with exact numbers of different values."""
        ...

    def at(self, threshold: float) -> "Counter":
        """Return the same rows with scores judged as yes from a threshold on."""
        ...


@dataclass(frozen=True, slots=True)
class TableCounter:
    """Counts in the engine that holds the table."""

    table: Table
    facts: Facts

    def confusion(self, system: str, *, keys: str = "") -> Confusion:
        """Return truth x answer of one system, split by keys."""
        return confusion(self.table, system, keys=keys)

    def patterns(self, *, keys: str = "") -> Patterns:
        """Return the distinct rows."""
        return patterns(self.table, keys=keys)

    def covotes(self) -> Covotes:
        """Return sums of votes and of products of two: of few yes/no systems quicker from their patterns."""
        few = self.facts.kind == yesno and len(self.facts.systems) <= FEW_SYSTEMS
        return covotes_of(self.patterns()) if few else covotes(self.table)

    def covotes_by_block(self) -> BlockedCovotes:
        """Return the same for each block of items apart."""
        return covotes_by_block(self.table)

    def pairs(self, first: str, second: str) -> Pairs:
        """Return truth x answer x answer of two systems."""
        return pairs(self.table, first, second)

    def curve(self, system: str) -> Curve:
        """Return positives and negatives at each score of one system."""
        return curve(self.table, system)

    def curves(self, system: str, *, bins: int | None = None) -> dict[str, Curve]:
        """Return positives and negatives at each score of one system, or in bins, group by group."""
        return (
            curves(self.table, system)
            if bins is None
            else binned_groups(self.table, system, bins=bins)
        )

    def binned(self, system: str, *, bins: int = BINS, costs: Costs | None = None) -> Curve:
        """Return positives and negatives in bins of one system's scores."""
        return binned(self.table, system, bins=bins, costs=costs)

    def paired_scores(self, systems: Sequence[str]) -> PairedScores:
        """Return the distinct rows of truth and scores, of up to a million items."""
        return paired_scores(self.table, systems)

    def paired_groups(self, systems: Sequence[str]) -> dict[str, PairedScores]:
        """Return the distinct rows of truth and scores, group by group."""
        return paired_groups(self.table, systems)

    def paired_blocks(self, systems: Sequence[str], *, bins: int = BLOCK_BINS) -> PairedBlocks:
        """Return several systems' scores in bins, by block of items."""
        return paired_blocks(self.table, systems, bins=bins)

    def confidences(self) -> Confidences:
        """Return every system's confidence in every label."""
        return confidences(self.table)

    def rankings(self, system: str) -> Rankings:
        """Return where the relevant documents of each query stand."""
        return rankings(self.table, system)

    def depths(self, cuts: Sequence[int]) -> dict[int, Patterns]:
        """Return the distinct rows where the first so many documents of every list are retrieved."""
        return depths(self.table, cuts)

    def items(self, patterns: Patterns) -> tuple[Sequence[str], Codes]:
        """Return the name of every item, and the place of its pattern."""
        return items(self.table, patterns)

    def first(self, number: int) -> tuple[dict[str, Any], ...]:
        """Return the first rows, as a reader sees them."""
        return first_rows(self.table, number)

    def uses(self) -> tuple[Use, ...]:
        """Return what each column is used for, with exact numbers of different values."""
        return uses(self.table)

    def at(self, threshold: float) -> "TableCounter":
        """Return the same rows with scores judged as yes from a threshold on."""
        if self.facts.kind != score:
            raise OptionError(f"--threshold is for scores; these answers are {self.facts.kind}")
        if not math.isfinite(threshold):
            raise OptionError(f"--threshold is {threshold}; it must be a score")
        labels = judged_labels(self.table)
        return from_table(
            replace(self.table, threshold=float(threshold), kind=yesno, labels=labels)
        )


def from_table(table: Table) -> TableCounter:
    """Return who counts a table."""
    options = table.reading.signature() | (
        {} if table.threshold is None else {"threshold": str(table.threshold)}
    )
    facts = Facts(
        table.origin,
        table.systems,
        table.kind,
        table.labels,
        table.keys,
        table.has_truth,
        table.counts,
        options,
        table.uses,
        table.notes,
    )
    return TableCounter(table, facts)


@dataclass(frozen=True, slots=True)
class SavedCounter:
    """Marginals of patterns that were counted before."""

    saved: Saved
    facts: Facts

    def confusion(self, system: str, *, keys: str = "") -> Confusion:
        """Return truth x answer of one system, split by keys."""
        return self.saved.patterns.confusion(system, keys=keys)

    def patterns(self, *, keys: str = "") -> Patterns:
        """Return the distinct rows."""
        return self.saved.patterns.marginal(keys)

    def covotes(self) -> Covotes:
        """Return sums of votes and of products of two."""
        return covotes_of(self.saved.patterns)

    def covotes_by_block(self) -> BlockedCovotes:
        """Refuse: the items are gone."""
        raise TallyError("a tally holds no items; count the table anew")

    def pairs(self, first: str, second: str) -> Pairs:
        """Return truth x answer x answer of two systems."""
        return pairs_of(self.saved.patterns, first, second)

    def curve(self, system: str) -> Curve:
        """Refuse: the scores are gone."""
        raise TallyError(f"a tally holds no scores of {system!r}; count the table anew")

    def curves(self, system: str, *, bins: int | None = None) -> dict[str, Curve]:
        """Refuse: the scores are gone."""
        del bins
        raise TallyError(f"a tally holds no scores of {system!r}; count the table anew")

    def binned(self, system: str, *, bins: int = BINS, costs: Costs | None = None) -> Curve:
        """Refuse: the scores are gone."""
        del bins, costs
        raise TallyError(f"a tally holds no scores of {system!r}; count the table anew")

    def paired_scores(self, systems: Sequence[str]) -> PairedScores:
        """Refuse: the scores are gone."""
        raise TallyError(f"a tally holds no scores of {', '.join(systems)}; count the table anew")

    def paired_groups(self, systems: Sequence[str]) -> dict[str, PairedScores]:
        """Refuse: the scores are gone."""
        raise TallyError(f"a tally holds no scores of {', '.join(systems)}; count the table anew")

    def paired_blocks(self, systems: Sequence[str], *, bins: int = BLOCK_BINS) -> PairedBlocks:
        """Refuse: the scores are gone."""
        del bins
        raise TallyError(f"a tally holds no scores of {', '.join(systems)}; count the table anew")

    def confidences(self) -> Confidences:
        """Refuse: the confidences are gone."""
        raise TallyError("a tally holds no confidences; count the table anew")

    def rankings(self, system: str) -> Rankings:
        """Refuse: the scores are gone."""
        raise TallyError(f"a tally holds no ranking of {system!r}; count the table anew")

    def depths(self, cuts: Sequence[int]) -> dict[int, Patterns]:
        """Refuse: the scores are gone."""
        del cuts
        raise TallyError("a tally holds no lists to be cut; count the table anew")

    def items(self, patterns: Patterns) -> tuple[Sequence[str], Codes]:
        """Refuse: the items are gone."""
        del patterns
        raise TallyError("a tally holds no items; count the table anew")

    def first(self, number: int) -> tuple[dict[str, Any], ...]:
        """Return none: a tally holds no rows."""
        del number
        return ()

    def uses(self) -> tuple[Use, ...]:
        """Return the systems."""
        return self.facts.uses

    def at(self, threshold: float) -> "SavedCounter":
        """Refuse: the scores are gone."""
        raise TallyError(
            f"a tally holds no scores to judge from {threshold:g} on; count the table anew"
        )


def from_saved(paths: Sequence[str | Path]) -> SavedCounter:
    """Return who answers from the tallies in files."""
    paths = files(paths)
    saved = load(paths)
    rows = saved.patterns
    told = rows.truth != MISSING
    number = rows.number
    has_truth = bool(told.any())
    counts = Counts(
        int(number.sum()),
        int(number[~told].sum()),
        {
            name: int(number[(told if has_truth else True) & (rows.answers[:, k] == MISSING)].sum())
            for k, name in enumerate(rows.systems)
        },
        saved.unanswered,
    )
    origin = shown(paths)
    keys = tuple(rows.keys)
    known = tuple(
        Use(name, "system", saved.kind, counts.items - counts.missing[name], None, "")
        for name in rows.systems
    )
    facts = Facts(
        origin,
        rows.systems,
        saved.kind,
        rows.meaning,
        keys,
        has_truth,
        counts,
        saved.options,
        known,
    )
    return SavedCounter(saved, facts)


def to_saved(counter: Counter) -> Saved:
    """Return the patterns of a table with all its keys, for a file."""
    facts = counter.facts
    if facts.kind == score:
        raise OptionError(
            "a table of scores has no patterns to save; judge it with --threshold first"
        )
    return Saved(
        counter.patterns(keys="".join(facts.keys)),
        facts.kind,
        facts.counts.unanswered,
        facts.options,
    )
