"""Areas under ROC curves, average precisions, and areas at another prevalence."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from karat.doubt.bounds.areas import delong
from karat.doubt.bounds.average_precision_interval import average_precision_interval
from karat.doubt.bounds.binormal_score import binormal_score
from karat.doubt.interval import Interval
from karat.doubt.prevalence.area_bootstrap import area_interval
from karat.tally.scores.curve import Curve
from karat.tally.scores.packed_curve import curve_of

from .row import Row, covered

MANY = 1_000_000
"""Items of either kind whose area stands for that of all."""
RARE = np.array([0.0005, 0.001, 0.01, 0.1])


@dataclass(frozen=True, slots=True)
class Scores:
    """How the scores of positives and of negatives are drawn, with the area of all of them."""

    what: str
    positive: Callable[[np.random.Generator, int], np.ndarray]
    negative: Callable[[np.random.Generator, int], np.ndarray]

    def roc_area(self) -> float:
        """Return the area of very many scores."""
        random = np.random.default_rng(0)
        positive = self.positive(random, MANY)
        negative = np.sort(self.negative(random, MANY))
        below = np.searchsorted(negative, positive, side="left")
        up_to = np.searchsorted(negative, positive, side="right")
        return float((below + up_to).mean() / (2 * MANY))


def normal(apart: float, deviation: float = 1.0) -> Scores:
    """Return normal scores, the positives so far above the negatives."""
    what = f"normal, d' {apart:g}"
    if deviation != 1:
        what += f", positives with standard deviation {deviation:g}"
    return Scores(what, lambda r, n: r.normal(apart, deviation, n), lambda r, n: r.normal(0, 1, n))


def heavy(apart: float) -> Scores:
    """Return heavy-tailed scores: Student's t with 3 degrees of freedom."""
    return Scores(
        f"heavy-tailed (t, 3), {apart:g} apart",
        lambda r, n: apart + r.standard_t(3, n),
        lambda r, n: r.standard_t(3, n),
    )


def skewed(ratio: float) -> Scores:
    """Return exponential scores, those of positives so many times as large on average."""
    return Scores(
        f"exponential, 1:{ratio:g}",
        lambda r, n: r.exponential(ratio, n),
        lambda r, n: r.exponential(1, n),
    )


def mixed(share: float, apart: float) -> Scores:
    """Return normal scores, but a share of the positives score as negatives do."""
    return Scores(
        f"normal, d' {apart:g}, {share:.0%} of the positives as negatives",
        lambda r, n: r.normal(apart * (r.random(n) > share), 1),
        lambda r, n: r.normal(0, 1, n),
    )


def tied(apart: float, step: float) -> Scores:
    """Return normal scores, rounded to few values."""
    return Scores(
        f"normal, d' {apart:g}, rounded to multiples of {step:g}",
        lambda r, n: np.round(r.normal(apart, 1, n) / step),
        lambda r, n: np.round(r.normal(0, 1, n) / step),
    )


ROC = (
    (20, 200, normal(3.5)),
    (50, 950, normal(3.5)),
    (10, 90, normal(2)),
    (20, 2000, normal(3.5)),
    (100, 100, normal(1)),
    (200, 200, normal(2)),
    (20, 20, normal(1)),
    (10, 10, normal(3)),
    (3, 200, normal(2)),
    (50, 50, normal(0)),
    (30, 300, normal(3, 2)),
    (30, 300, normal(2, 0.5)),
    (20, 200, heavy(3)),
    (20, 200, skewed(30)),
    (30, 300, mixed(0.1, 4)),
    (30, 300, tied(2, 1.5)),
    (100, 1000, mixed(0.05, 3)),
    (200, 1000, mixed(0.03, 4)),
    (60, 60, mixed(0.2, 3)),
    (2, 50, normal(2)),
)
DELONG = ROC[:5]
"""Where DeLong's own interval is measured, too."""
PRECISION = (
    (20, 20, 2.0),
    (20, 200, 3.5),
    (100, 100, 1.0),
    (200, 800, 2.0),
    (10, 90, 2.0),
    (10, 90, 1.0),
    (50, 950, 3.5),
    (100, 20, 1.0),
)
PREVALENCE = ((145, 1352, 1.0), (200, 200, 1.0), (145, 1352, 1.5), (30, 300, 1.5), (30, 300, 3.0))


def rows(runs: int) -> Iterator[Row]:
    """Measure them."""
    random = np.random.default_rng(2)
    for positives, negatives, scores in ROC:
        area = scores.roc_area()
        curves = [_curve(scores, positives, negatives, random) for _ in range(runs)]
        setting = f"{positives}/{negatives} {scores.what} (area {area:.3f})"
        found: Iterator[Interval] = (binormal_score(curve) for curve in curves)
        yield covered("roc-area", setting, area, found, runs=runs)
        if (positives, negatives, scores) in DELONG:
            found = (delong(curve) for curve in curves)
            yield covered("roc-area, --bound delong", setting, area, found, runs=runs)
    for positives, negatives, apart in PRECISION:
        for drawn in (False, True):
            yield _average_precision(positives, negatives, apart, runs, random, drawn=drawn)
    for positives, negatives, apart in PREVALENCE:
        yield from _at_prevalences(positives, negatives, apart, max(20, runs // 8), random)


def _curve(scores: Scores, positives: int, negatives: int, random: np.random.Generator) -> Curve:
    labels = np.arange(positives + negatives) < positives
    drawn = [scores.positive(random, positives), scores.negative(random, negatives)]
    return curve_of(labels, np.concatenate(drawn))


def precision_area(apart: float, prevalence: float) -> float:
    """Return the area under the precision-recall curve of endless normal scores."""
    cut = np.linspace(-9, apart + 9, 400_001)
    recall = ndtr(apart - cut)
    hits = prevalence * recall
    precision = hits / (hits + (1 - prevalence) * ndtr(-cut))
    return float(-np.trapezoid(precision, recall))


def _average_precision(
    positives: int,
    negatives: int,
    apart: float,
    runs: int,
    random: np.random.Generator,
    *,
    drawn: bool,
) -> Row:
    """Measure one setting, with so many positives, or with items that happen to be positive so often."""
    items = positives + negatives
    share = positives / items
    found = []
    while len(found) < runs:
        labels = np.arange(items) < positives
        if drawn:
            labels = random.random(items) < share
        if 2 <= labels.sum() <= items - 2:
            curve = curve_of(labels, random.normal(apart * labels))
            found.append(average_precision_interval(curve))
    how = "items drawn at random" if drawn else "as many in each run"
    setting = f"{positives}/{negatives} normal, d' {apart:g}, {how}"
    return covered("average-precision", setting, precision_area(apart, share), found, runs=runs)


def _at_prevalences(
    positives: int, negatives: int, apart: float, runs: int, random: np.random.Generator
) -> Iterator[Row]:
    labels = np.arange(positives + negatives) < positives
    lows, highs = [], []
    for run in range(runs):
        curve = curve_of(labels, random.normal(apart * labels))
        found = area_interval(curve, RARE, draws=200, seed=run)
        lows.append(found.low)
        highs.append(found.high)
    for place, prevalence in enumerate(RARE):
        interval = Interval(np.array(lows)[:, place], np.array(highs)[:, place], 0.95, "")
        setting = f"{positives}/{negatives} normal, d' {apart:g}, at {prevalence:.2%} positives"
        area = precision_area(apart, float(prevalence))
        yield covered(
            "area at another prevalence (skew --to)", setting, area, [interval], runs=runs
        )
