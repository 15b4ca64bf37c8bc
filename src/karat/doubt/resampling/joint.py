"""All systems on the same resamples, so that their differences and their order are known in each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.doubt.resampling.bootstrap import AT_ONCE, margins_of, real_labels, totals_of
from karat.doubt.resampling.jackknife import grouped
from karat.measure.paired import sides
from karat.measure.quantity import Quantity, values
from karat.numeric.arrays import FloatArray
from karat.numeric.resampled_counts import drawing_of_units
from karat.table.labels import Codes, factorise
from karat.tally.codes import MISSING
from karat.tally.votes.confusion import Confusion, by_rules
from karat.tally.votes.patterns import Patterns

Valued = Callable[[FloatArray], FloatArray]
"""From the counts of resampled units, a row a resample, to every system's value in each."""


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """The value of a quantity for each system in each resample."""

    systems: tuple[str, ...]
    drawn: FloatArray
    """A row a resample, a column a system; an undefined value is what it counts as in a ranking."""
    method: str


def joint(patterns: Patterns, quantity: Quantity, *, draws: int = 2000, seed: int = 0) -> Joint:
    """Values of all systems on the same resamples of the items.

    A multinomial over the patterns (or over the clusters, where items are clustered), the same for every system, and
    the same in whatever order the systems are given.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    """
    by_name = patterns.by_name()
    rows = _Rows.of(by_name)
    value = rows.shares(by_name, quantity) or rows.totals(by_name, quantity)
    random = np.random.default_rng(seed)
    draw = drawing_of_units(rows.size)
    at_once = max(1, AT_ONCE // len(rows.size))
    parts = []
    for start in range(0, draws, at_once):
        counts = draw(random, min(at_once, draws - start))
        parts.append(value(counts.astype(float)))
    order = [by_name.systems.index(name) for name in patterns.systems]
    drawn = np.concatenate(parts)[:, order]
    method = f"bootstrap over {rows.what} (draws={draws}, seed={seed})"
    return Joint(patterns.systems, drawn, method)


def joint_without(
    patterns: Patterns, quantity: Quantity, *, seed: int = 0
) -> tuple[FloatArray, Joint]:
    """Values of all systems on all items, and without one cluster of items after the other.

    If there are very many clusters, random groups of them are left out instead, as many as
    `karat.doubt.resampling.jackknife.GROUPS`.
    """
    by_name = patterns.by_name()
    rows = _Rows.of(by_name)
    value = rows.shares(by_name, quantity) or rows.totals(by_name, quantity)
    size = len(rows.size)
    group, what = grouped(size, seed=seed)
    groups = int(group.max(initial=-1)) + 1
    at_once = max(1, AT_ONCE // max(1, size))
    parts = []
    for start in range(0, groups, at_once):
        left_out = np.arange(start, min(start + at_once, groups))
        kept = group != left_out[:, None]
        parts.append(value(kept.astype(float)))
    order = [by_name.systems.index(name) for name in patterns.systems]
    whole = value(np.ones((1, size)))[0, order]
    without = np.concatenate(parts)[:, order]
    return whole, Joint(patterns.systems, without, f"jackknife over {what}")


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The patterns with truth, and the units by which they are resampled."""

    has_truth: npt.NDArray[np.bool_]
    owner: Codes
    amount: FloatArray
    size: npt.NDArray[np.int64]
    what: str

    @classmethod
    def of(cls, patterns: Patterns) -> "_Rows":
        has_truth = patterns.truth != MISSING
        number = patterns.number[has_truth]
        weight = np.ones(len(number))
        if "w" in patterns.keys:
            weight = np.asarray(patterns.keys["w"][has_truth], float)
        if "c" in patterns.keys:
            owner, clusters = factorise(patterns.keys["c"][has_truth])
            once_each = np.ones(len(clusters), np.int64)
            what = f"{len(clusters):,} clusters"
            return cls(has_truth, owner, weight * number, once_each, what)
        owner = np.arange(len(number))
        return cls(has_truth, owner, weight, number, f"{int(number.sum()):,} items")

    def shares(self, patterns: Patterns, quantity: Quantity) -> Valued | None:
        """Return the cheap way to the values of a share: successes and trials of all systems by one product each.

        None where the quantity is not such a share.
        """
        right_and_counted = sides(patterns, quantity)
        if right_and_counted is None:
            return None
        right, counts = (self._summed(side) for side in right_and_counted)

        def value(drawn: FloatArray) -> FloatArray:
            with np.errstate(invalid="ignore", divide="ignore"):
                return np.nan_to_num((drawn @ right) / (drawn @ counts), nan=quantity.worst)

        return value

    def totals(self, patterns: Patterns, quantity: Quantity) -> Valued:
        """Return the way to the values of any quantity, through every system's margins."""
        parts = [self.margins(patterns, k) for k in range(len(patterns.systems))]

        def value(drawn: FloatArray) -> FloatArray:
            columns = [_values(quantity, drawn @ part, labels) for labels, part in parts]
            return np.stack(columns, axis=1)

        return value

    def _summed(self, side: npt.NDArray[np.bool_]) -> FloatArray:
        """Return the sums of the units' rows."""
        if len(self.size) == len(side):
            return np.asarray(side * self.amount[:, None])
        columns = []
        for one_system in side.T:
            amounts = one_system * self.amount
            columns.append(np.bincount(self.owner, amounts, len(self.size)))
        return np.stack(columns, axis=1)

    def margins(self, patterns: Patterns, system: int) -> tuple[tuple[str, ...], Any]:
        """Return a system's labels and the margins of every unit."""
        truth = patterns.truth[self.has_truth]
        answer = patterns.answers[self.has_truth, system].astype(np.int64)
        number = patterns.number[self.has_truth]
        rows = {"row": np.arange(len(truth))}
        raw = Confusion(patterns.labels, truth, answer, number, keys=rows)
        cells = by_rules(raw, patterns.meaning)
        row = cells.keys["row"]
        margins = margins_of(cells, self.owner[row], self.amount[row], len(self.size))
        return real_labels(cells), margins


def _values(quantity: Quantity, sums: FloatArray, labels: tuple[str, ...]) -> FloatArray:
    """Return one system's value in each resample; an undefined one is what it counts as in a ranking."""
    if quantity.label is not None and quantity.label not in labels:
        return np.full(len(sums), quantity.worst)
    by_resample = values(quantity, totals_of(sums, labels))
    if quantity.label is not None:
        by_resample = by_resample[:, labels.index(quantity.label)]
    return np.nan_to_num(by_resample, nan=quantity.worst)
