"""How good each system is: the result, one row for each system, measure and class."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import stdev
from typing import Any, ClassVar

from karat.doubt.estimates import Estimates
from karat.result import Result
from karat.result.base import Row
from karat.verdict.score.class_tables import class_tables

MEAN = "(mean)"
"""The group of the mean over groups."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One quantity of one system, over all items or in one group."""

    system: str
    estimates: Estimates
    group: str | None = None
    rank: int | None = None
    runs: tuple[float | None, ...] = ()
    """The value of each run, where there are several."""
    parts: Mapping[str, int | None] = field(default_factory=dict)
    """What it is made of, by name, such as the substitutions of an error rate."""


@dataclass(frozen=True, slots=True, repr=False)
class ScoreResult(Result):
    """Every quantity of every system, with its counts and its interval."""

    section: ClassVar[str | None] = "measure"
    entries: tuple[Entry, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    side: str = "both"
    reading_warnings: tuple[str, ...] = ()
    """Those of the remarks that are about what looks as if the table had been misread."""

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per system, quantity and class."""
        grouped = any(entry.group is not None for entry in self.entries)
        rows: list[dict[str, Any]] = []
        for entry in self.entries:
            rows += _rows(entry, side=self.side, grouped=grouped)
        return rows

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return a table per measure; of classes, a table per system with a line per class."""
        quantities = [entry.estimates.quantity for entry in self.entries]
        for quantity in quantities:
            if quantity.of_classes and quantity.label is None:
                return class_tables(self.rows(), quantities)
        return Result.parts(self)

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what a reader must know, with the cautions."""
        return (*self.remarks, *self.cautions())

    def cautions(self) -> list[str]:
        """Return cautions where intervals covered less often than their level in simulations of settings like these."""
        cautions = dict.fromkeys(entry.estimates.interval.caution for entry in self.entries)
        return [caution for caution in cautions if caution]


def _rows(entry: Entry, *, side: str, grouped: bool) -> list[dict[str, Any]]:
    estimates = entry.estimates
    interval = estimates.interval
    rows = []
    for place, label in enumerate(estimates.labels):
        row = {
            "rank": entry.rank,
            "system": entry.system,
            "measure": estimates.quantity.name,
            "label": label,
            "successes": _count(estimates.successes, place),
            "trials": _count(estimates.trials, place),
            **entry.parts,
            "value": number_or_none(float(estimates.value[place])),
            "low": float(interval.low[place]),
            "high": float(interval.high[place]),
            "level": interval.level,
            "side": side,
            "method": interval.method,
        }
        if grouped:
            row = {"group": entry.group, **row}
        rows.append({**row, **_spread(entry.runs)})
    return rows


def _count(counts: Any, place: int) -> int | float | None:
    if counts is None:
        return None
    number = float(counts[place])
    return int(number) if number.is_integer() else number


def number_or_none(value: float) -> float | None:
    """Return a number, or None where it is undefined."""
    return None if math.isnan(value) else value


def _spread(runs: tuple[float | None, ...]) -> dict[str, Any]:
    """Return the spread of a system over its runs: an uncertainty besides that of few items."""
    if not runs:
        return {}
    known = [value for value in runs if value is not None]
    return {
        "runs": len(runs),
        "run_sd": stdev(known) if len(known) > 1 else None,
        "run_low": min(known, default=None),
        "run_high": max(known, default=None),
    }
