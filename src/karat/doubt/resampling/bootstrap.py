"""Bootstrap intervals, and the units that are resampled: weighted items, or clusters of items."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import Interval, Side, tails
from karat.measure.quantity import Quantity, values
from karat.measure.totals import Totals
from karat.numeric.arrays import FloatArray
from karat.numeric.resampled_counts import drawing_of_units
from karat.table.labels import Codes, factorise
from karat.tally.votes.confusion import Confusion

DRAWS = 2000
AT_ONCE = 5_000_000
"""Counts drawn in one step; limits the memory that resampling takes."""


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is resampled: each unit's part of the hits, truths, answers and items, and how many such units there are."""

    labels: tuple[str, ...]
    parts: Any
    """A sparse matrix: a row per distinct unit, columns hits, truths and answers by class, and the total."""
    number: npt.NDArray[np.int64]
    what: str

    def resampled(self, *, draws: int, seed: int) -> Totals:
        """Return the margins of as many units drawn with replacement, `draws` times."""
        random = np.random.default_rng(seed)
        size = int(self.number.sum())
        if not size:
            return totals_of(np.zeros((draws, self.parts.shape[1])), self.labels)
        draw = drawing_of_units(self.number)
        by_column = self.parts.T
        at_once = max(1, AT_ONCE // max(len(self.number), 1))
        sums = []
        for start in range(0, draws, at_once):
            counts = draw(random, min(at_once, draws - start))
            times = np.ascontiguousarray(counts.T, float)  # as the product takes it, without a copy
            sums.append((by_column @ times).T)
        return totals_of(np.concatenate(sums), self.labels)


def units(confusion: Confusion) -> Units:
    """Return the units by which the items of a confusion with clusters or weights are resampled."""
    if "w" in confusion.keys:
        weight = np.asarray(confusion.keys["w"], float)
    else:
        weight = np.ones(len(confusion.number))
    labels = real_labels(confusion)
    if "c" in confusion.keys:
        owner, clusters = factorise(confusion.keys["c"])
        number = np.ones(len(clusters), np.int64)
        parts = margins_of(confusion, owner, weight * confusion.number, len(clusters))
        return Units(labels, parts, number, f"{len(clusters):,} clusters")
    owner = np.arange(len(weight))
    parts = margins_of(confusion, owner, weight, len(weight))
    return Units(labels, parts, confusion.number, f"{confusion.total:,} weighted items")


def real_labels(confusion: Confusion) -> tuple[str, ...]:
    """Return the classes: every label but nothing."""
    return tuple(text for text in confusion.labels if text != confusion.nothing)


def margins_of(confusion: Confusion, owner: Codes, amount: FloatArray, number: int) -> Any:
    """Return the hits, truths and answers by class and the total of each unit, as a sparse matrix.

    Each cell of the confusion belongs to one unit, its owner, and counts there by its amount.
    """
    from scipy.sparse import coo_array  # noqa: PLC0415 (wanted only here)

    real = real_labels(confusion)
    size = len(real)
    # "Nothing" and missing labels, coded -1 as the last entry is, belong to no class.
    place = {text: code for code, text in enumerate(real)}
    codes = np.array([place.get(text, -1) for text in confusion.labels] + [-1])
    truth = codes[confusion.truth]
    answer = codes[confusion.answer]
    has_truth = truth >= 0
    has_answer = answer >= 0
    hit = (truth == answer) & has_truth
    # Columns: the hits of each class, then its truths, then its answers, and last the total.
    hit_columns = truth[hit]
    truth_columns = size + truth[has_truth]
    answer_columns = 2 * size + answer[has_answer]
    total_column = np.full(len(truth), 3 * size)
    rows = np.concatenate([owner[hit], owner[has_truth], owner[has_answer], owner])
    columns = np.concatenate([hit_columns, truth_columns, answer_columns, total_column])
    amounts = np.concatenate([amount[hit], amount[has_truth], amount[has_answer], amount])
    return coo_array((amounts, (rows, columns)), shape=(number, 3 * size + 1)).tocsr()


def totals_of(sums: FloatArray, labels: tuple[str, ...]) -> Totals:
    """Return sums of units' margins, a row a resample, as totals."""
    size = len(labels)
    hits = sums[:, :size]
    truth = sums[:, size : 2 * size]
    answered = sums[:, 2 * size : 3 * size]
    return Totals(labels, hits, truth, answered, sums[:, -1])


def bootstrap(
    quantity: Quantity,
    resampled: Totals,
    *,
    what: str,
    number: int,
    trials: npt.ArrayLike | None = None,
    level: float = 0.95,
    side: Side = "both",
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """Interval of a measure by resampling weighted items or clusters.

    The quantiles of the measure over seeded resamples; approximate, and too narrow for few items. Where even the lower
    one is the upper end of the range, or the upper one the lower end, quantiles are of no use; there a part g^(1/n) of
    the range bounds it, n the items, or the trials where these are known and fewer. A single item gives the whole
    range.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    """
    values_of_resamples = values(quantity, resampled)
    below, above = tails(level, side)
    never_defined = np.isnan(values_of_resamples).all(axis=0)
    unknown = never_defined | (number < 2)
    filled = np.where(never_defined, 0.0, values_of_resamples)
    bottom = quantity.low
    top = quantity.high
    low: FloatArray = np.full(filled.shape[1:], bottom)
    high: FloatArray = np.full(filled.shape[1:], top)
    if trials is None:
        trials = number
    units = np.clip(np.floor(np.asarray(trials, float)), 1, max(number, 1))
    if below:
        low = np.nanquantile(filled, below, axis=0)
        low_by_trials = bottom + (top - bottom) * below ** (1 / units)
        low = np.where(low == top, low_by_trials, low)
    if above:
        high = np.nanquantile(filled, 1 - above, axis=0)
        high_by_trials = top - (top - bottom) * above ** (1 / units)
        high = np.where(high == bottom, high_by_trials, high)
    low = np.where(unknown, bottom, low)
    high = np.where(unknown, top, high)
    method = f"bootstrap over {what} (draws={draws}, seed={seed})"
    return Interval(low, high, level, method)
