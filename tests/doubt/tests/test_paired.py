"""What holds for the tests and intervals of two systems, most of them on the same items."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import optimize, special, stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from karat.doubt.tests.holm import holm
from karat.doubt.tests.mcnemar import mcnemar
from karat.doubt.tests.noninferiority import noninferior, noninferior_samples
from karat.doubt.tests.tango import tango
from karat.doubt.tests.two_samples import significant, two_samples
from karat.errors import OptionError

LAWS = settings(deadline=None, derandomize=True, max_examples=60)
SIDES = ["both", "lower", "upper"]


@some.composite
def pairs(draw, most=300, least=1):
    n = draw(some.integers(least, most))
    b = draw(some.integers(0, n))
    return b, draw(some.integers(0, n - b)), n


def all_pairs(n):
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = b + c <= n
    return b[inside], c[inside]


# McNemar


def test_statsmodels_agrees_with_mcnemar():
    rng = np.random.default_rng(1)
    b, c = rng.integers(0, 60, (2, 200))
    peer = [
        statsmodels_mcnemar([[9, x], [y, 9]], exact=True).pvalue for x, y in zip(b, c, strict=True)
    ]
    assert mcnemar(b, c) == pytest.approx(peer, rel=1e-12)


def test_mcnemar_worked_by_hand():
    # 0 against 6: 2 / 2^6; 1 against 7: 2 (1 + 8) / 2^8; 2 against 2: capped.
    assert mcnemar([0, 1, 2, 0], [6, 7, 2, 0]).tolist() == [2 / 64, 18 / 256, 1, 1]


def test_mcnemar_is_the_two_sided_binomial_test_of_one_half():
    for b, c in [(3, 14), (200, 260), (10_000, 10_321)]:
        assert mcnemar(b, c) == pytest.approx(stats.binomtest(b, b + c).pvalue, rel=1e-10)


@LAWS
@given(some.integers(0, 10**6), some.integers(0, 10**6))
def test_mcnemar_does_not_mind_the_order_of_the_systems(b, c):
    assert mcnemar(b, c) == mcnemar(c, b)
    assert 0 <= mcnemar(b, c) <= 1


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_mcnemar_is_never_wrong_more_often_than_promised(level):
    # Given b + c discordant items it is wrong most often if either is as likely: whatever their number, enough.
    for m in range(1, 61):
        b = np.arange(m + 1)
        wrong = stats.binom.pmf(b, m, 0.5)[significant(mcnemar(b, m - b), level=level)].sum()
        assert wrong <= 1 - level + 1e-12


def test_billions_of_pairs_are_within_reach():
    assert mcnemar(4_999_900_000, 5_000_100_000) == pytest.approx(
        2 * stats.norm.sf(2 - 1e-5), rel=1e-6
    )


# Tango


def test_tango_s_example_of_contact_lenses():
    # Tango 1998: 44 pairs, of which one discordant; Z = 1.709, p = .044 for a margin of .1.
    assert noninferior(0, 1, 44, margin=0.1).p_value == pytest.approx(0.044, abs=5e-4)
    assert special.ndtri(1 - noninferior(0, 1, 44, margin=0.1).p_value) == pytest.approx(
        1.709, abs=5e-4
    )


@pytest.mark.parametrize(
    ("b", "c", "n", "level", "low", "high"),
    [
        (1, 7, 21, 0.95, -0.517, -0.026),  # Fagerland, Lydersen & Laake 2014, airway reactivity
        (
            28,
            25,
            618,
            0.90,
            -0.0148,
            0.0247,
        ),  # R, PropCIs::scoreci.mp(25, 28, 618, 0.90), as published on GitHub
    ],
)
def test_published_intervals(b, c, n, level, low, high):
    digits = 3 if n == 21 else 4
    found = tango(b, c, n, level=level)
    assert (found.low.round(digits), found.high.round(digits)) == (low, high)


def slow_score(b, c, n, d):
    """Tango's statistic with the likeliest shares found by maximising the likelihood, not by a formula."""
    more, less = (b, c) if d >= 0 else (c, b)
    room = (1 - abs(d)) / 2  # for the smaller of the two shares, t of which it takes

    def slope(t):
        return more / (room * t + abs(d)) + less / (room * t) - (n - b - c) / (room * (1 - t))

    first, last = 1e-15, 1 - 1e-15
    t = 0.0 if slope(first) <= 0 else 1.0
    if slope(first) > 0 > slope(last):
        t = optimize.brentq(slope, first, last, xtol=1e-16, maxiter=500)
    return (b - c - n * d) / np.sqrt(n * (2 * room * t + abs(d) - d**2))


