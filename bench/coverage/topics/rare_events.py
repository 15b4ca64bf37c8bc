"""Precision, alarms and misses of a threshold at the deployment prevalence, and where two systems change places."""

from collections.abc import Iterator

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr
from scipy.stats import binom

import karat
from karat.doubt.interval import Interval
from karat.doubt.prevalence.deployment import (
    BoundedNumber,
    deployed,
    precision_interval,
    recall_interval,
)
from karat.doubt.prevalence.inversions import logit
from karat.doubt.prevalence.unlabelled_scores import deployed_by_unlabelled_scores
from karat.measure.prevalence.distribution import single
from karat.measure.prevalence.operating_point import (
    best_threshold,
    precision_at_recall,
    recall_at_precision,
)
from karat.tally.scores.curve import Curve
from karat.tally.scores.packed_curve import curve_of

from .row import LEVEL, Row, covered

RATES = (
    (10, 90, 0.9, 0.1, 0.05),
    (20, 200, 0.8, 0.01, 0.01),
    (20, 200, 0.95, 0.05, 0.001),
    (20, 200, 0.98, 0.03, 0.3),
    (30, 300, 0.5, 0.005, 0.001),
    (40, 1000, 0.7, 0.003, 0.001),
    (145, 1352, 0.85, 0.01, 0.0005),
)
"""Positives, negatives, the share of each that reaches the threshold, and the deployment prevalence."""
CHOSEN = ((30, 300, 2.0, 0.05), (145, 1352, 2.0, 0.01), (20, 200, 3.5, 0.01))
"""Positives, negatives, d' and the deployment prevalence of thresholds that are chosen first."""
UNLABELLED = ((100, 400, 1.5, 0.05), (100, 400, 2.5, 0.01))
CROSSING = ((100, 400), (300, 1200))
"""Positives and negatives of two systems that change places."""


