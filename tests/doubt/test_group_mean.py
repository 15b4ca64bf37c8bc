"""How sure is a mean over groups? These groups, or groups like these."""

import numpy as np
import pytest
from scipy import stats

import karat
from karat.doubt.group_mean import (
    GroupValues,
    _spread_within,
    _unseen_spread,
    _variance_of_singles,
    mean_of_groups,
    mean_of_groups_like_these,
    mean_of_these_groups,
)


def of_counts(right, items):
    right, items = np.broadcast_arrays(np.asarray(right, float), np.asarray(items, float))
    value = right / items
    return GroupValues(value, value * (1 - value) / np.maximum(items - 1, 1), items)


def ends(interval):
    return float(interval.low), float(interval.high)


def test_groups_of_one_item_are_as_sure_as_the_items_without_groups():
    groups = of_counts(np.repeat([1, 0], 50), 1)
    whole = stats.binomtest(50, 100).proportion_ci(method="exact")
    assert ends(mean_of_these_groups(groups)) == pytest.approx((whole.low, whole.high))


def test_a_single_group_is_as_sure_as_its_items():
    whole = stats.binomtest(7, 20).proportion_ci(method="exact")
    assert ends(mean_of_these_groups(of_counts([7], [20]))) == pytest.approx(
        (whole.low, whole.high)
    )
    wilson = stats.binomtest(7, 20).proportion_ci(method="wilson")
    assert ends(mean_of_these_groups(of_counts([7], [20]), bound="wilson")) == pytest.approx(
        (wilson.low, wilson.high)
    )


def test_groups_without_an_error_are_bounded_by_their_items():
    found = mean_of_these_groups(of_counts([10, 10, 10, 10], 10))
    assert ends(found) == (pytest.approx(0.025 ** (1 / 40)), 1)


def test_groups_that_differ_are_surer_than_the_same_items_together():
    apart = mean_of_these_groups(of_counts([0, 0, 20, 20], 20))
    together = mean_of_these_groups(of_counts([10, 10, 10, 10], 20))
    assert apart.high - apart.low < 0.5 * (together.high - together.low)


def test_groups_like_these_are_student_t_over_their_values():
    values = np.array([0.4, 0.5, 0.7, 0.45, np.nan])
    found = mean_of_groups_like_these(GroupValues(values, np.zeros(5), np.ones(5)))
    known = values[:4]
    oracle = stats.t.interval(0.95, 3, known.mean(), known.std(ddof=1) / 2)
    assert ends(found) == pytest.approx(oracle)


def test_one_group_says_nothing_of_groups_like_it():
    assert ends(mean_of_groups_like_these(of_counts([7], [20]))) == (0, 1)


@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_these_groups_hold_what_they_say(size, share):
    random = np.random.default_rng(0)
    runs = 4000
    right = random.binomial(size, share, (50, runs))
    found = mean_of_these_groups(of_counts(right, size))
    held = ((found.low <= share) & (share <= found.high)).mean()
    # Four standard errors of 4,000 runs are 0.014.
    assert held > 0.95 - 0.014


def test_one_group_of_one_item_among_others_is_not_certain():
    found = mean_of_these_groups(of_counts([1, 5, 5], [1, 10, 10]))
    without = mean_of_these_groups(of_counts([5, 5], [10, 10]))
    assert found.high - found.low > without.high - without.low


def test_the_table_says_which_groups_are_meant():
    data = {
        "truth": [1, 0, 1, 0, 1, 0],
        "a": [1, 0, 1, 1, 0, 0],
        "group": ["x", "x", "y", "y", "z", "z"],
    }
    bench = karat.read(data)
    these = bench.score(per="group", measure="accuracy")
    like = bench.score(per="group", measure="accuracy", mean_over="like-these")
    assert any("over these groups" in note for note in these.notes())
    assert any("kind that these were drawn from" in note for note in like.notes())
    row = next(row for row in like.rows() if row["group"] == "(mean)")
    assert row["value"] == pytest.approx(2 / 3)
    assert (row["low"], row["high"]) == (0.0, 1.0)
    with pytest.raises(karat.KaratError, match="give per='group'"):
        bench.score(mean_over="these")


def test_the_mean_of_a_class_measure_leaves_undefined_groups_out():
    groups = GroupValues(
        np.array([[0.5, np.nan], [1.0, np.nan]]), np.zeros((2, 2)), np.ones((2, 2))
    )
    assert mean_of_groups(groups)[0] == 0.75
    found = mean_of_these_groups(groups)
    assert (found.low[1], found.high[1]) == (0, 1)


