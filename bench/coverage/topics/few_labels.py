"""Accuracies from a few checked items and many that only the majority judges."""

import csv
import gzip
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np

from karat.doubt.consensus.prediction_powered import powered_accuracy

from .row import Row

SHARED = Path(__file__).parents[4] / "shared" / "data" / "cifar10_test_13"
LEFT_OUT = "cleanlab"
"""It helped to choose which labels were checked again."""


def rows(runs: int) -> Iterator[Row]:
    """Measure them, of real systems: all whose data is there."""
    random = np.random.default_rng(5)
    for checked in (30, 100):
        yield from _of_systems("demo digits", _digits(), checked, runs, random)
    if SHARED.exists():
        for checked in (30, 100):
            yield from _of_systems("cifar10_test_13", _cifar(), checked, runs, random)


def _digits() -> dict[str, np.ndarray]:
    text = (files("karat") / "demo" / "digits.csv").read_text(encoding="utf-8")
    table = list(csv.DictReader(text.splitlines()))
    names = [name for name in table[0] if name != "item" and not name.endswith(".score")]
    return {name: np.array([row[name] for row in table]) for name in names}


def _cifar() -> dict[str, np.ndarray]:
    with gzip.open(SHARED / "items.csv.gz", "rt", encoding="utf-8") as lines:
        items = list(csv.DictReader(lines))
    with gzip.open(SHARED / "systems_label.csv.gz", "rt", encoding="utf-8") as lines:
        table = list(csv.DictReader(lines))
    key = next(iter(table[0]))
    truth = {row[key]: row["truth_original"] for row in items}
    columns = {"truth": np.array([truth[row[key]] for row in table])}
    for name in table[0]:
        if name != key and not name.startswith(LEFT_OUT):
            columns[name] = np.array([row[name] for row in table])
    return columns


def _kinds(columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return how many items a system has right and wrong where it agrees with the majority, and where it does not."""
    systems = {name: answers for name, answers in columns.items() if name != "truth"}
    votes = np.array(list(systems.values())).T
    majority = np.array([Counter(row.tolist()).most_common(1)[0][0] for row in votes])
    kinds = {}
    for name, answers in systems.items():
        agree = answers == majority
        right = answers == columns["truth"]
        parts = (agree & right, agree & ~right, ~agree & right, ~agree & ~right)
        kinds[name] = np.array([int(part.sum()) for part in parts])
    return kinds


def _of_systems(
    what: str, columns: dict[str, np.ndarray], checked: int, runs: int, random: np.random.Generator
) -> Iterator[Row]:
    coverage, widths = [], []
    for kinds in _kinds(columns).values():
        truth = (kinds[0] + kinds[2]) / kinds.sum()
        held, width = 0, 0.0
        for drawn in random.multivariate_hypergeometric(kinds, checked, size=runs):
            few = np.zeros((2, 2, 2))
            few[1, 1] = drawn[1], drawn[0]
            few[1, 0] = drawn[3], drawn[2]
            rest = kinds - drawn
            many = np.array([[0, 0], [rest[2] + rest[3], rest[0] + rest[1]]])
            found = powered_accuracy(few, many)
            held += found.low <= truth <= found.high
            width += found.high - found.low
        coverage.append(held / runs)
        widths.append(width / runs)
    for which, value in (("mean of all systems", np.mean(coverage)), ("worst", min(coverage))):
        yield Row(
            number="accuracy from few checked items",
            setting=f"{what}, {checked} checked, {which} of {len(coverage)}",
            said=0.95,
            measured=float(value),
            runs=runs,
            width=float(np.mean(widths)),
        )
