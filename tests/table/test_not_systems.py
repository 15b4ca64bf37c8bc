"""Columns that hold no answers: they are no systems unless the user names them."""

import karat
from support.tables import facts, left_out

N = 12
ANIMALS = ["cat", "dog", "fox"] * 4
NO_LABEL = "none of its values is a label of the truth"
NUMBERS = "numbers the rows"
WITH_DESCRIPTIONS = {
    "truth": ANIMALS,
    "a": ANIMALS,
    "b": ["cat"] * N,
    "when": [f"{day:02d}.03.2024" for day in range(1, N + 1)],
    "hard": [True, False] * 6,
    "length": [30, 31, 30, 33, 34, 30, 30, 37, 38, 39, 30, 30],
    "No.": list(range(1, N + 1)),
}


def test_columns_without_a_label_of_the_truth_are_left_out_with_a_note():
    read = facts(WITH_DESCRIPTIONS)
    assert read.systems == ("a", "b")
    assert left_out(WITH_DESCRIPTIONS) == {
        "when": NO_LABEL,
        "hard": NO_LABEL,
        "length": NO_LABEL,
        "No.": NUMBERS,
    }
    assert "left out: 'No.'" in read.notes
    note = next(note for note in read.notes if "as none of their values" in note)
    assert "'when', 'hard', 'length'" in note
    assert "name every system with" in note


def test_they_do_not_change_what_is_said_of_the_systems():
    """Holm's correction is for the pairs of systems; three columns more would be nine pairs more."""
    alone = {name: WITH_DESCRIPTIONS[name] for name in ("truth", "a", "b")}
    assert karat.read(WITH_DESCRIPTIONS).compare().rows() == karat.read(alone).compare().rows()


def test_they_do_not_turn_yes_and_no_into_labels():
    table = {"truth": [1, 0] * 6, "a": [1, 1] * 6, "b": [0, 1] * 6, "language": ["en", "de"] * 6}
    assert facts(table).kind == "yesno"
    assert left_out(table) == {"language": NO_LABEL}


def test_a_column_that_is_named_is_believed():
    assert facts(WITH_DESCRIPTIONS, systems=["a", "when"]).systems == ("a", "when")
    assert "hard" in facts(WITH_DESCRIPTIONS, kinds={"hard": "label"}).systems


def test_case_spaces_and_the_form_of_numbers_make_no_stranger():
    table = {"truth": ["1", "2", "3"] * 4, "a": [1.0, 2.0, 3.0] * 4}
    assert facts(table).systems == ("a",)
    table = {"truth": ANIMALS, "a": [f" {name.upper()}" for name in ANIMALS], "b": ANIMALS}
    assert facts(table).systems == ("a", "b")


def test_words_of_two_pairs_mean_the_same():
    table = {"truth": ["yes", "no"] * 6, "a": [1, 0] * 6, "b": ["true", "false"] * 6}
    assert facts(table).systems == ("a", "b")


def test_scores_in_whole_numbers_are_no_labels():
    table = {"truth": [1, 0] * 6, "a": [250, 3, 90, 40] * 3, "b": [7, 6, 5, 4] * 3}
    assert facts(table).systems == ("a", "b")


def test_a_row_number_beside_scores_is_no_system():
    table = {"truth": [1, 0] * 6, "a": [0.9, 0.1] * 6, "nr": list(range(100, 100 + N))}
    assert facts(table).systems == ("a",)
    assert left_out(table) == {"nr": NUMBERS}
    assert left_out(table, kinds="score") == {"nr": NUMBERS}
    assert {row["system"] for row in karat.read(table).skew(to=0.1, draws=100).rows()} == {"a"}
    assert facts(table, kinds={"nr": "score", "a": "score"}).systems == ("a", "nr")


def test_if_no_column_would_remain_all_stay():
    table = {"truth": ANIMALS, "a": ["Katze"] * N, "b": ["Hund"] * N}
    assert facts(table).systems == ("a", "b")


def test_of_few_answers_none_may_be_right_by_chance():
    table = {"truth": ANIMALS[:9], "a": ANIMALS[:9], "b": ["bird"] * 9}
    assert facts(table).systems == ("a", "b")


def test_texts_of_which_none_is_right_are_answers():
    table = {"truth": ["a b c", "d e"] * 6, "a": ["a b", "d f"] * 6, "b": ["a b c", "d"] * 6}
    assert facts(table).systems == ("a", "b")
    words = [f"word{place}" for place in range(N)]
    table = {"truth": words, "a": [word[:-1] for word in words], "b": words}
    assert facts(table).systems == ("a", "b")


def test_where_all_items_are_of_one_class_a_system_may_miss_all():
    table = {"truth": ["spam"] * N, "a": ["spam"] * N, "b": ["ham"] * N}
    assert facts(table).systems == ("a", "b")


def test_a_label_that_comes_late_is_enough():
    many = 2_000
    late = ["bird"] * (many - 1) + ["cat"]
    truth = ["cat", "dog"] * (many // 2)
    table = {"truth": truth, "a": ["cat"] * many, "b": late, "c": ["bird"] * many}
    assert facts(table).systems == ("a", "b")


def test_the_truth_may_be_in_another_file(tmp_path):
    answers = tmp_path / "answers.csv"
    truth = tmp_path / "truth.csv"
    answers.write_text(
        "id,a,when\n" + "".join(f"{n},{name},monday\n" for n, name in enumerate(ANIMALS))
    )
    truth.write_text("id,gold\n" + "".join(f"{n},{name}\n" for n, name in enumerate(ANIMALS)))
    assert left_out(str(answers), truth=f"{truth}:gold") == {"when": NO_LABEL}
