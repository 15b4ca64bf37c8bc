"""What hangs together is drawn together: intervals over clusters, runs, repeated answers and weighted items."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import Interval, Side, tails
from karat.measure.quantity import Quantity, values
from karat.measure.totals import FloatArray, Totals
from karat.table.labels import factorise
from karat.tally.confusion import Confusion

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
        step = max(1, AT_ONCE // max(len(self.number), 1))
        sums = [
            random.multinomial(size, self.number / size, size=min(step, draws - start)) @ self.parts
            for start in range(0, draws, step)
        ]
        drawn = np.concatenate([np.asarray(part) for part in sums])
        hits, truth, answered = (drawn[:, k * len(self.labels) : (k + 1) * len(self.labels)] for k in range(3))
        return Totals(self.labels, hits, truth, answered, drawn[:, -1])


def units(confusion: Confusion) -> Units:
    """Return what the items of a confusion with clusters or weights are drawn by."""
    from scipy.sparse import coo_array  # noqa: PLC0415 (wanted only here)

    real = [text for text in confusion.labels if text != confusion.nothing]
    place = {text: number for number, text in enumerate(real)}
    codes = np.array([*(place.get(text, -1) for text in confusion.labels), -1])
    truth, answer = codes[confusion.truth], codes[confusion.answer]
    weight = np.asarray(confusion.keys["w"], float) if "w" in confusion.keys else np.ones(len(truth))
    if "c" in confusion.keys:
        owner, clusters = factorise(confusion.keys["c"])
        amount, number, what = (
            weight * confusion.number,
            np.ones(len(clusters), np.int64),
            f"{len(clusters):,} clusters",
        )
    else:
        owner, amount, number = np.arange(len(truth)), weight, confusion.number
        what = f"{int(number.sum()):,} weighted items"
    size, total = len(real), np.full(len(truth), 3 * len(real))
    hit = (truth == answer) & (truth >= 0)
    rows = np.concatenate([owner[hit], owner[truth >= 0], owner[answer >= 0], owner])
    columns = np.concatenate([truth[hit], size + truth[truth >= 0], 2 * size + answer[answer >= 0], total])
    data = np.concatenate([amount[hit], amount[truth >= 0], amount[answer >= 0], amount])
    parts = coo_array((data, (rows, columns)), shape=(len(number), 3 * size + 1)).tocsr()
    return Units(tuple(real), parts, number, what)


def bootstrap(
    quantity: Quantity,
    resampled: Totals,
    *,
    what: str,
    level: float = 0.95,
    side: Side = "both",
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """Where does the number lie, if whole clusters (or weighted items) had been drawn anew?

    The quantiles of the number over seeded resamples; approximate, and too narrow for few clusters.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    """
    drawn = values(quantity, resampled)
    below, above = tails(level, side)
    shape = drawn.shape[1:]
    undefined = np.isnan(drawn).all(axis=0)
    filled = np.where(undefined, 0.0, drawn)
    low: FloatArray = np.nanquantile(filled, below, axis=0) if below else np.zeros(shape)
    high: FloatArray = np.nanquantile(filled, 1 - above, axis=0) if above else np.ones(shape)
    method = f"bootstrap over {what} (draws={draws}, seed={seed})"
    return Interval(np.where(undefined, 0.0, low), np.where(undefined, 1.0, high), level, method)
