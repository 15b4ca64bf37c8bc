"""Planned numbers of items, tried one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import stats

from karat.doubt.bounds.exact import exact
from karat.doubt.tests.mcnemar import mcnemar
from karat.doubt.tests.two_samples import error, significant, two_samples
from karat.errors import OptionError
from karat.planning import items as planning
from karat.planning.items import (
    NORMAL,
    OBSERVED,
    POWER,
    figure_one,
    figure_two,
    items_for_bound,
    items_for_bound_power,
    items_for_increase,
    items_for_increase_power,
    items_for_pair,
    lower_bound,
    smallest_increase,
    whole,
)
from karat.planning.significant_from import pair_bound, tail_bound

LAWS = settings(deadline=None, derandomize=True, max_examples=40)
SHARES = some.integers(0, 100).map(lambda percent: percent / 100)


def significant_from(holds):
    """Smallest number from which on all hold, given whether 1, 2, ... do."""
    return 1 if np.all(holds) else int(np.flatnonzero(~holds)[-1]) + 2


def test_a_half_is_rounded_down_even_where_the_product_falls_above_it():
    assert 0.07 * 50 > 3.5
    assert whole([0.07, 0.29, 0.145], [50, 50, 100]).tolist() == [3, 14, 14]
    assert whole(0.58, [50, 100]).tolist() == [29, 58]


def test_a_lower_bound_says_which_successes_it_was_taken_for():
    found = lower_bound([0.5, 0.97, 1], [20, 50, 100])
    assert (found.successes.tolist(), found.trials.tolist()) == ([10, 48, 100], [20, 50, 100])
    assert found.lower.tolist() == exact([10, 48, 100], [20, 50, 100], side="lower").low.tolist()
    assert (found.level, lower_bound(0.5, 20).lower.shape) == (0.95, ())


def test_the_curves_of_figure_1_are_the_exact_bounds():
    for curve in figure_one(level=0.9):
        x = np.arange(curve.trials + 1)
        assert np.array_equal(curve.value, exact(x, curve.trials, level=0.9, side="lower").low)
        assert np.array_equal(curve.estimate, x / curve.trials)
    assert [curve.trials for curve in figure_one()] == [10, 20, 50, 100, 200]


def test_the_curves_of_figure_2_fall_where_more_items_are_seen():
    curves = {curve.trials: curve for curve in figure_two()}
    middle = [curves[n].value[n // 2] for n in (10, 20, 50, 100, 200)]
    assert np.all(np.diff(middle) < 0)


@LAWS
@given(some.integers(0, 40), some.integers(0, 40), some.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_the_smallest_increase_is_the_first_of_all_that_are_tried(n1, n2, level):
    x1, x2 = np.meshgrid(np.arange(n1 + 1), np.arange(n2 + 1), indexing="ij")
    found = two_samples(x1, n1, x2, n2)
    better = significant(found.p_value, level=level) & (found.lower < found.upper)
    first = np.where(better.any(axis=1), better.argmax(axis=1), np.nan)
    assert np.array_equal(
        smallest_increase(np.arange(n1 + 1), n1, n2, level=level), first, equal_nan=True
    )


def test_the_smallest_increase_of_large_samples_is_the_first():
    for x1, n1, n2 in [(40_000, 50_000, 100_000), (3, 10**6, 10**6), (999_000, 10**6, 20_000)]:
        x2 = float(smallest_increase(x1, n1, n2))
        assert significant(two_samples(x1, n1, [x2 - 1, x2], n2).p_value).tolist() == [False, True]


@pytest.mark.parametrize(
    ("baseline", "increase"),
    [(0.8, 0.1), (0.5, 0.2), (0.9, 0.05), (0.3, 0.15), (0.0, 0.1), (0.9, 0.1), (0.2, 0.7)],
)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_from_that_number_on_every_increase_observed_is_significant(baseline, increase, level):
    n = np.arange(1, 1200)
    tried = two_samples(whole(baseline, n), n, whole(baseline + increase, n), n).p_value
    found = items_for_increase(baseline, increase, level=level)
    assert (found.items, found.method) == (
        significant_from(significant(tried, level=level)),
        OBSERVED,
    )


def test_single_smaller_numbers_may_do_where_rounding_favours_them():
    # 0.8 to 0.9 is significant with 113 items (90 and 101 right), but not with 117 or 127.
    n = np.array([112, 113, 117, 124, 127, 128])
    tried = two_samples(whole(0.8, n), n, whole(0.9, n), n).p_value
    assert significant(tried).tolist() == [False, True, False, True, False, True]
    assert items_for_increase(0.8, 0.1).items == 128


@LAWS
@given(SHARES, SHARES, some.integers(1, 3000))
def test_the_bound_that_proves_the_horizon_lies_above_the_tail_and_falls(one, other, n):
    low, high = sorted((one, other))
    bound = tail_bound(n, low, high)
    x1, x2 = (int(whole(share, n)) for share in (low, high))
    assert two_samples(x1, n, x2, n).lower <= bound * (1 + 1e-9) + 1e-300
    if bound < 1 and tail_bound(n + 1, low, high) < 1:
        assert tail_bound(n + 1, low, high) <= bound * (1 + 1e-9)


@LAWS
@given(first=SHARES, second=SHARES, n=some.integers(1, 5000))
def test_no_pair_of_so_many_items_or_more_has_a_larger_tail_than_its_bound(first, second, n):
    less, more = sorted((first, second))
    bound = pair_bound(n, less, more)
    for items in (n, n + 1, 2 * n):
        tail = mcnemar(whole(less, items), whole(more, items)) / 2
        assert tail <= bound * (1 + 1e-9) + 1e-300


@pytest.mark.parametrize(
    ("lower", "estimate"), [(0.9, 0.95), (0.5, 0.6), (0.8, 1.0), (0.99, 1.0), (0.05, 0.2)]
)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_from_that_number_on_every_estimate_observed_guarantees_the_share(lower, estimate, level):
    n = np.arange(1, 1500)
    held = exact(whole(estimate, n), n, level=level, side="lower").low >= lower * (1 - 1e-12)
    found = items_for_bound(lower, estimate, level=level)
    assert (found.items, found.method) == (significant_from(held), OBSERVED)


def test_without_a_failure_the_rule_of_three_answers():
    assert items_for_bound(0.99, 1).items == np.ceil(np.log(0.05) / np.log(0.99)) == 299


@pytest.mark.parametrize(
    ("first", "second"), [(0.1, 0.05), (0.0, 0.1), (0.3, 0.7), (0.02, 0.01), (1.0, 0.0)]
)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_from_that_number_on_every_pair_of_shares_observed_is_significant(first, second, level):
    n = np.arange(1, 3000)
    held = significant(mcnemar(whole(first, n), whole(second, n)), level=level)
    found = items_for_pair(first, second, level=level)
    assert (found.items, found.method) == (significant_from(held), OBSERVED)
    assert items_for_pair(second, first, level=level) == found


def first_reaching(power, chances):
    return 1 + next(n for n, chance in enumerate(chances) if chance >= power)


def chance_of_increase(n, p1, p2, level):
    x1, x2 = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    better = two_samples(x1, n, x2, n).lower <= error(level) / 2 * (1 + 1e-12)
    return (
        stats.binom.pmf(np.arange(n + 1), n, p1) @ better @ stats.binom.pmf(np.arange(n + 1), n, p2)
    )


@pytest.mark.parametrize(
    ("baseline", "increase", "level", "power"),
    [
        (0.5, 0.4, 0.95, 0.8),
        (0.2, 0.4, 0.9, 0.3),
        (0.0, 0.3, 0.95, 0.9),
        (0.7, 0.3, 0.95, 0.8),
        (0.0, 1.0, 0.95, 0.9),
    ],
)
def test_with_that_number_an_increase_is_found_with_the_power_asked_for(
    baseline, increase, level, power
):
    found = items_for_increase_power(baseline, increase, level=level, power=power)
    chances = (chance_of_increase(n, baseline, baseline + increase, level) for n in range(1, 200))
    assert found.items == first_reaching(power, chances)
    assert (found.method, found.power) == (POWER, power)


def test_the_exact_number_is_near_the_corrected_normal_one_which_was_made_for_it():
    # Casagrande, Pike & Smith 1978, in the form of Fleiss.
    for baseline, increase in [(0.5, 0.2), (0.8, 0.1), (0.9, 0.05)]:
        exactly = items_for_increase_power(baseline, increase).items
        middle, raised = baseline + increase / 2, baseline + increase
        one, two = 2 * middle * (1 - middle), baseline * (1 - baseline) + raised * (1 - raised)
        rough = (
            stats.norm.ppf(0.975) * one**0.5 + stats.norm.ppf(0.8) * two**0.5
        ) ** 2 / increase**2
        corrected = rough / 4 * (1 + np.sqrt(1 + 4 / (rough * increase))) ** 2
        assert exactly == pytest.approx(corrected, rel=0.03)


def chance_of_bound(n, lower, estimate, level):
    x = np.arange(n + 1)
    return stats.binom.pmf(x, n, estimate) @ (
        exact(x, n, level=level, side="lower").low >= lower * (1 - 1e-12)
    )


@pytest.mark.parametrize(
    ("lower", "estimate", "level", "power"),
    [(0.9, 0.95, 0.95, 0.8), (0.5, 0.7, 0.9, 0.9), (0.8, 1.0, 0.95, 0.8), (0.3, 0.4, 0.95, 0.5)],
)
def test_with_that_number_a_share_is_guaranteed_with_the_power_asked_for(
    lower, estimate, level, power
):
    found = items_for_bound_power(lower, estimate, level=level, power=power)
    chances = (chance_of_bound(n, lower, estimate, level) for n in range(1, 400))
    assert (found.items, found.method) == (first_reaching(power, chances), POWER)


def test_a_few_larger_numbers_may_fall_short_of_the_power():
    # The saw: 179 items do, 185 do not.
    assert items_for_bound_power(0.9, 0.95).items == 179
    assert chance_of_bound(179, 0.9, 0.95, 0.95) >= 0.8 > chance_of_bound(185, 0.9, 0.95, 0.95)


def chance_of_pair(n, first, second, level):
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    b, c = b[b + c <= n], c[b + c <= n]
    chance = stats.multinomial.pmf(
        np.stack([b, c, n - b - c], axis=1), n, [first, second, 1 - first - second]
    )
    return chance[significant(mcnemar(b, c), level=level) & ((b > c) == (first > second))].sum()


@pytest.mark.parametrize(
    ("first", "second", "level", "power"),
    [(0.3, 0.1, 0.95, 0.6), (0.1, 0.5, 0.9, 0.8), (0.25, 0.0, 0.95, 0.8), (0.2, 0.8, 0.95, 0.5)],
)
def test_with_that_number_a_difference_of_pairs_is_found_with_the_power_asked_for(
    first, second, level, power
):
    found = items_for_pair(first, second, level=level, power=power)
    chances = (chance_of_pair(n, first, second, level) for n in range(1, 200))
    assert (found.items, found.method) == (first_reaching(power, chances), POWER)


@pytest.mark.parametrize(
    ("approximate", "exactly"),
    [
        (lambda: items_for_increase(0.5, 0.004), lambda: items_for_increase(0.5, 0.01)),
        (lambda: items_for_bound(0.9, 0.9004), lambda: items_for_bound(0.9, 0.902)),
        (lambda: items_for_pair(0.011, 0.0103), lambda: items_for_pair(0.02, 0.018)),
        (
            lambda: items_for_pair(0.011, 0.0103, power=0.8),
            lambda: items_for_pair(0.02, 0.018, power=0.8),
        ),
        (lambda: items_for_increase_power(0.5, 0.03), lambda: items_for_increase_power(0.5, 0.1)),
        (lambda: items_for_bound_power(0.9, 0.902), lambda: items_for_bound_power(0.9, 0.91)),
    ],
)
def test_numbers_out_of_reach_are_approximate_and_say_so(approximate, exactly):
    assert approximate().method == NORMAL
    assert approximate().items > exactly().items
    assert exactly().method in {OBSERVED, POWER}


@pytest.mark.parametrize(("lower", "estimate"), [(0.9, 0.902), (0.5, 0.504)])
def test_the_approximation_is_near_the_exact_number_where_both_are_at_hand(lower, estimate):
    spread = stats.norm.ppf(0.95) * np.sqrt(lower * (1 - lower))
    assert items_for_bound(lower, estimate).items == pytest.approx(
        planning._normal(estimate - lower, spread, 0.5), rel=0.01
    )


@pytest.mark.parametrize(
    "plan",
    [
        lambda: items_for_increase(0.8, 0),
        lambda: items_for_increase_power(0.8, 0),
        lambda: items_for_bound(0.9, 0.9),
        lambda: items_for_bound(0.9, 0.8),
        lambda: items_for_bound_power(0.9, 0.9),
        lambda: items_for_pair(0.1, 0.1),
        lambda: items_for_pair(0.3, 0.1 + 0.2),
        lambda: items_for_pair(0, 0, power=0.8),
    ],
)
def test_no_number_suffices_where_there_is_no_difference(plan):
    assert plan().items is None


@pytest.mark.parametrize(
    ("refused", "words"),
    [
        (
            lambda: lower_bound([0.5, 1.5], 20),
            "entry 1 of estimate is 1.5; a share lies between 0 and 1",
        ),
        (lambda: lower_bound(0.5, [20, -1]), "entry 1 of trials is -1; a count cannot be negative"),
        (lambda: lower_bound(0.5, 20, level=95), "level is 95"),
        (
            lambda: smallest_increase([4, 6], 5, 5),
            "first sample: entry 1 has 6 successes in 5 trials",
        ),
        (lambda: smallest_increase(4, 5, [5, -2]), "second sample: entry 1 of trials is -2"),
        (lambda: smallest_increase(4, 5, 5, level=0), "level is 0"),
        (
            lambda: items_for_increase(0.8, 0.3),
            r"baseline \+ increase is 1.1; a share lies between 0 and 1",
        ),
        (lambda: items_for_increase(0.8, -0.1), "increase is -0.1; it cannot be negative"),
        (lambda: items_for_increase(-0.1, 0.1), "baseline is -0.1; a share lies between 0 and 1"),
        (lambda: items_for_increase(0.8, 0.1, level=1), "level is 1"),
        (
            lambda: items_for_increase_power(0.8, 0.1, power=80),
            "power is 80; it must be above 0 and at most 0.999999",
        ),
        (lambda: items_for_bound(0, 0.5), "lower is 0; every estimate guarantees that"),
        (lambda: items_for_bound(0.9, 1.2), "estimate is 1.2; a share lies between 0 and 1"),
        (lambda: items_for_bound_power(0.9, 0.95, power=1), "power is 1; it must be above 0"),
        (
            lambda: items_for_pair(0.6, 0.5),
            r"only_first_share \+ only_second_share is 1.1; a share lies",
        ),
        (lambda: items_for_pair(0.1, 0.2, power=0), "power is 0; it must be above 0"),
        (lambda: items_for_pair(0.1, 0.2, level=-1), "level is -1"),
    ],
)
def test_bad_input_is_refused_by_name(refused, words):
    with pytest.raises(OptionError, match=words):
        refused()
