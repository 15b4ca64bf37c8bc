"""Shares of which only the counts are known: of different items, and what holds if they are the same."""

from itertools import product

import numpy as np
import pytest

import karat
from karat.ask.counts import parse_count
from karat.doubt.tests.mcnemar import mcnemar
from karat.doubt.tests.same_items import same_items
from karat.errors import UnknownNameError


def every_p_value(first, second, items):
    """The p-values of all paired tables with these right answers, each a range of counts."""
    found = []
    for one, other in product(first, second):
        overlaps = range(max(0, one + other - items), min(one, other) + 1)
        found += [float(mcnemar(one - both, other - both)) for both in overlaps]
    return found


@pytest.mark.parametrize("items", [1, 2, 5, 7])
def test_the_bounds_are_those_of_all_tables(items):
    ranges = [(low, high) for low in range(items + 1) for high in range(low, items + 1)]
    for first, second in product(ranges, ranges):
        found = same_items(*first, *second, items)
        counts = [range(low, high + 1) for low, high in (first, second)]
        expected = every_p_value(*counts, items)
        assert found.low == pytest.approx(min(expected), rel=1e-12)
        assert found.high == pytest.approx(max(expected), rel=1e-12)


def test_a_larger_table_lies_between_the_bounds():
    found = same_items(4300, 4300, 4200, 4200, 5000)
    p_values = [float(mcnemar(100 + both, both)) for both in range(0, 701, 7)]
    assert np.all(np.diff(p_values) >= 0)
    assert (found.low, found.high) == (p_values[0], p_values[-1])


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ([(85, 100), (95, 100)], "worse"),
        ([(95, 100), (85, 100)], "better"),
        ([(85, 100), (92, 100)], "depends"),
        ([(85, 100), (86, 100)], "undecided"),
        ([(85, 100), (85, 100)], "undecided"),
    ],
)
def test_the_verdict_on_the_same_items_is_that_of_all_tables(counts, verdict):
    (row,) = karat.compare_counts(counts).rows()
    assert row["same_items_verdict"] == verdict
    (one, items), (other, _) = counts
    p_values = every_p_value([one], [other], items)
    decided = {p_value <= 0.05 for p_value in p_values}
    expected = {(True,): {"better", "worse"}, (False,): {"undecided"}, (False, True): {"depends"}}
    assert verdict in expected[tuple(sorted(decided))]


def test_other_numbers_of_items_cannot_be_the_same_items():
    result = karat.compare_counts([(40, 50), (92, 100), (80, 100)])
    first, second, third = result.rows()
    assert "same_items_verdict" not in first
    assert "same_items_verdict" not in second
    assert third["same_items_verdict"] in {"better", "depends"}
    assert "if same items" in str(result)
    assert "different items" in str(result)


def test_the_bounds_are_adjusted_for_all_pairs():
    pairs = karat.compare_counts([(85, 100), (95, 100)]).rows()
    three = karat.compare_counts([(85, 100), (95, 100), (50, 100)]).rows()
    assert three[0]["same_items_p_high"] >= pairs[0]["same_items_p_high"]


def test_a_rounded_share_is_compared_by_the_counts_that_are_closest():
    counts = [parse_count("a=0.853/5000"), parse_count("b=0.875/5000")]
    (row,) = karat.compare_counts(counts).rows()
    (closest,) = karat.compare_counts([(4267, 5000), (4373, 5000)]).rows()
    assert (counts[0].most, counts[1].least) == (4267, 4373)
    assert row["p_value"] == closest["p_value"]
    assert row["same_items_p_high"] == closest["same_items_p_high"]
    assert row["difference"] == pytest.approx(0.853 - 0.875)
    for one in range(counts[0].least, counts[0].most + 1):
        for other in range(counts[1].least, counts[1].most + 1):
            (plain,) = karat.compare_counts([(one, 5000), (other, 5000)]).rows()
            assert plain["p_value"] <= row["p_value"] * (1 + 1e-9)
            assert row["low"] - 1e-12 <= plain["low"] < plain["high"] <= row["high"] + 1e-12
            assert plain["same_items_p_low"] >= row["same_items_p_low"] * (1 - 1e-9)


def test_rounded_shares_that_may_be_equal_are_undecided():
    counts = [parse_count("a=0.9/5000"), parse_count("b=0.85/5000")]
    (row,) = karat.compare_counts(counts).rows()
    assert (counts[0].least, counts[1].most) == (4250, 4275)
    assert (row["p_value"], row["verdict"], row["same_items_p_high"]) == (1.0, "undecided", 1.0)


def test_rounded_shares_may_be_no_worse():
    counts = [parse_count("a=0.853/5000"), parse_count("b=0.855/5000")]
    (row,) = karat.compare_counts(counts, margin=0.03).rows()
    exact = karat.compare_counts([(4263, 5000), (4277, 5000)], margin=0.03).rows()
    assert row["verdict"] == "no worse"
    assert row["p_no_worse"] == pytest.approx(exact[0]["p_no_worse"])


def test_all_are_compared_with_a_baseline():
    counts = [parse_count(word) for word in ("a=40/50", "b=92/100", "c=45/50")]
    rows = karat.compare_counts(counts, baseline="b").rows()
    assert [(row["first"], row["second"]) for row in rows] == [("a", "b"), ("c", "b")]
    with pytest.raises(UnknownNameError, match="no count is called 'd'"):
        karat.compare_counts(counts, baseline="d")
