"""What answers are: words, numbers, scores, distributions, nothing, or missing."""

import numpy as np
import pytest

import karat
from karat.engine import OpenedSource
from karat.engine.duckdb import DuckDB
from karat.errors import InputError, OptionError, RoleError, UnknownNameError
from karat.table.kinds import profile
from support.tables import LONG, PETS, WRONG, facts, left_out, right, roles, value

PAIRS = [
    (1, 0),
    ("1", "0"),
    (True, False),
    ("true", "false"),
    ("True", "FALSE"),
    ("yes", "no"),
    ("+", "-"),
]


# Kinds


@pytest.mark.parametrize(("yes", "no"), PAIRS)
def test_each_pair_of_words_is_yes_and_no(yes, no):
    table = {"truth": [yes, no, yes, no], "a": [yes, yes, no, no]}
    assert facts(table).kind == "yesno"
    assert facts(table).meaning.positive == str(yes).lower()
    assert value(table, "precision") == 0.5


@pytest.mark.parametrize("truth", PAIRS)
@pytest.mark.parametrize("answer", PAIRS)
def test_a_yes_is_a_yes_in_every_word(truth, answer):
    table = {"truth": [truth[k] for k in (0, 1, 0)], "a": [answer[k] for k in (0, 1, 1)]}
    assert facts(table).kind == "yesno"
    assert right(table) == {"a": (2, 3)}


EXTREME = [0.0, -0.0, 1.0, 0.5, 2.0, -1.0, np.nan, np.inf, -np.inf, 1e300, -9e18, 8e18]


@pytest.mark.parametrize("first", EXTREME)
@pytest.mark.parametrize("second", EXTREME)
def test_numbers_without_end_and_nan_are_counted_with_the_fractions(first, second):
    engine = DuckDB(())
    engine.view("numbers", f"select unnest(['{first}', '{second}']::double[]) as c0")
    found = profile(
        engine, OpenedSource("numbers", "numbers", ("a",), ("fraction",), columnar=True), [0]
    )["a"]
    values = np.array([first, second])
    is_nan = np.isnan(values)
    is_whole = (np.abs(values) < 9e18) & (values == np.floor(values))
    assert found.nan == is_nan.sum()
    assert found.fractional == (~is_whole & ~is_nan).sum()
    assert (found.pair is not None) == np.isin(values, [0, 1]).all()


def test_one_word_of_a_pair_is_enough():
    assert facts({"truth": ["yes", "no"], "a": ["no", "no"]}).kind == "yesno"
    assert facts({"truth": [1, 0], "a": [1, 1], "b": [0, 0]}).kind == "yesno"


def test_the_positive_can_be_chosen():
    assert value({"truth": [1, 0, 0], "a": [1, 0, 1]}, "recall", positive="0") == 0.5
    assert value({"truth": PETS, "a": WRONG}, "recall", positive="cat") == 0.5
    assert value({"truth": [1, 0, 0], "a": [1, 0, 1]}, "recall", positive=0) == 0.5
    assert value({"truth": [True, False], "a": [True, True]}, "recall", positive=False) == 0.0
    with pytest.raises(OptionError, match="positive= is 'maybe', but the answers are '1' and '0'"):
        karat.read({"truth": [1, 0], "a": [1, 0]}, positive="maybe")


def test_whole_numbers_are_labels_and_one_point_zero_is_one():
    table = {"truth": [3.0, 2.0, 1.0], "a": [3, 2, 2], "b": ["3", "2.0", "1"]}
    assert facts(table).kind == "label"
    assert right(table) == {"b": (3, 3), "a": (2, 3)}
    assert right({"truth": [1.0, 0.0], "a": [1, 0], "b": ["1.0", "0.0"]}) == {
        "a": (2, 2),
        "b": (2, 2),
    }
    assert right({"truth": ["-0", "0", "3"], "a": ["0", "-0.0", "3"]}) == {"a": (3, 3)}


@pytest.mark.parametrize("answers", [["7", "1", "2"], ["07", "01", "02"]])
def test_leading_zeros_are_kept(file, answers):
    rows = "".join(
        f"{truth},{answer}\n" for truth, answer in zip(["007", "01", "2"], answers, strict=True)
    )
    expected = sum(map(str.__eq__, ["007", "01", "2"], answers))
    assert right(file(f"truth,a\n{rows}")) == {"a": (expected, 3)}


