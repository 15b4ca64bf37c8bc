"""How robust a ranking is to errors in the truth: the results, and their words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from karat.doubt.label_noise.ranking_order import RankingUnderNoise
from karat.measure.outcomes import of_right_answers
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.result import Result
from karat.result.base import Row
from karat.result.layout import chance

FEW = 4
"""Up to so many labels are listed one by one."""
ROBUST_UP_TO = "robust up to (errors by chance)"
FLIPS_TOLERATED = "worst-case flips tolerated"
KINDEST = (
    "Errors by chance are the kindest case: real ones lie where systems contradict the truth, and reverse several "
    "times more orders."
)
BY_CHANCE = {"uniform", "per-class", "matrix"}
"""The models in which a wrong label has nothing to do with what the systems answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairStability:
    """How robust the order of two systems is: whether the better one is better by the true labels, too."""

    worse: str
    better: str
    only_worse: int | None
    only_better: int | None
    """The discordant items, where the order is by accuracy: those that only one of the two has right."""
    label_error: float | Mapping[str, float] | None
    model: str
    kept: float | None
    tie: float | None
    reversed: float | None
    critical_label_error: float | None
    safe_errors: int | None
    method: str

    def row(self) -> dict[str, Any]:
        """Return all fields as plain values."""
        return {
            "worse": self.worse,
            "better": self.better,
            "only_worse": self.only_worse,
            "only_better": self.only_better,
            "label_error": _plain_error(self.label_error),
            "model": self.model,
            "kept": self.kept,
            "tie": self.tie,
            "reversed": self.reversed,
            "critical_label_error": self.critical_label_error,
            "safe_errors": self.safe_errors,
            "method": self.method,
        }


