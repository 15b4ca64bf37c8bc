"""What holds for the tests of two shares that were counted on different items."""

import subprocess
import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import stats

from karat.doubt.tests.barnard import barnard
from karat.doubt.tests.boschloo import boschloo
from karat.doubt.tests.two_samples import error, first_where, limits, significant, two_samples
from karat.errors import OptionError

LAWS = settings(deadline=None, derandomize=True, max_examples=60)
TESTS = [lambda *counts: two_samples(*counts).p_value, limits, barnard, boschloo]

every_test = pytest.mark.parametrize("test", TESTS, ids=["exact", "limits", "barnard", "boschloo"])
unconditional = pytest.mark.parametrize(
    ("test", "peer"), [(barnard, stats.barnard_exact), (boschloo, stats.boschloo_exact)]
)


@some.composite
def tables(draw, most=60):
    n1, n2 = draw(some.integers(0, most)), draw(some.integers(0, most))
    return draw(some.integers(0, n1)), n1, draw(some.integers(0, n2)), n2


def random_tables(count, *, least, most, seed):
    rng = np.random.default_rng(seed)
    n1, n2 = rng.integers(least, most + 1, (2, count))
    return rng.integers(0, n1, endpoint=True), n1, rng.integers(0, n2, endpoint=True), n2


def all_tables(n1, n2):
    x1, x2 = np.meshgrid(np.arange(n1 + 1), np.arange(n2 + 1), indexing="ij")
    return x1, n1, x2, n2


def parts(found, *tails):
    return [
        float(getattr(found, name))
        for name in (*(tails or ("lower", "upper")), "p_value", "fisher")
    ]


def rational(x1, n1, x2, n2):
    """Both tails and Fisher's p in rational arithmetic, straight from h(x1 | s)."""
    s = x1 + x2
    h = {
        k: Fraction(comb(n1, k) * comb(n2, s - k), comb(n1 + n2, s))
        for k in range(max(0, s - n2), min(n1, s) + 1)
    }
    lower = sum(value for k, value in h.items() if k <= x1)
    upper = sum(value for k, value in h.items() if k >= x1)
    return lower, upper, sum(value for value in h.values() if value <= h[x1])


@LAWS
@given(tables())
def test_all_p_values_hold_to_twelve_digits_in_rational_arithmetic(table):
    found, (lower, upper, fisher) = two_samples(*table), rational(*table)
    assert found.lower == pytest.approx(float(lower), rel=1e-12)
    assert found.upper == pytest.approx(float(upper), rel=1e-12)
    assert found.fisher == pytest.approx(float(fisher), rel=1e-12)
    assert found.p_value == pytest.approx(float(min(1, 2 * min(lower, upper))), rel=1e-12)


def decimal_tails(x1, n1, x2, n2):
    """Both tails with forty digits: the probabilities relative to the observed table's, summed."""

    def side(a, b, c, d):
        weight, total = Decimal(1), Decimal(0)
        while a and b and weight > Decimal("1e-45"):
            weight *= Decimal(a * b) / Decimal(c * d)
            total += weight
            a, b, c, d = a - 1, b - 1, c + 1, d + 1
        return total

    with localcontext(prec=40):
        above, below = (
            side(n1 - x1, x2, x1 + 1, n2 - x2 + 1),
            side(n2 - x2, x1, x2 + 1, n1 - x1 + 1),
        )
        return float((1 + below) / (1 + above + below)), float((1 + above) / (1 + above + below))


@pytest.mark.parametrize(
    "table",
    [
        (500_000, 10**6, 501_000, 10**6),
        (499_000, 10**6, 505_000, 10**6),
        (10, 10**6, 40, 10**6),
        (999_990, 10**6, 49_999, 50_000),
        (7, 20, 123_456, 400_000),
        (0, 500, 500, 500),
        (150, 200, 20, 200),
    ],
)
def test_large_counts_and_tiny_tails_keep_twelve_digits(table):
    found, (lower, upper) = two_samples(*table), decimal_tails(*table)
    assert found.lower == pytest.approx(lower, rel=1e-12)
    assert found.upper == pytest.approx(upper, rel=1e-12)