def slow_end(b, c, n, z):
    """Where the statistic is z."""
    observed, most = (b - c) / n, np.sign(-z)
    if observed == most:
        return most
    near, far = observed - np.sign(z) * 1e-9, most * (1 - 1e-12)
    return optimize.brentq(
        lambda d: slow_score(b, c, n, d) - z, *sorted((near, far)), xtol=1e-15, rtol=1e-14
    )


@pytest.mark.parametrize(
    ("b", "c", "n"),
    [
        (0, 0, 10),
        (1, 0, 10),
        (0, 1, 44),
        (10, 0, 10),
        (0, 10, 10),
        (5, 5, 10),
        (40, 20, 160),
        (12, 2, 50),
        (3, 87, 91),
    ],
)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_the_interval_is_what_the_score_test_does_not_refuse(b, c, n, level):
    z = -special.ndtri((1 - level) / 2)
    found = tango(b, c, n, level=level)
    assert found.low == pytest.approx(slow_end(b, c, n, z), abs=1e-9)
    assert found.high == pytest.approx(slow_end(b, c, n, -z), abs=1e-9)


def test_without_discordant_items_the_interval_is_wilson_s_of_none():
    z2 = special.ndtri(0.975) ** 2
    n = np.array([1, 10, 1000, 10**6])
    found = tango(0, 0, n)
    assert found.high == pytest.approx(z2 / (n + z2), rel=1e-9)
    assert found.low == pytest.approx(-found.high, abs=0)


def test_the_ends_are_certain_where_all_items_are_discordant_one_way():
    found = tango([20, 0], [0, 20], 20)
    assert (found.high[0], found.low[1]) == (1, -1)
    assert found.low[0] == -found.high[1] < 1


@pytest.mark.parametrize("side", SIDES)
def test_of_nothing_nothing_is_known(side):
    found = tango(0, 0, 0, side=side)
    assert (found.low, found.high) == (-1, 1)
    assert noninferior(0, 0, 0, margin=0.1).p_value == 1
    assert noninferior(0, 0, 9, margin=0).p_value == 1
    assert noninferior_samples(
        [0, 1, 3], [0, 2, 3], [1, 0, 3], [2, 0, 3], margin=0
    ).p_value.tolist() == [1, 1, 1]


@LAWS
@given(pairs(), some.floats(0.5, 0.999))
def test_swapping_the_systems_mirrors_the_interval(counts, level):
    b, c, n = counts
    found, swapped = tango(b, c, n, level=level), tango(c, b, n, level=level)
    assert (found.low, found.high) == (-swapped.high, -swapped.low)
    assert -1 <= found.low <= (b - c) / n <= found.high <= 1


@LAWS
@given(pairs(), some.floats(1e-3, 0.49))
def test_a_one_sided_end_is_that_of_a_two_sided_interval_with_twice_the_error(counts, error):
    both = tango(*counts, level=1 - 2 * error)
    assert tango(*counts, level=1 - error, side="lower").low == pytest.approx(both.low, abs=1e-12)
    assert tango(*counts, level=1 - error, side="upper").high == pytest.approx(both.high, abs=1e-12)
    assert tango(*counts, level=1 - error, side="lower").high == 1
    assert tango(*counts, level=1 - error, side="upper").low == -1


def coverage_of_tango(n, first, second):
    """How often the interval holds the true difference, over all counts of n items."""
    b, c = all_pairs(n)
    found = tango(b, c, n)
    chance = stats.multinomial.pmf(
        np.stack([b, c, n - b - c], axis=1), n, [first, second, 1 - first - second]
    )
    return chance[(found.low <= first - second) & (first - second <= found.high)].sum()


