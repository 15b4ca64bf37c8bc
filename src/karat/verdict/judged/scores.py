"""Each system's accuracy by a judge, corrected for the errors that the checked items show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from karat.doubt.bounds.exact import exact
from karat.doubt.consensus.rogan_gladen import METHOD as RG_METHOD
from karat.doubt.consensus.rogan_gladen import rogan_gladen
from karat.doubt.consensus.stratified_share import stratified_share
from karat.doubt.estimates import Estimates
from karat.doubt.interval import Interval
from karat.measure import usual
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.result.base import Row
from karat.verdict.judged.items import JudgedItems, ShareCounts
from karat.verdict.judged.record import JudgeRecord
from karat.verdict.ranking import ranking
from karat.verdict.score.result import Entry, ScoreResult
from karat.words import listing

ACCURACY = Quantity(usual.RIGHT_ANSWERS)
COLUMNS = (
    "value: what the judge says, corrected by the items that were checked; by the judge: not corrected; "
    "checked only: from the checked items alone."
)
BORROWED = (
    "warning: people graded no output of some systems; their values take for granted that the judge errs on them as on "
    "the others, which a judge that is kinder to its own family does not:"
)


@dataclass(frozen=True, slots=True)
class JudgedSystem:
    """One system: corrected, by the judge alone, and by the checked items alone."""

    system: str
    value: float
    low: float
    high: float
    level: float
    method: str
    items: int
    checked: int
    checked_right: int
    by_judge: float
    """The share that is right by the judge."""
    checked_low: float
    checked_high: float

    @property
    def checked_value(self) -> float | None:
        """The share right among the checked items."""
        return self.checked_right / self.checked if self.checked else None

    def row(self) -> dict[str, Any]:
        """Return what a row of scores has beside the usual columns."""
        return {
            "items": self.items,
            "checked": self.checked,
            "by_judge": self.by_judge,
            "checked_only": self.checked_value,
            "checked_only_low": self.checked_low,
            "checked_only_high": self.checked_high,
        }

    def line(self, rank: int) -> dict[str, Any]:
        """Return a row for people to read."""
        return {
            "rank": rank,
            "system": self.system,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "by the judge": f"{self.by_judge:.4f}",
            "checked": f"{self.checked_right:,}/{self.checked:,}",
            "checked only": f"[{self.checked_low:.4f}, {self.checked_high:.4f}]",
            "level": self.level,
            "method": self.method,
        }


def judged_systems(items: JudgedItems, level: float) -> tuple[JudgedSystem, ...]:
    """Return every system's corrected accuracy, the best first."""
    judged = []
    for place, name in enumerate(items.systems):
        counts = items.share(place)
        elsewhere = items.errors_elsewhere(place)
        if elsewhere is not None and not counts.checked.any():
            judged.append(_by_errors_elsewhere(name, counts, elsewhere, level))
        else:
            judged.append(_judged_system(name, counts, level))
    return tuple(sorted(judged, key=lambda one: -one.value))


def _judged_system(name: str, counts: ShareCounts, level: float) -> JudgedSystem:
    value, interval = stratified_share(
        counts.right, counts.checked, counts.items, np.array(counts.total), level=level
    )
    right = counts.right.sum() + 0.0
    checked = counts.checked.sum()
    alone = exact(right, checked, level=level)
    return JudgedSystem(
        system=name,
        value=float(value),
        low=float(interval.low),
        high=float(interval.high),
        level=level,
        method=interval.method,
        items=int(counts.total),
        checked=int(checked),
        checked_right=int(right),
        by_judge=counts.by_judge / counts.total if counts.total else 0.0,
        checked_low=float(alone.low),
        checked_high=float(alone.high),
    )


def _by_errors_elsewhere(
    name: str, counts: ShareCounts, errors: FloatArray, level: float
) -> JudgedSystem:
    """Return a system of which people graded no output: the judge is taken to err as it does on the others."""
    wrong, passed, right, failed = errors.tolist()
    value, interval = rogan_gladen(
        (counts.by_judge, counts.total),
        (right - failed, right),
        (wrong - passed, wrong),
        level=level,
    )
    uncorrected = _judged_system(name, counts, level)
    return replace(
        uncorrected,
        value=uncorrected.value if value is None else value,
        low=float(interval.low),
        high=float(interval.high),
        method=f"{interval.method} by the judge's errors on the other systems",
    )


@dataclass(frozen=True, slots=True, repr=False)
class JudgedScoreResult(ScoreResult):
    """Every system's accuracy by a judge, corrected for its errors."""

    record: JudgeRecord | None = None
    systems: tuple[JudgedSystem, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per system."""
        rows = ScoreResult.rows(self)
        return [{**row, **one.row()} for row, one in zip(rows, self.systems, strict=True)]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the corrected accuracies, what they are without correction, and the judge's errors."""
        if self.record is None:
            return {}
        title = (
            f"{usual.RIGHT_ANSWERS}, by the judge {self.record.judge!r} corrected for its errors"
        )
        lines = []
        for entry, one in zip(self.entries, self.systems, strict=True):
            lines.append(one.line(entry.rank or 0))
        return {title: lines, **self.record.tables()}

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, and what is known of the judge and of the sample."""
        if self.record is None:
            return self.about
        return {**self.about, "judge": self.record.row(), "sample": self.record.sample.row()}

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        unseen = [one.system for one in self.systems if one.method.startswith(RG_METHOD)]
        borrowed = [f"{BORROWED} {listing(unseen)}."] if unseen else []
        return (COLUMNS, *borrowed, *self.remarks)


def entries(found: Sequence[JudgedSystem]) -> tuple[Entry, ...]:
    """Return the accuracies as scores, ranked."""
    ranks = ranking({one.system: one.value for one in found})
    scores = []
    for one in found:
        interval = Interval(np.array([one.low]), np.array([one.high]), one.level, one.method)
        estimates = Estimates(
            ACCURACY,
            (None,),
            np.array([one.value]),
            interval,
            np.array([float(one.checked_right)]),
            np.array([float(one.checked)]),
        )
        scores.append(Entry(one.system, estimates, rank=ranks[one.system]))
    return tuple(scores)
