"""Scores that were written in a way that makes labels of them are refused with what they are."""

import pytest

import karat
from karat.errors import InputError, RoleError

TRUTH = [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (
            ["0,9", "0,25", "-1,5", "1"],
            r"'a' holds numbers with a decimal comma, such as .*; write them with a point",
        ),
        (
            ["90%", "2.5%", "0%", None],
            r"'a' holds numbers with a per cent sign, such as .*; write them without it",
        ),
        (["90 %", "25 %", "0 %", "10 %"], "per cent sign"),
        (
            [98, 20, 55, 55],
            "'a' holds whole numbers but neither 0 nor 1, while the truth is 1 or 0, such as '20'",
        ),
        (["98", "20", "55", "55"], "if they are scores, use kinds='score'"),
    ],
)
def test_scores_in_disguise_are_named(cells, message):
    with pytest.raises(InputError, match=message):
        karat.read({"truth": TRUTH, "a": cells})
    votes = {"item": [1, 2, 3, 4], "system": ["a"] * 4, "answer": cells, "truth": TRUTH}
    with pytest.raises(InputError, match=message):
        karat.read(votes)


@pytest.mark.parametrize(
    "table",
    [
        {"truth": TRUTH, "a": [0, 1, 2, 1]},
        {"truth": TRUTH, "a": [-1, 1, 0, 1]},
        {"truth": TRUTH, "a": [0, 1, 1, 1], "length": [12, 14, 15, 9]},
        {"truth": TRUTH, "a": ["yes", "1,2", "no", "5%"]},
        {"truth": ["1,2", "3,4", "1,2", "1,2"], "a": ["1,2", "3,4", "1,2", "1,4"]},
        {"truth": [17, 20, 17, 20], "a": [17, 17, 17, 20]},
    ],
)
def test_labels_are_labels_still(table):
    assert karat.read(table).facts.kind in {"label", "yesno"}


def test_whole_numbers_are_scores_if_one_says_so():
    assert karat.read({"truth": TRUTH, "a": [9, 2, 5, 5]}, kinds="score").facts.kind == "score"


SCALE = [0, 255, 12, 3]


@pytest.mark.parametrize(
    "table",
    [
        {"truth": TRUTH, "a": SCALE},
        {"truth": TRUTH, "a": [float(value) for value in SCALE]},
        {"truth": ["no", "yes", "no", "yes"], "a": [str(value) for value in SCALE]},
        {"truth": TRUTH, "a": SCALE, "b": [1000, 999, 0, -4]},
        {"item": list("uvwx"), "system": ["a"] * 4, "answer": SCALE, "truth": TRUTH},
        # So many that nearly all differ, which would else be free text.
        {"truth": TRUTH * 50, "a": list(range(200))},
    ],
)
def test_whole_numbers_on_a_scale_are_scores_beside_yes_and_no(table):
    bench = karat.read(table)
    assert bench.facts.kind == "score"
    assert any("read as scores" in note for note in bench.facts.notes)


def test_a_scale_has_the_roc_area_of_its_pairs():
    # The positive 200 lies above all three negatives; 3 lies above 0, ties with 3 and lies below 10: 4.5 of 6 pairs.
    table = {"truth": [1, 1, 0, 0, 0], "a": [200, 3, 10, 3, 0]}
    assert karat.read(table).score(measure="roc-area").rows()[0]["value"] == pytest.approx(4.5 / 6)


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        ({"truth": ["a", "b", "a", "b"], "a": SCALE}, "label"),
        ({"truth": [0, 1, 2, 3], "a": SCALE}, "label"),
    ],
)
def test_a_scale_beside_another_truth_is_labels(table, kind):
    assert karat.read(table).facts.kind == kind


def test_a_scale_can_be_named_labels():
    assert karat.read({"truth": TRUTH, "a": SCALE}, kinds="label").facts.kind == "label"


def test_a_page_number_beside_scores_is_no_system_unless_named():
    table = {"truth": TRUTH, "a": [0.1, 0.7, 0.2, 0.9], "pages": SCALE}
    with pytest.raises(RoleError, match="columns of several kinds"):
        karat.read(table)
    assert karat.read(table, systems=["a", "pages"]).facts.systems == ("a", "pages")


@pytest.mark.parametrize(
    ("cells", "what"), [(["0,9", "0,2"], "decimal comma"), (["90 %", "2.5%"], "per cent sign")]
)
@pytest.mark.parametrize("option", [{"kinds": "score"}, {"weight": "a"}])
def test_a_disguise_is_named_where_numbers_are_wanted_too(cells, what, option):
    with pytest.raises(InputError, match=rf"row 1: .* in 'a' is not a number; .* {what}"):
        karat.read({"truth": [1, 0], "a": cells, "b": [1, 0]}, **option)