def test_tango_covers_95_percent_on_average_and_less_at_some_shares():
    shares = np.linspace(0.02, 0.42, 11)
    covered = [
        coverage_of_tango(30, first, second)
        for first in shares
        for second in shares
        if second <= first
    ]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.01)
    assert 0.90 < min(covered) < 0.95


# Non-inferiority


@LAWS
@given(pairs(), some.floats(0, 0.9), some.floats(0.001, 0.4))
def test_not_inferior_is_a_lower_bound_above_the_margin(counts, margin, error):
    bound, p = (
        tango(*counts, level=1 - error, side="lower").low,
        noninferior(*counts, margin=margin).p_value,
    )
    if abs(bound + margin) > 1e-9 and counts[:2] != (0, 0):
        assert (p <= error) == (bound >= -margin)


@LAWS
@given(pairs(), some.floats(0, 0.9))
def test_a_wider_margin_is_never_harder_to_keep(counts, margin):
    wide, narrow = (noninferior(*counts, margin=m).p_value for m in (margin + 0.05, margin))
    assert wide <= narrow + 1e-12


def test_with_no_margin_it_is_mcnemar_s_score_test_one_sided():
    b, c = np.array([5, 12, 30]), np.array([9, 4, 30])
    assert noninferior(b, c, 100, margin=0).p_value == pytest.approx(
        stats.norm.sf((b - c) / np.sqrt(b + c))
    )


def test_with_no_margin_two_samples_give_the_pooled_z_test_one_sided():
    x1, n1, x2, n2 = 40, 50, 92, 100
    pooled = (x1 + x2) / (n1 + n2)
    z = (x1 / n1 - x2 / n2) / np.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2))
    assert noninferior_samples(x1, n1, x2, n2, margin=0).p_value == pytest.approx(
        stats.norm.sf(z), rel=1e-9
    )


@pytest.mark.parametrize(
    ("x1", "n1", "x2", "n2", "end"),
    [
        (0, 101, 12, 100, -0.069998),
        (10, 1001, 120, 1000, -0.090019),
    ],  # R, DescrTab2 and DescTools ("mee"), 97.5 %
)
def test_the_slow_statistic_below_gives_farrington_and_manning_s_bound_as_r_does(
    x1, n1, x2, n2, end
):
    found = optimize.brentq(
        lambda d: slow_farrington_manning(x1, n1, x2, n2, d) + special.ndtri(0.975), -0.12, -0.01
    )
    assert found == pytest.approx(end, abs=1e-5)


def slow_farrington_manning(x1, n1, x2, n2, d):
    """The statistic with both shares found by maximising the likelihood on the line p1 - p2 = d."""

    def surprise(p2):
        p1 = p2 + d
        shares = [(x1, p1), (n1 - x1, 1 - p1), (x2, p2), (n2 - x2, 1 - p2)]
        return -sum(float(special.xlogy(k, p)) for k, p in shares)

    p2 = optimize.minimize_scalar(
        surprise, bounds=(max(0, -d), min(1, 1 - d)), method="bounded", options={"xatol": 1e-12}
    ).x
    p1 = p2 + d
    return (x1 / n1 - x2 / n2 - d) / np.sqrt(p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2)


@pytest.mark.parametrize(
    "table",
    [(40, 50, 46, 50), (0, 20, 3, 25), (20, 20, 25, 25), (7, 9, 100, 130), (80, 100, 82, 100)],
)
@pytest.mark.parametrize("margin", [0.02, 0.1, 0.3])
def test_farrington_and_manning_s_test_with_the_likelihood_maximised(table, margin):
    p = noninferior_samples(*table, margin=margin).p_value
    assert p == pytest.approx(stats.norm.sf(slow_farrington_manning(*table, -margin)), abs=1e-6)


def test_the_result_says_that_it_is_approximate():
    assert noninferior(1, 2, 30, margin=0.1).method == "tango score test, approximate"
    assert (
        noninferior_samples(1, 2, 3, 30, margin=0.1).method
        == "farrington-manning score test, approximate"
    )


# Holm


