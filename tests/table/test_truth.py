"""Where the truth stands: in a column, in another file, as a set of labels, or nowhere."""

import numpy as np
import pytest

import karat
from karat.errors import InputError, RoleError
from support.tables import PETS, WRONG, facts, right

ANSWERS = "item,a,b\n1,cat,dog\n2,dog,dog\n3,cat,cat\n4,bird,cat\n"
TRUTH = (
    "item,truth,other,subject,w\n4,bird,x,s,1\n1,cat,x,s,2\n2,dog,x,t,3\n3,cat,x,t,4\n9,cat,x,t,5\n"
)


def test_the_truth_may_be_a_column():
    assert right({"key": PETS, "truth_new": WRONG, "a": WRONG}, truth="truth_new", systems="a") == {
        "a": (4, 4)
    }


@pytest.mark.parametrize("name", ["gold/x", "gold.txt", "a.csv:b"])
def test_the_truth_may_be_a_column_that_is_called_like_a_file(file, name):
    assert right(file(f"item,{name},a\n1,x,x\n2,y,x\n"), truth=name) == {"a": (1, 2)}
    with pytest.raises(InputError, match="there is no file"):
        karat.read(file("item,truth,a\n1,x,x\n"), truth=name)


def test_the_truth_may_be_another_file_joined_by_item(file):
    answers, truth = file(ANSWERS), file(TRUTH, "truth.csv")
    assert right(answers, truth=truth) == {"a": (4, 4), "b": (2, 4)}
    assert facts(answers, truth=truth).counts.unanswered == 1


def test_the_truth_may_be_one_column_of_another_file(file):
    answers, truth = file(ANSWERS), file(TRUTH, "truth.csv")
    assert right(answers, truth=f"{truth}:other") == {"a": (0, 4), "b": (0, 4)}


def test_the_truth_may_be_a_dict():
    assert right(
        {"item": [1, 2], "a": ["x", "y"]}, truth={"item": [2, 1], "truth": ["x", "x"]}
    ) == {"a": (1, 2)}


def test_items_are_found_whatever_type_names_them(file):
    truth = {"item": ["1", "2", "3", "4"], "truth": PETS}
    assert right({"item": [1, 2, 3, 4], "a": PETS}, truth=truth) == {"a": (4, 4)}
    assert right({"item": np.array([1, 2, 3, 4]), "a": PETS}, truth=file(TRUTH)) == {"a": (4, 4)}
    for item in ([1.0, 2.0, 3.0, 4.0], [1, 2, 3, 4]):
        assert right({"item": item, "a": PETS}, truth=truth) == {"a": (4, 4)}
        assert right({"item": [1, 2, 3, 4], "a": PETS}, truth={"item": item, "truth": PETS}) == {
            "a": (4, 4)
        }
    assert right(
        {"item": [0.5, 2.0], "a": PETS[:2]}, truth={"item": ["0.5", "2"], "truth": PETS[:2]}
    ) == {"a": (2, 2)}


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
    with pytest.raises(
        InputError, match=r"its items are like 'p1', the table's like '1'; check item="
    ):
        karat.read(
            {"item": [1, 2], "a": ["x", "y"]}, truth={"item": ["p1", "p2"], "truth": ["x", "y"]}
        )


def test_several_truths_in_a_file_are_an_error_that_lists_them(file):
    with pytest.raises(RoleError, match="name one of 'truth_a', 'truth_b' with truth=FILE:COL"):
        karat.read(file(ANSWERS), truth=file("item,truth_a,truth_b\n1,x,y\n", "truth.csv"))


def test_a_truth_file_names_every_item_once(file):
    with pytest.raises(InputError, match=r"truth.csv: item '1' occurs 2 times \(rows 1 and 2\)"):
        karat.read(file(ANSWERS), truth=file("item,truth\n1,x\n1,x\n", "truth.csv"))


def test_a_truth_elsewhere_needs_items_in_the_table():
    with pytest.raises(RoleError, match="no item column to find the truth by; name it with item="):
        karat.read({"a": ["x"]}, truth={"item": [1], "truth": ["x"]})


def test_a_truth_may_be_a_set_of_right_labels():
    table = {"truth": ["x y", "y", "z w"], "a": ["x", "y", "q"], "b": ["y", "x", None]}
    assert right(table, truth_sep=" ") == {"a": (2, 3), "b": (1, 3)}
    assert right(table) == {"a": (1, 3), "b": (0, 3)}


def test_a_right_answer_to_a_set_is_a_hit_of_its_own_class():
    table = {"truth": ["x y", "x y"], "a": ["y", "z"]}
    rows = karat.read(table, truth_sep=" ").score(per="class", measure="recall").rows()
    assert {row["label"]: (row["successes"], row["trials"]) for row in rows} == {
        "x": (0, 1),
        "y": (1, 1),
        "z": (0, 0),
    }


def test_a_value_may_mean_that_there_is_no_truth():
    for truth, none in (
        ([-1, 2, 3], "-1"),
        (["?", "2", "3"], ("?", "!")),
        ([-1.0, 2.0, 3.0], ("-1",)),
    ):
        assert right({"truth": truth, "a": [2, 2, 2]}, no_truth=none) == {"a": (1, 2)}


def test_a_value_that_means_no_truth_does_not_change_the_kind():
    table = {"truth": ["yes", "no", "?"], "a": [1, 0, 0]}
    assert facts(table, no_truth="?").kind == "yesno"
    assert right(table, no_truth="?") == {"a": (2, 2)}


def test_which_items_of_the_truth_no_table_has_added_tallies_do_not_tell(tmp_path, file):
    truth = file("item,truth\n1,x\n2,x\n3,x\n4,x\n", "truth.csv")
    parts = {
        "one": "item,a\n1,x\n2,x\n",
        "two": "item,a\n3,x\n4,y\n",
        "all": "item,a\n1,x\n2,x\n3,x\n4,x\n",
    }
    for name, text in parts.items():
        karat.read(file(text, f"{name}.csv"), truth=truth).save(tmp_path / f"{name}.tally")
    one, two, every = (str(tmp_path / f"{name}.tally") for name in parts)
    assert facts(one).counts.unanswered == 2
    assert facts([one, two]).counts.unanswered is None
    assert (
        "4 items, 1 system; some items of the truth may be in none of these tallies"
        in facts([one, two]).remarks()[0]
    )
    assert facts([every, every]).counts.unanswered == 0
