"""Weighted items are resampled: intervals by resampling, and the units that clusters and weights make of items."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import Interval, Side, tails
from karat.measure.quantity import Quantity, values
from karat.measure.totals import Totals
from karat.numeric.arrays import FloatArray
from karat.table.labels import Codes, factorise
from karat.tally.votes.confusion import Confusion

DRAWS = 2000
AT_ONCE = 5_000_000
"""Numbers drawn in one step; bounds the memory a draw takes."""


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is drawn: each unit's share of the hits, truths, answers and items, and how many such units there are."""

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
        step = max(1, AT_ONCE // max(len(self.number), 1))
        sums = [
            random.multinomial(size, self.number / size, size=min(step, draws - start)) @ self.parts
            for start in range(0, draws, step)
        ]
        return totals_of(np.concatenate([np.asarray(part) for part in sums]), self.labels)


def units(confusion: Confusion) -> Units:
    """Return what the items of a confusion with clusters or weights are drawn by."""
    weight = (
        np.asarray(confusion.keys["w"], float)
        if "w" in confusion.keys
        else np.ones(len(confusion.number))
    )
    if "c" in confusion.keys:
        owner, clusters = factorise(confusion.keys["c"])
        number = np.ones(len(clusters), np.int64)
        parts = margins_of(confusion, owner, weight * confusion.number, len(clusters))
        return Units(real_labels(confusion), parts, number, f"{len(clusters):,} clusters")
    parts = margins_of(confusion, np.arange(len(weight)), weight, len(weight))
    return Units(
        real_labels(confusion), parts, confusion.number, f"{confusion.total:,} weighted items"
    )


def real_labels(confusion: Confusion) -> tuple[str, ...]:
    """Return the classes: every label but nothing."""
    return tuple(text for text in confusion.labels if text != confusion.nothing)


def margins_of(confusion: Confusion, owner: Codes, amount: FloatArray, number: int) -> Any:
    """Return the hits, truths and answers by class and the total of each unit, as a sparse matrix.

    Each cell of the confusion belongs to one unit, its owner, and counts there by its amount.
    """
    from scipy.sparse import coo_array  # noqa: PLC0415 (wanted only here)

    real = real_labels(confusion)
    place = {text: code for code, text in enumerate(real)}
    codes = np.array([*(place.get(text, -1) for text in confusion.labels), -1])
    truth, answer, size = codes[confusion.truth], codes[confusion.answer], len(real)
    hit, true, given = (truth == answer) & (truth >= 0), truth >= 0, answer >= 0
    rows = np.concatenate([owner[hit], owner[true], owner[given], owner])
    columns = np.concatenate(
        [truth[hit], size + truth[true], 2 * size + answer[given], np.full(len(truth), 3 * size)]
    )
    data = np.concatenate([amount[hit], amount[true], amount[given], amount])
    return coo_array((data, (rows, columns)), shape=(number, 3 * size + 1)).tocsr()


def totals_of(sums: FloatArray, labels: tuple[str, ...]) -> Totals:
    """Return sums of units' margins, a row a resample, as totals."""
    hits, truth, answered = (sums[:, k * len(labels) : (k + 1) * len(labels)] for k in range(3))
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
    """Where does the number lie, if weighted items had been resampled?

    The quantiles of the number over seeded resamples; approximate, and too narrow for few items. Where even the lower
    one is the upper end of the range, or the upper one the lower end, quantiles say nothing; there a part g^(1/n) of
    the range bounds it, n the items, or the trials where these are known and fewer. Of a single item nothing is known.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    """
    drawn = values(quantity, resampled)
    below, above = tails(level, side)
    never = np.isnan(drawn).all(axis=0)
    unknown = never | (number < 2)
    filled = np.where(never, 0.0, drawn)
    bottom, top = quantity.low, quantity.high
    low: FloatArray = np.full(drawn.shape[1:], bottom)
    high: FloatArray = np.full(drawn.shape[1:], top)
    units = np.asarray(number if trials is None else trials, float)
    units = np.clip(np.floor(units), 1, max(number, 1))
    if below:
        low = np.nanquantile(filled, below, axis=0)
        low = np.where(low == top, bottom + (top - bottom) * below ** (1 / units), low)
    if above:
        high = np.nanquantile(filled, 1 - above, axis=0)
        high = np.where(high == bottom, top - (top - bottom) * above ** (1 / units), high)
    method = f"bootstrap over {what} (draws={draws}, seed={seed})"
    return Interval(np.where(unknown, bottom, low), np.where(unknown, top, high), level, method)