def test_statsmodels_agrees_with_holm():
    rng = np.random.default_rng(2)
    for size in (1, 2, 5, 40):
        p = np.round(rng.random(size) ** 2, 2)  # with ties
        assert holm(p) == pytest.approx(multipletests(p, method="holm")[1], rel=1e-12)


def test_what_is_no_test_stays_undefined_and_is_not_counted():
    adjusted = holm([0.02, float("nan"), 0.03])
    assert np.isnan(adjusted[1])
    assert adjusted[[0, 2]].tolist() == [0.04, 0.04]
    assert holm([]).shape == (0,)


@LAWS
@given(some.lists(some.floats(0, 1), min_size=1, max_size=30))
def test_adjusting_never_lowers_a_p_value_nor_changes_their_order(p_values):
    p, adjusted = np.array(p_values), holm(p_values)
    assert np.all(adjusted >= p)
    assert np.all(np.diff(adjusted[np.argsort(p)]) >= 0)
    assert np.all(adjusted <= np.minimum(1, p.size * p) + 1e-15)


def test_holm_on_the_exact_tests_of_three_pairs():
    # 45, 40 and 32 of 50 against each other: one of three differences survives.
    p = two_samples([45, 45, 40], 50, [40, 32, 32], 50).p_value
    assert significant(p).tolist() == [False, True, False]
    assert holm(p)[1] == pytest.approx(3 * p[1])


# Bad input


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (([1, -2], 3, 10), "entry 1 of only_first is -2; a count cannot be negative"),
        ((1, [3, 2.5], 10), "entry 1 of only_second is 2.5; the tests of pairs count whole items"),
        ((1, float("inf"), 10), "the only entry of only_second is inf; a count must be finite"),
        (("many", 2, 10), "only_first cannot be read as numbers"),
        (([1, 2], [1, 2, 3], 10), r"the counts of pairs have the shapes \(2,\) and \(3,\)"),
    ],
)
@pytest.mark.parametrize(
    "test",
    [lambda b, c, _: mcnemar(b, c), tango, lambda *counts: noninferior(*counts, margin=0.1)],
    ids=["mcnemar", "tango", "noninferior"],
)
def test_counts_that_are_none_are_refused_by_name(test, counts, words):
    with pytest.raises(OptionError, match=words):
        test(*counts)


@pytest.mark.parametrize(
    ("refused", "words"),
    [
        (
            lambda: tango([3, 6], 5, 10),
            r"entry 1 of only_first \+ only_second is 11; there are not so many items",
        ),
        (lambda: tango(1, 1, [10, -1]), "entry 1 of items is -1; a count cannot be negative"),
        (lambda: tango(1, 1, 10, level=95), "level is 95; it must be strictly between 0 and 1"),
        (lambda: tango(1, 1, 10, side="left"), "side is 'left'"),
        (
            lambda: noninferior(1, 1, 10, margin=-0.1),
            "margin is -0.1; it must be at least 0 and below 1",
        ),
        (
            lambda: noninferior_samples(1, 2, 1, 2, margin=1),
            "margin is 1; it must be at least 0 and below 1",
        ),
        (
            lambda: noninferior_samples(3, 2, 1, 2, margin=0.1),
            "first sample: the only entry has 3 successes in 2",
        ),
        (lambda: holm([0.1, 1.2]), "entry 1 of p_values is 1.2; a p-value is between 0 and 1"),
        (lambda: holm([[0.1], [0.2]]), r"p_values have the shape \(2, 1\); give one row of them"),
        (lambda: holm(["low"]), "p_values cannot be read as numbers"),
    ],
)
def test_other_bad_input_is_refused_by_name(refused, words):
    with pytest.raises(OptionError, match=words):
        refused()


def test_counts_are_broadcast_together():
    found = tango([[1], [2]], [3, 4, 5], 10)
    assert found.low.shape == found.high.shape == (2, 3)
    assert found.low[1, 2] == tango(2, 5, 10).low
    assert mcnemar([[1], [2]], [3, 4, 5]).shape == (2, 3)
    assert isinstance(mcnemar(1, 2), np.ndarray)
    assert isinstance(noninferior(1, 2, 9, margin=0.1).p_value, np.ndarray)
