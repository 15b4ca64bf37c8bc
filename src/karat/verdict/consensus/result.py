"""How good systems are by each other's answers: the result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.ask.voting import TRUTH
from karat.result import Result
from karat.result.base import Row
from karat.verdict.consensus import wording
from karat.verdict.consensus.agreement import Agreement
from karat.verdict.consensus.few_checked import PoweredAccuracy
from karat.verdict.consensus.other_estimators import OtherEstimators
from karat.verdict.consensus.truth_comparison import TruthComparison
from karat.verdict.consensus.truth_rates import TruthRates
from karat.verdict.judged.sample import LabelledSample

POWERED = "accuracy, from a few items with truth and many without"
COMPARE = "karat compare --judge majority tests which is better from the same items, and says what to label next."


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One system, or a virtual one, judged by the answers of all of them."""

    system: str
    answers: int | None
    """How many items it answered; None of a virtual system."""
    weight: float | None
    retrieved: float | None
    accuracy: float | None
    precision: float | None
    recall: float | None
    f: float | None
    value: float | None
    """What the ranking is by."""
    spread_low: float | None
    """Where the middle part of the resamples begins, as large as the level: no confidence interval."""
    spread_high: float | None
    """Where it ends."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ConsensusResult(Result):
    """Who is best by the answers of all systems together."""

    estimator: str
    ranks_by: str
    """What the ranking is by, in words."""
    beta: float
    systems: tuple[System, ...]
    ranks: Mapping[str, int]
    labels: tuple[str, ...]
    left_out: int
    level: float
    method: str
    agreement: Agreement
    others: OtherEstimators | None = None
    """What other estimators make of the same answers."""
    truth_comparison: TruthComparison | None = None
    true_rates: Mapping[str, TruthRates] = field(default_factory=dict)
    """Precision, recall and F by the truth, or by an oracle of confidence 1."""
    powered: tuple[PoweredAccuracy, ...] = ()
    sample: LabelledSample | None = None
    """Whether the items with truth look like a random sample of all, where only some have one."""
    needed: int | None = None
    """How many checked items would show the majority to be better than chance."""
    grouped: bool = False
    """Whether systems with correlated errors have one vote together."""
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def f_name(self) -> str:
        """The name of F."""
        return f"f{self.beta:g}"

    @property
    def sparse(self) -> bool:
        """Whether systems differ in how many items they answered."""
        return len({one.answers for one in self.systems if one.answers is not None}) > 1

    @property
    def has_precision(self) -> bool:
        """Whether the estimator says how precise systems are, not only how often they are right."""
        return any(one.precision is not None for one in self.systems)

    @property
    def hardly_known(self) -> tuple[str, ...]:
        """Systems with so few answers that little can be said of them."""
        return tuple(one.system for one in self.systems if is_few(one.answers))

    @property
    def truth_source(self) -> str:
        """What precision and recall beside the estimate are by, in words."""
        names = {rates.by for rates in self.true_rates.values()}
        return "the truth" if names == {TRUTH} else " ".join(names)

    def by_family(self) -> list[int]:
        """Return the places of the systems, those of one family together, the best families first."""
        family_of: dict[str, int] = {}
        best_rank: dict[int, int] = {}
        for place, family in enumerate(self.agreement.families):
            best_rank[place] = min(self.ranks[name] for name in family)
            for name in family:
                family_of[name] = place

        def key(place: int) -> tuple[int, int, int]:
            name = self.agreement.names[place]
            rank = self.ranks[name]
            family = family_of.get(name, -1)
            return best_rank.get(family, rank), family, rank

        return sorted(range(len(self.agreement.names)), key=key)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per system and virtual system."""
        return [self._row(one) for one in self.systems]

    def _row(self, one: System) -> dict[str, Any]:
        row: dict[str, Any] = {
            "rank": self.ranks.get(one.system),
            "system": one.system,
            "answers": one.answers,
            "weight": one.weight,
            "retrieved": plain(one.retrieved),
            "accuracy": one.accuracy,
            "precision": one.precision,
            "recall": one.recall,
            self.f_name: one.f,
            "value": one.value,
            "spread_low": one.spread_low,
            "spread_high": one.spread_high,
            "level": self.level,
            "method": self.method,
        }
        truth = self.truth_comparison
        if truth is not None:
            row["truth_value"] = truth.values.get(one.system)
            row["truth_rank"] = truth.ranks.get(one.system)
            row["truth_items"] = truth.answered.get(one.system)
            ends = truth.ranges.get(one.system)
            row["truth_low"] = ends and ends[0]
            row["truth_high"] = ends and ends[1]
        if self.true_rates:
            rates = self.true_rates.get(one.system)
            row["truth_precision"] = rates and rates.precision
            row["truth_recall"] = rates and rates.recall
            row[f"truth_{self.f_name}"] = rates and rates.f
        return row

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return what a little truth says, if there is some, and the ranking without truth."""
        tables: dict[str, Sequence[Row]] = {}
        if self.powered:
            tables[POWERED] = [one.line() for one in self.by_little_truth()]
        tables[wording.heading(self)] = self._lines()
        if self.true_rates and len(self.labels) == 1:
            compared = [one for one in self.systems if one.system in self.true_rates]
            title = f"precision and recall by all systems, and by {self.truth_source}"
            tables[f"{title} (level {self.level:g})"] = [
                _line_by_truth(one, self.true_rates[one.system]) for one in compared
            ]
        return tables

    def by_little_truth(self) -> list[PoweredAccuracy]:
        """Return the accuracies from a few items with truth and many without, the best first."""
        return sorted(self.powered, key=lambda one: -(one.estimate.value or 0.0))

    def _lines(self) -> list[dict[str, Any]]:
        """Return the rows for people to read: what the ranking is by as value, and the truth beside it."""
        truth = self.truth_comparison
        # Of several labels together precision, recall and F are one number.
        has_precision = len(self.labels) == 1 and self.has_precision
        has_spread = any(one.spread_low is not None for one in self.systems)
        lines = []
        for one in self.systems:
            line: dict[str, Any] = {"rank": self.ranks.get(one.system), "system": one.system}
            if self.sparse:
                line["answers"] = shown_answers(one.answers)
            if has_precision:
                line["precision"] = one.precision
                line["recall"] = one.recall
            line["value"] = one.value
            if has_spread:
                line["spread"] = _spread(one)
            if truth is not None:
                line["truth"] = truth.values.get(one.system)
                line["of"] = truth.answered.get(one.system)
                line["truth interval"] = _ends(truth.ranges.get(one.system))
                line["then"] = truth.ranks.get(one.system)
            line["level"] = self.level
            line["method"] = self.method
            lines.append(line)
        return lines

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, the labels, the agreement and the comparison with the truth."""
        beside: dict[str, Any] = {
            **self.about,
            "estimator": self.estimator,
            "labels": list(self.labels),
            "left_out": self.left_out,
            "agreement": self.agreement.coefficients(),
            "families": [list(family) for family in self.agreement.families],
            "family_evidence": self.agreement.family_evidence(),
            "estimators": self._estimators(),
            "items_to_tell": self.needed,
            "warnings": list(self.warnings()),
        }
        if self.truth_comparison is not None:
            beside["truth"] = self.truth_comparison.summary()
        if self.true_rates:
            beside["told"] = [
                rates.row(self.f_name, self.level) for rates in self.true_rates.values()
            ]
        if self.powered:
            beside["powered"] = [one.row() for one in self.powered]
        if self.powered and self.sample is not None:
            beside["sample"] = self.sample.row()
        return beside

    def _estimators(self) -> list[dict[str, Any]]:
        """Return how the rankings of every two estimators agree."""
        if self.others is None:
            return []
        rows = []
        for (first, second), tau in self.others.taus.items():
            rows.append({"first": first, "second": second, "tau": tau})
        return rows

    def warnings(self) -> tuple[str, ...]:
        """Return why the ranking may be wrong."""
        return wording.warnings(self)

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        by_truth = wording.by_truth(self)
        limits = wording.limits(self)
        return (*self.little_truth(), *self.warnings(), *by_truth, *limits, *self.remarks)

    def little_truth(self) -> tuple[str, ...]:
        """Return what the accuracies from a few items with truth take for granted, and what more they can tell."""
        if not self.powered or self.sample is None:
            return ()
        return (self.sample.words(), COMPARE)


