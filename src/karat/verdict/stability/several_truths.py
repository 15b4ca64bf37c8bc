"""Several truths of the same items, two by two: how often they differ, and whether their rankings do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.label_errors import parse_label_errors
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
from karat.verdict.stability.stability import NoiseOptions, stability

Swap = tuple[str, str]
SOME = 3
"""Up to so many pairs that change places are named."""


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
    """P(the whole order by the first truth is kept), if as many of its labels are wrong as the two differ in."""
    method: str

    def row(self) -> dict[str, Any]:
        """Return all fields as plain values."""
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
        by_first = ranking_by(quantity, {name: own[0] for name, own in self.values.items()})
        by_second = ranking_by(quantity, {name: own[1] for name, own in self.values.items()})
        rows = []
        for name, rank in by_first.items():
            first, second = self.values[name]
            gain = None
            if first is not None and second is not None:
                gain = second - first
            row = {
                "system": name,
                "rank": rank,
                "value": first,
                "gain": gain,
                "then": by_second[name],
            }
            rows.append(row)
        return rows


@dataclass(frozen=True, slots=True, repr=False)
class SeveralTruthsResult(Result):
    """The rankings by several truths, two by two."""

    quantity: Quantity
    comparisons: tuple[TwoTruths, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per pair of truths."""
        return [one.row() for one in self.comparisons]

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return two rankings beside each other for every pair of truths, and how far they agree."""
        tables: dict[str, Sequence[Row]] = {}
        for one in self.comparisons:
            heading = f"{self.quantity}: the ranking by {one.first}, and then by {one.second}"
            tables[heading] = one.ranks(self.quantity)
        heading = "how often do two truths differ, and do their rankings?"
        tables[heading] = [_line(one) for one in self.comparisons]
        return tables

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, and the rankings."""
        ranking = [
            {"first": one.first, "second": one.second, "ranks": one.ranks(self.quantity)}
            for one in self.comparisons
        ]
        return {**self.about, "ranking": ranking}

    def notes(self) -> Sequence[str]:
        """Return what changes, in words."""
        sentences = [_words(one) for one in self.comparisons]
        sentences.append(
            "order kept: P(the order by the first truth is the true one), "
            "if as many of its labels are wrong."
        )
        return (*sentences, *self.remarks)


def compare_truths(
    patterns: Patterns,
    names: tuple[str, str],
    quantity: Quantity,
    *,
    level: float = 0.95,
    seed: int = 0,
) -> TwoTruths:
    """Return how far two truths give the same ranking, on the items that have both.

    The truth of the patterns is the first, their key u the second.
    """
    one, two = _both(patterns)
    items = int(one.number.sum())
    disagree = _labels(one) != _labels(two)
    differ = int(one.number[disagree].sum())
    if not items:
        raise OptionError(
            f"{names[0]!r} and {names[1]!r} have no item in common; compare truths of the same items"
        )
    share = from_check(differ, items, level=level)
    values: dict[str, tuple[float | None, float | None]] = {}
    for system in patterns.systems:
        by_first = value_of(one, system, quantity)
        by_second = value_of(two, system, quantity)
        values[system] = (by_first, by_second)
    first_scores = [_score(own[0], quantity) for own in values.values()]
    second_scores = [_score(own[1], quantity) for own in values.values()]
    noise_options = NoiseOptions(label_errors=parse_label_errors(differ / items), seed=seed)
    _, (ranking,) = stability(one, quantity, noise_options)
    return TwoTruths(
        first=names[0],
        second=names[1],
        items=items,
        differ=differ,
        low=share.low,
        high=share.high,
        level=level,
        values=values,
        tau=kendall(first_scores, second_scores),
        swapped=_swapped(
            patterns.systems,
            first_scores,
            second_scores,
            lower_is_better=quantity.lower_is_better,
        ),
        kept=ranking.under_noise.kept,
        method=ranking.under_noise.method,
    )


def _score(value: float | None, quantity: Quantity) -> float:
    """Return what a value counts as in a ranking: an undefined one as the worst."""
    return quantity.worst if value is None else value


def _both(patterns: Patterns) -> tuple[Patterns, Patterns]:
    """Return the items that have both truths, by each of them."""
    code_of = {text: code for code, text in enumerate(patterns.labels)}
    second = []
    for text in patterns.keys["u"].tolist():
        if not text:
            second.append(MISSING)
            continue
        label = patterns.meaning.label(text)
        # A label that only the second truth has gets the next code.
        second.append(code_of.setdefault(label, len(code_of)))
    labels = tuple(code_of)
    other = np.array(second, np.int64)
    both = (patterns.truth != MISSING) & (other != MISSING)
    rows = replace(
        patterns,
        labels=labels,
        answers=patterns.answers[both],
        number=patterns.number[both],
        keys={},
    )
    by_first = replace(rows, truth=patterns.truth[both])
    by_second = replace(rows, truth=other[both])
    return _tidy(by_first), _tidy(by_second)


def _labels(patterns: Patterns) -> npt.NDArray[np.object_]:
    return np.array(patterns.labels, dtype=object)[patterns.truth]


def _tidy(patterns: Patterns) -> Patterns:
    """Return the patterns with only those labels that occur."""
    columns = [patterns.truth, *patterns.answers.T.astype(np.int64)]
    (truth, *answers), labels = used(columns, patterns.labels)
    table = np.stack(answers, axis=1).astype(np.int32)
    return replace(patterns, labels=labels, truth=truth, answers=table)


def _swapped(
    systems: Sequence[str],
    first_scores: Sequence[float],
    second_scores: Sequence[float],
    *,
    lower_is_better: bool,
) -> tuple[Swap, ...]:
    """Return the pairs of systems whose order by the second truth is the opposite of that by the first."""
    first = np.array(first_scores)
    second = np.array(second_scores)
    if lower_is_better:
        first = -first
        second = -second
    ahead_by_first = first[:, None] > first[None, :]
    behind_by_second = second[:, None] < second[None, :]
    swaps = []
    for one, other in np.argwhere(ahead_by_first & behind_by_second):
        swaps.append((systems[one], systems[other]))
    return tuple(swaps)


def _line(one: TwoTruths) -> dict[str, Any]:
    """Return two truths as a row of the printed table."""
    return {
        "first": one.first,
        "second": one.second,
        "successes": one.differ,
        "trials": one.items,
        "value": one.differ / one.items,
        "low": one.low,
        "high": one.high,
        "level": one.level,
        "tau": one.tau,
        "swapped": len(one.swapped),
        "order kept": one.kept,
        "method": one.method,
    }


def _words(one: TwoTruths) -> str:
    sentence = f"{one.first!r} and {one.second!r} differ in {one.differ:,} of {one.items:,} labels"
    if not one.swapped:
        return f"{sentence}; no two systems change places."
    pairs = ", ".join(f"{better!r} and {worse!r}" for better, worse in one.swapped[:SOME])
    if len(one.swapped) > SOME:
        pairs += f" and {len(one.swapped) - SOME:,} other pairs"
    return f"{sentence}; {pairs} change places."
