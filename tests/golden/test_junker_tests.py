"""The tests of Junker, Hoch and Dengel (1999), section 3, and the exact values beside them in golden.json."""

import json
from pathlib import Path

import numpy as np
import pytest

from karat.doubt.tests.two_samples import limits, significant, two_samples
from karat.planning.items import figure_two, smallest_increase

ENTRIES = json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
TESTS = [entry for entry in ENTRIES if entry["fn"] == "fisher"]
INCREASES = [
    entry for entry in ENTRIES if entry["fn"] == "min_increase" and "x1" in entry["inputs"]
]
CURVES = [
    entry for entry in ENTRIES if entry["fn"] == "min_increase" and "x1" not in entry["inputs"]
]


def identify(entry):
    return entry["id"]


def table(entry):
    return [entry["inputs"][name] for name in ("x1", "n1", "x2", "n2")]


def level(entry):
    return 1 - entry["inputs"]["gamma"]


def number(value):
    return np.nan if value is None else value


def test_every_entry_is_a_test_an_increase_or_a_curve():
    assert (len(TESTS), len(INCREASES), len(CURVES)) == (14, 6, 4)


@pytest.mark.parametrize("entry", TESTS, ids=identify)
def test_both_tails_and_both_p_values_have_their_exact_values(entry):
    found, right, tolerance = two_samples(*table(entry)), entry["exact"], entry["tolerance"]
    assert found.lower == pytest.approx(right["lower"], abs=tolerance, rel=1e-13)
    assert found.upper == pytest.approx(right["upper"], abs=tolerance, rel=1e-13)
    assert found.p_value == pytest.approx(right["two_sided_doubled"], abs=tolerance, rel=1e-13)
    assert found.fisher == pytest.approx(right["two_sided_point"], abs=tolerance, rel=1e-13)


@pytest.mark.parametrize("entry", TESTS, ids=identify)
def test_the_limits_and_the_verdict_are_right(entry):
    found, right = limits(*table(entry), level=level(entry)), entry["exact"]
    assert found.x1_min == pytest.approx(number(right["x1_min"]), nan_ok=True, abs=0)
    assert found.x1_max == pytest.approx(number(right["x1_max"]), nan_ok=True, abs=0)
    verdict = significant(two_samples(*table(entry)).p_value, level=level(entry))
    x1 = entry["inputs"]["x1"]
    assert verdict == (x1 <= found.x1_min or x1 >= found.x1_max) == right["significant_equal_tail"]


@pytest.mark.parametrize("entry", [entry for entry in TESTS if entry["published"]], ids=identify)
def test_the_published_verdict_holds_just_where_golden_says_so(entry):
    verdict = bool(significant(two_samples(*table(entry)).p_value, level=level(entry)))
    assert (verdict == entry["published"]["significant"]) == entry["agrees"]


@pytest.mark.parametrize("entry", INCREASES, ids=identify)
def test_the_smallest_increase_has_its_exact_value(entry):
    x1, n1, n2 = (entry["inputs"][name] for name in ("x1", "n1", "n2"))
    x2, right = smallest_increase(x1, n1, n2, level=level(entry)), entry["exact"]
    if right is None:
        assert np.isnan(x2)
    else:
        assert x2 == right["x2"]
        assert x2 / n2 - x1 / n1 == pytest.approx(right["increase"], abs=entry["tolerance"])


@pytest.mark.parametrize("entry", CURVES, ids=identify)
def test_the_curves_of_figure_2_have_their_exact_values(entry):
    n, right = entry["inputs"]["n"], np.array([number(x2) for x2 in entry["exact"]])
    x1 = np.arange(n + 1)
    assert np.array_equal(smallest_increase(x1, n, n, level=level(entry)), right, equal_nan=True)
    (curve,) = figure_two([n], level=level(entry))
    assert np.array_equal(curve.value, (right - x1) / n, equal_nan=True)
    assert np.array_equal(curve.estimate, x1 / n)


def is_significant(x1, n1, x2, n2):
    return bool(significant(two_samples(x1, n1, x2, n2).p_value, level=0.95))


# METHODS.md 2.4: the seven rows of its table, and what the paper says of them in section 3, gamma = .05.
def test_with_50_items_an_increase_from_50_to_70_percent_is_not_significant():
    assert not is_significant(25, 50, 35, 50)
    assert two_samples(25, 50, 35, 50).p_value == pytest.approx(0.065578, abs=5e-7)


def test_with_50_items_an_increase_from_80_to_100_percent_is_significant():
    assert is_significant(40, 50, 50, 50)
    assert two_samples(40, 50, 50, 50).p_value == pytest.approx(0.001187, abs=5e-7)


def test_with_50_items_an_increase_from_90_to_100_percent_is_not_significant():
    assert not is_significant(45, 50, 50, 50)
    assert two_samples(45, 50, 50, 50).p_value == pytest.approx(0.056284, abs=5e-7)


def test_with_50_items_80_percent_must_rise_by_16_and_not_by_14():
    assert not is_significant(40, 50, 47, 50)
    assert is_significant(40, 50, 48, 50)


def test_40_of_50_against_92_of_100_is_not_significant_although_the_paper_says_so():
    found = two_samples(40, 50, 92, 100)
    assert not is_significant(40, 50, 92, 100)
    assert (found.lower, found.fisher, found.p_value) == pytest.approx(
        (0.033646, 0.058856, 0.067291), abs=5e-7
    )


def test_40_of_50_against_93_of_100_is_significant():
    found = two_samples(40, 50, 93, 100)
    assert is_significant(40, 50, 93, 100)
    assert (found.lower, found.fisher, found.p_value) == pytest.approx(
        (0.020338, 0.027184, 0.040676), abs=5e-7
    )


def test_the_paper_s_12_percent_would_be_right_for_one_side_but_then_its_16_would_be_14():
    # A tail of .05 instead of .025: 92/100 is the first to do, and with 50 items 47/50.
    assert smallest_increase(40, 50, [100, 50], level=0.9).tolist() == [92, 47]
    assert two_samples(40, 50, 91, 100).lower == pytest.approx(0.0522, abs=5e-5)


def test_formula_2_as_printed_gives_the_sum_less_the_limit():
    # METHODS.md 2.4, 2: right 49, as printed 41.
    found = limits(40, 50, 50, 50)
    assert (found.x1_max, 90 - found.x1_max) == (49, 41)
