"""Numbers of items that `plan` names for areas: the power they attain, and the width of the interval."""

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtri
from scipy.stats import norm

from karat.doubt.bounds.binormal_score import binormal_score
from karat.planning.areas import items_for_area, items_for_areas
from karat.tally.scores.packed_curve import curve_of

from .row import Row

POWER = 0.8
PAIRS = (
    (0.9, 0.85, 0.5, 0.0),
    (0.9, 0.85, 0.5, 0.5),
    (0.8, 0.7, 0.1, 0.5),
    (0.95, 0.8, 0.2, 0.3),
    (0.99, 0.97, 0.1, 0.5),
)
"""Two areas, the prevalence, and the correlation of the scores."""
WIDTHS = ((0.9, 0.1, 0.5), (0.8, 0.1, 0.05), (0.97, 0.05, 0.1), (0.6, 0.2, 0.3))


def rows(runs: int) -> Iterator[Row]:
    """Measure them."""
    random = np.random.default_rng(5)
    for first, second, prevalence, correlation in PAIRS:
        yield _power(first, second, prevalence, correlation, runs, random)
    for area, width, prevalence in WIDTHS:
        yield _width(area, width, prevalence, max(20, runs // 4), random)


def _power(
    first: float,
    second: float,
    prevalence: float,
    correlation: float,
    runs: int,
    random: np.random.Generator,
) -> Row:
    planned = items_for_areas(
        first, second, prevalence=prevalence, correlation=correlation, power=POWER
    )
    m, n = planned.positives, planned.negatives
    apart = np.sqrt(2) * ndtri([first, second])
    both = np.array([[1.0, correlation], [correlation, 1.0]])
    significant = 0
    for _ in range(runs):
        positive = random.multivariate_normal(apart, both, m)
        negative = random.multivariate_normal([0, 0], both, n)
        significant += delong_p(positive, negative) <= 0.05
    setting = f"{first:g} and {second:g}, {m}/{n}, correlation of scores {correlation:g}"
    return Row(
        number="plan --area A,B: power of DeLong's test",
        setting=setting,
        said=POWER,
        measured=significant / runs,
        runs=runs,
    )


def delong_p(positive: np.ndarray, negative: np.ndarray) -> float:
    """Return DeLong's p-value of two columns of scores: from the placements of positives and negatives."""
    of_positives, of_negatives = [], []
    for system in range(2):
        below = np.searchsorted(np.sort(negative[:, system]), positive[:, system])
        above = np.searchsorted(np.sort(positive[:, system]), negative[:, system])
        of_positives.append(below / len(negative))
        of_negatives.append(1 - above / len(positive))
    gap = np.mean(of_positives[0]) - np.mean(of_positives[1])
    variance = np.var(of_positives[0] - of_positives[1], ddof=1) / len(positive)
    variance += np.var(of_negatives[0] - of_negatives[1], ddof=1) / len(negative)
    return float(2 * norm.sf(abs(gap) / np.sqrt(variance)))


def _width(
    area: float, width: float, prevalence: float, runs: int, random: np.random.Generator
) -> Row:
    planned = items_for_area(area, width, prevalence=prevalence)
    m, n = planned.positives, planned.negatives
    labels = np.arange(m + n) < m
    apart = np.sqrt(2) * ndtri(area)
    total = 0.0
    for _ in range(runs):
        found = binormal_score(curve_of(labels, random.normal(apart * labels)))
        total += float(found.high - found.low)
    return Row(
        number="plan --area A --width W: mean width of the interval",
        setting=f"area {area:g}, {m}/{n}",
        said=width,
        measured=total / runs,
        runs=runs,
        most=True,
    )
