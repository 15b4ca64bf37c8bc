"""How robust the order of two systems, and a whole ranking, is to errors in the truth."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat.doubt.label_noise.ranking_order import RankingUnderNoise
from karat.numeric.arrays import FloatArray
from karat.result.probabilities import likely

FEW = 4
"""Up to so many labels are listed one by one."""
INFORMED = "informed"
"""The model in which labels are wrong where systems contradict them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairStability:
    """How robust the order of two systems is: whether the better one is better by the true labels, too."""

    worse: str
    better: str
    only_worse: int | None = None
    only_better: int | None = None
    """The discordant items, where the order is by accuracy: those that only one of the two has right."""
    label_error: float | Mapping[str, float] | None = None
    model: str = "uniform"
    kept: float | None = None
    tie: float | None = None
    reversed: float | None = None
    """P(the order is kept, tied, reversed); None where no errors are assumed."""
    critical_label_error: float | None = None
    safe_errors: int | None = None
    method: str = "exact"
    verdict: str | None = None
    """Of the model informed: safe, open or probably reversed."""

    def row(self) -> dict[str, Any]:
        """Return all fields as plain values."""
        row = {
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
        if self.verdict is not None:
            row["verdict"] = self.verdict
        return row


@dataclass(frozen=True, slots=True)
class RankingStability:
    """Whether the whole order is that by the true labels, at one share of wrong labels."""

    systems: tuple[str, ...]
    places: Mapping[str, int]
    """Each system's rank by the given labels, the best first; systems with equal values share one."""
    label_error: float | Mapping[str, float] | None
    under_noise: RankingUnderNoise
    noise: float | None = None
    """The standard deviation of the truths, where they are numbers."""
    values: Mapping[str, float | None] | None = None
    """Each system's loss, where the ranking is by one."""
    things: str = "labels"
    """What is wrong in the truth."""
    model: str = "uniform"

    @property
    def words(self) -> str:
        """The assumption about the truth, as a clause."""
        if self.noise is not None:
            return f"if the truths are off by {self.noise:g} (a standard deviation)"
        if self.model == INFORMED:
            return _informed_assumption(self.label_error)
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
        order = self.under_noise
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
            chances = self.under_noise.ranks[self.systems.index(system)]
            row["P(same rank)"] = likely(float(chances[place - 1]), self.under_noise.method)
            row["ranks"] = _likely_ranks(chances)
            rows.append(row)
        return rows


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


def _informed_assumption(error: float | Mapping[str, float] | None) -> str:
    where = "where systems contradict them"
    if not isinstance(error, float):
        return f"if labels are wrong {where}"
    return f"if {100 * error:.3g} % of the labels are wrong, {where}"
