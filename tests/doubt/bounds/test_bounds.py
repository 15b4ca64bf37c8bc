"""What holds for every interval of a share, and what only the exact one can promise."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from karat.doubt.bounds.exact import exact
from karat.doubt.bounds.jeffreys import jeffreys
from karat.doubt.bounds.wilson import wilson
from karat.doubt.interval import check_counts, check_level
from karat.errors import OptionError

METHODS = [exact, wilson, jeffreys]
SIDES = ["both", "lower", "upper"]
ALTERNATIVE = {"both": "two-sided", "lower": "greater", "upper": "less"}

LAWS = settings(deadline=None, derandomize=True, max_examples=60)
TRIALS = some.integers(1, 5000)
LEVELS = some.floats(0.5, 0.9999)

every_method = pytest.mark.parametrize("method", METHODS)
every_side = pytest.mark.parametrize("side", SIDES)


def all_bounds(method, n, **options):
    return method(np.arange(n + 1), n, **options)


def random_shares(count, *, most, seed):
    rng = np.random.default_rng(seed)
    n = rng.integers(2, most + 1, count)
    return rng.integers(0, n, endpoint=True), n


@every_method
@every_side
def test_of_nothing_nothing_is_known(method, side):
    found = method(0, 0, side=side)
    assert (found.low, found.high) == (0, 1)


@every_method
@every_side
def test_no_success_leaves_zero_possible_and_no_failure_leaves_one_possible(method, side):
    n = np.array([1, 2, 3, 7, 20, 365, 10**6, 10**9])
    assert np.all(method(0, n, side=side).low == 0)
    assert np.all(method(n, n, side=side).high == 1)


@every_method
def test_a_side_without_error_probability_is_open(method):
    assert np.all(all_bounds(method, 30, side="lower").high == 1)
    assert np.all(all_bounds(method, 30, side="upper").low == 0)


def test_n_of_n_guarantees_the_nth_root_of_the_error():
    n = np.array([1, 2, 20, 100, 10**6])
    assert exact(n, n, side="lower").low == pytest.approx(0.05 ** (1 / n), rel=1e-13)
    assert exact(n, n).low == pytest.approx(0.025 ** (1 / n), rel=1e-13)


def test_the_rule_of_three():
    # No success in n trials: at most about 3/n, since -ln(0.05) = 2.9957. Taken as 1 - low(n, n) the bound
    # would keep four digits only.
    assert exact(0, 1e12, side="upper").high * 1e12 == pytest.approx(2.995732273554, rel=1e-11)


@every_method
@LAWS
@given(n=some.integers(1, 300), level=LEVELS, side=some.sampled_from(SIDES))
def test_more_successes_never_lower_a_bound(method, n, level, side):
    found = all_bounds(method, n, level=level, side=side)
    assert np.all(np.diff(found.low) >= 0)
    assert np.all(np.diff(found.high) >= 0)


@every_method
@LAWS
@given(n=TRIALS, level=LEVELS, data=some.data())
def test_successes_and_failures_are_mirror_images(method, n, level, data):
    x = data.draw(some.integers(0, n))
    hits, misses = method(x, n, level=level), method(n - x, n, level=level)
    assert hits.low == pytest.approx(1 - misses.high, abs=1e-12)
    assert method(x, n, level=level, side="lower").low == pytest.approx(
        1 - method(n - x, n, level=level, side="upper").high, abs=1e-12
    )


@every_method
@LAWS
@given(n=TRIALS, error=some.floats(1e-4, 0.4), data=some.data())
def test_a_one_sided_bound_is_the_end_of_a_two_sided_interval_with_twice_the_error(
    method, n, error, data
):
    x = data.draw(some.integers(0, n))
    both = method(x, n, level=1 - 2 * error)
    assert method(x, n, level=1 - error, side="lower").low == pytest.approx(both.low, abs=1e-12)
    assert method(x, n, level=1 - error, side="upper").high == pytest.approx(both.high, abs=1e-12)


@every_method
@LAWS
@given(n=some.integers(0, 300), level=some.floats(0.5, 0.99))
def test_more_certainty_never_narrows(method, n, level):
    bold, careful = all_bounds(method, n, level=level), all_bounds(method, n, level=level + 0.009)
    assert np.all(careful.low <= bold.low)
    assert np.all(careful.high >= bold.high)


@pytest.mark.parametrize("method", [exact, wilson])
@LAWS
@given(n=some.integers(1, 300), level=LEVELS)
def test_the_observed_share_lies_within(method, n, level):
    found, share = all_bounds(method, n, level=level), np.arange(n + 1) / n
    assert np.all(found.low <= share)
    assert np.all(share <= found.high)


def chance_of_as_many(x, n, p):
    """P(X >= x | p) in rational arithmetic, free of rounding."""
    return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(x, n + 1))


@pytest.mark.parametrize(
    ("x", "n"), [(1, 2), (1, 50), (7, 10), (25, 50), (39, 40), (59, 60), (60, 60)]
)
@pytest.mark.parametrize("level", [0.5, 0.95, 1 - 2**-20])
def test_the_exact_bounds_hold_to_twelve_digits_in_rational_arithmetic(x, n, level):
    error, digits = 1 - Fraction(level), Fraction(1, 10**12)
    low = Fraction(float(exact(x, n, level=level, side="lower").low))
    assert (
        chance_of_as_many(x, n, low * (1 - digits))
        < error
        < chance_of_as_many(x, n, low * (1 + digits))
    )
    high = Fraction(float(exact(n - x, n, level=level, side="upper").high))
    missed = [chance_of_as_many(x, n, 1 - high * (1 + step)) for step in (digits, -digits)]
    assert missed[0] < error < missed[1]


def trying_shares(found):
    """A fine grid, and the ends of the intervals with the points just beside them, where coverage jumps."""
    ends = np.concatenate([found.low, found.high])
    return np.clip(np.concatenate([np.linspace(0, 1, 401), ends - 1e-9, ends, ends + 1e-9]), 0, 1)


def lowest_coverage(method, n, *, side):
    found = all_bounds(method, n, side=side)
    p = trying_shares(found)
    held = (found.low[:, None] <= p) & (p <= found.high[:, None])
    chance = stats.binom.pmf(np.arange(n + 1)[:, None], n, p)
    return np.sum(chance * held, axis=0).min()


@every_side
def test_the_exact_interval_never_covers_less_than_promised(side):
    lowest = [lowest_coverage(exact, n, side=side) for n in range(61)]
    assert min(lowest) >= 0.95 - 1e-12


@pytest.mark.parametrize("method", [wilson, jeffreys])
def test_the_others_cover_less_at_some_shares_so_the_enumeration_can_fail(method):
    assert all(lowest_coverage(method, n, side="both") < 0.93 for n in (5, 20, 60))


def test_one_sided_exact_bounds_waste_nothing_at_their_ends():
    assert lowest_coverage(exact, 20, side="lower") == pytest.approx(0.95, abs=1e-8)


@pytest.mark.parametrize("method", [exact, wilson])
@every_side
def test_scipy_agrees(method, side):
    for x, n in zip(*random_shares(60, most=400, seed=1), strict=True):
        peer = stats.binomtest(x, n, alternative=ALTERNATIVE[side]).proportion_ci(
            0.9, method=method.__name__
        )
        ours = method(x, n, level=0.9, side=side)
        assert (ours.low, ours.high) == pytest.approx((peer.low, peer.high), abs=1e-11)


@pytest.mark.parametrize(
    ("method", "name"), [(exact, "beta"), (wilson, "wilson"), (jeffreys, "jeffreys")]
)
def test_statsmodels_agrees(method, name):
    x, n = random_shares(500, most=3000, seed=2)
    inside = (x > 0) & (
        x < n
    )  # at the borders statsmodels keeps Jeffreys' quantiles: neither 0 nor 1
    x, n = x[inside], n[inside]
    ours = method(x, n, level=0.99)
    low, high = proportion_confint(x, n, alpha=0.01, method=name)
    assert ours.low == pytest.approx(low, abs=1e-11)
    assert ours.high == pytest.approx(high, abs=1e-11)


@every_method
def test_one_share_gives_an_array_without_axes(method):
    found = method(3, 10)
    for end in (found.low, found.high):
        assert isinstance(end, np.ndarray)
        assert (end.shape, end.dtype) == ((), np.float64)
    assert (found.level, found.method) == (0.95, method.__name__)


@every_method
def test_counts_are_broadcast_together(method):
    found = method([[1], [2], [3]], [4, 5, 6, 7])
    assert found.low.shape == found.high.shape == (3, 4)
    assert found.low[1, 2] == method(2, 6).low
    assert found.high[2, 0] == method(3, 4).high


@every_method
def test_no_shares_give_no_intervals(method):
    assert method([], []).low.shape == (0,)


@every_method
def test_counts_given_are_left_as_they_were(method):
    x, n = np.array([0.0, 2.0, 5.0]), np.array([0.0, 4.0, 5.0])
    method(x, n)
    assert (x.tolist(), n.tolist()) == ([0, 2, 5], [0, 4, 5])


@pytest.mark.parametrize("method", [wilson, jeffreys])
def test_weights_need_not_be_whole(method):
    found = method([0.25, 2.5], [0.5, 3.75])
    assert np.all((found.low > 0) & (found.low < found.high) & (found.high < 1))


@pytest.mark.parametrize(
    ("x", "n", "words"),
    [
        ([1, 2, -3], 5, "entry 2 of successes is -3; a count cannot be negative"),
        (
            [[0, 0], [0, 0]],
            [[1, 1], [-1, 1]],
            "entry 1, 0 of trials is -1; a count cannot be negative",
        ),
        (-1, 5, "the only entry of successes is -1; a count cannot be negative"),
        ([1, float("nan")], 5, "entry 1 of successes is nan; a count must be finite"),
        (1, [5, 6, float("inf")], "entry 2 of trials is inf; a count must be finite"),
        (
            [4, 6],
            5,
            "entry 1 has 6 successes in 5 trials; there cannot be more successes than trials",
        ),
        (0.1 + 0.2, 0.3, "the only entry has 0.30000000000000004 successes in 0.3 trials"),
        ([1, 2, 3], [4, 5], r"successes have the shape \(3,\), trials \(2,\)"),
        ("many", 5, "successes cannot be read as numbers"),
        (1, {"n": 5}, "trials cannot be read as numbers"),
    ],
)
def test_counts_that_make_no_share_are_refused_by_name(x, n, words):
    with pytest.raises(OptionError, match=words):
        check_counts(x, n)


@every_method
def test_every_method_checks_its_counts_and_options(method):
    with pytest.raises(OptionError, match="entry 1 has 6 successes in 5 trials"):
        method([4, 6], 5)
    with pytest.raises(OptionError, match="level is 95; it must be strictly between 0 and 1"):
        method(1, 5, level=95)
    with pytest.raises(OptionError, match="side is 'left'; it must be 'both', 'lower' or 'upper'"):
        method(1, 5, side="left")


@pytest.mark.parametrize(
    ("x", "n", "words"),
    [([1, 2.5], 5, "entry 1 of successes is 2.5"), (1, 4.5, "the only entry of trials is 4.5")],
)
def test_the_exact_interval_refuses_weights_and_names_another(x, n, words):
    with pytest.raises(
        OptionError, match=f"{words}; `exact` counts whole items; for weights use `wilson`"
    ):
        exact(x, n)


@pytest.mark.parametrize("level", [0, 1, -0.1, 1.5, float("nan")])
def test_a_level_is_a_probability_short_of_certainty(level):
    with pytest.raises(OptionError, match="level is"):
        check_level(level)
