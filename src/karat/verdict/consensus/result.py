"""What may be said of systems without a truth: the result, and its words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.voting import TRUTH
from karat.result import Result
from karat.result.base import Row
from karat.verdict.consensus.by_truth import Told
from karat.words import counted, listing

LOW_ALPHA = 0.2
"""Below this coefficient systems agree hardly more than by chance (Landis and Koch call it slight)."""
CONFIRM = "They confirm each other; --family found gives each group one vote."
LOW_TAU = 0.5
"""Below this rank correlation two estimators give different rankings."""
LIKELIEST = "share of the likeliest labels"
SOME = 4
"""So many families, and labels, are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One system, or a virtual one, by what all of them say."""

    system: str
    weight: float | None
    retrieved: float | None
    accuracy: float | None
    precision: float | None
    recall: float | None
    f: float | None
    value: float | None
    """What the ranking is by."""
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Agreement:
    """How far the systems agree, and which agree in their errors."""

    alpha: float | None
    fleiss: float | None
    cohen: Mapping[tuple[str, str], float | None]
    """Of every two systems; none where they are too many."""
    families: tuple[tuple[str, ...], ...]
    looked: bool
    """Whether families were looked for."""
    below_chance: int
    """How many systems a model of independent errors holds no better than chance."""
    tau_of_model: float | None
    """How far that model ranks as the estimator does."""
    observed: npt.NDArray[np.float64] | None
    """How often every two systems agree."""
    names: tuple[str, ...]
    only_chosen: bool = False
    """Whether every item was chosen by somebody: where all say no there is no row, and agreement cannot be judged."""

    @property
    def mean_cohen(self) -> float | None:
        """The mean of Cohen's kappa over all pairs of systems in which it is defined: Light's kappa."""
        known = [kappa for kappa in self.cohen.values() if kappa is not None]
        return sum(known) / len(known) if known else None

    def coefficients(self) -> dict[str, Any]:
        """Return how far the systems agree beyond chance, by every coefficient."""
        found: dict[str, Any] = {"krippendorff_alpha": self.alpha, "fleiss_kappa": self.fleiss}
        pairs = [
            {"first": one, "second": other, "kappa": kappa}
            for (one, other), kappa in self.cohen.items()
        ]
        return {**found, "cohen_kappa": self.mean_cohen, "cohen_kappa_of_pairs": pairs}


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """The ranking by the truth, beside the one without it."""

    quantity: str
    values: Mapping[str, float | None]
    ranks: Mapping[str, int]
    tau: float | None
    tiers: Mapping[str, float]
    tied: tuple[tuple[str, str], ...]
    """Pairs tied without the truth and apart with it."""
    majority: float
    """How often the majority is right."""
    majority_low: float
    majority_high: float
    """The least and the most it could be, given how often each system is right."""
    items: int


@dataclass(frozen=True, slots=True)
class Powered:
    """A system's accuracy from a few items with truth and many without."""

    system: str
    value: float | None
    low: float
    high: float
    classical: float | None
    classical_low: float
    classical_high: float
    checked: int
    judged: int
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing(Result):
    """Who is best by what all say together."""

    estimator: str
    beta: float
    systems: tuple[System, ...]
    ranks: Mapping[str, int]
    labels: tuple[str, ...]
    left_out: int
    level: float
    method: str
    agreement: Agreement
    beside_truth: Beside | None = None
    told: Mapping[str, Told] = field(default_factory=dict)
    """Precision, recall and F by the truth, or by an oracle of confidence 1."""
    powered: tuple[Powered, ...] = ()
    needed: int | None = None
    grouped: bool = False
    """Whether systems that share errors have one vote together."""
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def f_name(self) -> str:
        """The name of F."""
        return f"f{self.beta:g}"

    @property
    def told_by(self) -> str:
        """Who tells precision and recall beside the estimator, in words."""
        names = {one.by for one in self.told.values()}
        return "the truth" if names == {TRUTH} else " ".join(names)

    def by_family(self) -> list[int]:
        """Return the places of the systems, those of one family together, the best families first."""
        agreement = self.agreement
        families = {
            name: place for place, family in enumerate(agreement.families) for name in family
        }
        best = {
            place: min(self.ranks[name] for name in family)
            for place, family in enumerate(agreement.families)
        }

        def key(place: int) -> tuple[int, int, int]:
            name = agreement.names[place]
            family, rank = families.get(name, -1), self.ranks[name]
            return best.get(family, rank), family, rank

        return sorted(range(len(agreement.names)), key=key)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per system and virtual system."""
        return [self._row(one) for one in self.systems]

    def _row(self, one: System) -> dict[str, Any]:
        row: dict[str, Any] = {
            "rank": self.ranks.get(one.system),
            "system": one.system,
            "weight": one.weight,
            "retrieved": plain(one.retrieved),
            "accuracy": one.accuracy,
            "precision": one.precision,
            "recall": one.recall,
            self.f_name: one.f,
            "value": one.value,
            "low": one.low,
            "high": one.high,
            "level": None if one.low is None else self.level,
            "method": self.method,
        }
        truth = self.beside_truth
        if truth is not None:
            row |= {
                "truth_value": truth.values.get(one.system),
                "truth_rank": truth.ranks.get(one.system),
            }
        if self.told:
            told = self.told.get(one.system)
            row |= {
                "truth_precision": told and told.precision,
                "truth_recall": told and told.recall,
                f"truth_{self.f_name}": told and told.f,
            }
        return row

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the ranking without truth, and what a little truth adds."""
        tables: dict[str, Sequence[Row]] = {self._heading(): self._shown()}
        if self.told:
            tables[
                f"precision and recall by all, and by {self.told_by} with its {100 * self.level:g} %"
            ] = [
                _told_line(one, self.told[one.system])
                for one in self.systems
                if one.system in self.told
            ]
        if self.powered:
            tables["accuracy, from a few items with truth and many without"] = [
                _powered_line(one, self.level) for one in self.powered
            ]
        return tables

    def _heading(self) -> str:
        by = {"vote": self.f_name, "dawid-skene": LIKELIEST, "likeliest": LIKELIEST}.get(
            self.estimator, "accuracy"
        )
        truth = (
            ""
            if self.beside_truth is None
            else f"; then by the truth ({self.beside_truth.quantity})"
        )
        return f"{self.estimator}: {by} by what all say together{truth}"

    def _shown(self) -> list[dict[str, Any]]:
        """Return the rows as a person reads them: what the ranking is by as value, and the truth beside it."""
        truth, found = self.beside_truth, []
        for one in self.systems:
            row: dict[str, Any] = {"rank": self.ranks.get(one.system), "system": one.system}
            if self.estimator == "vote" or any(
                other.precision is not None for other in self.systems
            ):
                row |= {"precision": one.precision, "recall": one.recall}
            row["value"] = one.value
            if any(other.low is not None for other in self.systems):
                row |= {"low": one.low, "high": one.high}
            if truth is not None:
                row |= {"truth": truth.values.get(one.system), "then": truth.ranks.get(one.system)}
            found.append({**row, "level": self.level, "method": self.method})
        return found

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, the labels, the agreement and what the truth says."""
        agreement = self.agreement
        found: dict[str, Any] = {
            **self.about,
            "estimator": self.estimator,
            "labels": list(self.labels),
            "left_out": self.left_out,
            "agreement": agreement.coefficients(),
            "families": [list(family) for family in agreement.families],
            "items_to_tell": self.needed,
            "warnings": list(self.warnings()),
        }
        truth = self.beside_truth
        if truth is not None:
            found["truth"] = {
                "measure": truth.quantity,
                "items": truth.items,
                "tau": truth.tau,
                "tiers": dict(truth.tiers),
                "tied_apart": [list(pair) for pair in truth.tied],
                "majority": {
                    "accuracy": truth.majority,
                    "low": truth.majority_low,
                    "high": truth.majority_high,
                },
            }
        if self.told:
            found["told"] = [one.row(self.f_name, self.level) for one in self.told.values()]
        if self.powered:
            found["powered"] = [_powered(one, self.level) for one in self.powered]
        return found

    def warnings(self) -> tuple[str, ...]:
        """Return why the ranking may be wrong."""
        found = []
        agreement = self.agreement
        if (
            agreement.alpha is not None
            and agreement.alpha < LOW_ALPHA
            and not agreement.only_chosen
        ):
            found.append(
                f"warning: the systems agree hardly more than by chance (Krippendorff's alpha {agreement.alpha:.2f}); "
                "what they say together need not be true, and their ranking by it means little."
            )
        if agreement.below_chance * 4 >= len(agreement.names) and agreement.looked:
            found.append(
                f"warning: {agreement.below_chance:,} of {counted(len(agreement.names), 'system')} are no better than "
                "chance by a model of independent errors (Dawid and Skene); then the answers do not tell which side is "
                "right: undecided, until a few items are checked."
            )
        elif agreement.tau_of_model is not None and agreement.tau_of_model < LOW_TAU:
            found.append(
                "warning: a model of independent errors (--estimator dawid-skene) ranks the systems otherwise "
                f"(Kendall's tau {agreement.tau_of_model:.2f}); which is right only a few checked items tell."
            )
        if agreement.families:
            many = listing(
                [
                    " + ".join(family[:SOME]) + (" ..." if len(family) > SOME else "")
                    for family in agreement.families[:SOME]
                ]
            )
            groups = f"{counted(len(agreement.families), 'group')} of systems share errors"
            found.append(
                f"warning: {groups}, and agree more often than their accuracies explain: {many}. "
                + ("Each group has one vote." if self.grouped else CONFIRM)
            )
        return tuple(found)

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return (*self.warnings(), *self._told(), *self._limits(), *self.remarks)

    def _told(self) -> list[str]:
        """Return how the ranking fares by the truth."""
        truth = self.beside_truth
        if truth is None:
            return []
        tau = "undefined" if truth.tau is None else f"{truth.tau:.2f}"
        thirds = ", ".join(f"{name} {100 * share:.0f} %" for name, share in truth.tiers.items())
        third = f"; in the same third: {thirds}" if thirds else ""
        by = f"By the truth of {counted(truth.items, 'item')} ({truth.quantity})"
        ends = f"from {100 * truth.majority_low:.1f} to {100 * truth.majority_high:.1f} %"
        right = f"The majority is right on {100 * truth.majority:.1f} % of them"
        said = [
            f"{by} the rank correlation (Kendall's tau) is {tau}{third}.",
            f"{right}; given how often each system is right, it could be anything {ends}.",
        ]
        if truth.tied:
            said.append(
                f"{counted(len(truth.tied), 'pair')} tied without the truth, apart with it."
            )
        return said

    def _limits(self) -> list[str]:
        """Return what cannot be seen from inside."""
        said = ["What most systems have wrong together cannot be seen from their answers."]
        if self.beside_truth is None and self.needed is not None:
            said[0] += (
                f" A little truth tells: if what they say together is as good as it seems, "
                f"{counted(self.needed, 'item')} drawn at random and checked show that it is better than chance."
            )
        alpha = self.agreement.alpha
        if self.agreement.only_chosen:
            said.append(
                "Items that no system chose are not in the table, so agreement beyond chance cannot be told."
            )
        elif alpha is not None:
            kappa = self.agreement.mean_cohen
            mean = "" if len(self.agreement.cohen) == 1 else ", mean over the pairs of systems"
            said.append(
                f"Krippendorff's alpha {alpha:.3f}"
                + ("." if kappa is None else f"; Cohen's kappa {kappa:.3f}{mean}.")
            )
        if len(self.labels) > 1 and self.estimator == "vote":
            shown = listing(self.labels[:SOME]) + (
                f" and {len(self.labels) - SOME:,} more" if len(self.labels) > SOME else ""
            )
            said.append(
                f"The vote is on all pairs of an item and one of {len(self.labels):,} labels: {shown}."
            )
        if self.left_out:
            said.append(
                f"{counted(self.left_out, 'item')} left out: nobody whose vote counts answered."
            )
        return said


def plain(value: float | None) -> float | int | None:
    """Return a number of things as a whole one, if it is."""
    return int(value) if value is not None and float(value).is_integer() else value


def _told_line(one: System, told: Told) -> dict[str, Any]:
    """Return a row as a person reads it: without the truth, then by it, with where it lies as text."""
    row: dict[str, Any] = {"system": one.system}
    sides = (("precision", one.precision, told.precision), ("recall", one.recall, told.recall))
    for (name, own, true), (low, high) in zip(sides, told.ranges, strict=False):
        shown = "undefined" if true is None else f"{true:.4f}"
        row |= {name: own, f"{name}, true": f"{shown} [{low:.3f}, {high:.3f}]"}
    return {**row, "method": told.method}


def _powered_line(one: Powered, level: float) -> dict[str, Any]:
    """Return a row as a person reads it, the interval of the checked items alone as text."""
    row: dict[str, Any] = {"system": one.system, "checked": one.checked, "value": one.value}
    row |= {
        "low": one.low,
        "high": one.high,
        "checked alone": f"[{one.classical_low:.4f}, {one.classical_high:.4f}]",
    }
    return {**row, "level": level, "method": one.method.partition(" (")[0]}


def _powered(one: Powered, level: float) -> dict[str, Any]:
    return {
        "system": one.system,
        "checked": one.checked,
        "judged": one.judged,
        "value": one.value,
        "low": one.low,
        "high": one.high,
        "checked_only": one.classical,
        "checked_only_low": one.classical_low,
        "checked_only_high": one.classical_high,
        "level": level,
        "method": one.method.partition(" (")[0],
    }
