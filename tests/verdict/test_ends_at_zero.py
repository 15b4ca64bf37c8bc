"""An interval that ends exactly at 0 settles nothing, whoever reads it; one that ends beside it does."""

from types import SimpleNamespace

import pytest

from karat.doubt.audit.new_items import worst_p_value
from karat.doubt.prevalence.sampled_areas import AreaDifference
from karat.measure.quantity import Quantity
from karat.tally.scores.annotator_marks import marks_of
from karat.verdict.change import _verdict as changed
from karat.verdict.compare.compare import _verdict as compared
from karat.verdict.compare.comparison import Comparison
from karat.verdict.compare.comparison_options import ComparisonOptions
from karat.verdict.correlated_items import CorrelatedItems
from karat.verdict.group_leaders import GroupLeader, other_leaders
from karat.verdict.prevalence.agreement_levels import LevelQuestion, levels
from karat.verdict.prevalence.leaders import is_surely_first, settled_neighbours, settled_pairs
from karat.verdict.prevalence.result import AreaComparison

TINY = 1e-9
ENDS = [((-0.1, -TINY), True), ((-0.1, 0.0), False), ((0.0, 0.1), False), ((TINY, 0.1), True)]


@pytest.mark.parametrize(("ends", "settled"), ENDS)
def test_a_change_since_the_last_report(ends, settled):
    low, high = ends
    higher = "undecided" if not settled else "better" if low > 0 else "worse"
    lower = {"better": "worse", "worse": "better"}.get(higher, higher)
    assert changed(low, high, lower_is_better=False) == higher
    assert changed(low, high, lower_is_better=True) == lower


@pytest.mark.parametrize(("ends", "settled"), ENDS)
def test_two_areas(ends, settled):
    low, high = ends
    gap = AreaComparison(
        first="a",
        second="b",
        field="to 1 %",
        difference=(low + high) / 2,
        low=low,
        high=high,
        better=0.5,
    )
    areas = [SimpleNamespace(system=name, rank=rank) for rank, name in enumerate("ab", 1)]
    result = SimpleNamespace(differences=[gap], areas=areas)
    assert settled_pairs(result) == settled_neighbours(result) == settled
    assert is_surely_first(result, ["a", "b"]) == (low > 0)
    assert is_surely_first(result, ["b", "a"]) == (high < 0)


@pytest.mark.parametrize(("low", "holds"), [(None, False), (0.0, False), (TINY, True)])
def test_a_lead_over_groups(low, holds):
    assert CorrelatedItems(groups=9, difference=0.1, low=low, high=0.2).holds == holds


@pytest.mark.parametrize(("low", "holds"), [(0.0, False), (TINY, True)])
def test_another_leader_of_a_group(low, holds):
    turn = GroupLeader(
        group="g", leader="b", value=0.9, first_value=0.8, lead=0.1, low=low, high=0.2
    )
    assert turn.is_settled == holds


def test_a_group_in_which_both_are_as_good_has_no_other_leader():
    rows = [
        {"group": group, "system": system, "value": value, "low": value - 0.1, "high": value + 0.1}
        for group, values in {
            "even": (0.5, 0.5),
            "turned": (0.5, 0.6),
            "as all": (0.6, 0.5),
        }.items()
        for system, value in zip("ab", values, strict=True)
    ]
    found = other_leaders(rows, "a", lower_is_better=False, without="-")
    assert [(turn.group, turn.leader) for turn in found] == [("turned", "b")]
    found = other_leaders(rows, "a", lower_is_better=True, without="turned")
    assert [(turn.group, turn.leader) for turn in found] == [("as all", "b")]


@pytest.mark.parametrize(("ends", "leaves_out"), ENDS)
@pytest.mark.parametrize("p_value", [0.001, 0.9])
def test_an_interval_and_a_verdict_are_at_odds(ends, leaves_out, p_value):
    low, high = ends
    verdict = compared(0.05, p_value, None, Quantity("accuracy"), ComparisonOptions())
    assert verdict == ("better" if p_value < 0.05 else "undecided")
    told = SimpleNamespace(
        difference=0.05, low=low, high=high, is_significant=verdict != "undecided"
    )
    assert Comparison.is_at_odds.fget(told) == (leaves_out != (p_value < 0.05))
    told.difference = None
    assert not Comparison.is_at_odds.fget(told)


@pytest.mark.parametrize(
    ("difference", "measure", "verdict"),
    [
        (0.1, "accuracy", "better"),
        (-0.1, "accuracy", "worse"),
        (0.1, "error-rate", "worse"),
        (-0.1, "error-rate", "better"),
        (0.0, "accuracy", "undecided"),
        (float("nan"), "accuracy", "undecided"),
    ],
)
def test_a_difference_is_better_or_worse_by_its_measure(difference, measure, verdict):
    assert compared(difference, 0.001, None, Quantity(measure), ComparisonOptions()) == verdict
    assert compared(difference, 0.5, None, Quantity(measure), ComparisonOptions()) == "undecided"
    assert compared(difference, 0.5, 0.01, Quantity(measure), ComparisonOptions()) == "no worse"


def test_without_a_lead_nothing_is_said_of_new_items():
    assert worst_p_value(0, 10) == worst_p_value(-3, 10) == 1.0
    assert worst_p_value(1, 1) == 0.5
    assert worst_p_value(4, 3) == 0.5**4


def test_which_of_two_areas_is_above_of_a_sample():
    assert AreaDifference(0.1, 9.0).above(0.0) == 0.5
    assert AreaDifference(0.0, 9.0).above(0.1) == 1.0
    assert AreaDifference(0.0, 9.0).above(-0.1) == 0.0
    assert AreaDifference(0.1, 9.0).above(0.1) > 0.8
    # Student's t with 9 degrees of freedom: 2.262 at 97.5 %.
    assert AreaDifference(0.1, 9.0).reach(0.95) == pytest.approx(0.2262, abs=1e-4)


@pytest.mark.parametrize("systems", [1, 2])
def test_marks_that_were_counted_without_clusters_have_areas_all_the_same(systems):
    marks = [[1, 1], [0, 1], [0, 0], [1, 0], [0, 0], [1, 1]]
    scores = [[0.9, 0.5, 0.4, 0.6, 0.1, 0.7], [0.5, 0.7, 0.2, 0.9, 0.3, 0.4]]
    tallies = {
        name: marks_of(marks, score) for name, score in zip("ab"[:systems], scores, strict=False)
    }
    found = levels(["r", "s"], tallies, LevelQuestion(draws=20))
    assert found.items == 6
    assert list(found.correlations) == list(tallies)
