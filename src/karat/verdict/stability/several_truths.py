"""Several truths of the same items, two by two: where they differ, and whether the ranking does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.label_errors import said_errors
from karat.doubt.label_noise.error_rate import from_check
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.measure.rank_agreement import kendall
from karat.result import Result
from karat.result.base import Row
from karat.tally.codes import MISSING, used
from karat.tally.votes.patterns import Patterns
from karat.verdict.compare.compared import value_of
from karat.verdict.ranking import ranking_by
from karat.verdict.stability.stability import Faults, stability

Swap = tuple[str, str]
SOME = 3
"""So many pairs that change places are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoTruths:
    """How far two truths agree, in their labels and in the order they give."""

    first: str
    second: str
    items: int
    differ: int
    low: float
    high: float
    level: float
    values: Mapping[str, tuple[float | None, float | None]]
    """System to its value by the first truth and by the second, on the items that have both."""
    tau: float | None
    swapped: tuple[Swap, ...]
    """Pairs of systems, the one before the other by the first truth and after it by the second."""
    kept: float
    """How likely the whole order by the first truth is kept, if as many of its labels are wrong as they differ in."""
    method: str

    def row(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "first": self.first,
            "second": self.second,
            "items": self.items,
            "differ": self.differ,
            "share": self.differ / self.items,
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "tau": self.tau,
            "inversions": len(self.swapped),
            "kept": self.kept,
            "method": self.method,
        }

    def ranks(self, quantity: Quantity) -> list[dict[str, Any]]:
        """Return a row per system: its rank and value by the first truth, what the second adds, and its rank then."""
        orders = [
            ranking_by(quantity, {name: own[side] for name, own in self.values.items()})
            for side in (0, 1)
        ]
        return [
            {
                "system": name,
                "rank": orders[0][name],
                "value": first,
                "gain": None if first is None or second is None else second - first,
                "then": orders[1][name],
            }
            for name in orders[0]
            for first, second in [self.values[name]]
        ]


@dataclass(frozen=True, slots=True)
class Truths(Result):
    """The rankings by several truths, two by two."""

    quantity: Quantity
    found: tuple[TwoTruths, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per pair of truths."""
        return [one.row() for one in self.found]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return two rankings beside each other for every pair of truths, and how far they agree."""
        tables: dict[str, Sequence[Row]] = {
            f"{self.quantity}: the ranking by {one.first}, and then by {one.second}": one.ranks(
                self.quantity
            )
            for one in self.found
        }
        return {
            **tables,
            "how often do two truths differ, and does the order?": [
                _line(one) for one in self.found
            ],
        }

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, and the rankings."""
        ranking = [
            {"first": one.first, "second": one.second, "ranks": one.ranks(self.quantity)}
            for one in self.found
        ]
        return {**self.about, "ranking": ranking}

    def notes(self) -> Sequence[str]:
        """Return what changes, in words."""
        law = "kept: how likely the order by the first is the true one, if as many of its labels are wrong."
        return (*(_words(one) for one in self.found), law, *self.remarks)


def compare_truths(
    patterns: Patterns,
    names: tuple[str, str],
    quantity: Quantity,
    *,
    level: float = 0.95,
    seed: int = 0,
) -> TwoTruths:
    """Do two truths give the same ranking, on the items that both speak of?

    The truth of the patterns is the first, their key u the second.
    """
    one, two = _both(patterns)
    items, differ = int(one.number.sum()), int(one.number[_labels(one) != _labels(two)].sum())
    if not items:
        raise OptionError(
            f"{names[0]!r} and {names[1]!r} have no item in common; compare truths of the same items"
        )
    share = from_check(differ, items, level=level)
    values = [
        {system: value_of(own, system, quantity) for system in own.systems} for own in (one, two)
    ]
    scores = [[_ranked(own[system], quantity) for system in patterns.systems] for own in values]
    _, (whole,) = stability(one, quantity, Faults(said=said_errors(differ / items), seed=seed))
    return TwoTruths(
        first=names[0],
        second=names[1],
        items=items,
        differ=differ,
        low=share.low,
        high=share.high,
        level=level,
        values={system: (values[0][system], values[1][system]) for system in patterns.systems},
        tau=kendall(*scores),
        swapped=_swapped(patterns.systems, scores, lower_is_better=quantity.lower_is_better),
        kept=whole.found.kept,
        method=whole.found.method,
    )


def _ranked(value: float | None, quantity: Quantity) -> float:
    return quantity.worst if value is None else value


def _both(patterns: Patterns) -> tuple[Patterns, Patterns]:
    """Return the items that have both truths, by each of them."""
    words = [patterns.meaning.label(text) if text else None for text in patterns.keys["u"].tolist()]
    labels = tuple(dict.fromkeys([*patterns.labels, *(word for word in words if word is not None)]))
    place: dict[str | None, int] = {
        None: MISSING,
        **{text: code for code, text in enumerate(labels)},
    }
    other = np.array([place[word] for word in words], np.int64)
    both = (patterns.truth != MISSING) & (other != MISSING)
    rows = replace(
        patterns,
        labels=labels,
        answers=patterns.answers[both],
        number=patterns.number[both],
        keys={},
    )
    return _tidy(replace(rows, truth=patterns.truth[both])), _tidy(replace(rows, truth=other[both]))


def _labels(patterns: Patterns) -> npt.NDArray[np.object_]:
    return np.array(patterns.labels, dtype=object)[patterns.truth]


def _tidy(patterns: Patterns) -> Patterns:
    """Return the patterns with only those labels that occur."""
    (truth, *answers), labels = used(
        [patterns.truth, *patterns.answers.T.astype(np.int64)], patterns.labels
    )
    return replace(
        patterns, labels=labels, truth=truth, answers=np.stack(answers, axis=1).astype(np.int32)
    )


def _swapped(
    systems: Sequence[str], scores: Sequence[Sequence[float]], *, lower_is_better: bool
) -> tuple[Swap, ...]:
    one, other = (np.array(own) * (-1 if lower_is_better else 1) for own in scores)
    before = (one[:, None] > one[None, :]) & (other[:, None] < other[None, :])
    return tuple((systems[i], systems[j]) for i, j in zip(*np.nonzero(before), strict=True))


def _line(one: TwoTruths) -> dict[str, Any]:
    row = {
        "first": one.first,
        "second": one.second,
        "successes": one.differ,
        "trials": one.items,
        "value": one.differ / one.items,
    }
    row |= {
        "value": one.differ / one.items,
        "low": one.low,
        "high": one.high,
        "level": one.level,
        "tau": one.tau,
    }
    return {**row, "swapped": len(one.swapped), "kept": one.kept, "method": one.method}


def _words(one: TwoTruths) -> str:
    said = f"{one.first!r} and {one.second!r} differ in {one.differ:,} of {one.items:,} labels"
    if not one.swapped:
        return f"{said}; no two systems change places."
    pairs = ", ".join(f"{better!r} and {worse!r}" for better, worse in one.swapped[:SOME])
    more = f" and {len(one.swapped) - SOME:,} other pairs" if len(one.swapped) > SOME else ""
    return f"{said}; {pairs}{more} change places."
