"""Values that were perhaps not meant as they are written."""

import json

import pytest

import karat

NA = {
    "id": [1, 2, 3, 4],
    "truth": ["cat", "dog", "NA", "dog"],
    "a": ["cat", "NA", "cat", "dog"],
    "b": ["cat"] * 4,
}
DIRTY = {
    "id": [1, 2, 3, 4],
    "truth": ["Cat", "cat", "dog", "big dog"],
    "a": ["cat", "cat", "dog ", "big  dog"],
}


def warned(result):
    return [note for note in result.notes() if note.startswith("warning: ")]


@pytest.mark.parametrize("question", ["describe", "score", "compare", "consensus"])
def test_a_word_for_nothing_is_named_with_the_remedy(question):
    found = getattr(karat.read(NA), question)()
    said = (
        "'NA' counts as a label (1 truth, 1 answer); if it stands for a missing value, "
        "use --no-truth NA --no-answer NA"
    )
    assert f"warning: {said}" in warned(found)
    assert f"warning: {said}" in json.loads(found.to_json())["warnings"]


PERHAPS = {
    "truth": ["cat", "dog", "-1", "dog", "-1", "cat"],
    "a": ["cat", "dog", "dog", "dog", "cat", "cat"],
    "b": ["cat", "?", "cat", "dog", "dog", "?"],
}


def test_what_only_the_truth_or_only_the_systems_say_is_perhaps_a_missing_value():
    (said,) = warned(karat.read(PERHAPS).score())
    assert said == (
        "warning: '-1', '?' count as labels (2 truths, 2 answers); if they stand for missing values, "
        "use --no-truth -1 --no-answer '?'"
    )
    assert warned(karat.read(PERHAPS, no_truth="-1", no_answer="?").score()) == []


def test_what_both_say_is_a_label():
    both = PERHAPS | {"b": ["cat", "-1", "cat", "dog", "-1", "cat"]}
    assert warned(karat.read(both).score()) == []
    assert warned(karat.read(both).compare()) == []


def test_beside_a_word_for_nothing_it_is_another():
    both = PERHAPS | {"b": ["cat", "-1", "cat", "NA", "-1", "cat"]}
    (said,) = warned(karat.read(both).score())
    assert "'-1', 'NA' count as labels (2 truths, 3 answers)" in said


def test_what_means_nothing_is_no_label():
    bench = karat.read(NA, no_truth="NA", no_answer="NA")
    assert warned(bench.score()) == []
    assert bench.facts.counts.missing == {"a": 1, "b": 0}
    assert [row["successes"] for row in bench.score(measure="accuracy").rows()] == [2, 1]
    assert "no_answer='NA'" in bench.score().about["signature"]


def test_an_item_may_be_called_so():
    assert (
        karat.read(
            {"id": ["NA", "x"], "truth": [1, 0], "a": ["NA", 0]}, no_answer=["NA", "-"]
        ).facts.kind
        == "yesno"
    )


def test_scores_may_lack_some():
    scores = {"id": [1, 2, 3], "truth": [1, 0, 1], "a": ["0.5", "NA", "0.25"]}
    facts = karat.read(scores, no_answer="NA").facts
    assert (facts.kind, facts.counts.missing) == ("score", {"a": 1})


def test_a_row_per_answer_may_hold_none():
    votes = {"item": [1, 1, 2, 2], "system": ["a", "b"] * 2, "answer": ["x", "NA", "y", "y"]}
    assert karat.read(votes, no_answer="NA").facts.counts.missing == {"a": 0, "b": 1}


def test_spellings_of_one_label_are_named_with_what_hangs_on_them():
    (said,) = warned(karat.read(DIRTY).score())
    assert said == (
        "warning: labels differ only in case or spaces, and 3 answers are wrong only for that; spell them the same: "
        "'Cat', 'cat'; 'big  dog', 'big dog'; 'dog', 'dog '"
    )


def test_several_systems_are_warned_of_once():
    (said,) = warned(karat.read({**DIRTY, "b": ["CAT", "cat", "dog", "big dog"]}).compare())
    assert "4 answers are wrong only for that" in said
    assert "'CAT', 'Cat', 'cat'" in said


def test_letters_of_two_cases_are_two_letters():
    assert warned(karat.read({"truth": ["a", "A"], "x": ["a", "a"]}).score()) == []


def test_the_label_for_nothing_is_no_oddity():
    assert (
        warned(karat.read({"truth": ["cat", "none"], "x": ["cat", "cat"]}, nothing="none").score())
        == []
    )


def test_one_answer_is_wrong_only_for_its_spelling():
    table = {"truth": ["cat", "dog", "Cat"], "x": ["Cat", "dog", "Cat"]}
    (said,) = warned(karat.read(table).score())
    assert "and 1 answer is wrong only for that" in said
    table["x"][0] = "cat"
    (said,) = warned(karat.read(table).score())
    assert (
        said == "warning: labels differ only in case or spaces; spell them the same: 'Cat', 'cat'"
    )
