"""What a table of answers means: roles, layouts, truths, kinds, and what is missing."""

import numpy as np
import pandas as pd
import pytest

import karat
from karat.errors import InputError, OptionError, RoleError, UnknownNameError

PETS = ["cat", "dog", "cat", "bird"]
WRONG = ["dog", "dog", "cat", "cat"]
PAIRS = [(1, 0), ("1", "0"), (True, False), ("true", "false"), ("True", "FALSE"), ("yes", "no"), ("+", "-")]
LONG = {"item": [1, 2, 1], "system": ["a", "a", "b"], "answer": ["x", "y", "x"], "truth": ["x", "x", "x"]}


def right(data, **options):
    """How many of how many items each system answered right."""
    rows = karat.read(data, **options).score(measure="accuracy").rows()
    return {row["system"]: (row["successes"], row["trials"]) for row in rows}


def facts(data, **options):
    return karat.read(data, **options).facts


def value(data, measure, **options):
    return karat.read(data, **options).score(measure=measure).rows()[0]["value"]


def left_out(data, **options):
    return {use.column: use.why for use in facts(data, **options).uses if use.role == "left out"}


def roles(data, **options):
    return {use.role: use.column for use in facts(data, **options).uses if use.role != "system"}


@pytest.fixture
def file(tmp_path):
    def write(text, name="table.csv"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


# Roles


@pytest.mark.parametrize("name", ["truth", "gold", "y_true", "target", "ground_truth", "label", "Truth"])
def test_the_truth_is_known_by_its_name(name):
    assert right({name: PETS, "a": PETS, "b": WRONG}) == {"a": (4, 4), "b": (2, 4)}


@pytest.mark.parametrize("name", ["item", "id", "question_id", "ID"])
def test_the_item_is_known_by_its_name(name):
    assert roles({name: [1, 2, 3, 4], "truth": PETS, "a": PETS})["item"] == name


@pytest.mark.parametrize("name", ["group", "query", "subject", "task"])
def test_the_group_is_known_by_its_name(name):
    assert roles({name: ["g"] * 4, "truth": PETS, "a": PETS})["group"] == name


def test_what_was_inferred_is_said():
    said = facts({"id": [1, 2, 3, 4], "gold": PETS, "a": PETS}).notes
    assert said == ("item = 'id', by its name", "truth = 'gold', by its name")


@pytest.mark.parametrize(
    ("role", "names"), [("truth", ("gold", "y_true")), ("item", ("id", "doc_id")), ("group", ("task", "query"))]
)
def test_two_columns_that_fit_one_role_are_an_error_that_names_the_option(role, names):
    table = {"truth": PETS} if role != "truth" else {}
    with pytest.raises(RoleError, match=f"could each be the {role}; settle it with --{role} COL"):
        karat.read({**table, names[0]: PETS, names[1]: PETS, "a": PETS})


def test_an_option_settles_an_ambiguity_and_the_other_column_is_no_system():
    table = {"gold": PETS, "y_true": WRONG, "a": WRONG}
    assert right(table, truth="y_true") == {"a": (4, 4)}
    assert left_out(table, truth="y_true") == {"gold": "another truth"}


def test_a_second_column_with_a_roles_name_is_never_a_system():
    table = {"item": [1, 2, 3, 4], "id": [7, 8, 9, 10], "truth": PETS, "gold": PETS, "a": WRONG}
    assert facts(table).systems == ("a",)


def test_the_index_of_a_saved_data_frame_is_no_system(file):
    assert facts(file(",truth,a\n0,x,x\n1,y,y\n")).systems == ("a",)
    assert facts(file("Unnamed: 0,truth,a\n0,x,x\n1,y,y\n")).systems == ("a",)


def test_other_truths_and_what_describes_an_item_are_left_out_and_named():
    table = {"truth": PETS, "truth_new": WRONG, "seed": [1, 1, 2, 2], "a": WRONG}
    assert left_out(table) == {"truth_new": "another truth", "seed": "describes the item"}
    assert "left out: 'truth_new', 'seed'" in facts(table).notes


def test_named_systems_are_believed_and_the_rest_left_out():
    table = {"truth": PETS, "b": WRONG, "a": PETS, "seed": [1, 1, 2, 2]}
    assert right(table, systems=("seed", "a")) == {"a": (4, 4), "seed": (0, 4)}
    assert facts(table, systems="a").systems == ("a",)
    assert set(left_out(table, systems="a")) == {"b", "seed"}


@pytest.mark.parametrize("role", ["truth", "item", "group", "cluster", "weight", "count", "run", "systems"])
def test_a_column_that_is_not_there_is_an_error_with_the_nearest_name(role):
    with pytest.raises(RoleError, match=f"no column 'colum', which --{role} names; did you mean 'column'"):
        karat.read({"truth": PETS, "a": PETS, "column": PETS}, **{role: "colum"})


def test_a_table_without_systems_is_an_error():
    with pytest.raises(RoleError, match="name them with --systems"):
        karat.read({"item": [1, 2], "truth": ["x", "y"]})


def test_a_table_without_truth_can_be_read_but_not_scored():
    bench = karat.read({"item": [1, 2], "a": ["x", "y"]})
    with pytest.raises(OptionError, match="name it with --truth"):
        bench.score()


# Wide and long


def test_a_column_that_names_the_system_makes_the_table_long():
    assert right(LONG) == {"a": (1, 2), "b": (1, 2)}


@pytest.mark.parametrize("system", ["system", "model", "annotator", "worker"])
@pytest.mark.parametrize("answer", ["answer", "label", "prediction"])
def test_who_answered_and_what_are_known_by_their_names(system, answer):
    assert right({"item": [1, 2], system: ["a", "a"], answer: ["x", "y"], "truth": ["x", "x"]}) == {"a": (1, 2)}


def test_a_pair_of_item_and_system_that_is_absent_is_a_missing_answer():
    assert facts(LONG).counts.missing == {"a": 0, "b": 1}
    assert right(LONG, missing="skip") == {"a": (1, 2), "b": (1, 1)}


def test_long_columns_of_any_name_can_be_named():
    table = {"page": [1, 2], "engine": ["a", "a"], "text": ["x", "y"], "truth": ["x", "x"]}
    assert right(table, long=("page", "engine", "text")) == {"a": (1, 2)}


def test_systems_of_a_long_table_can_be_chosen():
    assert right(LONG, systems="b") == {"b": (1, 2)}


def test_a_system_that_never_answered_is_refused():
    with pytest.raises(RoleError, match="no answers of 'c', which --systems names"):
        karat.read(LONG, systems=("a", "c"))


def test_a_long_table_needs_items():
    with pytest.raises(RoleError, match="--item COL, or all three with --long ITEM,SYSTEM,ANSWER"):
        karat.read({name: column for name, column in LONG.items() if name != "item"})


def test_two_columns_that_name_the_system_are_an_error_that_names_the_option():
    with pytest.raises(
        RoleError, match="'system', 'model' could each say which system answered; settle it with --long"
    ):
        karat.read({**LONG, "model": ["m", "m", "m"]})


def test_a_long_table_gives_every_item_one_truth():
    with pytest.raises(InputError, match=r"item '1' has two truths, 'x' and 'y'"):
        karat.read({**LONG, "truth": ["x", "x", "y"]})
    assert right({**LONG, "truth": ["x", "x", None]}) == {"a": (1, 2), "b": (1, 2)}


def test_a_wide_and_a_long_table_of_the_same_answers_agree():
    wide = {"item": [1, 2], "truth": ["x", "x"], "a": ["x", "y"], "b": ["x", None]}
    assert karat.read(wide).score().rows() == karat.read(LONG).score().rows()


# Repeated answers

REPEATED = {
    "item": [1, 1, 1, 2, 2, 2],
    "system": ["a"] * 6,
    "answer": ["y", "x", "x", "x", "x", "y"],
    "truth": ["x"] * 6,
}


def test_repeated_answers_are_refused_with_the_remedy():
    with pytest.raises(InputError, match=r"'a' answered item '1' 3 times; .*--repeats first, majority or keep"):
        karat.read(REPEATED)


@pytest.mark.parametrize(("repeats", "expected"), [("first", (1, 2)), ("majority", (2, 2)), ("keep", (4, 6))])
def test_what_repeated_answers_mean_is_for_the_user_to_say(repeats, expected):
    assert right(REPEATED, repeats=repeats) == {"a": expected}


def test_kept_repetitions_of_an_item_hang_together():
    row = karat.read(REPEATED, repeats="keep").score(measure="accuracy").rows()[0]
    assert row["method"].startswith("jackknife over 2 clusters")


def test_repetitions_of_one_system_are_no_missing_answers_of_another():
    once = {"item": [1], "system": ["b"], "answer": ["x"], "truth": ["x"]}
    both = {name: column + once[name] for name, column in REPEATED.items()}
    assert right(both, repeats="keep")["b"] == (1, 2)
    assert right(both, repeats="keep", missing="skip")["b"] == (1, 1)
    assert facts(both, repeats="keep").counts.missing["b"] == 1


def test_runs_of_one_system_are_no_missing_answers_of_another():
    seeds = {"item": [1, 1], "system": ["a", "b"], "answer": ["x", "x"], "truth": ["x", "x"], "seed": [1, 2]}
    assert facts(seeds, run="seed").counts.missing == {"a": 0, "b": 0}


def test_repeats_are_settled_within_a_run():
    table = {
        "item": [1, 1, 1],
        "system": ["a"] * 3,
        "answer": ["x", "y", "y"],
        "truth": ["x"] * 3,
        "run": [1, 2, 2],
    }
    assert right(table, run="run", repeats="first") == {"a": (1, 2)}


# Truth

ANSWERS = "item,a,b\n1,cat,dog\n2,dog,dog\n3,cat,cat\n4,bird,cat\n"
TRUTH = "item,truth,other,subject,w\n4,bird,x,s,1\n1,cat,x,s,2\n2,dog,x,t,3\n3,cat,x,t,4\n9,cat,x,t,5\n"


def test_the_truth_may_be_a_column():
    assert right({"key": PETS, "truth_new": WRONG, "a": WRONG}, truth="truth_new", systems="a") == {"a": (4, 4)}


def test_the_truth_may_be_another_file_joined_by_item(file):
    answers, truth = file(ANSWERS), file(TRUTH, "truth.csv")
    assert right(answers, truth=truth) == {"a": (4, 4), "b": (2, 4)}
    assert facts(answers, truth=truth).counts.unanswered == 1


def test_the_truth_may_be_one_column_of_another_file(file):
    answers, truth = file(ANSWERS), file(TRUTH, "truth.csv")
    assert right(answers, truth=f"{truth}:other") == {"a": (0, 4), "b": (0, 4)}


def test_the_truth_may_be_a_dict():
    assert right({"item": [1, 2], "a": ["x", "y"]}, truth={"item": [2, 1], "truth": ["x", "x"]}) == {"a": (1, 2)}


def test_items_are_found_whatever_type_names_them(file):
    truth = {"item": ["1", "2", "3", "4"], "truth": PETS}
    assert right({"item": [1, 2, 3, 4], "a": PETS}, truth=truth) == {"a": (4, 4)}
    assert right({"item": np.array([1, 2, 3, 4]), "a": PETS}, truth=file(TRUTH)) == {"a": (4, 4)}


def test_columns_of_the_truth_file_are_never_systems(file):
    assert facts(file(ANSWERS), truth=file(TRUTH, "truth.csv")).systems == ("a", "b")


def test_group_and_weight_may_come_from_the_truth_file(file):
    bench = karat.read(file(ANSWERS), truth=file(TRUTH, "truth.csv"), group="subject", weight="w")
    rows = bench.score(measure="accuracy", per="group").rows()
    found = {(row["system"], row["group"]): row["value"] for row in rows}
    assert found["b", "s"] == 0
    assert found["b", "t"] == 1
    assert bench.score(measure="accuracy").rows()[1]["value"] == pytest.approx(7 / 10)


def test_items_without_truth_are_left_out_and_counted():
    table = {"item": [1, 2, 3], "a": ["x", "y", "z"]}
    truth = {"item": [1, 2], "truth": ["x", "x"]}
    assert right(table, truth=truth) == {"a": (1, 2)}
    assert facts(table, truth=truth).counts.without_truth == 1
    assert "1 item without truth left out" in facts(table, truth=truth).remarks()[0]


def test_a_truth_that_matches_nothing_is_an_error_that_shows_both_names():
    with pytest.raises(InputError, match=r"its items are like 'p1', the table's like '1'; check --item"):
        karat.read({"item": [1, 2], "a": ["x", "y"]}, truth={"item": ["p1", "p2"], "truth": ["x", "y"]})


def test_several_truths_in_a_file_are_an_error_that_lists_them(file):
    with pytest.raises(RoleError, match="say which of 'truth_a', 'truth_b' with --truth FILE:COL"):
        karat.read(file(ANSWERS), truth=file("item,truth_a,truth_b\n1,x,y\n", "truth.csv"))


def test_a_truth_file_names_every_item_once(file):
    with pytest.raises(InputError, match=r"truth.csv: item '1' occurs 2 times \(rows 1 and 2\)"):
        karat.read(file(ANSWERS), truth=file("item,truth\n1,x\n1,x\n", "truth.csv"))


def test_a_truth_elsewhere_needs_items_in_the_table():
    with pytest.raises(RoleError, match="no item column to find the truth by; name it with --item"):
        karat.read({"a": ["x"]}, truth={"item": [1], "truth": ["x"]})


def test_a_truth_may_be_a_set_of_right_labels():
    table = {"truth": ["x y", "y", "z w"], "a": ["x", "y", "q"], "b": ["y", "x", None]}
    assert right(table, truth_sep=" ") == {"a": (2, 3), "b": (1, 3)}
    assert right(table) == {"a": (1, 3), "b": (0, 3)}


def test_a_right_answer_to_a_set_is_a_hit_of_its_own_class():
    table = {"truth": ["x y", "x y"], "a": ["y", "z"]}
    rows = karat.read(table, truth_sep=" ").score(per="class", measure="recall").rows()
    assert {row["label"]: (row["successes"], row["trials"]) for row in rows} == {"x": (0, 1), "y": (1, 1), "z": (0, 0)}


def test_a_value_may_mean_that_there_is_no_truth():
    for truth, none in (([-1, 2, 3], "-1"), (["?", "2", "3"], ("?", "!")), ([-1.0, 2.0, 3.0], ("-1",))):
        assert right({"truth": truth, "a": [2, 2, 2]}, no_truth=none) == {"a": (1, 2)}


def test_a_value_that_means_no_truth_does_not_change_the_kind():
    table = {"truth": ["yes", "no", "?"], "a": [1, 0, 0]}
    assert facts(table, no_truth="?").kind == "yesno"
    assert right(table, no_truth="?") == {"a": (2, 2)}


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


def test_one_word_of_a_pair_is_enough():
    assert facts({"truth": ["yes", "no"], "a": ["no", "no"]}).kind == "yesno"
    assert facts({"truth": [1, 0], "a": [1, 1], "b": [0, 0]}).kind == "yesno"


def test_the_positive_can_be_chosen():
    assert value({"truth": [1, 0, 0], "a": [1, 0, 1]}, "recall", positive="0") == 0.5
    assert value({"truth": PETS, "a": WRONG}, "recall", positive="cat") == 0.5
    with pytest.raises(OptionError, match="--positive is 'maybe', but the answers are '1' and '0'"):
        karat.read({"truth": [1, 0], "a": [1, 0]}, positive="maybe")


def test_whole_numbers_are_labels_and_one_point_zero_is_one():
    table = {"truth": [3.0, 2.0, 1.0], "a": [3, 2, 2], "b": ["3", "2.0", "1"]}
    assert facts(table).kind == "label"
    assert right(table) == {"b": (3, 3), "a": (2, 3)}
    assert right({"truth": [1.0, 0.0], "a": [1, 0], "b": ["1.0", "0.0"]}) == {"a": (2, 2), "b": (2, 2)}


@pytest.mark.parametrize("answers", [["7", "1", "2"], ["07", "01", "02"]])
def test_leading_zeros_are_kept(file, answers):
    rows = "".join(f"{truth},{answer}\n" for truth, answer in zip(["007", "01", "2"], answers, strict=True))
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
    path = file(f'{{"truth": "{label}", "a": "{label}"}}\n{{"truth": "{label}", "a": "x"}}\n', "table.jsonl")
    assert right(path) == {"a": (1, 2)}


@pytest.mark.parametrize("label", ["cat", "12h30", "2020/01/01", "007"])
def test_labels_of_json_stay_as_they_are(file, label):
    path = file(f'{{"truth": "{label}", "a": "{label}"}}\n{{"truth": "{label}", "a": "x"}}\n', "table.jsonl")
    assert right(path) == {"a": (1, 2)}


def test_fractions_are_scores():
    table = {"truth": [1, 0, 1, 0], "a": [0.9, 0.6, 0.5, 0.1]}
    assert facts(table).kind == "score"
    row = karat.read(table).score(threshold=0.6, measure="accuracy").rows()[0]
    assert (row["successes"], row["trials"]) == (2, 4)


def test_a_missing_score_is_a_missing_answer(file):
    for table in ({"truth": [1, 0], "a": [0.9, None]}, file("truth,a\n1,0.9\n0,\n")):
        assert facts(table).counts.missing == {"a": 1}
        assert karat.read(table).score(threshold=0.5, measure="accuracy").rows()[0]["successes"] == 1


@pytest.mark.parametrize("text", ["truth,a\n1,.9\n0,nan\n", "item,system,score,truth\n1,a,.9,1\n2,a,NaN,0\n"])
def test_a_score_that_is_not_a_number_is_refused_with_its_row(file, text):
    with pytest.raises(InputError, match=r"table.csv, row 2: the score '(nan|NaN)' in '(a|score)' is not a number"):
        karat.read(file(text))


def test_a_threshold_is_for_scores_and_is_a_number():
    with pytest.raises(OptionError, match="--threshold is for scores; these answers are label"):
        karat.read({"truth": PETS, "a": PETS}).score(threshold=0.5)
    with pytest.raises(OptionError, match="--threshold is nan"):
        karat.read({"truth": [1, 0], "a": [0.9, 0.1]}).score(threshold=float("nan"))


def test_scores_of_one_label_among_several_are_judged_as_that_label_or_not():
    table = {"truth": ["yes", "no", "maybe", "no"], "a": [0.1, 0.2, 0.9, 0.8]}
    rows = karat.read(table, positive="maybe").score(threshold=0.5).rows()
    assert {row["measure"]: row["value"] for row in rows} == {
        "accuracy": 0.75,
        "precision": 0.5,
        "recall": 1.0,
        "f1": pytest.approx(2 / 3),
    }
    with pytest.raises(OptionError, match="--positive"):
        karat.read(table).score(threshold=0.5)


def test_free_text_and_columns_of_another_kind_are_left_out_and_named():
    note = ["a long remark about this animal " * 3, "", "", ""]
    table = {"truth": PETS, "a": PETS, "note": note, "seconds": [0.5, 1.5, 2.5, 3.5], "b": WRONG, "c": [None] * 4}
    assert facts(table).systems == ("a", "b")
    assert left_out(table) == {
        "note": "free text",
        "c": "empty",
        "seconds": "scores, while the systems give labels",
    }


def test_columns_of_two_kinds_that_both_fit_are_an_error_that_lists_them():
    with pytest.raises(RoleError, match=r"labels: 'a'; scores: 'b'\); say which are systems with --systems"):
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
    "text", ["truth,m.p.x,m.p.y\nx,.5,.5\ny,{},.2\n", "item,system,label,p,truth\n1,m,x,.5,x\n1,m,y,{},x\n"]
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
    assert right({"truth": ["a", "-", "-", "b"], "s": ["a", "-", "b", "-"]}, nothing="-", kinds={"": "label"}) == {
        "s": (1, 3)
    }


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
    rows = karat.read({"truth": ["x"], "a": ["x"], "b": [None]}, systems=("a", "b"), missing="skip").score().rows()
    assert {row["value"] for row in rows if row["system"] == "b"} == {None}


@pytest.mark.parametrize(
    ("option", "value", "remedy"),
    [("missing", "drop", "wrong, skip or as:LABEL"), ("repeats", "last", "first, majority or keep")],
)
def test_an_option_that_cannot_be_meant_is_refused(option, value, remedy):
    with pytest.raises(OptionError, match=remedy):
        karat.read(LONG, **{option: value})


# Weights, counts, clusters and runs


def test_a_count_is_a_frequency_and_the_exact_interval_holds():
    counted = karat.read({"truth": ["x", "y"], "a": ["x", "x"], "n": [3, 2]}, count="n")
    repeated = karat.read({"truth": ["x"] * 3 + ["y"] * 2, "a": ["x"] * 5})
    assert counted.score().rows() == repeated.score().rows()


def test_a_weight_is_importance_and_the_interval_is_drawn():
    row = karat.read({"truth": PETS, "a": WRONG, "weight": [1, 2, 3, 4.5]}).score(measure="accuracy").rows()[0]
    assert row["value"] == pytest.approx(5 / 10.5)
    assert row["method"].startswith("bootstrap over 4 weighted items")


@pytest.mark.parametrize(
    ("role", "numbers", "reason"),
    [
        ("count", [1, 2, 3, 0.5], "1 fractions; --count holds frequencies, --weight holds importance"),
        ("weight", [1, 2, 3, -1], "1 negative weight"),
        ("weight", ["1", "2", "3", None], "1 empty weight"),
        ("weight", ["1", "2", "3", "four"], "the weight 'four' in 'n' is no number"),
    ],
)
def test_a_weight_that_is_none_is_refused(role, numbers, reason):
    with pytest.raises(karat.KaratError, match=reason):
        karat.read({"truth": PETS, "a": PETS, "n": numbers}, **{role: "n"})


@pytest.mark.parametrize(("role", "bad"), [("weight", "four"), ("count", 0.5), ("error", 3)])
def test_what_an_item_counts_or_errs_is_read_and_checked_in_a_row_per_answer_as_well(role, bad):
    numbers = {"weight": [1.5, 2, 3, 4], "count": [1, 2, 3, 4], "error": [0, 0.1, 0.2, 0.5]}[role]
    wide = {"item": [1, 2, 3, 4], "truth": PETS, "a": PETS, "b": WRONG, "n": numbers}
    long = {name: wide[name] * 2 for name in ("item", "truth", "n")}
    long |= {"system": ["a"] * 4 + ["b"] * 4, "answer": PETS + WRONG}
    one, other = (karat.read(table, **{role: "n"}) for table in (wide, long))
    assert other.score(draws=100).rows() == one.score(draws=100).rows()
    assert other.counter.patterns(keys="we").digest() == one.counter.patterns(keys="we").digest()
    with pytest.raises(karat.KaratError, match="'n'"):
        karat.read({**long, "n": [str(bad), *map(str, long["n"][1:])]}, **{role: "n"})


def test_weight_and_count_and_cluster_and_run_exclude_each_other():
    with pytest.raises(OptionError, match="--weight and --count exclude each other"):
        karat.read({"truth": PETS, "a": PETS}, weight="w", count="n")
    with pytest.raises(OptionError, match="--cluster and --run exclude each other"):
        karat.read({"truth": PETS, "a": PETS}, cluster="c", run="r")


def test_items_that_hang_together_are_drawn_together():
    row = karat.read({"truth": PETS, "a": WRONG, "book": [1, 1, 2, 2]}, cluster="book").score().rows()[0]
    assert row["method"].startswith("jackknife over 2 clusters")


def test_runs_of_a_system_share_their_items_and_show_their_spread():
    table = {"item": [1, 2, 1, 2], "run": [1, 1, 2, 2], "truth": ["x", "y", "x", "y"], "a": ["x", "y", "x", "x"]}
    row = karat.read(table, run="run").score(measure="accuracy").rows()[0]
    assert (row["value"], row["runs"], row["run_low"], row["run_high"]) == (0.75, 2, 0.5, 1.0)
    assert row["method"].startswith("jackknife over 2 clusters")


def test_a_run_holds_an_item_once():
    with pytest.raises(InputError, match="item '1' occurs 2 times"):
        karat.read({"item": [1, 1], "run": [1, 1], "truth": ["x", "x"], "a": ["x", "y"]}, run="run")


# Checks


def test_names_that_differ_only_in_case_are_two_names():
    assert facts({"truth": PETS, "a": PETS, "A": WRONG}).systems == ("a", "A")


def test_a_duplicate_item_is_refused_with_its_rows():
    with pytest.raises(InputError, match=r"item '1' occurs 2 times \(rows 1 and 3\); an item must occur once"):
        karat.read({"item": [1, 2, 1], "truth": ["x", "y", "x"], "a": ["x", "y", "x"]})
    assert right({"item": [1, 1], "truth": ["x", "y"], "a": ["x", "y"]}, duplicate_check=False) == {"a": (2, 2)}


def test_a_frame_with_two_columns_of_one_name_is_refused():
    frame = pd.DataFrame([["x", "x", "y"]], columns=["truth", "a", "a"])
    with pytest.raises(InputError, match="the pandas frame has 'a' more than once; rename one of them"):
        karat.read(frame)


def test_a_row_without_its_item_is_refused():
    with pytest.raises(InputError, match=r"1 rows? (has|have) no 'item'"):
        karat.read({"item": ["1", None], "truth": ["x", "y"], "a": ["x", "y"]})


@pytest.mark.parametrize("table", [{}, {"truth": [], "a": []}])
def test_an_empty_table_is_refused(table):
    with pytest.raises(InputError, match="no rows; karat needs at least one item"):
        karat.read(table)


def test_a_table_with_a_header_and_no_rows_is_refused(file):
    with pytest.raises(InputError, match=r"table.csv has a header but no rows"):
        karat.read(file("item,truth,a\n"))


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"truth": [1, 0], "a": [1]}, "different lengths"),
        ({"truth": [1, 0], "a": 1}, "'a' is the single value 1"),
        ({"truth": "xy", "a": ["x", "y"]}, "'truth' is the single value 'xy'"),
        ({"truth": [1, 0], "a": [[1], [0]]}, "a column holds 'list'"),
        ({"truth": np.zeros((2, 2)), "a": [1, 0]}, "'truth' has 2 dimensions"),
        ({"truth": np.array([b"x"]), "a": ["x"]}, "'truth' holds .S1"),
    ],
)
def test_columns_that_are_no_columns_are_refused(columns, reason):
    with pytest.raises(InputError, match=reason):
        karat.read(columns)


