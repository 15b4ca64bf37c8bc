"""Does a 95 % interval for an average over classes hold 95 % of the time? Simulated tables, the delta method."""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import header

from karat.doubt.bounds.delta import delta
from karat.measure.quantity import Quantity, values
from karat.measure.totals import totals
from karat.tally.codes import gather
from karat.tally.votes.confusion import Confusion

RUNS = 2000
QUANTITIES = [
    Quantity.parse(text)
    for text in ("macro-precision", "macro-recall", "macro-f1", "balanced-accuracy")
]


def drawn(shares: np.ndarray, items: int, random: np.random.Generator) -> Confusion:
    """Return the confusion of items drawn from a table of joint shares."""
    classes = len(shares)
    number = random.multinomial(items, shares.ravel())
    place = np.flatnonzero(number)
    (truth, answer), number = gather([place // classes, place % classes], number[place])
    return Confusion(tuple(map(str, range(classes))), truth, answer, number)


def joint(classes: int, accuracy: float, *, skewed: bool) -> np.ndarray:
    """Return joint shares of truth and answer: classes equal or each half the one before, errors spread evenly."""
    truth = 0.5 ** np.arange(classes) if skewed else np.ones(classes)
    answer = np.full((classes, classes), (1 - accuracy) / (classes - 1))
    np.fill_diagonal(answer, accuracy)
    return truth[:, None] / truth.sum() * answer


def main() -> None:
    header(
        f"coverage of the delta interval at level 0.95, {RUNS:,} simulated tables each (+- 0.010)"
    )
    print(
        f"  {'classes':>7} {'accuracy':>8} {'skewed':>6} {'items':>6}  "
        + "  ".join(f"{q!s:>17}" for q in QUANTITIES)
    )
    random = np.random.default_rng(0)
    for classes, accuracy, skewed in (
        (3, 0.7, False),
        (3, 0.95, False),
        (10, 0.9, False),
        (5, 0.9, True),
    ):
        shares = joint(classes, accuracy, skewed=skewed)
        cells = (1e15 * shares).round().astype(np.int64)
        grid = np.indices(shares.shape).reshape(2, -1)
        exact = totals(Confusion(tuple(map(str, range(classes))), grid[0], grid[1], cells.ravel()))
        for items in (50, 200, 1000):
            held = np.zeros(len(QUANTITIES))
            for _ in range(RUNS):
                table = drawn(shares, items, random)
                for place, quantity in enumerate(QUANTITIES):
                    interval = delta(quantity, table)
                    held[place] += interval.low <= values(quantity, exact) <= interval.high
            shown = "  ".join(f"{share:17.3f}" for share in held / RUNS)
            print(f"  {classes:7} {accuracy:8} {skewed!s:>6} {items:6}  {shown}")


if __name__ == "__main__":
    main()