def test_a_tail_too_small_for_a_double_is_zero_without_warnings():
    found = two_samples([0, 10**6], 10**6, [10**6, 0], 10**6)
    assert (found.lower.tolist(), found.upper.tolist()) == ([0, 1], [1, 0])
    assert (found.p_value.tolist(), found.fisher.tolist()) == ([0, 0], [0, 0])


def test_a_billion_trials_are_within_reach():
    found = two_samples(500_000_000, 10**9, 500_001_000, 10**9)
    z = 1000 / np.sqrt(10**9 / 2)  # the standard error of x2 - x1
    assert found.p_value == pytest.approx(2 * stats.norm.sf(z * (1 - 1 / 1000)), rel=1e-6)


def test_scipy_agrees_with_fisher_s_p_value():
    counts = random_tables(300, least=1, most=200, seed=1)
    ours = two_samples(*counts)
    for k, (x1, n1, x2, n2) in enumerate(zip(*(part.tolist() for part in counts), strict=True)):
        cells = [[x1, n1 - x1], [x2, n2 - x2]]
        assert ours.fisher[k] == pytest.approx(stats.fisher_exact(cells).pvalue, rel=1e-10)
        assert ours.lower[k] == pytest.approx(stats.fisher_exact(cells, "less").pvalue, rel=1e-10)
        assert ours.upper[k] == pytest.approx(
            stats.fisher_exact(cells, "greater").pvalue, rel=1e-10
        )


@LAWS
@given(tables(most=400))
def test_swapping_the_samples_swaps_the_tails(table):
    x1, n1, x2, n2 = table
    found, swapped = two_samples(x1, n1, x2, n2), two_samples(x2, n2, x1, n1)
    assert parts(swapped) == pytest.approx(parts(found, "upper", "lower"), rel=1e-13)


@LAWS
@given(tables(most=400))
def test_counting_failures_instead_swaps_the_tails(table):
    x1, n1, x2, n2 = table
    found, mirrored = two_samples(x1, n1, x2, n2), two_samples(n1 - x1, n1, n2 - x2, n2)
    assert parts(mirrored) == pytest.approx(parts(found, "upper", "lower"), rel=1e-12)


@LAWS
@given(some.integers(1, 40), some.integers(1, 40))
def test_another_success_of_the_second_never_makes_the_first_look_better(n1, n2):
    found = two_samples(*all_tables(n1, n2))
    assert np.all(np.diff(found.lower, axis=1) <= 1e-15)
    assert np.all(np.diff(found.lower, axis=0) >= -1e-15)


def largest_error(n1, n2, level):
    """How often the test is wrong at the worst of many common shares."""
    p = np.concatenate([np.linspace(0, 1, 101), [0.003, 0.997]])
    one, two = (stats.binom.pmf(np.arange(n + 1)[:, None], n, p) for n in (n1, n2))
    refused = significant(two_samples(*all_tables(n1, n2)).p_value, level=level)
    return np.einsum("ip,ij,jp->p", one, refused, two, optimize=True).max()


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_the_exact_test_is_never_wrong_more_often_than_promised(level):
    worst = [largest_error(n1, n2, level) for n1 in range(1, 21) for n2 in range(n1, 21)]
    assert max(worst) <= error(level)
    assert max(worst) > error(level) / 2  # the enumeration sees refusals


def test_at_0_9_three_of_three_against_none_is_significant_although_1_minus_0_9_is_less_than_a_tenth():
    # h = 1/20 exactly; "decimal inputs are meant exactly", METHODS.md.
    assert two_samples(0, 3, 3, 3).p_value == pytest.approx(0.1, abs=1e-15)
    assert significant(two_samples(0, 3, 3, 3).p_value, level=0.9)
    assert limits(0, 3, 3, 3, level=0.9).x1_min == 0
    assert not significant(0.1000001, level=0.9)