def is_few(answers: int | None) -> bool:
    """Return whether a system gave so few answers that little can be said of it."""
    return answers is not None and answers < wording.FEW


def shown_answers(answers: int | None) -> str | None:
    """Return how many answers there are, and that they are few, for people to read."""
    if answers is None:
        return None
    return f"{answers:,} (few)" if is_few(answers) else f"{answers:,}"


def plain(value: float | None) -> float | int | None:
    """Return a number of things as a whole one, if it is."""
    if value is not None and float(value).is_integer():
        return int(value)
    return value


def _line_by_truth(one: System, rates: TruthRates) -> dict[str, Any]:
    """Return a row for people to read: without the truth, then by it, with its interval as text."""
    precision_range, recall_range, _ = rates.ranges
    return {
        "system": one.system,
        "precision": one.precision,
        "precision, true": _with_interval(rates.precision, precision_range),
        "recall": one.recall,
        "recall, true": _with_interval(rates.recall, recall_range),
        "method": rates.method,
    }


def _with_interval(value: float | None, ends: tuple[float, float]) -> str:
    shown = "undefined" if value is None else f"{value:.4f}"
    return f"{shown} {_ends(ends)}"


def _spread(one: System) -> str | None:
    if one.spread_low is None or one.spread_high is None:
        return None
    return _ends((one.spread_low, one.spread_high))


def _ends(ends: tuple[float, float] | None) -> str | None:
    if ends is None:
        return None
    low, high = ends
    return f"[{low:.3f}, {high:.3f}]"
