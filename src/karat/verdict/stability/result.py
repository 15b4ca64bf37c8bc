"""What may be said of a ranking whose truth has errors: the results, and their words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from karat.doubt.label_noise.ranking_order import FaultyRanking
from karat.measure.outcomes import of_right_answers
from karat.measure.quantity import Quantity
from karat.result import Result
from karat.result.base import Row
from karat.result.layout import chance

FEW = 4
"""Up to how many labels are told one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairStability:
    """Whether the better of two systems is the better one by the true labels."""

    worse: str
    better: str
    only_worse: int | None
    only_better: int | None
    """Who is right alone, where the order is by accuracy."""
    label_error: float | Mapping[str, float] | None
    model: str
    kept: float | None
    tie: float | None
    reversed: float | None
    critical_label_error: float | None
    safe_errors: int | None
    method: str

    def row(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        error = (
            dict(self.label_error) if isinstance(self.label_error, Mapping) else self.label_error
        )
        return {
            "worse": self.worse,
            "better": self.better,
            "only_worse": self.only_worse,
            "only_better": self.only_better,
            "label_error": error,
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
    found: FaultyRanking
    noise: float | None = None
    """The standard deviation of the truths, where they are numbers."""
    values: Mapping[str, float | None] | None = None
    """Each system's loss, where the ranking is by one."""
    things: str = "labels"
    """What is wrong of the truth."""

    @property
    def words(self) -> str:
        """What is said of the truth."""
        if self.noise is not None:
            return f"if the truths err by {self.noise:g} (a standard deviation)"
        return _said(self.label_error or 0.0, self.things)

    @property
    def order(self) -> tuple[str, ...]:
        """The systems, the best first."""
        return tuple(self.places)

    def about(self) -> dict[str, Any]:
        """Return it as plain values."""
        ranks = {
            name: row.tolist() for name, row in zip(self.systems, self.found.ranks, strict=True)
        }
        error = (
            dict(self.label_error) if isinstance(self.label_error, Mapping) else self.label_error
        )
        return {
            "label_error": error,
            **({} if self.noise is None else {"noise": self.noise}),
            **({} if self.values is None else {"values": dict(self.values)}),
            "order": list(self.order),
            "kept": self.found.kept,
            "no_inversion": self.found.no_inversion,
            "best_kept": self.found.best_kept,
            "best_among": self.found.best_among,
            "ranks": ranks,
            "method": self.found.method,
            "standard_error": self.found.standard_error,
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per system: how firm its place is."""
        rows = []
        for system, place in self.places.items():
            chance = self.found.ranks[self.systems.index(system)]
            likely = np.flatnonzero(chance > 0.005) + 1
            span = f"{likely[0]}" if len(likely) == 1 else f"{likely[0]} to {likely[-1]}"
            loss = {} if self.values is None else {"value": self.values[system]}
            firm = {"P(same rank)": float(chance[place - 1]), "ranks": span}
            rows.append({"rank": place, "system": system, **loss, **firm})
        return rows


@dataclass(frozen=True, slots=True)
class KeptCurve:
    """The probability that an order is kept, against the share of wrong labels."""

    better: str
    worse: str
    rates: tuple[float, ...]
    kept: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Stability(Result):
    """What may be said of a ranking whose truth has errors."""

    quantity: Quantity
    pairs: tuple[PairStability, ...]
    wholes: tuple[WholeStability, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    level: float = 0.95
    curves: tuple[KeptCurve, ...] = ()
    things: str = "labels"
    """What is wrong of the truth."""

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per pair and share of wrong labels."""
        return [pair.row() for pair in self.pairs]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return which places are firm, and what each order survives."""
        tables: dict[str, Sequence[Row]] = {}
        for whole in self.wholes:
            tables[f"{self.quantity}: how firm is each place, {whole.words}?"] = whole.rows()
        tables[f"{self.quantity}: which errors does each order survive?"] = [
            _line(pair) for pair in self.pairs
        ]
        return tables

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, and the whole ranking."""
        wholes = [whole.about() for whole in self.wholes]
        return {**self.about, "ranking": wholes[0] if len(wholes) == 1 else wholes}

    def notes(self) -> Sequence[str]:
        """Return the answer in words."""
        said = [_whole_words(whole) for whole in self.wholes]
        if of_right_answers(self.quantity):
            share = f"up to this share of wrong {self.things}"
            said.append(f"survives: {share} an order is kept with probability {self.level:g}.")
        if any(pair.safe_errors is not None for pair in self.pairs):
            said.append(
                f"safe: so many wrong {self.things} cannot change the order, wherever they are."
            )
        return (*said, *self.remarks)


def _said(error: float | Mapping[str, float], things: str) -> str:
    if isinstance(error, Mapping) and len(error) > FEW:
        return f"if {things} are wrong, {100 * min(error.values()):.3g} to {100 * max(error.values()):.3g} % by label"
    if isinstance(error, Mapping):
        return (
            "if "
            + ", ".join(f"{rate:.3g} of the {things} {name!r}" for name, rate in error.items())
            + " are wrong"
        )
    return f"if {100 * error:.3g} % of the {things} are wrong"


def _whole_words(whole: WholeStability) -> str:
    best, method = whole.found.best_kept, whole.found.method
    said = f"I{whole.words[1:]}, the whole order is kept with probability {_likely(whole.found.kept, method)}"
    if best is not None:
        said += (
            f", and {whole.order[0]!r} stays the sole best with probability {_likely(best, method)}"
        )
    return f"{said} ({method})."


def _likely(value: float, method: str) -> str:
    """Return a probability; that all of some thousand draws agree makes nothing certain."""
    return "over 0.999" if value == 1 and method.startswith("simulation") else chance(value)


def _line(pair: PairStability) -> dict[str, Any]:
    critical = pair.critical_label_error
    row: dict[str, Any] = {
        "better": pair.better,
        "worse": pair.worse,
        "alone": None,
        "survives": None,
    }
    if pair.only_better is not None and pair.only_worse is not None:
        alone = f"{pair.only_better:,}:{pair.only_worse:,}"
        row |= {"alone": alone, "survives": _percent(critical, pair)}
    row["safe"] = pair.safe_errors
    row |= {"kept": pair.kept, "tie": pair.tie, "reversed": pair.reversed}
    error = pair.label_error
    told = error if isinstance(error, float) else None
    return {**row, "label_error": told, "method": f"{pair.model}, {pair.method}"}


def _percent(critical: float | None, pair: PairStability) -> str:
    if pair.only_better == pair.only_worse:
        return "tied"
    return "unknown" if critical is None else f"{100 * critical:.3g} %"
