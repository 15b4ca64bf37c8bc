"""The bounds of Junker, Hoch and Dengel (1999), and the exact values beside them in golden.json."""

import json
from pathlib import Path

import pytest

from karat.doubt.bounds.exact import exact

ENTRIES = [
    entry
    for entry in json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
    if entry["fn"] == "cp_lower"
]
SINGLE = [entry for entry in ENTRIES if isinstance(entry["exact"], float)]
CURVES = [entry for entry in ENTRIES if isinstance(entry["exact"], list)]
PAIRS = [entry for entry in ENTRIES if isinstance(entry["exact"], dict)]


def identify(entry):
    return entry["id"]


def bounds(entry, *, side):
    given = entry["inputs"]
    return exact(given["x"], given["n"], level=1 - given["gamma"], side=side)


def test_every_entry_is_a_single_bound_a_curve_or_a_pair():
    assert (len(SINGLE), len(CURVES), len(PAIRS)) == (3, 5, 7)
    assert len(ENTRIES) == 15


@pytest.mark.parametrize(
    ("x", "n", "printed"),
    [(10, 20, 0.3), (20, 20, 0.86), (100, 100, 0.97)],  # section 2, below formula (*), gamma = .05
)
def test_the_lower_bounds_the_paper_works_out_are_right_as_printed(x, n, printed):
    assert exact(x, n, side="lower").low.round(2) == printed


@pytest.mark.parametrize("entry", SINGLE + CURVES, ids=identify)
def test_the_lower_bound_has_its_exact_value(entry):
    assert bounds(entry, side="lower").low == pytest.approx(
        entry["exact"], abs=entry["tolerance"], rel=0
    )


@pytest.mark.parametrize("entry", PAIRS, ids=identify)
def test_each_one_sided_bound_has_its_exact_value(entry):
    ends = {"lower": bounds(entry, side="lower").low, "upper": bounds(entry, side="upper").high}
    for end, value in entry["exact"].items():
        assert ends[end] == pytest.approx(value, abs=entry["tolerance"], rel=0)


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry["published"]], ids=identify)
def test_the_published_bound_agrees_with_the_exact_one(entry):
    assert bounds(entry, side="lower").low.round(2) == entry["published"]


def test_the_tail_printed_in_formula_star_gives_the_upper_bound_instead():
    # METHODS.md 2.4, 1: P(X <= x | p) = gamma inverted in p gives .698 for 10/20 and 1 for 20/20.
    assert exact([10, 20], 20, side="upper").high == pytest.approx([0.698, 1], abs=5e-4)