@pytest.mark.parametrize(("yes", "no"), [("01", "00"), ("+1", "-1"), ("1", "-1")])
def test_what_only_looks_like_one_and_zero_are_labels(file, yes, no):
    path = file(f"truth,a\n{yes},{yes}\n{no},{no}\n{yes},{no}\n")
    assert facts(path).kind == "label"
    assert right(path) == {"a": (2, 3)}


def test_labels_keep_their_spelling(file):
    path = file("truth,a\nCat,cat\n--5,--5\n NA,NA\n1e5,100000\nnull,null\n")
    assert right(path) == {"a": (2, 5)}


@pytest.mark.parametrize("label", ["12:30", "2020-1-1", "2020-01-01T00:00:00Z"])
def test_labels_of_json_that_look_like_times_stay_as_they_are(file, label):
    path = file(
        f'{{"truth": "{label}", "a": "{label}"}}\n{{"truth": "{label}", "a": "x"}}\n', "table.jsonl"
    )
    assert right(path) == {"a": (1, 2)}


@pytest.mark.parametrize("label", ["cat", "12h30", "2020/01/01", "007"])
def test_labels_of_json_stay_as_they_are(file, label):
    path = file(
        f'{{"truth": "{label}", "a": "{label}"}}\n{{"truth": "{label}", "a": "x"}}\n', "table.jsonl"
    )
    assert right(path) == {"a": (1, 2)}


def test_fractions_are_scores():
    table = {"truth": [1, 0, 1, 0], "a": [0.9, 0.6, 0.5, 0.1]}
    assert facts(table).kind == "score"
    row = karat.read(table).score(threshold=0.6, measure="accuracy").rows()[0]
    assert (row["successes"], row["trials"]) == (2, 4)


def test_a_missing_score_is_a_missing_answer(file):
    for table in ({"truth": [1, 0], "a": [0.9, None]}, file("truth,a\n1,0.9\n0,\n")):
        assert facts(table).counts.missing == {"a": 1}
        assert (
            karat.read(table).score(threshold=0.5, measure="accuracy").rows()[0]["successes"] == 1
        )


@pytest.mark.parametrize(
    "text", ["truth,a\n1,.9\n0,nan\n", "item,system,score,truth\n1,a,.9,1\n2,a,NaN,0\n"]
)
def test_a_score_that_is_not_a_number_is_refused_with_its_row(file, text):
    with pytest.raises(
        InputError, match=r"table.csv, row 2: the score '(nan|NaN)' in '(a|score)' is not a number"
    ):
        karat.read(file(text))


def test_a_threshold_is_for_scores_and_is_a_number():
    with pytest.raises(OptionError, match="threshold= is for scores; these answers are label"):
        karat.read({"truth": PETS, "a": PETS}).score(threshold=0.5)
    with pytest.raises(OptionError, match="threshold= is nan"):
        karat.read({"truth": [1, 0], "a": [0.9, 0.1]}).score(threshold=float("nan"))


def test_a_threshold_may_be_a_number_of_numpy_and_stands_in_the_signature_whole():
    bench = karat.read({"truth": [1, 0], "a": [0.9, 0.12345678]})
    found = bench.score(threshold=np.float64(0.123456785), measure="accuracy")
    assert found.rows()[0]["value"] == 1.0
    assert "threshold='0.123456785'" in found.beside()["signature"]
    assert (
        karat.read({"truth": [1, 0], "a": [1, 1]}).stability(label_error=np.float32(0.25)).pairs
        == ()
    )


def test_scores_of_one_label_among_several_are_judged_as_that_label_or_not():
    table = {"truth": ["yes", "no", "maybe", "no"], "a": [0.1, 0.2, 0.9, 0.8]}
    rows = karat.read(table, positive="maybe").score(threshold=0.5).rows()
    assert {row["measure"]: row["value"] for row in rows} == {
        "accuracy": 0.75,
        "precision": 0.5,
        "recall": 1.0,
        "f1": pytest.approx(2 / 3),
    }
    with pytest.raises(OptionError, match="positive="):
        karat.read(table).score(threshold=0.5)