@dataclass(frozen=True, slots=True)
class WholeStability:
    """Whether the whole order is that by the true labels, at one share of wrong labels."""

    systems: tuple[str, ...]
    places: Mapping[str, int]
    """Each system's rank by the given labels, the best first; systems with equal values share one."""
    label_error: float | Mapping[str, float] | None
    found: RankingUnderNoise
    noise: float | None = None
    """The standard deviation of the truths, where they are numbers."""
    values: Mapping[str, float | None] | None = None
    """Each system's loss, where the ranking is by one."""
    things: str = "labels"
    """What is wrong in the truth."""

    @property
    def words(self) -> str:
        """The assumption about the truth, as a clause."""
        if self.noise is not None:
            return f"if the truths are off by {self.noise:g} (a standard deviation)"
        return _assumption(self.label_error or 0.0, self.things)

    @property
    def order(self) -> tuple[str, ...]:
        """The systems, the best first."""
        return tuple(self.places)

    def about(self) -> dict[str, Any]:
        """Return all fields as plain values."""
        about: dict[str, Any] = {"label_error": _plain_error(self.label_error)}
        if self.noise is not None:
            about["noise"] = self.noise
        if self.values is not None:
            about["values"] = dict(self.values)
        order = self.found
        ranks = dict(zip(self.systems, order.ranks.tolist(), strict=True))
        return about | {
            "order": list(self.order),
            "kept": order.kept,
            "no_inversion": order.no_inversion,
            "best_kept": order.best_kept,
            "best_among": order.best_among,
            "ranks": ranks,
            "method": order.method,
            "standard_error": order.standard_error,
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per system: how likely it keeps its rank, and which ranks are likely."""
        rows = []
        for system, place in self.places.items():
            row: dict[str, Any] = {"rank": place, "system": system}
            if self.values is not None:
                row["value"] = self.values[system]
            chances = self.found.ranks[self.systems.index(system)]
            row["P(same rank)"] = float(chances[place - 1])
            row["ranks"] = _likely_ranks(chances)
            rows.append(row)
        return rows


@dataclass(frozen=True, slots=True)
class KeptCurve:
    """The probability that an order is kept, against the share of wrong labels."""

    better: str
    worse: str
    rates: tuple[float, ...]
    kept: tuple[float, ...]


@dataclass(frozen=True, slots=True, repr=False)
class StabilityResult(Result):
    """How robust a ranking is to errors in the truth."""

    quantity: Quantity
    pairs: tuple[PairStability, ...]
    wholes: tuple[WholeStability, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    level: float = 0.95
    curves: tuple[KeptCurve, ...] = ()
    things: str = "labels"
    """What is wrong in the truth."""
    few: bool = False
    """Whether the items were resampled, too: the answer is then about items like these."""

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per pair and share of wrong labels."""
        return [pair.row() for pair in self.pairs]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return how robust each rank is, and how robust each order is."""
        tables: dict[str, Sequence[Row]] = {}
        for whole in self.wholes:
            heading = f"{self.quantity}: how robust is each rank {self.on_items}, {whole.words}?"
            tables[heading] = whole.rows()
        heading = (
            f"{self.quantity}: how robust is each order to errors in the truth {self.on_items}?"
        )
        tables[heading] = [_line(pair) for pair in self.pairs]
        return tables

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, and the whole ranking."""
        wholes = [whole.about() for whole in self.wholes]
        if len(wholes) == 1:
            return {**self.about, "ranking": wholes[0]}
        return {**self.about, "ranking": wholes}

    def notes(self) -> Sequence[str]:
        """Return the answer in words."""
        notes = [_whole_words(whole) for whole in self.wholes]
        if of_right_answers(self.quantity):
            notes.append("discordant: items that only the better has right : only the worse.")
            share = f"up to this share of wrong {self.things}"
            notes.append(
                f"robust up to: if errors lie by chance, {share} the order is kept with probability {self.level:g}."
            )
        if any(pair.safe_errors is not None for pair in self.pairs):
            notes.append(
                f"worst-case flips tolerated: so many wrong {self.things} do not change the order, wherever they are."
            )
        if any(pair.model in BY_CHANCE for pair in self.pairs):
            notes.append(KINDEST)
        return (*notes, *self.remarks)

    @property
    def on_items(self) -> str:
        """Which items the answer is about."""
        return "on items like these" if self.few else "on these items"


def _plain_error(error: float | Mapping[str, float] | None) -> float | dict[str, float] | None:
    if isinstance(error, Mapping):
        return dict(error)
    return error


def _likely_ranks(chances: FloatArray) -> str:
    """Return the ranks that have a probability worth mentioning, such as 2 to 4."""
    likely = np.flatnonzero(chances > 0.005) + 1
    if len(likely) == 1:
        return f"{likely[0]}"
    return f"{likely[0]} to {likely[-1]}"


def _assumption(error: float | Mapping[str, float], things: str) -> str:
    """Return the assumed share of wrong labels as a clause."""
    if not isinstance(error, Mapping):
        return f"if {100 * error:.3g} % of the {things} are wrong by chance"
    if len(error) > FEW:
        lowest = 100 * min(error.values())
        highest = 100 * max(error.values())
        return f"if {things} are wrong by chance, {lowest:.3g} to {highest:.3g} % by label"
    shares = [f"{rate:.3g} of the {things} {name!r}" for name, rate in error.items()]
    return f"if {', '.join(shares)} are wrong by chance"


def _whole_words(whole: WholeStability) -> str:
    order = whole.found
    method = order.method
    assumption = f"I{whole.words[1:]}"
    sentence = (
        f"{assumption}, the whole order is kept with probability {_likely(order.kept, method)}"
    )
    if order.best_kept is not None:
        best = whole.order[0]
        likely = _likely(order.best_kept, method)
        sentence += f", and {best!r} stays the sole best with probability {likely}"
    return f"{sentence} ({method})."


def _likely(value: float, method: str) -> str:
    """Return a probability; that all of some thousand draws agree makes nothing certain."""
    if value == 1 and method.startswith("simulation"):
        return "over 0.999"
    return chance(value)


def _line(pair: PairStability) -> dict[str, Any]:
    """Return a pair as a row of the printed table."""
    discordant = None
    robust_up_to = None
    if pair.only_better is not None and pair.only_worse is not None:
        discordant = f"{pair.only_better:,}:{pair.only_worse:,}"
        robust_up_to = _robust_up_to(pair)
    error = pair.label_error
    return {
        "better": pair.better,
        "worse": pair.worse,
        "discordant": discordant,
        ROBUST_UP_TO: robust_up_to,
        FLIPS_TOLERATED: pair.safe_errors,
        "order kept": pair.kept,
        "tie": pair.tie,
        "order reversed": pair.reversed,
        "label_error": error if isinstance(error, float) else None,
        "method": f"{pair.model}, {pair.method}",
    }


def _robust_up_to(pair: PairStability) -> str:
    critical = pair.critical_label_error
    if pair.only_better == pair.only_worse:
        return "tied"
    if critical is None:
        return "unknown"
    return f"{100 * critical:.3g} %"
