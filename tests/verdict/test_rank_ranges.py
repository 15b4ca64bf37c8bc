"""Ranks as ranges, groups, and how many orders are settled: against what a reader would count."""

import numpy as np
import pytest

import karat
from karat.verdict.correlated_items import lead_over_groups
from karat.verdict.group_leaders import other_leaders
from karat.verdict.rank_ranges import rank_ranges


@pytest.mark.parametrize("seed", range(8))
def test_ranges_and_groups_are_those_counted_by_hand(seed):
    random = np.random.default_rng(seed)
    size = int(random.integers(1, 9))
    better = np.triu(random.random((size, size)) < 0.4, 1)
    found = rank_ranges(better)
    for place, one in enumerate(found.systems):
        assert one.best == 1 + sum(bool(better[other, place]) for other in range(size))
        assert one.worst == size - sum(bool(better[place, other]) for other in range(size))
        assert one.best <= place + 1 <= one.worst
    for i in range(size):
        for j in range(i + 1, size):
            share = set(found.systems[i].letters) & set(found.systems[j].letters)
            if better[i, j]:
                assert not share
            elif not better[i : j + 1, i : j + 1].any():
                assert share
    assert found.settled == better.sum()
    assert found.pairs == size * (size - 1) // 2
    assert found.settled_neighbours == sum(bool(better[k, k + 1]) for k in range(size - 1))


def test_ties_everywhere_may_have_every_rank():
    answers = ["x" if k % 5 else "y" for k in range(50)]
    data = {"truth": ["x"] * 50, "a": answers, "b": answers, "c": answers}
    systems = karat.read(data).findings().numbers["systems"]
    assert [(one["ranks"], one["letters"]) for one in systems] == [("1 to 3", "a")] * 3


def rows_of(hits, sizes):
    rows = []
    for system, by_group in hits.items():
        for group, (right, size) in enumerate(zip(by_group, sizes, strict=True)):
            rows.append(
                {
                    "system": system,
                    "group": f"g{group}",
                    "successes": right,
                    "trials": size,
                    "value": right / size,
                    "low": max(0.0, right / size - 0.1),
                    "high": min(1.0, right / size + 0.1),
                }
            )
    return rows


def test_a_lead_that_one_group_makes_is_open_over_groups():
    sizes = [100] * 8
    even = {"a": [60] * 7 + [100], "b": [60] * 7 + [0]}
    found = lead_over_groups(rows_of(even, sizes), "a", "b", level=0.95)
    assert found.difference == pytest.approx(100 / 800)
    assert not found.holds
    everywhere = {"a": [70, 71, 72, 73, 74, 75, 76, 77], "b": [60] * 8}
    assert lead_over_groups(rows_of(everywhere, sizes), "a", "b", level=0.95).holds
    assert lead_over_groups(rows_of({"a": [9], "b": [1]}, [10]), "a", "b", level=0.95) is None


def test_the_interval_over_groups_is_the_t_interval_of_equal_groups():
    from scipy import stats

    random = np.random.default_rng(3)
    first, second = random.integers(40, 90, 12), random.integers(40, 90, 12)
    rows = rows_of({"a": first.tolist(), "b": second.tolist()}, [100] * 12)
    found = lead_over_groups(rows, "a", "b", level=0.9)
    differences = (first - second) / 100
    interval = stats.t.interval(0.9, 11, differences.mean(), stats.sem(differences))
    assert (found.low, found.high) == pytest.approx(interval)


def test_groups_that_another_system_leads_are_found_the_largest_lead_first():
    rows = rows_of({"a": [90, 50, 60], "b": [80, 60, 90]}, [100] * 3)
    found = other_leaders(rows, "a", lower_is_better=False, without="(mean)")
    assert [(one.group, one.leader) for one in found] == [("g2", "b"), ("g1", "b")]
    assert [one.is_settled for one in found] == [True, False]
    by_errors = other_leaders(rows, "a", lower_is_better=True, without="(mean)")
    assert [one.group for one in by_errors] == ["g0"]
    assert by_errors[0].lead == pytest.approx(0.1)