def test_free_text_and_columns_of_another_kind_are_left_out_and_named():
    note = ["a long remark about this animal " * 3, "", "", ""]
    table = {
        "truth": PETS,
        "a": PETS,
        "note": note,
        "seconds": [0.5, 1.5, 2.5, 3.5],
        "b": WRONG,
        "c": [None] * 4,
    }
    assert facts(table).systems == ("a", "b")
    assert left_out(table) == {
        "note": "free text",
        "c": "empty",
        "seconds": "scores, while the systems give labels",
    }


def test_columns_of_two_kinds_that_both_fit_are_an_error_that_lists_them():
    with pytest.raises(
        RoleError, match=r"labels: 'a'; scores: 'b'\); name the systems with systems="
    ):
        karat.read({"truth": [1, 0], "a": [1, 1], "b": [0.5, 0.1]})


def test_a_kind_can_be_said():
    numbers = {"truth": [1, 0, 1], "a": [5, 3, 2]}
    assert facts(numbers, kinds="score").kind == "score"
    assert facts({"truth": [1, 0], "a": [1, 1]}, kinds={"": "label"}).kind == "label"
    with pytest.raises(UnknownNameError, match="no kind is called 'skore'; did you mean 'score'"):
        karat.read(numbers, kinds="skore")
    with pytest.raises(UnknownNameError, match="no system is called 'b'"):
        karat.read(numbers, kinds={"b": "score"})


# Distributions and confidences


def test_of_two_labels_that_are_as_likely_the_first_by_name_is_the_answer():
    columns = {"m.p.9": [0.5], "m.p.10": [0.5]}
    for names in (["m.p.9", "m.p.10"], ["m.p.10", "m.p.9"]):
        assert right({"truth": [9], **{name: columns[name] for name in names}}) == {"m": (1, 1)}


def test_the_likeliest_label_of_a_distribution_is_the_answer():
    table = {"truth": ["x", "y", "y"], "m.p.x": [0.9, 0.2, 0.6], "m.p.y": [0.1, 0.8, 0.4]}
    assert facts(table).systems == ("m",)
    assert right(table) == {"m": (2, 3)}


def test_of_two_equally_likely_labels_the_first_is_the_answer():
    assert right({"truth": ["x", "y"], "m.p.x": [0.5, 0.5], "m.p.y": [0.5, 0.5]}) == {"m": (1, 2)}


def test_a_distribution_without_numbers_is_a_missing_answer():
    table = {"truth": ["x", "y"], "m.p.x": [0.5, None], "m.p.y": [0.1, None]}
    assert facts(table).counts.missing == {"m": 1}


def test_a_distribution_may_have_a_row_per_label():
    table = {
        "item": [1, 1, 2, 2],
        "system": ["m"] * 4,
        "label": ["x", "y", "x", "y"],
        "p": [0.1, 0.9, 0.8, 0.2],
        "truth": ["y", "y", "y", "y"],
    }
    assert right(table) == {"m": (1, 2)}


@pytest.mark.parametrize(
    "text",
    [
        "truth,m.p.x,m.p.y\nx,.5,.5\ny,{},.2\n",
        "item,system,label,p,truth\n1,m,x,.5,x\n1,m,y,{},x\n",
    ],
)
@pytest.mark.parametrize("bad", ["nan", "often"])
def test_a_probability_that_is_no_number_is_refused_with_its_row(file, text, bad):
    with pytest.raises(InputError, match=rf"table.csv, row 2: the probability '{bad}'"):
        karat.read(file(text.format(bad)))


def test_a_confidence_beside_a_label_is_no_system():
    table = {"truth": ["x", "y"], "m": ["x", "x"], "m.score": [0.9, 0.6]}
    assert facts(table).systems == ("m",)
    assert roles(table)["confidence"] == "m.score"


# Nothing and missing


def test_nothing_is_a_label_of_its_own_and_counts_for_nobody_where_both_say_it():
    table = {"truth": ["a", "∅", "∅", "b"], "s": ["a", "∅", "b", "∅"]}
    assert right(table) == {"s": (1, 3)}
    rows = karat.read(table).score(per="class").rows()
    assert {row["label"] for row in rows} == {"a", "b"}
    assert right(
        {"truth": ["a", "-", "-", "b"], "s": ["a", "-", "b", "-"]}, nothing="-", kinds={"": "label"}
    ) == {"s": (1, 3)}