def slow_effective(values, variances, units):
    """How many items the mean is worth, group by group, as the docstring says it."""
    size = len(values)
    mean = sum(values) / size
    single = [value for value, unit in zip(values, units, strict=True) if unit == 1]
    summed, pieces, squares = 0.0, 0.0, 0.0
    for variance, unit in zip(variances, units, strict=True):
        if unit > 1:
            summed += variance
            pieces += 1 / unit
            squares += (1 / unit) ** 2 / (unit - 1)
    small = [one for one in zip(values, variances, units, strict=True) if 1 < one[2] < 5]
    if small and not sum(variance for _, variance, _ in small):
        items = sum(unit for _, _, unit in small)
        share = (sum(value * unit for value, _, unit in small) + 1) / (items + 2)
        summed += sum(share * (1 - share) / unit for _, _, unit in small)
    if len(single) == 1:
        summed += mean * (1 - mean)
    elif single and np.var(single):
        summed += len(single) * np.var(single, ddof=1)
    elif single:
        share = (sum(single) + 1) / (len(single) + 2)
        summed += len(single) * share * (1 - share)
    if single:
        pieces += len(single)
        squares += len(single) ** 2 / max(1, len(single) - 1)
    freedom = pieces**2 / squares
    alike = size**2 / sum(1 / unit for unit in units)
    if_alike = mean * (1 - mean) / (alike - 1)
    variance = (freedom * summed / size**2 + if_alike) / (freedom + 1)
    return mean, mean * (1 - mean) / variance + 1


@pytest.mark.parametrize(
    ("values", "variances", "units"),
    [
        ([0.0, 0.0, 0.0, 0.75, 0.6], [0, 0, 0, 0.04, 0.01], [1, 1, 1, 4, 9]),
        ([1.0, 0.0, 1.0, 0.75, 0.6], [0, 0, 0, 0, 0.01], [2, 2, 3, 4, 9]),
        ([1.0, 1.0, 0.6], [0, 0, 0.002], [1, 2, 100]),
    ],
)
def test_where_small_groups_show_no_spread_that_of_a_smoothed_share_is_taken(
    values, variances, units
):
    mean, effective = slow_effective(values, variances, units)
    found = mean_of_these_groups(
        GroupValues(*(np.array(x, float) for x in (values, variances, units)))
    )
    low = stats.beta.ppf(0.025, mean * effective, (1 - mean) * effective + 1)
    high = stats.beta.ppf(0.975, mean * effective + 1, (1 - mean) * effective)
    assert ends(found) == pytest.approx((low, high))


@pytest.mark.parametrize("units", [[1, 1, 1, 1, 40], [2, 2, 100], [1] * 20 + [10] * 5])
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_the_mean_of_small_groups_beside_large_ones_is_held(units, share):
    random = np.random.default_rng(8)
    sizes = np.array(units)[:, None]
    runs = 2000
    right = random.binomial(sizes, share, (len(units), runs))
    value = right / sizes
    variance = value * (1 - value) / np.maximum(sizes - 1, 1)
    found = mean_of_these_groups(
        GroupValues(value, variance, np.broadcast_to(sizes, right.shape).astype(float))
    )
    held = np.mean((found.low <= share) & (share <= found.high))
    assert held > 0.95 - 4 * np.sqrt(0.95 * 0.05 / runs)


@pytest.mark.parametrize("units", [[1, 1, 1, 4, 9], [1, 2, 2, 4, 9], [2, 3, 4, 5, 6]])
def test_the_effective_number_is_that_of_a_plain_loop(units):
    values = np.array([0.3, 0.9, 0.4, 0.75, 0.6])
    variances = np.array([0.02, 0.03, 0.05, 0.04, 0.01])
    mean, effective = slow_effective(values.tolist(), variances.tolist(), units)
    found = mean_of_these_groups(GroupValues(values, variances, np.array(units, float)))
    low = stats.beta.ppf(0.025, mean * effective, (1 - mean) * effective + 1)
    high = stats.beta.ppf(0.975, mean * effective + 1, (1 - mean) * effective)
    assert ends(found) == pytest.approx((low, high))


def test_a_measure_of_another_range_is_as_sure_as_its_part_of_the_range():
    values = np.array([0.3, 0.9, 0.4, 0.75])
    variances = np.array([0.02, 0.03, 0.05, 0.04])
    units = np.array([1.0, 5, 4, 9])
    part = mean_of_these_groups(GroupValues(values, variances, units))
    whole = mean_of_these_groups(
        GroupValues(2 * values - 1, 4 * variances, units), low=-1.0, high=1.0
    )
    assert ends(whole) == pytest.approx(tuple(2 * end - 1 for end in ends(part)))


def test_a_measure_without_an_end_is_normal():
    values, variances = np.array([1.5, 4.0, 2.5]), np.array([0.3, 0.2, 0.4])
    found = mean_of_these_groups(GroupValues(values, variances, np.full(3, 10.0)), high=np.inf)
    reach = stats.norm.ppf(0.975) * np.sqrt(0.9) / 3
    assert ends(found) == pytest.approx((8 / 3 - reach, 8 / 3 + reach))
    upper = mean_of_these_groups(
        GroupValues(values, variances, np.full(3, 10.0)), high=np.inf, side="upper"
    )
    assert ends(upper) == pytest.approx((0, 8 / 3 + stats.norm.ppf(0.95) * np.sqrt(0.9) / 3))


