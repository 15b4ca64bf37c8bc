"""Melded exact bounds: Fisher's exact test, draws without number, and coverage over all outcomes."""

import numpy as np
import pytest
from scipy import stats

from karat.doubt.prevalence.deployment import deployed, precision_interval, recall_interval
from karat.doubt.prevalence.melded import Seen, exact_ends, melded
from karat.measure.prevalence.priors.uniform import uniform
from karat.tally.scores.curve import Curve


def difference(first, second):
    return first - second


@pytest.mark.parametrize(("x", "n", "y", "m"), [(8, 10, 2, 10), (19, 20, 30, 60), (3, 40, 0, 25)])
def test_a_difference_of_none_is_the_end_where_fishers_test_just_rejects(x, n, y, m):
    # Fay, Proschan and Brittain 2015: the one-sided melded p-value of a difference is Fisher's.
    p_value = stats.fisher_exact([[x, n - x], [y, m - y]], alternative="greater").pvalue
    low, _ = melded(difference, Seen(x, n), Seen(y, m), rises=False, level=1 - 2 * p_value)
    assert low == pytest.approx(0, abs=2e-3)


def test_the_ends_are_those_of_a_million_draws():
    random = np.random.default_rng(0)

    def ratio(first, second):
        return 0.01 * first / (0.01 * first + 0.99 * second)

    low, high = melded(ratio, Seen(18, 20), Seen(3, 200), rises=False)
    least = ratio(random.beta(18, 3, 1_000_000), random.beta(4, 197, 1_000_000))
    most = ratio(random.beta(19, 2, 1_000_000), random.beta(3, 198, 1_000_000))
    assert low == pytest.approx(np.quantile(least, 0.025), rel=4e-3)
    assert high == pytest.approx(np.quantile(most, 0.975), rel=4e-3)


def test_the_exact_ends_are_those_of_scipy():
    for number, of in [(0, 10), (10, 10), (3, 17), (1, 1)]:
        expected = stats.binomtest(number, of).proportion_ci(0.9)
        assert exact_ends(Seen(number, of), level=0.9) == pytest.approx(tuple(expected), abs=1e-12)


def test_what_rises_with_both_shares_is_turned_round_with_both():
    low, high = melded(lambda a, b: a + b, Seen(3, 20), Seen(5, 30), rises=True)
    other = melded(lambda a, b: a - b, Seen(3, 20), Seen(25, 30), rises=False)
    assert (low, high) == pytest.approx((other[0] + 1, other[1] + 1), abs=1e-9)


@pytest.mark.parametrize("pi", [0.001, 0.05])
def test_precision_and_alarms_hold_their_level_over_all_outcomes(pi):
    # 8 positives and 60 negatives: every outcome is enumerated, at rates where Jeffreys' draws fall short.
    positives, negatives, tpr, fpr = 8, 60, 0.8, 0.03
    right = pi * tpr / (pi * tpr + (1 - pi) * fpr), 1000 * (pi * tpr + (1 - pi) * fpr)
    held = np.zeros(2)
    total = 0.0
    for hits in range(2, positives + 1):
        for false in range(9):
            chance = stats.binom.pmf(hits, positives, tpr) * stats.binom.pmf(false, negatives, fpr)
            curve = Curve(
                np.array([1.0, 0.0]),
                np.array([hits, positives - hits]),
                np.array([false, negatives - false]),
            )
            found = deployed(curve, threshold=0.5, pi=pi)
            for place, part in enumerate((found.precision, found.alarms)):
                held[place] += chance * (part.low <= right[place] <= part.high)
            total += chance
    assert total > 0.999
    assert np.all(held / total >= 0.95)


def test_misses_and_recall_have_the_exact_interval():
    curve = Curve(np.array([1.0, 0.0]), np.array([40, 10]), np.array([3, 60]))
    found = deployed(curve, threshold=0.5, pi=0.02)
    low, high = stats.binomtest(40, 50).proportion_ci(0.95)
    assert (found.tpr.low, found.tpr.high) == pytest.approx((low, high))
    assert (found.misses.low, found.misses.high) == pytest.approx((20 * (1 - high), 20 * (1 - low)))
    recall = recall_interval(curve, threshold=0.5)
    assert (recall.value, recall.low, recall.high) == pytest.approx((0.8, low, high))


def test_a_range_of_prevalences_lies_between_its_ends():
    curve = Curve(np.array([1.0, 0.0]), np.array([40, 10]), np.array([3, 60]))
    over = precision_interval(curve, uniform(0.01, 0.2), threshold=0.5)
    rare, frequent = (deployed(curve, threshold=0.5, pi=pi).precision for pi in (0.01, 0.2))
    assert rare.low < over.low < frequent.low
    assert rare.high < over.high < frequent.high
    nothing = precision_interval(curve, uniform(0.01, 0.2), threshold=2.0)
    assert (nothing.value, nothing.low, nothing.high) == (None, 0.0, 1.0)


def test_the_ends_are_quantiles_of_independent_draws():
    """Against 400,000 draws of both bounds' beta distributions."""
    random = np.random.default_rng(1)
    first, second = Seen(12, 40), Seen(3, 25)
    low, high = melded(lambda a, b: a - b, first, second, rises=False)
    lower = random.beta(12, 29, 400_000) - random.beta(4, 22, 400_000)
    upper = random.beta(13, 28, 400_000) - random.beta(3, 23, 400_000)
    assert low == pytest.approx(np.quantile(lower, 0.025), abs=2e-3)
    assert high == pytest.approx(np.quantile(upper, 0.975), abs=2e-3)
