"""Type I errors where items have weights, and of losses of scores: two equally good systems on the same items."""

from collections.abc import Iterator

import numpy as np

from karat.doubt.resampling.resampled_difference import difference_of_resamples
from karat.measure.quantity import Quantity
from karat.tally.scores.paired_scores import PairedScores

from .curve_comparisons import PRECISION, ROC, _tested
from .row import Row, covered, rejected

BRIER = Quantity.parse("brier")
SETTINGS = ((30, 300, 2.0, 0.5), (100, 100, 1.0, 1.0))
"""Positives, negatives, how far apart, and the deviation of the logarithm of the weights."""


def rows(runs: int) -> Iterator[Row]:
    """Yield how often two equally good systems are called different, and whether intervals hold 0."""
    random = np.random.default_rng(19)
    for positives, negatives, apart, spread in SETTINGS:
        yield from _curves(positives, negatives, apart, spread, runs // 2, random)
    for items, spread in ((50, 0.0), (200, 0.0), (200, 1.0)):
        yield from _losses(items, spread, runs // 2, random)
    for items, spread in ((50, 0.5), (200, 1.0)):
        yield from _answers(items, spread, runs, random)


def _curves(
    positives: int,
    negatives: int,
    apart: float,
    spread: float,
    runs: int,
    random: np.random.Generator,
) -> Iterator[Row]:
    """Areas and average precisions of weighted items, scores correlated by one half."""
    positive = np.arange(positives + negatives) < positives
    once = np.ones(len(positive), np.int64)
    setting = f"{positives}/{negatives}, d' {apart:g}, weights lognormal with deviation {spread:g}"
    for quantity in (ROC, PRECISION):
        tested = []
        for _ in range(runs):
            weight = random.lognormal(0, spread, len(positive))
            shared = random.standard_normal((len(positive), 1))
            own = random.standard_normal((len(positive), 2))
            scores = np.sqrt(0.5) * (shared + own) + apart * positive[:, None]
            items = PairedScores(("a", "b"), positive, scores, once, weight=weight)
            tested.append(_tested(quantity, items))
        p_values = np.array([one.p_value for one in tested])
        yield rejected(f"compare {quantity} with weights", setting, p_values, None)
        found = [one.interval for one in tested]
        yield covered(f"difference of {quantity} with weights", setting, 0.0, found, runs=runs)


def _losses(items: int, spread: float, runs: int, random: np.random.Generator) -> Iterator[Row]:
    """Brier scores of two forecasters who see the same probability with noise of their own."""
    once = np.ones(items, np.int64)
    p_values = np.ones(runs)
    for run in range(runs):
        chance = random.beta(1, 3, items)
        truth = random.random(items) < chance
        if truth.all() or not truth.any():
            continue
        noise = random.normal(0, 0.5, (items, 2))
        odds = np.log(chance / (1 - chance))[:, None] + noise
        weight = random.lognormal(0, spread, items) if spread else None
        scored = PairedScores(("a", "b"), truth, 1 / (1 + np.exp(-odds)), once, weight=weight)
        p_values[run] = _tested(BRIER, scored).p_value
    setting = f"{items} items, probabilities Beta(1, 3)"
    if spread:
        setting += f", weights lognormal with deviation {spread:g}"
    yield rejected("compare brier", setting, p_values, None)


def _answers(items: int, spread: float, runs: int, random: np.random.Generator) -> Iterator[Row]:
    """Accuracies of weighted items, by the bootstrap that `compare` takes there."""
    p_values = np.ones(runs)
    for run in range(runs):
        right = (random.random((items, 2)) < 0.8).astype(float)
        weight = random.lognormal(0, spread, items)
        better = right[:, 0] - right[:, 1]
        times = random.multinomial(items, np.full(items, 1 / items), size=400)
        gaps = times @ (weight * better) / (times @ weight)
        tested = difference_of_resamples(
            float(weight @ better / weight.sum()),
            gaps,
            units=items,
            freedom=float(weight.sum() ** 2 / (weight**2).sum() - 1),
            differ=int((better != 0).sum()),
        )
        p_values[run] = tested.p_value
    setting = f"{items} items, right on 0.8, weights lognormal with deviation {spread:g}"
    yield rejected("compare accuracy with weights, bootstrap", setting, p_values, None)
