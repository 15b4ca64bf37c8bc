"""Dawid and Skene's labels in 200 resamples at once beside one resample after the other: same labels, CPU seconds."""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line

from karat.measure.consensus.dawid_skene import dawid_skene
from karat.measure.consensus.dawid_skene_resampled import resampled_labels

DRAWS = 200
SETS = (
    (300, (0.6, 0.75, 0.9), 2),
    (300, (0.7,) * 5, 3),
    (4_000, (0.7,) * 10, 4),
    (10_000, (0.7,) * 15, 2),
)
"""Items, the systems' accuracies, classes."""


def drawn(items: int, accuracies: tuple[float, ...], classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return distinct rows of answers, and how many items of each are in every resample."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, classes, items)[:, None]
    wrong = (truth + rng.integers(1, classes, (items, len(accuracies)))) % classes
    answers = np.where(rng.random(wrong.shape) < accuracies, truth, wrong)
    rows, number = np.unique(answers, axis=0, return_counts=True)
    return rows, rng.multinomial(items, number / items, size=DRAWS)


def main() -> None:
    header(
        f"Dawid-Skene in {DRAWS} resamples: at once several times faster than one by one where rows are few"
    )
    for items, accuracies, classes in SETS:
        rows, numbers = drawn(items, accuracies, classes)
        print(
            f"  {items:,} items, {len(accuracies)} systems, {classes} classes, {len(rows):,} distinct rows"
        )
        alone: list[np.ndarray] = []

        def one_by_one() -> None:
            fits = (dawid_skene(rows, number, classes=classes) for number in numbers)  # noqa: B023 (called here)
            alone[:] = [fit.chances.argmax(axis=1) for fit in fits]  # noqa: B023

        slow = clock(one_by_one, times=1)
        line("one by one", slow)
        quick = clock(lambda: resampled_labels(rows, numbers, classes=classes))  # noqa: B023
        differ = int((resampled_labels(rows, numbers, classes=classes) != np.array(alone)).sum())
        line("at once", quick, f"{slow[1] / quick[1]:.1f}x less CPU; {differ} labels differ")


main()