@LAWS
@given(tables(most=30), some.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_the_limits_are_the_outermost_counts_that_are_not_refused(table, level):
    x1, n1, x2, n2 = table
    s, half = x1 + x2, Fraction(str(error(level))) / 2
    tails = {k: rational(k, n1, s - k, n2) for k in range(max(0, s - n2), min(n1, s) + 1)}
    few, many = [k for k in tails if tails[k][0] <= half], [k for k in tails if tails[k][1] <= half]
    found = limits(*table, level=level)
    assert found.x1_min == pytest.approx(max(few, default=np.nan), nan_ok=True, abs=0)
    assert found.x1_max == pytest.approx(min(many, default=np.nan), nan_ok=True, abs=0)


@LAWS
@given(some.integers(0, 50), some.integers(0, 50), some.integers(-60, 120), some.integers(-10, 120))
def test_the_first_place_is_found_whatever_the_guess(low, width, place, guess):
    high = low + width
    found = first_where(
        lambda k: k >= place,
        np.array([low + 0.0]),
        np.array([high + 0.0]),
        near=np.array([guess + 0.5]),
    )
    assert found == min(max(low, place), high + 1)


def test_boschloo_s_test_is_scipy_s():
    counts = random_tables(12, least=2, most=25, seed=2)
    for x1, n1, x2, n2 in zip(*(part.tolist() for part in counts), strict=True):
        cells = [[x1, x2], [n1 - x1, n2 - x2]]
        expected = 1.0 if x1 + x2 in {0, n1 + n2} else min(1.0, stats.boschloo_exact(cells).pvalue)
        assert boschloo(x1, n1, x2, n2) == pytest.approx(expected, rel=1e-12)


def squared_statistic(x1, n1, x2, n2):
    s, n = x1 + x2, n1 + n2
    return Fraction((x1 * n2 - x2 * n1) ** 2, s * (n - s)) if 0 < s < n else Fraction(0)


def barnard_slowly(x1, n1, x2, n2):
    """The largest chance, over a grid of common shares, of a table at least as extreme; ties compared exactly."""
    shares = np.linspace(0.0005, 0.9995, 1999)
    chance = np.zeros(len(shares))
    for one, other in product(range(n1 + 1), range(n2 + 1)):
        if squared_statistic(one, n1, other, n2) >= squared_statistic(x1, n1, x2, n2):
            ways = comb(n1, one) * comb(n2, other)
            chance += ways * shares ** (one + other) * (1 - shares) ** (n1 + n2 - one - other)
    return min(1.0, chance.max())


def test_barnard_s_p_is_the_largest_chance_of_a_table_as_extreme():
    counts = random_tables(15, least=2, most=14, seed=2)
    for x1, n1, x2, n2 in zip(*(part.astype(int).tolist() for part in counts), strict=True):
        if x1 + x2 not in {0, n1 + n2}:
            slow = barnard_slowly(x1, n1, x2, n2)
            assert slow - 1e-12 <= barnard(x1, n1, x2, n2) <= slow + 1e-5


@pytest.mark.parametrize("table", [(4, 12, 12, 17), (0, 6, 1, 3)])
def test_barnard_keeps_the_ties_that_scipy_loses(table):
    x1, n1, x2, n2 = table
    assert stats.barnard_exact([[x1, x2], [n1 - x1, n2 - x2]]).pvalue < barnard(*table) - 0.004


def test_barnard_is_scipy_s_where_no_tables_tie():
    for x1, n1, x2, n2 in [(40, 50, 47, 50), (25, 50, 35, 50), (7, 12, 2, 17), (30, 41, 20, 37)]:
        peer = stats.barnard_exact([[x1, x2], [n1 - x1, n2 - x2]]).pvalue
        assert barnard(x1, n1, x2, n2) == pytest.approx(peer, rel=1e-4)


def test_boschloo_is_never_less_often_significant_than_the_exact_test():
    counts = random_tables(20, least=2, most=30, seed=3)
    assert np.all(boschloo(*counts) <= two_samples(*counts).p_value + 1e-9)


@unconditional
def test_the_unconditional_tests_do_not_mind_the_order_of_the_samples(test, peer):
    del peer
    assert test(9, 12, 14, 31) == pytest.approx(test(14, 31, 9, 12), rel=1e-9)


@pytest.mark.parametrize(
    "test", [TESTS[0], barnard, boschloo], ids=["exact", "barnard", "boschloo"]
)
def test_of_nothing_nothing_is_known(test):
    p_values = test([0, 0, 3, 0, 5], [0, 5, 5, 4, 5], [0, 0, 0, 0, 7], [0, 7, 0, 9, 7])
    assert p_values.tolist() == [1, 1, 1, 1, 1]


@unconditional
def test_more_than_a_thousand_trials_are_refused_with_what_to_use_instead(test, peer):
    del peer
    words = (
        f"{test.__name__} is for up to 1000 trials in both samples together, not 1001; use `exact`"
    )
    with pytest.raises(OptionError, match=words):
        test([1, 400], [2, 501], [1, 300], [3, 500])


def test_one_table_gives_arrays_without_axes():
    found, bounds = two_samples(40, 50, 48, 50), limits(40, 50, 48, 50)
    for part in (
        found.lower,
        found.upper,
        found.p_value,
        found.fisher,
        bounds.x1_min,
        bounds.x1_max,
    ):
        assert isinstance(part, np.ndarray)
        assert (part.shape, part.dtype) == ((), np.float64)


@every_test
def test_counts_are_broadcast_together_and_left_as_they_were(test):
    x1, x2 = np.array([[1.0], [2.0]]), np.array([3.0, 4.0, 5.0])
    found = test(x1, 4, x2, 6)
    found = found if isinstance(found, np.ndarray) else found.x1_min
    one = test(2, 4, 5, 6)
    assert found.shape == (2, 3)
    assert found[1, 2] == pytest.approx(
        one if isinstance(one, np.ndarray) else one.x1_min, rel=1e-13, nan_ok=True
    )
    assert (x1.tolist(), x2.tolist()) == ([[1], [2]], [3, 4, 5])


def test_no_tables_give_no_p_values():
    assert two_samples([], [], [], []).p_value.shape == (0,)


def test_more_tables_than_fit_in_a_block_give_what_each_gives_alone():
    counts = random_tables(5000, least=1, most=60, seed=4)
    found = two_samples(*counts)
    for k in (0, 2047, 2048, 4096, 4999):
        alone = two_samples(*(part[k] for part in counts))
        assert [found.lower[k], found.upper[k], found.p_value[k], found.fisher[k]] == pytest.approx(
            parts(alone)
        )


@every_test
@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (
            ([4, 6], 5, 1, 5),
            "first sample: entry 1 has 6 successes in 5 trials; there cannot be more successes",
        ),
        (
            (1, 5, [1, 2, -3], 5),
            "second sample: entry 2 of successes is -3; a count cannot be negative",
        ),
        ((1, [5, -5], 1, 5), "first sample: entry 1 of trials is -5; a count cannot be negative"),
        (
            (1, 5, 1.5, 5),
            "second sample: the only entry of successes is 1.5; the exact tests count whole items",
        ),
        (
            (1, 5, float("nan"), 5),
            "second sample: the only entry of successes is nan; a count must be finite",
        ),
        (("many", 5, 1, 5), "first sample: successes cannot be read as numbers"),
        (([1, 2], 5, [1, 2, 3], 5), r"the samples have the shapes \(2,\) and \(3,\)"),
    ],
)
def test_counts_that_make_no_share_are_refused_by_name(test, counts, words):
    with pytest.raises(OptionError, match=words):
        test(*counts)


@pytest.mark.parametrize("level", [0, 1, 95, -0.1, float("nan")])
def test_a_level_is_a_probability_short_of_certainty(level):
    for refused in (
        lambda: limits(1, 5, 2, 5, level=level),
        lambda: significant(0.03, level=level),
    ):
        with pytest.raises(OptionError, match="level is"):
            refused()


def test_scipy_stats_is_loaded_only_by_those_who_ask_for_it():
    names = "two_samples, barnard, boschloo, mcnemar, tango, noninferiority, holm"
    code = f"import sys; import karat.planning.items; from karat.doubt.tests import {names}"
    code += "; two_samples.two_samples(1, 2, 3, 4)"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", f"{code}; print('scipy.stats' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "False"