def rows(runs: int) -> Iterator[Row]:
    """Measure them."""
    for setting in RATES:
        yield from _threshold(*setting)
    random = np.random.default_rng(7)
    for setting in CHOSEN:
        yield from _chosen(*setting, runs=max(20, runs // 2), random=random)
    for setting in UNLABELLED:
        yield from _unlabelled(*setting, runs=max(20, runs // 4), random=random)
    for positives, negatives in CROSSING:
        yield _inversion(positives, negatives, runs=max(20, runs // 10), random=random)


def _threshold(positives: int, negatives: int, tpr: float, fpr: float, pi: float) -> Iterator[Row]:
    """Enumerate all outcomes but the rarest."""
    setting = f"{positives}/{negatives}, rates {tpr:g} and {fpr:g}, at {pi:.2%} positives"
    right = {
        "precision": pi * tpr / (pi * tpr + (1 - pi) * fpr),
        "alarms": 1000 * (pi * tpr + (1 - pi) * fpr),
        "misses": 1000 * pi * (1 - tpr),
    }
    held = dict.fromkeys(right, 0.0)
    width = dict.fromkeys(right, 0.0)
    total = 0.0
    for hits in _usual(positives, tpr):
        for false in _usual(negatives, fpr):
            if not hits + false:
                continue  # precision is undefined
            chance = binom.pmf(hits, positives, tpr) * binom.pmf(false, negatives, fpr)
            found = deployed(_counted(hits, positives, false, negatives), threshold=0.5, pi=pi)
            total += chance
            for name, value in right.items():
                ends: BoundedNumber = getattr(found, name)
                is_in = ends.low <= value * (1 + 1e-12) and value * (1 - 1e-12) <= ends.high
                held[name] += chance * is_in
                width[name] += chance * (ends.high - ends.low)
    for name in right:
        yield Row(
            number=f"{name} at a threshold (skew --threshold)",
            setting=setting,
            said=LEVEL,
            measured=held[name] / total,
            runs=0,
            width=width[name] / total,
        )


def _usual(number: int, share: float) -> range:
    """Return the counts that happen, but for one time in 10,000."""
    return range(int(binom.ppf(5e-5, number, share)), int(binom.ppf(1 - 5e-5, number, share)) + 1)


def _counted(hits: int, positives: int, false: int, negatives: int) -> Curve:
    """Return the curve of two scores: above the threshold, and below it."""
    return Curve(
        np.array([1.0, 0.0]),
        np.array([hits, positives - hits]),
        np.array([false, negatives - false]),
    )


def _chosen(
    positives: int,
    negatives: int,
    apart: float,
    pi: float,
    *,
    runs: int,
    random: np.random.Generator,
) -> Iterator[Row]:
    """Choose a threshold on the items on which it is judged."""
    labels = np.arange(positives + negatives) < positives
    for aim, goal in (
        ("recall>=0.8", precision_at_recall(0.8)),
        ("precision>=0.3", recall_at_precision(0.3)),
    ):
        precisions, recalls = [], []
        for _ in range(runs):
            curve = curve_of(labels, random.normal(apart * labels))
            cut = best_threshold(curve, single(pi), goal).threshold
            if not np.isfinite(cut):
                continue
            recall = ndtr(apart - cut)
            precision = pi * recall / (pi * recall + (1 - pi) * ndtr(-cut))
            found = precision_interval(curve, single(pi), threshold=cut)
            precisions.append(_off(found, precision))
            recalls.append(_off(recall_interval(curve, threshold=cut), recall))
        setting = f"{positives}/{negatives} normal, d' {apart:g}, {aim} at {pi:.2%} positives"
        name = "at a chosen threshold (skew --choose)"
        yield covered(f"precision {name}", setting, 0.0, precisions, runs=len(precisions))
        yield covered(f"recall {name}", setting, 0.0, recalls, runs=len(recalls))


def _off(found: BoundedNumber, right: float) -> Interval:
    """Return an interval moved so that the right value is 0: each threshold has its own."""
    return Interval(np.array(found.low - right), np.array(found.high - right), LEVEL, "")


def _unlabelled(
    positives: int,
    negatives: int,
    apart: float,
    pi: float,
    *,
    runs: int,
    random: np.random.Generator,
) -> Iterator[Row]:
    """Estimate the prevalence from 1,000 unlabelled scores."""
    labels = np.arange(positives + negatives) < positives
    cut = apart / 2 + 0.5
    recall = ndtr(apart - cut)
    right = {
        "precision": pi * recall / (pi * recall + (1 - pi) * ndtr(-cut)),
        "misses": 1000 * pi * (1 - recall),
        "prevalence": pi,
    }
    found: dict[str, list[Interval]] = {name: [] for name in right}
    for run in range(runs):
        curve = curve_of(labels, random.normal(apart * labels))
        field = random.normal(apart * (random.random(1000) < pi))
        one = deployed_by_unlabelled_scores(curve, field, threshold=cut, draws=400, seed=run)
        parts = {"precision": one.precision, "misses": one.misses, "prevalence": one.balance}
        for name, part in parts.items():
            found[name].append(_off(part, 0.0))
    setting = f"{positives}/{negatives} normal, d' {apart:g}; 1,000 scores, {pi:.0%} positive"
    for name, value in right.items():
        number = f"{name} by unlabelled scores (skew --to FILE)"
        yield covered(number, setting, value, found[name], runs=runs)


def _inversion(positives: int, negatives: int, *, runs: int, random: np.random.Generator) -> Row:
    """Two systems of the same items: one with d' 1.5, the other with d' 2 and positives twice as spread."""
    labels = np.arange(positives + negatives) < positives
    right = _crossing()
    found = []
    for run in range(runs):
        shared = random.normal(size=len(labels))
        first = 0.5 * shared + np.sqrt(0.75) * random.normal(size=len(labels)) + 1.5 * labels
        second = random.normal(size=len(labels)) * np.where(labels, 2, 1) + 2 * labels
        table = {"truth": labels.astype(int), "first": first, "second": second}
        changes = karat.read(table).skew(to=right, draws=400, seed=run).pair_orders[0].intervals
        if changes:
            one = min(changes, key=lambda change: abs(logit(change.skew) - logit(right)))
            found.append(Interval(np.array(one.low), np.array(one.high), LEVEL, ""))
    setting = f"{positives}/{negatives} normal, at {right:.1%} positives, where it was seen"
    return covered("prevalence of an inversion", setting, right, found, runs=len(found))


def _crossing() -> float:
    """Return the prevalence at which the areas of endless scores are equal."""
    cut = np.linspace(-9, 12, 400_001)

    def area(apart: float, deviation: float, pi: float) -> float:
        recall = ndtr((apart - cut) / deviation)
        hits = pi * recall
        return float(-np.trapezoid(hits / (hits + (1 - pi) * ndtr(-cut)), recall))

    return float(brentq(lambda pi: area(1.5, 1, pi) - area(2, 2, pi), 0.001, 0.999))
