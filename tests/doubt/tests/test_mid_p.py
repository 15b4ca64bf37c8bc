"""Mid-p-values: by their definition, from sums of exact probabilities."""

import numpy as np
import pytest
from scipy import stats

import karat
from karat.doubt.tests.mid_p import exact_mid_p, mcnemar_mid_p


@pytest.mark.parametrize(("b", "c"), [(2, 10), (10, 2), (0, 6), (7, 8), (5, 5), (0, 0), (400, 460)])
def test_half_of_the_observed_discordant_items_count(b, c):
    fewer, more = min(b, c), max(b, c)
    distribution = stats.binom(b + c, 0.5)
    below = distribution.pmf(np.arange(fewer)).sum() + distribution.pmf(fewer) / 2
    above = distribution.pmf(np.arange(more + 1, b + c + 1)).sum() + distribution.pmf(more) / 2
    expected = 1.0 if b == c else below + above
    assert float(mcnemar_mid_p(b, c)) == pytest.approx(min(1, expected), rel=1e-9)


@pytest.mark.parametrize(
    "table", [(40, 50, 92, 100), (3, 9, 9, 11), (0, 5, 5, 5), (30, 40, 20, 41)]
)
def test_half_of_the_observed_table_counts(table):
    x1, n1, x2, n2 = table
    distribution = stats.hypergeom(n1 + n2, x1 + x2, n1)
    lower = distribution.cdf(x1 - 1) + distribution.pmf(x1) / 2
    upper = distribution.sf(x1) + distribution.pmf(x1) / 2
    assert float(exact_mid_p(*table)) == pytest.approx(min(1, 2 * min(lower, upper)), rel=1e-9)


def test_without_successes_nothing_differs():
    assert exact_mid_p([0, 5, 0], [5, 5, 0], [0, 7, 3], [7, 7, 4]).tolist() == [1, 1, 1]


@pytest.mark.parametrize("discordant", [8, 20, 60, 200])
def test_it_is_wrong_about_as_often_as_said(discordant):
    """The probability of p <= 0.05 over all splits, summed: near the level, where the exact test stays below it."""
    first = np.arange(discordant + 1)
    chance = stats.binom.pmf(first, discordant, 0.5)
    wrong = chance[mcnemar_mid_p(first, discordant - first) <= 0.05].sum()
    assert 0.02 < wrong < 0.08


def test_compare_takes_it():
    data = {"truth": [1] * 20, "a": [1] * 20, "b": [0] * 6 + [1] * 14}
    bench = karat.read(data, truth="truth")
    row = bench.compare(test="mcnemar-midp").rows()[0]
    assert row["test"] == "mcnemar-midp"
    assert row["p_value"] == pytest.approx(2**-6)
