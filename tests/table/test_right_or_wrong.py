"""Tables that say who was right: the truth of every item is yes."""

import pandas as pd
import pytest

import karat
from karat.errors import KaratError
from support.tables import facts, left_out, right

WIDE = {
    "question_id": [1, 2, 3],
    "task": ["a", "b", "a"],
    "gpt": [True, False, True],
    "llama": [True, False, False],
}
LONG = {
    "item": [1, 1, 2, 2],
    "model": ["gpt", "llama"] * 2,
    "answer": [*"ABAC"],
    "is_correct": [1, 0, 1, 1],
}


@pytest.mark.parametrize(
    "words", [(True, False), (1, 0), ("True", "False"), ("yes", "no"), (1.0, 0.0)]
)
def test_an_answer_of_yes_is_right_whatever_the_word_for_it(words):
    yes, no = words
    table = {"id": [1, 2, 3], "a": [yes, no, yes], "b": [no, no, None]}
    assert right(table, correct=True) == {"a": (2, 3), "b": (0, 3)}


def test_a_system_that_was_never_right_is_understood():
    assert right({"id": [1, 2], "a": [0, 0], "b": [1, 1]}, correct=True) == {
        "a": (0, 2),
        "b": (2, 2),
    }


def test_a_frame_says_who_was_right_too():
    assert right(pd.DataFrame(WIDE), correct=True) == {"gpt": (2, 3), "llama": (1, 3)}


def test_a_row_per_answer_says_who_was_right_whatever_was_answered():
    assert right(LONG, correct=True) == {"gpt": (2, 2), "llama": (1, 2)}


def test_any_column_can_say_who_was_right():
    renamed = {"ok" if name == "is_correct" else name: cells for name, cells in LONG.items()}
    assert right(renamed, correct=True, long=("item", "model", "ok")) == {
        "gpt": (2, 2),
        "llama": (1, 2),
    }


def test_a_file_of_who_was_right_needs_no_option(file):
    text = "item,model,task,is_correct\n1,gpt,a,1\n1,llama,a,0\n1,gpt,b,1\n1,llama,b,1\n"
    assert right(file(text)) == {"gpt": (2, 2), "llama": (1, 2)}
    assert right(file(text), correct=True) == right(file(text))


def test_columns_that_are_neither_right_nor_wrong_are_left_out_and_named():
    table = {**WIDE, "target": ["A", "B", "C"], "difficulty": ["easy", "hard", "hard"]}
    assert facts(table, correct=True).systems == ("gpt", "llama")
    assert left_out(table, correct=True) == {
        "target": "another truth",
        "difficulty": "neither right nor wrong",
    }


@pytest.mark.parametrize(
    "options", [{"truth": "gpt"}, {"no_truth": ("x",)}, {"truth": {"id": [1], "truth": [1]}}]
)
def test_what_was_right_already_has_no_other_truth(options):
    with pytest.raises(KaratError, match="leave out the options that name or describe a truth"):
        karat.read(WIDE, correct=True, **options)


def test_labels_are_neither_right_nor_wrong():
    with pytest.raises(KaratError, match="'a' holds label answers; with correct=True they are 1/0"):
        karat.read({"id": [1, 2], "a": ["cat", "dog"]}, correct=True)


@pytest.mark.parametrize("question", ["score", "compare", "stability"])
def test_without_a_truth_the_error_names_the_option(question):
    with pytest.raises(
        KaratError, match="or use correct=True, if true means that the system was right"
    ):
        getattr(karat.read(WIDE), question)()


def test_without_a_truth_a_column_that_says_who_was_right_is_named():
    with pytest.raises(
        KaratError, match="or use correct=True, if 'is_correct' says that the system was right"
    ):
        karat.read(LONG).score()


def test_a_vote_is_called_one_and_the_other_meaning_is_named(tmp_path):
    page = tmp_path / "page.md"
    karat.read({**WIDE, "third": [True, True, True]}).report(page)
    assert "There is no truth here: " in page.read_text()
    assert "If true means that a system was right, this is another question" in page.read_text()


def test_of_one_class_accuracy_says_all():
    found = karat.read(WIDE, correct=True).score()
    assert {row["measure"] for row in found.rows()} == {"accuracy"}
    assert any("Every truth is the same" in note for note in found.notes())
    assert "| accuracy |" in found.about["signature"]


def test_of_one_class_other_measures_can_be_asked_for():
    found = karat.read(WIDE, correct=True).score(measure="precision,accuracy")
    assert {row["measure"] for row in found.rows()} == {"precision", "accuracy"}
    assert not any("Every truth is the same" in note for note in found.notes())


def test_groups_of_one_class_have_accuracy_too():
    found = karat.read(WIDE, correct=True).score(per="group")
    assert {row["measure"] for row in found.rows()} == {"accuracy"}
