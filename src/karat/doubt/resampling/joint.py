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
from karat.table.labels import Codes, factorise
from karat.tally.codes import MISSING
from karat.tally.votes.confusion import Confusion, tidy
from karat.tally.votes.patterns import Patterns

Valued = Callable[[FloatArray], FloatArray]
"""From drawn units, a row a resample, to every system's value in each."""


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """The value of a quantity for each system in each resample."""

    systems: tuple[str, ...]
    drawn: FloatArray
    """A row a resample, a column a system; an undefined value is what it counts as in a ranking."""
    method: str


def joint(patterns: Patterns, quantity: Quantity, *, draws: int = 2000, seed: int = 0) -> Joint:
    """How would all systems have fared, had the items been resampled?

    A multinomial over the patterns (or over the clusters, where items are clustered), the same for every system, and
    the same in whatever order the systems stand.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    """
    given, patterns = patterns.systems, patterns.by_name()
    rows = _Rows.of(patterns)
    value = rows.shares(patterns, quantity) or rows.totals(patterns, quantity)
    random = np.random.default_rng(seed)
    total, step = int(rows.size.sum()), max(1, AT_ONCE // len(rows.size))
    found = []
    for start in range(0, draws, step):
        drawn = random.multinomial(total, rows.size / total, size=min(step, draws - start)).astype(
            float
        )
        found.append(value(drawn))
    values = np.concatenate(found)[:, [patterns.systems.index(name) for name in given]]
    return Joint(given, values, f"bootstrap over {rows.what} (draws={draws}, seed={seed})")


def joint_without(
    patterns: Patterns, quantity: Quantity, *, seed: int = 0
) -> tuple[FloatArray, Joint]:
    """How would all systems have fared, and how without one cluster of items after the other?

    Of very many clusters as many random groups of them are left out as `karat.doubt.resampling.jackknife.GROUPS` says.
    """
    given, patterns = patterns.systems, patterns.by_name()
    rows = _Rows.of(patterns)
    value = rows.shares(patterns, quantity) or rows.totals(patterns, quantity)
    group, what = grouped(len(rows.size), seed=seed)
    number, step = int(group.max(initial=-1)) + 1, max(1, AT_ONCE // max(1, len(rows.size)))
    found = [
        value((group != np.arange(start, min(start + step, number))[:, None]).astype(float))
        for start in range(0, number, step)
    ]
    order = [patterns.systems.index(name) for name in given]
    whole = value(np.ones((1, len(rows.size))))[0, order]
    return whole, Joint(given, np.concatenate(found)[:, order], f"jackknife over {what}")


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The patterns with truth, and the units they are drawn by."""

    told: npt.NDArray[np.bool_]
    owner: Codes
    amount: FloatArray
    size: npt.NDArray[np.int64]
    what: str

    @classmethod
    def of(cls, patterns: Patterns) -> "_Rows":
        told = patterns.truth != MISSING
        number = patterns.number[told]
        weight = (
            np.asarray(patterns.keys["w"][told], float)
            if "w" in patterns.keys
            else np.ones(len(number))
        )
        if "c" in patterns.keys:
            owner, clusters = factorise(patterns.keys["c"][told])
            return cls(
                told,
                owner,
                weight * number,
                np.ones(len(clusters), np.int64),
                f"{len(clusters):,} clusters",
            )
        return cls(told, np.arange(len(number)), weight, number, f"{int(number.sum()):,} items")

    def shares(self, patterns: Patterns, quantity: Quantity) -> Valued | None:
        """Return how a share whose trials are the same for all systems is had from drawn units, at little cost."""
        found = sides(patterns, quantity)
        if found is None:
            return None
        right, counts = (self._summed(side) for side in found)

        def value(drawn: FloatArray) -> FloatArray:
            with np.errstate(invalid="ignore", divide="ignore"):
                return np.nan_to_num((drawn @ right) / (drawn @ counts), nan=quantity.worst)

        return value

    def totals(self, patterns: Patterns, quantity: Quantity) -> Valued:
        """Return how any quantity is had from drawn units, by way of every system's margins."""
        parts = [self.margins(patterns, k) for k in range(len(patterns.systems))]
        return lambda drawn: np.stack(
            [_values(quantity, drawn @ part, labels) for labels, part in parts], axis=1
        )

    def _summed(self, side: npt.NDArray[np.bool_]) -> FloatArray:
        """Return the sums of the units' rows."""
        if len(self.size) == len(side):
            return np.asarray(side * self.amount[:, None])
        columns = [
            np.bincount(self.owner, side[:, k] * self.amount, len(self.size))
            for k in range(side.shape[1])
        ]
        return np.stack(columns, axis=1)

    def margins(self, patterns: Patterns, system: int) -> tuple[tuple[str, ...], Any]:
        """Return a system's labels and the margins of every unit."""
        truth, answer = (
            patterns.truth[self.told],
            patterns.answers[self.told, system].astype(np.int64),
        )
        rows = {"row": np.arange(len(truth))}
        raw = Confusion(patterns.labels, truth, answer, patterns.number[self.told], keys=rows)
        cells = tidy(raw, patterns.meaning, origin="the tally")
        row = cells.keys["row"]
        return real_labels(cells), margins_of(
            cells, self.owner[row], self.amount[row], len(self.size)
        )


def _values(quantity: Quantity, sums: FloatArray, labels: tuple[str, ...]) -> FloatArray:
    if quantity.label is not None and quantity.label not in labels:
        return np.full(len(sums), quantity.worst)
    drawn = values(quantity, totals_of(sums, labels))
    if quantity.label is not None:
        drawn = drawn[:, labels.index(quantity.label)]
    return np.nan_to_num(drawn, nan=quantity.worst)