def test_numpy_columns_of_every_kind_are_read():
    small = np.array([-128, 127, 0], np.int8)
    assert right({"truth": small, "a": small.astype(np.int64), "b": [-128, 0, 0]}) == {"a": (3, 3), "b": (2, 3)}
    large = np.array([5, 6], np.uint64)
    assert right({"truth": [5, 6], "a": large, "b": large.astype(np.float32)}) == {"a": (2, 2), "b": (2, 2)}
    assert right({"truth": np.array(["x", "y"]), "a": np.array([True, False])}) == {"a": (0, 2)}
    masked = np.ma.array([5, 6], mask=[False, True])
    assert facts({"truth": [5, 6], "a": masked}).counts.missing == {"a": 1}


@pytest.mark.parametrize("data", [None, 5, [{"truth": 1, "a": 1}]])
def test_what_is_no_table_is_refused(data):
    with pytest.raises(InputError, match="give it a path, a data frame or a dict of columns"):
        karat.read(data)


def test_a_positive_that_never_occurs_is_undefined_not_an_error():
    assert value({"truth": [0, 0], "a": [0, 0]}, "recall") is None


@pytest.mark.parametrize(
    ("chances", "message"),
    [
        (
            [0.1, 1.5, -1.0],
            r"row 2: the error in 'e' is 1.5, no probability from 0 to 1; 1 more row cannot be used either",
        ),
        ([0.1, 0.2, None], r"row 3: the error in 'e' is empty, where there is a truth; write 0 where it is sure"),
    ],
)
def test_an_error_that_is_no_probability_is_named_with_its_row(chances, message):
    table = {"truth": ["x", "y", "x"], "e": chances, "a": ["x", "x", "x"]}
    with pytest.raises(InputError, match=message):
        karat.read(table, error="e", systems=("a",))
