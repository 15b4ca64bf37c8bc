"""Means over groups: these groups, and groups like these."""

from collections.abc import Iterator

import numpy as np

from karat.doubt.group_mean import GroupValues, mean_of_groups_like_these, mean_of_these_groups

from .row import Row, covered

SIZES = {
    "50 groups of 1 item": [1] * 50,
    "50 groups of 2": [2] * 50,
    "100 groups of 1": [1] * 100,
    "3 groups of 2": [2] * 3,
    "4 groups of 10": [10] * 4,
    "25 groups of 1 and 25 of 4": [1] * 25 + [4] * 25,
    "groups of 1, 3, 10, 20 and 50": [1, 3, 10, 20, 50],
    "10 groups of 100": [100] * 10,
    "4 groups of 1 and one of 40": [1, 1, 1, 1, 40],
    "2 groups of 2 and one of 100": [2, 2, 100],
    "90 groups of 1 and 10 of 10": [1] * 90 + [10] * 10,
    "groups of 1 to 7 and one of 100": [1, 2, 3, 4, 5, 6, 7, 100],
}


def rows(runs: int) -> Iterator[Row]:
    """Measure them, with groups of one kind and with groups that differ."""
    random = np.random.default_rng(1)
    for name, sizes in SIZES.items():
        for share in (0.5, 0.9):
            yield _these(
                name, np.array(sizes), np.full(len(sizes), share), f"all {share:g}", runs, random
            )
        own = np.linspace(0.2, 0.98, len(sizes))
        yield _these(name, np.array(sizes), own, "from 0.2 to 0.98", runs, random)
    for groups in (3, 10, 50):
        for size in (1, 10):
            yield _like_these(groups, size, runs, random)


def _values(right: np.ndarray, items: np.ndarray) -> GroupValues:
    value = right / items
    return GroupValues(value, value * (1 - value) / np.maximum(items - 1, 1), items.astype(float))


def _these(
    name: str, sizes: np.ndarray, own: np.ndarray, what: str, runs: int, random: np.random.Generator
) -> Row:
    right = random.binomial(sizes[:, None], own[:, None], (len(sizes), runs))
    found = mean_of_these_groups(_values(right, np.broadcast_to(sizes[:, None], right.shape)))
    setting = f"{name}, accuracies {what}"
    return covered("mean over these groups", setting, float(own.mean()), [found], runs=runs)


def _like_these(groups: int, size: int, runs: int, random: np.random.Generator) -> Row:
    own = random.beta(4, 1, (groups, runs))
    right = random.binomial(size, own)
    found = mean_of_groups_like_these(_values(right, np.full(right.shape, size)))
    setting = f"{groups} groups of {size}, accuracies Beta(4, 1)"
    return covered("mean over groups like these, Student's t", setting, 0.8, [found], runs=runs)
