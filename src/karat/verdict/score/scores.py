"""How good each system is: estimates as rows, in the order of a ranking."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from karat.doubt.estimate_from_confusion import ConfusionEstimator, mean_of
from karat.doubt.estimates import IntervalOptions
from karat.doubt.group_mean import MeanOver
from karat.errors import OptionError, UnknownNameError
from karat.measure.outcomes import of_right_answers
from karat.measure.quantity import Quantity
from karat.table.kinds import score as scores_kind
from karat.tally.codes import MISSING, UNASKED
from karat.tally.facts import Facts
from karat.tally.votes.confusion import Confusion
from karat.tally.votes.patterns import Patterns
from karat.verdict.confusion_value import value_of_confusion
from karat.verdict.ranking import ranking_by
from karat.verdict.score.result import MEAN, Entry, number_or_none
from karat.verdict.unusual_labels import UnusualLabels, of_confusion, unusual_label_warnings
from karat.words import counted, listing

MANY_CLASSES = 1_000
MOST_CLASSES = 20_000
"""Over so many classes, only right answers are counted."""
FEW_CLUSTERS = 6
"""Below so many clusters an interval rests on an assumed shape of their distribution."""
FOREIGN = "is a label of the truth; see karat read"
OVER_THESE = (
    "(mean): over these groups, if other items of them had been drawn; "
    "for groups like these give --mean-over like-these."
)
OVER_LIKE_THESE = (
    "(mean): over all groups of the kind that these were drawn from; "
    "for these groups give --mean-over these."
)
TOO_MANY_CLASSES = (
    f"Over {MOST_CLASSES:,} classes: only right answers are counted, and nothing class by class."
)
ONLY_ACCURACY = "Every truth is the same: precision, recall and F would add nothing to accuracy."


@dataclass(frozen=True, slots=True)
class ScoredSystem:
    """The estimates of one system, and the counts they rest on."""

    entries: tuple[Entry, ...]
    digest: str
    labels: tuple[str, ...] = ()
    foreign: bool = False
    """Whether no answer at all is a label of the truth."""
    clusters: int | None = None
    """How many clusters of items there are, where items are clustered."""
    unusual_labels: UnusualLabels = field(default_factory=UnusualLabels)
    of_one_class: bool = False
    """Whether all truths are one class, so that every other answer is a mistake and no more."""


def score_of_confusion(
    system: str,
    confusion: Confusion,
    quantities: Sequence[Quantity],
    how: IntervalOptions,
    *,
    mean_over: MeanOver | None = None,
) -> ScoredSystem:
    """Return every requested quantity of one system that gave labels: over all items, or by group and their mean."""
    if mean_over:
        entries = _groups(system, confusion, quantities, how, mean_over)
    else:
        entries = _total(system, confusion, quantities, how)
    known = np.isin(confusion.answer, confusion.truth).any()
    clusters = None
    if "c" in confusion.keys:
        clusters = len(set(confusion.keys["c"].tolist()))
    return ScoredSystem(
        tuple(entries),
        confusion.digest(),
        confusion.labels,
        foreign=not known and confusion.missing < confusion.total,
        clusters=clusters,
        unusual_labels=of_confusion(confusion),
        of_one_class=len(set(confusion.truth.tolist())) == 1,
    )


def check_distributions(quantities: Sequence[Quantity], facts: Facts, *, per_group: bool) -> bool:
    """Return whether a quantity of distributions is requested, or refuse it where items do not count once each."""
    of_distributions = [one for one in quantities if one.counted_from == "confidences"]
    if of_distributions and (per_group or {"c", "w", "r"} & set(facts.keys)):
        raise OptionError(
            f"{of_distributions[0]} is counted over all items, each counting once; "
            "leave groups, --cluster, --weight and --run out"
        )
    return bool(of_distributions)


def only_accuracy_of(parts: Sequence[ScoredSystem]) -> list[ScoredSystem]:
    """Return the scores of right answers, without precision, recall and F."""
    only_accuracy = []
    for part in parts:
        entries = [one for one in part.entries if of_right_answers(one.estimates.quantity)]
        only_accuracy.append(replace(part, entries=tuple(entries)))
    return only_accuracy


def _total(
    system: str, confusion: Confusion, quantities: Sequence[Quantity], how: IntervalOptions
) -> list[Entry]:
    """Return the estimates over all items."""
    estimator = ConfusionEstimator(confusion, how)
    entries = []
    for quantity in quantities:
        estimates = estimator.estimate(quantity)
        entries.append(Entry(system, estimates, runs=_runs(confusion, quantity)))
    return entries


def _groups(
    system: str,
    confusion: Confusion,
    quantities: Sequence[Quantity],
    how: IntervalOptions,
    mean_over: MeanOver,
) -> list[Entry]:
    """Return the estimates of each group, and their mean."""
    groups = {group: ConfusionEstimator(part, how) for group, part in confusion.by("g").items()}
    if MEAN in groups:
        raise OptionError(
            f"a group is called {MEAN!r}, as the mean over groups is; give it another name"
        )
    entries: list[Entry] = []
    for quantity in quantities:
        for name, group in groups.items():
            entries.append(Entry(system, group.estimate(quantity), group=name))
        if groups:
            mean = mean_of([*groups.values()], quantity, mean_over, how)
            entries.append(Entry(system, mean, group=MEAN))
    return entries


def labels_of(patterns: Patterns) -> set[str]:
    """Return the classes that a truth or an answer has, and those that a yes/no table may have."""
    labels = set(patterns.meaning.pair or ())
    meaning = patterns.meaning
    has_nothing = meaning.nothing in patterns.labels
    if meaning.truth_sep is None and meaning.missing == "wrong" and not has_nothing:
        return labels | _labels_there(patterns)
    for system in patterns.systems:
        labels.update(patterns.confusion(system).labels)
    return labels


def _labels_there(patterns: Patterns) -> set[str]:
    """Return the labels of all items with a truth that were given to some system."""
    with_truth = patterns.truth != MISSING
    answers = patterns.answers[with_truth]
    asked = (answers != UNASKED).any(axis=1)
    there = np.zeros(len(patterns.labels), bool)
    there[patterns.truth[with_truth][asked]] = True
    there[answers[answers >= 0]] = True
    return {patterns.labels[code] for code in np.flatnonzero(there).tolist()}


def check_labels(quantities: Sequence[Quantity], labels: Iterable[str]) -> None:
    """Refuse a class that no truth and no answer has, and measures over more classes than can be meant."""
    labels = set(labels)
    check_number_of_classes(quantities, labels)
    for quantity in quantities:
        if quantity.label is not None and quantity.label not in labels:
            raise UnknownNameError("class", quantity.label, labels)


def too_many_classes(labels: Iterable[Collection[str]]) -> bool:
    """Return whether any of several sets of labels has more than can be classes."""
    return any(len(own) > MOST_CLASSES for own in labels)


def check_number_of_classes(quantities: Sequence[Quantity], labels: Collection[str]) -> None:
    """Refuse measures over more classes than can be meant; right answers are counted whatever their number."""
    over_classes = [one for one in quantities if not of_right_answers(one)]
    if len(labels) <= MOST_CLASSES or not over_classes:
        return
    raise OptionError(
        f"{over_classes[0]} is over classes, and there are {len(labels):,}, such as {min(labels)!r} and "
        f"{max(labels)!r}; over {MOST_CLASSES:,} only right answers are counted: ask for --measure accuracy, name the "
        "right columns with --systems, or call them scores with --kind score"
    )


def reading_warnings(facts: Facts, parts: Sequence[ScoredSystem]) -> tuple[str, ...]:
    """Return warnings of what looks as if the table had been misread, such as one label in two spellings."""
    classes = max(len(part.labels) for part in parts)
    foreign = []
    for system, part in zip(facts.systems, parts, strict=True):
        if part.foreign:
            foreign.append(system)
    sentences = mostly_missing(facts)
    if classes > MANY_CLASSES:
        sentences.append(
            f"warning: {classes:,} classes; if they are none, name the columns with --systems or --kind"
        )
    if foreign:
        sentences.append(f"warning: no answer of {listing(foreign)} {FOREIGN}")
    return (*sentences, *unusual_label_warnings(facts, (part.unusual_labels for part in parts)))


def least_clusters(parts: Sequence[ScoredSystem]) -> int:
    """Return the number of clusters of the system that has the fewest; enough where items are not clustered."""
    numbers = [part.clusters for part in parts if part.clusters is not None]
    return min(numbers, default=FEW_CLUSTERS)


def few_clusters(number: int) -> list[str]:
    """Return a warning where intervals rest on few clusters."""
    if number >= FEW_CLUSTERS:
        return []
    few = f"{counted(number, 'cluster')} of correlated items"
    return [f"warning: {few}; an interval from so few is not reliable."]


def mostly_missing(facts: Facts) -> list[str]:
    """Return a warning where most answers are missing and count as wrong."""
    counts = facts.counts
    cells = (counts.items - counts.without_truth) * len(facts.systems)
    missing = sum(counts.missing.values())
    if facts.meaning.missing != "wrong" or facts.kind == scores_kind or 2 * missing <= cells:
        return []
    sentence = (
        f"warning: {100 * missing / cells:.0f} % of the answers are missing, and count as wrong: who answered few "
        "items looks bad, however good the answers are. Where each was asked only some of the items, say "
        "--missing skip: then each is judged by what it answered."
    )
    return [sentence]


def _runs(confusion: Confusion, quantity: Quantity) -> tuple[float | None, ...]:
    """Return the value of each run; none where a quantity has one value per class."""
    if "r" not in confusion.keys:
        return ()
    if quantity.of_classes and quantity.label is None:
        return ()
    return tuple(value_of_confusion(part, quantity) for part in confusion.by("r").values())


def ranked(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return entries by measure, and within it from the best system to the worst, each with its rank."""
    parts: dict[Quantity, dict[str | None, list[Entry]]] = {}
    for entry in entries:
        by_group = parts.setdefault(entry.estimates.quantity, {})
        by_group.setdefault(entry.group, []).append(entry)
    ordered: list[Entry] = []
    for quantity, by_group in parts.items():
        for of_group in by_group.values():
            ordered += _ordered(of_group, quantity)
    return tuple(ordered)


def _ordered(entries: Sequence[Entry], quantity: Quantity) -> list[Entry]:
    """Return the entries of several systems with their ranks, the best first; as they are if they have many classes."""
    if any(len(entry.estimates.labels) > 1 for entry in entries):
        return list(entries)
    by_system = {entry.system: entry for entry in entries}
    values_of = {}
    for system, entry in by_system.items():
        values_of[system] = number_or_none(float(entry.estimates.value[0]))
    ranks = ranking_by(quantity, values_of)
    return [replace(by_system[system], rank=rank) for system, rank in ranks.items()]
