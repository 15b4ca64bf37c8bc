"""How likely do more items decide a comparison? Against plain simulation."""

import numpy as np
import pytest
from scipy import stats

from karat.planning.interim_power import interim_power, likely_items
from karat.planning.items import items_for_pair

RUNS = 40_000


def simulated(first, second, items, more, level=0.95):
    random = np.random.default_rng(0)
    shares = [first / items, second / items, 1 - (first + second) / items]
    drawn = random.multinomial(more, shares, size=RUNS)
    one, other = first + drawn[:, 0], second + drawn[:, 1]
    tail = stats.binom.sf(one - 1, one + other, 0.5)
    return np.mean(2 * tail <= 1 - level)


@pytest.mark.parametrize(
    ("first", "second", "items", "more"),
    [(39, 23, 150, 18), (39, 23, 150, 100), (5, 2, 40, 60), (30, 20, 100, 1)],
)
def test_the_power_is_that_of_a_simulation(first, second, items, more):
    power = interim_power(first, second, items, more, 0.025)
    # Four standard errors of 40,000 runs are 0.01.
    assert power == pytest.approx(simulated(first, second, items, more), abs=0.01)


@pytest.mark.parametrize(("first", "second", "items"), [(39, 23, 150), (4, 11, 80), (2, 1, 50)])
def test_the_number_is_the_first_that_is_likely_enough(first, second, items):
    more = likely_items(first, second, items)
    lead, rest = max(first, second), min(first, second)
    assert interim_power(lead, rest, items, more, 0.025) >= 0.8
    assert interim_power(lead, rest, items, more - 1, 0.025) < 0.8


def test_systems_that_are_level_are_never_decided():
    assert likely_items(10, 10, 200) is None
    assert likely_items(0, 0, 0) is None


def test_more_pairs_take_more_items():
    assert likely_items(39, 23, 150, pairs=6) > likely_items(39, 23, 150)


def test_very_many_items_are_those_of_a_plan_that_begins_anew():
    planned = items_for_pair(0.0260, 0.0250, power=0.8).items
    assert likely_items(260, 250, 10_000) == pytest.approx(planned - 10_000, rel=0.01)


def test_very_many_items_are_those_of_the_normal_approximation():
    """Connor's: n = ((z √b + z' √(b - d²)) / d)², b the share of discordant items and d the difference of the two."""
    discordant, gap = 0.051, 0.001
    z = stats.norm.ppf([0.975, 0.8])
    anew = ((z[0] * discordant**0.5 + z[1] * (discordant - gap**2) ** 0.5) / gap) ** 2
    assert likely_items(260, 250, 10_000) == int(np.ceil(anew)) - 10_000
