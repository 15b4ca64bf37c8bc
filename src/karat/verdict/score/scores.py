"""How good each system is: estimates as rows, in the order of a ranking."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from karat.doubt.estimate_from_confusion import Estimator, mean_of
from karat.doubt.estimates import How
from karat.errors import OptionError, UnknownNameError
from karat.measure.outcomes import of_right_answers
from karat.measure.quantity import Quantity, values
from karat.measure.totals import totals
from karat.tally.facts import Facts
from karat.tally.votes.confusion import Confusion
from karat.tally.votes.patterns import Patterns
from karat.verdict.oddities import Odd, odd_warnings, of_confusion
from karat.verdict.ranking import ranking_by
from karat.verdict.score.result import MEAN, Entry, number_or_none
from karat.words import counted, listing

MANY_CLASSES = 1_000
FEW_CLUSTERS = 6
"""Below so many clusters an interval rests on the shape of a distribution that nobody has seen."""
FOREIGN = "is a label of the truth; see karat read"
ALONE = "Every truth is the same: precision, recall and F would say nothing that accuracy does not."


@dataclass(frozen=True, slots=True)
class Scored:
    """What was found of one system, and the counts it rests on."""

    entries: tuple[Entry, ...]
    digest: str
    labels: tuple[str, ...] = ()
    foreign: bool = False
    """Whether no answer at all is a label of the truth."""
    clusters: int | None = None
    """How many clusters of items there are, where items are clustered."""
    odd: Odd = field(default_factory=Odd)
    of_one_class: bool = False
    """Whether all truths are one class, so that every other answer is a mistake and no more."""


def score_of_confusion(
    system: str, confusion: Confusion, wanted: Sequence[Quantity], how: How, *, per_group: bool
) -> Scored:
    """Return every requested quantity of one system that gave labels, over all items or group by group."""
    if per_group:
        entries = _groups(system, confusion, wanted, how)
    else:
        entries = _total(system, confusion, wanted, how)
    known = np.isin(confusion.answer, confusion.truth).any()
    clusters = None
    if "c" in confusion.keys:
        clusters = len(set(confusion.keys["c"].tolist()))
    return Scored(
        tuple(entries),
        confusion.digest(),
        confusion.labels,
        foreign=not known and confusion.missing < confusion.total,
        clusters=clusters,
        odd=of_confusion(confusion),
        of_one_class=len(set(confusion.truth.tolist())) == 1,
    )


def check_distributions(wanted: Sequence[Quantity], facts: Facts, *, per_group: bool) -> bool:
    """Return whether a quantity of distributions is wanted, or refuse it where items do not count alike."""
    of_distributions = [one for one in wanted if one.counted_from == "confidences"]
    if of_distributions and (per_group or {"c", "w", "r"} & set(facts.keys)):
        raise OptionError(
            f"{of_distributions[0]} is counted over all items, each counting once; "
            "leave groups, --cluster, --weight and --run out"
        )
    return bool(of_distributions)


def accuracy_alone(parts: Sequence[Scored]) -> list[Scored]:
    """Return the scores of right answers, without precision, recall and F."""
    alone = []
    for part in parts:
        entries = [one for one in part.entries if of_right_answers(one.estimates.quantity)]
        alone.append(replace(part, entries=tuple(entries)))
    return alone


def _total(system: str, confusion: Confusion, wanted: Sequence[Quantity], how: How) -> list[Entry]:
    estimator = Estimator(confusion, how)
    return [
        Entry(system, estimator.estimate(quantity), runs=_runs(confusion, quantity))
        for quantity in wanted
    ]


def _groups(system: str, confusion: Confusion, wanted: Sequence[Quantity], how: How) -> list[Entry]:
    groups = {group: Estimator(part, how) for group, part in confusion.by("g").items()}
    if MEAN in groups:
        raise OptionError(
            f"a group is called {MEAN!r}, as the mean over groups is; give it another name"
        )
    found: list[Entry] = []
    for quantity in wanted:
        found += [
            Entry(system, group.estimate(quantity), group=name) for name, group in groups.items()
        ]
        both = [group.estimate(quantity, side="both") for group in groups.values()]
        found += [Entry(system, mean_of(both, how), group=MEAN)] if both else []
    return found


def labels_of(patterns: Patterns) -> set[str]:
    """Return the classes that a truth or an answer has, and those that a yes/no table may have."""
    found = {text for system in patterns.systems for text in patterns.confusion(system).labels}
    return found | {*(patterns.meaning.pair or ())}


def check_labels(wanted: Sequence[Quantity], labels: Iterable[str]) -> None:
    """Refuse a class that no truth and no answer has."""
    labels = set(labels)
    for quantity in wanted:
        if quantity.label is not None and quantity.label not in labels:
            raise UnknownNameError("class", quantity.label, labels)


def warnings(facts: Facts, parts: Sequence[Scored]) -> tuple[str, ...]:
    """Return what makes one doubt that the columns were understood."""
    systems = facts.systems
    classes = max(len(part.labels) for part in parts)
    foreign = [system for system, part in zip(systems, parts, strict=True) if part.foreign]
    found = []
    clusters = min(
        (part.clusters for part in parts if part.clusters is not None), default=FEW_CLUSTERS
    )
    if clusters < FEW_CLUSTERS:
        many = f"{counted(clusters, 'cluster')} of correlated items"
        found.append(f"warning: {many}; an interval from so few says little.")
    if classes > MANY_CLASSES:
        found.append(
            f"warning: {classes:,} classes; if they are none, name the columns with --systems or --kind"
        )
    if foreign:
        found.append(f"warning: no answer of {listing(foreign)} {FOREIGN}")
    return (*found, *odd_warnings(facts, (part.odd for part in parts)))


def _runs(confusion: Confusion, quantity: Quantity) -> tuple[float | None, ...]:
    """Return the value of each run; of no use where a quantity is one per class."""
    if "r" not in confusion.keys or (quantity.of_classes and quantity.label is None):
        return ()
    found = []
    for part in confusion.by("r").values():
        margins = totals(part, np.asarray(part.keys["w"], float) if "w" in part.keys else None)
        place = margins.labels.index(quantity.label) if quantity.label in margins.labels else None
        value = np.atleast_1d(values(quantity, margins))
        found.append(
            number_or_none(float(value[place or 0]))
            if quantity.label is None or place is not None
            else None
        )
    return tuple(found)


def ranked(found: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return entries by measure, and within it from the best system to the worst, each with its rank."""
    parts: dict[Quantity, dict[str | None, list[Entry]]] = {}
    for entry in found:
        parts.setdefault(entry.estimates.quantity, {}).setdefault(entry.group, []).append(entry)
    return tuple(
        entry
        for quantity, groups in parts.items()
        for same in groups.values()
        for entry in _ordered(same, quantity)
    )


def _ordered(same: Sequence[Entry], quantity: Quantity) -> list[Entry]:
    if any(len(entry.estimates.labels) > 1 for entry in same):
        return list(same)
    values_of = {entry.system: number_or_none(float(entry.estimates.value[0])) for entry in same}
    ranks = ranking_by(quantity, values_of)
    by_system = {entry.system: entry for entry in same}
    return [replace(by_system[system], rank=rank) for system, rank in ranks.items()]
