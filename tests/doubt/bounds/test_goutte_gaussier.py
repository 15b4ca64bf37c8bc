"""The posterior of precision, recall and F: against integrals, simulations and the interval of `dirichlet`."""

import numpy as np
import pytest
from scipy import integrate, special, stats

from karat.doubt.bounds.dirichlet import dirichlet
from karat.doubt.bounds.goutte_gaussier import f_below, goutte_gaussier, likely_better
from karat.errors import OptionError
from karat.measure.cells import Cells

COUNTS = [
    (60, 20, 40),
    (5, 5, 5),
    (1, 9, 0),
    (0, 3, 4),
    (7, 0, 1),
    (7, 0, 0),
    (900, 100, 30),
    (20_000, 7000, 90),
]


def cells(hits, missed, false, beta=1.0):
    return Cells(*(np.asarray(part, float) for part in (hits, missed, false)), beta)


def simulated(hits, missed, false, beta, *, prior=0.5, draws=400_000, seed=0):
    """F of draws from the three gammas of the paper."""
    rng = np.random.default_rng(seed)
    u, v, w = (rng.standard_gamma(count + prior, draws) for count in (hits, missed, false))
    return (1 + beta**2) * u / ((1 + beta**2) * u + beta**2 * v + w)


def slow_below(x, hits, missed, false, beta, prior=0.5):
    """P(F <= x) by adaptive integration over the split of the errors."""

    def inside(y):
        odds = x * (beta**2 * y + 1 - y) / ((1 + beta**2) * (1 - x))
        chance = special.betainc(hits + prior, missed + false + 2 * prior, odds / (1 + odds))
        return chance * stats.beta.pdf(y, missed + prior, false + prior)

    ends = stats.beta.ppf([1e-12, 0.01, 0.5, 0.99, 1 - 1e-12], missed + prior, false + prior)
    parts = [integrate.quad(inside, *ends[k : k + 2], limit=200)[0] for k in range(4)]
    return sum(parts)


def test_precision_and_recall_are_beta():
    found = goutte_gaussier(cells(60, 20, 40))
    assert (found.precision.low, found.precision.high) == pytest.approx(
        stats.beta(60.5, 40.5).ppf([0.025, 0.975])
    )
    assert (found.recall.low, found.recall.high) == pytest.approx(
        stats.beta(60.5, 20.5).ppf([0.025, 0.975])
    )


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("prior", [0.5, 1.0])
def test_the_quantiles_of_f_are_those_of_a_simulation(counts, beta, prior):
    drawn = simulated(*counts, beta, prior=prior)
    found = goutte_gaussier(cells(*counts, beta), level=0.9, prior=prior)
    if counts[0]:
        assert (drawn < found.f.low).mean() == pytest.approx(
            0.05, abs=3 * np.sqrt(0.05 * 0.95 / len(drawn)) + 1e-4
        )
    if counts[1] + counts[2]:
        assert (drawn > found.f.high).mean() == pytest.approx(
            0.05, abs=3 * np.sqrt(0.05 * 0.95 / len(drawn)) + 1e-4
        )
    assert found.f_mean == pytest.approx(
        drawn.mean(), abs=4 * drawn.std() / np.sqrt(len(drawn)) + 1e-3
    )


@pytest.mark.parametrize("counts", COUNTS[:5])
@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_the_law_of_f_is_that_of_adaptive_integration(counts, beta):
    for x in (0.2, 0.5, 0.7):
        assert f_below(x, cells(*counts, beta)) == pytest.approx(
            slow_below(x, *counts, beta), abs=1e-4
        )


def test_f1_is_a_transformed_beta():
    law = stats.beta(60.5, 61)
    for x in (0.5, 0.66, 0.8):
        assert f_below(x, cells(60, 20, 40)) == pytest.approx(law.cdf(x / (2 - x)), abs=1e-9)
    found = goutte_gaussier(cells(60, 20, 40))
    ends = law.ppf([0.025, 0.975])
    assert (found.f.low, found.f.high) == pytest.approx(2 * ends / (1 + ends))


def test_the_interval_by_simulation_is_the_same():
    given = cells([60, 5, 900], [20, 5, 100], [40, 5, 30], 2.0)
    ours, drawn = goutte_gaussier(given).f, dirichlet(given, draws=40_000)
    assert ours.low == pytest.approx(drawn.low, abs=0.01)
    assert ours.high == pytest.approx(drawn.high, abs=0.01)


def test_large_and_small_beta_tend_to_recall_and_precision():
    for beta, name in ((1e4, "recall"), (1e-4, "precision")):
        found = goutte_gaussier(cells(60, 20, 40, beta))
        assert found.f.low == pytest.approx(getattr(found, name).low, abs=1e-3)
        assert found.f.high == pytest.approx(getattr(found, name).high, abs=1e-3)


def test_swapping_missed_and_false_swaps_precision_and_recall():
    one, other = goutte_gaussier(cells(30, 4, 11)), goutte_gaussier(cells(30, 11, 4))
    assert one.precision.low == other.recall.low
    assert one.f.low == other.f.low


def test_the_edges():
    none, perfect, nothing = (
        goutte_gaussier(cells(*c, beta))
        for c, beta in [((0, 3, 4), 2), ((7, 0, 0), 2), ((0, 0, 0), 1)]
    )
    assert (none.f.low, none.precision.low, none.recall.low) == (0, 0, 0)
    assert (perfect.f.high, perfect.precision.high, perfect.recall.high) == (1, 1, 1)
    assert [(part.low, part.high) for part in (nothing.precision, nothing.recall, nothing.f)] == [
        (0, 1)
    ] * 3


@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_who_is_likely_better_is_that_of_a_simulation(beta):
    one, other = (80, 20, 20), (70, 30, 20)
    found = likely_better(cells(*one, beta), cells(*other, beta))
    share = (simulated(*one, beta, seed=1) > simulated(*other, beta, seed=2)).mean()
    assert found == pytest.approx(share, abs=4 * np.sqrt(0.25 / 400_000))
    assert likely_better(cells(*other, beta), cells(*one, beta)) == pytest.approx(
        1 - found, abs=1e-3
    )
    assert likely_better(cells(*one, beta), cells(*one, beta)) == pytest.approx(0.5, abs=1e-3)


def test_one_side_takes_all_the_doubt():
    both, lower = (
        goutte_gaussier(cells(60, 20, 40, 2.0), level=level, side=side)
        for level, side in [(0.9, "both"), (0.95, "lower")]
    )
    assert lower.f.low == pytest.approx(both.f.low)
    assert lower.f.high == 1


def test_errors_say_what_to_do():
    with pytest.raises(OptionError, match="give a count above 0"):
        goutte_gaussier(cells(1, 2, 3), prior=0)
    with pytest.raises(OptionError, match="cannot"):
        goutte_gaussier(cells(1, -2, 3))
