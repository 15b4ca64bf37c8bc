"""Tables of systems that are right with known chances, and results by the system's name."""

import numpy as np
import pytest

import karat


def _by_name(result):
    return {row["system"]: row for row in result.rows()}


def _standing(table, *, reading=None, **options):
    """The rows of a vote, by the system's name; without intervals unless asked for."""
    defaults = {"draws": 0, "estimator": "vote"}
    return _by_name(karat.read(table, **(reading or {})).consensus(**{**defaults, **options}))


def _drawn(seed, *, items=60, labels="01", missing=0.0, **accuracies):
    """Systems that are right with these chances, independently; None where one says nothing."""
    rng = np.random.default_rng(seed)
    kinds = [int(label) if label.isdigit() else label for label in labels]
    truth = rng.integers(0, len(kinds), items)
    table = {"truth": [kinds[code] for code in truth]}
    for name, accuracy in accuracies.items():
        wrong = (truth + rng.integers(1, len(kinds), items)) % len(kinds)
        codes, silent = (
            np.where(rng.random(items) < accuracy, truth, wrong),
            rng.random(items) < missing,
        )
        table[name] = [
            None if gap else kinds[code] for code, gap in zip(codes, silent, strict=True)
        ]
    return table


def _without_truth(table):
    return {name: column for name, column in table.items() if name != "truth"}


@pytest.fixture(scope="session")
def by_name():
    """The rows of a result by the system they are of."""
    return _by_name


@pytest.fixture(scope="session")
def standing():
    """The rows of a vote, by the system's name."""
    return _standing


@pytest.fixture(scope="session")
def drawn():
    """Systems that are right with given chances, independently."""
    return _drawn


@pytest.fixture(scope="session")
def without_truth():
    """The table, its truth left out."""
    return _without_truth
