"""What a result says of its input: how much there is, and what becomes of what is missing, sentence by sentence."""

import pytest

from karat.table.labels import Labels
from karat.table.table import Counts, Use
from karat.tally.facts import Facts


def facts(items=12, *, without_truth=0, missing=None, unanswered=0, has_truth=True, **other):
    counts = Counts(items, without_truth, missing or {"a": 0, "b": 0}, unanswered)
    defaults = {
        "origin": "t.csv",
        "systems": ("a", "b"),
        "kind": "label",
        "meaning": Labels(),
        "keys": (),
        "options": {},
    }
    return Facts(has_truth=has_truth, counts=counts, **{**defaults, **other})


def use(column, role, why=""):
    return Use(column, role, "label", filled=9, distinct=2, why=why)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "12 items, 2 systems."),
        ({"items": 1, "systems": ("a",)}, "1 item, 1 system."),
        ({"keys": ("r",)}, "12 rows, 2 systems."),
        ({"options": {"repeats": "keep"}}, "12 rows, 2 systems."),
        ({"options": {"repeats": "first"}}, "12 items, 2 systems."),
        ({"without_truth": 1}, "12 items, 2 systems; 1 item without truth left out."),
        ({"without_truth": 12, "has_truth": False}, "12 items, 2 systems."),
        (
            {"unanswered": 2},
            "12 items, 2 systems; 2 items of the truth not in the table, left out.",
        ),
        (
            {"unanswered": None},
            "12 items, 2 systems; some items of the truth may be in none of these tallies.",
        ),
        (
            {"missing": {"a": 1, "b": 2}},
            "12 items, 2 systems; 3 answers missing, counted as wrong and as not retrieved.",
        ),
        (
            {"missing": {"a": 1, "b": 0}, "kind": "score"},
            "12 items, 2 systems; 1 answer missing, below every score.",
        ),
        (
            {"missing": {"a": 4, "b": 0}, "meaning": Labels(missing="skip")},
            "12 items, 2 systems; 4 answers of 'a' missing, left out.",
        ),
        (
            {"missing": {"a": 4, "b": 0}, "meaning": Labels(missing="as:no")},
            "12 items, 2 systems; 4 answers of 'a' missing, counted as 'no'.",
        ),
    ],
)
def test_nothing_is_left_out_in_silence(given, sentence):
    assert facts(**given).remarks() == (sentence,)


def test_where_systems_judge_each_other_a_missing_answer_is_unknown():
    assert facts().voted() == ("12 items, 2 systems.",)
    some = {"missing": {"a": 1, "b": 0}}
    assert facts(**some).voted() == (
        "12 items, 2 systems; 1 answer missing among the items with truth, unknown.",
    )
    assert facts(**some, has_truth=False).voted() == (
        "12 items, 2 systems; 1 answer missing, unknown.",
    )


def test_of_ranked_lists_documents_are_counted():
    (sentence,) = facts(items=1).listed()
    assert sentence.startswith(
        "1 document of all queries, 2 systems; documents that a system does not"
    )


def test_what_to_do_about_a_table_without_truth():
    remedy = "name it with --truth COL, FILE or FILE:COL"
    assert facts().truth_remedy() == remedy
    yes = facts(kind="yesno", meaning=Labels(pair=("yes", "no")))
    assert (
        yes.truth_remedy() == f"{remedy}; or use --correct, if yes means that the system was right"
    )
    assert facts(kind="yesno").truth_remedy().endswith("if 1 means that the system was right")
    column = facts(uses=(use("n", "weight"), use("Correct", "left out")))
    assert column.truth_remedy().endswith("if 'Correct' says that the system was right")
    used = facts(uses=(use("correct", "system"),))
    assert used.truth_remedy() == remedy


def test_scores_within_queries_are_rankings():
    query = (use("a", "system"), use("Topic", "group"))
    assert facts(kind="score", uses=query).holds_rankings
    assert not facts(kind="label", uses=query).holds_rankings
    assert not facts(
        kind="score", uses=(use("page", "group"), use("topic", "system"))
    ).holds_rankings


def test_a_result_carries_its_input():
    about = facts(missing={"a": 1, "b": 0}, without_truth=3, unanswered=None).about()
    assert about == {
        "origin": "t.csv",
        "items": 12,
        "systems": ["a", "b"],
        "kind": "label",
        "missing": {"a": 1, "b": 0},
        "without_truth": 3,
        "unanswered": None,
    }