def test_a_table_of_nothing_has_no_number():
    row = karat.read({"truth": ["∅"], "s": ["∅"]}).score().rows()[0]
    assert (row["trials"], row["value"], row["low"], row["high"]) == (0, None, 0.0, 1.0)


@pytest.mark.parametrize(
    ("missing", "accuracy", "recall", "precision"),
    [("wrong", (2, 4), 1 / 2, 1.0), ("skip", (2, 2), 1.0, 1.0), ("as:cat", (3, 4), 1.0, 2 / 3)],
)
def test_missing_answers_are_what_the_user_says(missing, accuracy, recall, precision):
    table = {"truth": PETS, "a": ["cat", None, None, "bird"]}
    assert right(table, missing=missing) == {"a": accuracy}
    assert value(table, "recall[cat]", missing=missing) == pytest.approx(recall)
    assert value(table, "precision[cat]", missing=missing) == pytest.approx(precision)


def test_missing_answers_are_shown_with_every_result():
    bench = karat.read({"truth": PETS, "a": ["cat", None, None, "bird"]})
    assert bench.facts.about()["missing"] == {"a": 2}
    assert "2 answers missing, counted as wrong" in bench.score().notes()[0]


def test_a_system_whose_answers_are_all_skipped_has_no_number():
    rows = (
        karat.read({"truth": ["x"], "a": ["x"], "b": [None]}, systems=("a", "b"), missing="skip")
        .score()
        .rows()
    )
    assert {row["value"] for row in rows if row["system"] == "b"} == {None}


@pytest.mark.parametrize(
    ("option", "value", "remedy"),
    [
        ("missing", "drop", "wrong, skip or as:LABEL"),
        ("repeats", "last", "first, majority or keep"),
    ],
)
def test_an_option_that_cannot_be_meant_is_refused(option, value, remedy):
    with pytest.raises(OptionError, match=remedy):
        karat.read(LONG, **{option: value})


@pytest.mark.parametrize("word", ["n/a", "NA", "-", " None ", "#N/A"])
def test_a_word_for_no_score_is_a_missing_score_and_told(word):
    table = {"truth": [1, 0, 1, 0], "a": ["0.9", word, "0.8", "0.3"]}
    assert facts(table).kind == "score"
    empty = {"truth": [1, 0, 1, 0], "a": [0.9, None, 0.8, 0.3]}
    assert value(table, "roc-area") == value(empty, "roc-area")
    assert "'a': 1 cell such as n/a among scores read as no answer" in facts(table).notes


def test_a_word_for_no_score_is_one_in_a_table_of_answers_too():
    table = {
        "item": [1, 1, 2, 2],
        "system": ["a", "b", "a", "b"],
        "truth": [1, 1, 0, 0],
        "score": ["0.5", "0.25", "n/a", "0.5"],
    }
    assert facts(table).kind == "score"
    assert sum(facts(table).counts.missing.values()) == 1


def test_whole_numbers_beside_such_a_word_stay_labels_unless_scores_are_asked_for():
    table = {"truth": [1, 0, 1, 0], "a": ["90", "n/a", "80", "30"]}
    assert facts(table).kind == "label"
    assert facts(table, kinds="score").counts.missing["a"] == 1
    named = {"truth": ["x", "y", "x"], "a": ["0.5", "n/a", "0.5"]}
    assert facts(named, kinds="label").counts.missing.get("a", 0) == 0


def test_another_word_among_scores_is_no_missing_score():
    table = {"truth": [1, 0, 1, 0], "a": ["0.9", "high", "0.8", "0.3"]}
    assert facts(table).kind == "label"


def test_words_of_several_pairs_in_one_column_mean_the_same():
    table = {"truth": ["yes", "no", "1", "0"], "a": ["1", "0", "TRUE", "true"]}
    assert facts(table).kind == "yesno"
    assert right(table) == {"a": (3, 4)}
    signs = {"truth": ["yes", "no", "+", "-"], "a": ["+", "-", "+", "-"]}
    assert facts(signs).kind == "label"
