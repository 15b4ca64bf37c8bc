"""Whether an order survives label errors: the exact law at a million items, against the paper's Monte-Carlo loop."""

import sys
from functools import partial
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line

from karat.doubt.label_noise.critical_error import critical_error
from karat.doubt.label_noise.error_rate import belief, kept_believed
from karat.doubt.label_noise.pair_order import (
    kept_at_most,
    kept_classes,
    kept_exactly,
    kept_items,
    kept_uniform,
)

ITEMS, WORSE, BETTER, ERROR = 1_000_000, 14_850, 15_150, 0.25
LOOPS, DRAWN = 100_000, 40

header(
    f"P(order kept) of two systems, {ITEMS:.0e} items, {WORSE + BETTER:,} disputed, e = {ERROR}",
    "scipy",
)
random = np.random.default_rng(0)
truth = random.integers(0, 2, ITEMS, dtype=np.int8)
first, second = truth.copy(), truth.copy()
first[:BETTER] ^= 1
second[BETTER : BETTER + WORSE] ^= 1
first[-100_000:] ^= 1  # items that both have wrong
second[-100_000:] ^= 1


def loop(draws: int) -> float:
    """As the paper prints it, but counting what it reports: the draws in which the second is strictly better."""
    kept = 0
    for _ in range(draws):
        true = truth ^ (random.random(ITEMS, dtype=np.float32) < ERROR)
        kept += int(np.count_nonzero(first != true) > np.count_nonzero(second != true))
    return kept / draws


drawn = clock(lambda: loop(DRAWN), times=1)
whole = (drawn[0] * LOOPS / DRAWN, drawn[1] * LOOPS / DRAWN)
line(f"the paper's loop in NumPy, N = {LOOPS:.0e} (of {DRAWN}, scaled up)", whole)


def hundred() -> None:
    for _ in range(100):
        kept_uniform(WORSE, BETTER, ERROR)


ours = tuple(part / 100 for part in clock(hundred))
line(
    "kept_uniform",
    ours,
    f"{1e3 * ours[0]:.2f} ms, {whole[0] / ours[0]:,.0f}x faster",
)
draws, exact = 400, kept_uniform(WORSE, BETTER, ERROR).kept
wide = 1.96 * np.sqrt(exact * (1 - exact) / draws)
print(
    f"  exact {exact:.6f}; {draws} draws of the loop give {loop(draws):.4f}, 95 % of them within {wide:.4f}"
)

print(" beside it, once each")
rates = random.beta(2, 6, 1_000_000)
works = {
    "kept_uniform, 1e6 disputed": partial(kept_uniform, 499_000, 501_000, ERROR),
    "kept_classes, 10 classes, 1e6 disputed": partial(
        kept_classes, 499_000, 501_000, ERROR, classes=10
    ),
    "kept_items, 1e4 different errors": lambda: kept_items(rates[:4950], rates[4950:10_000]),
    "kept_items, 1e5 different errors": lambda: kept_items(rates[:49_500], rates[49_500:100_000]),
    "kept_items, 1e6 different errors": lambda: kept_items(rates[:495_000], rates[495_000:]),
    "kept_exactly, a quarter of 1e6 wrong": partial(kept_exactly, WORSE, BETTER, ITEMS, ITEMS // 4),
    "kept_at_most, a quarter of 1e6 wrong": partial(kept_at_most, WORSE, BETTER, ITEMS, ITEMS // 4),
    "critical_error, 30,000 disputed": partial(critical_error, WORSE, BETTER),
    "kept_believed, Beta belief, 30,000 disputed": lambda: kept_believed(
        partial(kept_uniform, WORSE, BETTER), belief(25, 100)
    ),
}
for what, work in works.items():
    line(what, clock(work))
