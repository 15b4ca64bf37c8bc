"""Does a 95 % interval hold 95 % of the time? Matthews and kappa by the delta method, Brier by Student's t."""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import header

from karat.doubt.bounds.delta import delta
from karat.doubt.bounds.item_mean import item_mean
from karat.measure.item_mean import ItemMean
from karat.measure.quantity import Quantity, values
from karat.measure.totals import totals
from karat.tally.codes import gather
from karat.tally.votes.confusion import Confusion

RUNS = 2000
QUANTITIES = [Quantity("matthews"), Quantity("kappa")]
TABLES = (
    (2, 0.7, False),
    (2, 0.95, False),
    (2, 0.9, True),
    (3, 0.7, False),
    (3, 0.95, True),
    (10, 0.9, False),
)
"""Classes, accuracy, and whether each class is half as frequent as the one before (of two: a tenth)."""
FORECASTS = {
    "calibrated, uniform": (1.0, 1.0),
    "calibrated, one in ten": (0.5, 4.5),
    "calibrated, one in a hundred": (0.1, 9.9),
}
"""The beta distribution of the true probability, which the system says."""


def joint(classes: int, accuracy: float, *, skewed: bool) -> np.ndarray:
    """Return joint shares of truth and answer, errors spread evenly."""
    ratio = 0.1 if classes == 2 else 0.5
    truth = ratio ** np.arange(classes) if skewed else np.ones(classes)
    answer = np.full((classes, classes), (1 - accuracy) / (classes - 1))
    np.fill_diagonal(answer, accuracy)
    return truth[:, None] / truth.sum() * answer


def drawn(shares: np.ndarray, items: int, random: np.random.Generator) -> Confusion:
    """Return the confusion of items drawn from a table of joint shares."""
    classes = len(shares)
    number = random.multinomial(items, shares.ravel())
    place = np.flatnonzero(number)
    (truth, answer), number = gather([place // classes, place % classes], number[place])
    return Confusion(tuple(map(str, range(classes))), truth, answer, number)


def of_tables(random: np.random.Generator) -> None:
    """Print the coverage and the mean width of the intervals of whole tables."""
    heads = "  ".join(f"{quantity!s:>16}" for quantity in QUANTITIES)
    print(
        f"  {'classes':>7} {'accuracy':>8} {'skewed':>6} {'items':>6}  {heads}   (coverage, mean width)"
    )
    for classes, accuracy, skewed in TABLES:
        shares = joint(classes, accuracy, skewed=skewed)
        cells = (1e12 * shares).round().astype(np.int64)
        grid = np.indices(shares.shape).reshape(2, -1)
        names = tuple(map(str, range(classes)))
        true = totals(Confusion(names, grid[0], grid[1], cells.ravel()))
        for items in (30, 100, 1000):
            held = np.zeros(len(QUANTITIES))
            width = np.zeros(len(QUANTITIES))
            for _ in range(RUNS):
                table = drawn(shares, items, random)
                for place, quantity in enumerate(QUANTITIES):
                    interval = delta(quantity, table)
                    held[place] += interval.low <= values(quantity, true) <= interval.high
                    width[place] += interval.high - interval.low
            shown = "  ".join(
                f"{a:8.3f} {b:7.3f}" for a, b in zip(held / RUNS, width / RUNS, strict=True)
            )
            print(f"  {classes:7} {accuracy:8} {skewed!s:>6} {items:6}  {shown}")


def of_forecasts(random: np.random.Generator) -> None:
    """Print the coverage and the mean width of the intervals of Brier scores."""
    print(f"  {'forecasts':30} {'items':>6}  {'brier':>16}   (coverage, mean width)")
    for name, (a, b) in FORECASTS.items():
        # E (p - y)² = E p (1 - p) for calibrated forecasts.
        true = a * b / ((a + b) * (a + b + 1))
        for items in (30, 100, 1000):
            held = width = 0.0
            for _ in range(RUNS):
                chance = random.beta(a, b, items)
                losses = (chance - (random.random(items) < chance)) ** 2
                interval = item_mean(ItemMean(losses, np.ones(items, np.int64)))
                held += interval.low <= true <= interval.high
                width += interval.high - interval.low
            print(f"  {name:30} {items:6}  {held / RUNS:8.3f} {width / RUNS:7.3f}")


def main() -> None:
    header(f"coverage of intervals at level 0.95, {RUNS:,} simulated tables each (+- 0.010)")
    random = np.random.default_rng(0)
    of_tables(random)
    of_forecasts(random)


if __name__ == "__main__":
    main()