def test_two_groups_tell_something_of_groups_like_them():
    values = np.array([0.5, 0.52])
    found = mean_of_groups_like_these(GroupValues(values, np.zeros(2), np.ones(2)))
    oracle = stats.t.interval(0.95, 1, 0.51, stats.sem(values))
    assert ends(found) == pytest.approx(oracle)


def test_groups_without_spread_are_bounded_by_their_number():
    found = mean_of_groups_like_these(GroupValues(np.full(4, 0.6), np.zeros(4), np.ones(4)))
    seen = 0.025 ** (1 / 4)
    assert ends(found) == pytest.approx((0.6 * seen, 1 - 0.4 * seen))


def test_groups_like_these_without_spread_are_as_many_trials():
    same = GroupValues(np.full(3, 0.5), np.zeros(3), np.ones(3))
    seen = 0.025 ** (1 / 3)
    assert ends(mean_of_groups_like_these(same)) == pytest.approx((0.5 * seen, 1 - 0.5 * seen))
    wide = mean_of_groups_like_these(same, low=-1.0)
    assert ends(wide) == pytest.approx((-1 + 1.5 * seen, 1 - 0.5 * seen))
    two = GroupValues(np.full(2, 0.5), np.zeros(2), np.ones(2))
    assert ends(mean_of_groups_like_these(two))[1] == pytest.approx(1 - 0.5 * 0.025 ** (1 / 2))


def column(*values):
    return np.array(values, float)[:, None]


def test_groups_of_one_item_vary_as_they_differ_and_alike_ones_as_one_more_of_each_kind():
    mean = np.array([0.75])
    differ = _variance_of_singles(column(1, 0, np.nan, 0.5), mean, 0.0, 1.0)
    # The sum of three: three times their variance, 1/4.
    assert differ == pytest.approx(0.75)
    # Three that are all 1: (3 + 1) / (3 + 2) = 0.8, and 3 x 0.8 x 0.2.
    assert _variance_of_singles(column(1, 1, 1), mean, 0.0, 1.0) == pytest.approx(0.48)
    assert _variance_of_singles(column(1, 1, 1), mean, -1.0, 1.0) == pytest.approx(4 * 0.48)
    # A single one: the most that an item with the mean of all groups can have.
    assert _variance_of_singles(column(1, np.nan), mean, 0.0, 1.0) == pytest.approx(0.75 * 0.25)
    assert _variance_of_singles(column(np.nan), mean, 0.0, 1.0) == 0
    assert _variance_of_singles(column(2, 4), mean, 0.0, np.inf) == pytest.approx(4)
    assert _variance_of_singles(column(2), mean, 0.0, np.inf) == 0


def test_small_groups_without_a_difference_vary_as_one_more_of_each_kind():
    groups = GroupValues(column(1, 1, 0.5), column(0, 0, 0.1), column(2, 3, 40))
    small = np.array([[True], [True], [False]])
    share = (2 + 3 + 1) / (5 + 2)
    wanted = share * (1 - share) * (1 / 2 + 1 / 3)
    assert _unseen_spread(groups, small, 0.0, 1.0) == pytest.approx(wanted)
    # At the top of a range from -1 to 1 they are as far up, and the range is twice as wide.
    wider = 4 * wanted
    assert _unseen_spread(groups, small, -1.0, 1.0) == pytest.approx(wider)
    assert _unseen_spread(groups, small, 0.0, np.inf) == 0
    seen = GroupValues(column(1, 1), column(0.01, 0), column(2, 3))
    assert _unseen_spread(seen, small[:2], 0.0, 1.0) == 0


def test_groups_of_many_items_have_satterthwaites_degrees_of_freedom():
    units = [20.0, 30.0, 50.0]
    groups = GroupValues(column(0.4, 0.5, 0.9), column(0.01, 0.02, 0.004), column(*units))
    known = np.ones((3, 1), bool)
    found = _spread_within(groups, known, np.array([0.6]), 0.0, 1.0)
    assert found.variance == pytest.approx((0.01 + 0.02 + 0.004) / 9)
    above = sum(1 / one for one in units) ** 2
    below = sum(1 / (one**2 * (one - 1)) for one in units)
    assert found.freedom == pytest.approx(above / below)
    assert found.alike == pytest.approx(9 / sum(1 / one for one in units))


def test_groups_of_one_item_have_one_degree_of_freedom_less_than_they_are():
    values = column(0.4, 1, 0, 1)
    groups = GroupValues(values, column(0.01, 0, 0, 0), column(20, 1, 1, 1))
    found = _spread_within(groups, np.ones((4, 1), bool), np.array([0.6]), 0.0, 1.0)
    # Three singles: 3 x 1/3 is the variance of their sum.
    assert found.variance == pytest.approx((0.01 + 3 * np.var([1, 0, 1], ddof=1)) / 16)
    inverse = 1 / 20 + 3
    assert found.freedom == pytest.approx(inverse**2 / (1 / (20**2 * 19) + 9 / 2))
    only = _spread_within(
        GroupValues(column(1), column(0), column(1)), np.ones((1, 1), bool), np.array([1.0]), 0, 1
    )
    assert only.freedom == 0
