"""Which column is what: roles, layouts, and answers given more than once."""

import pytest

import karat
from karat.errors import InputError, OptionError, RoleError
from support.tables import LONG, PETS, WRONG, facts, left_out, right, roles

# Roles


@pytest.mark.parametrize(
    "name",
    [
        "truth",
        "gold",
        "y_true",
        "target",
        "ground_truth",
        "label",
        "Truth",
        "Ground truth",
        "actual",
        "expected",
    ],
)
def test_the_truth_is_known_by_its_name(name):
    assert right({name: PETS, "a": PETS, "b": WRONG}) == {"a": (4, 4), "b": (2, 4)}


@pytest.mark.parametrize("name", ["item", "id", "question_id", "ID", "sentence_id", "Image"])
def test_the_item_is_known_by_its_name(name):
    assert roles({name: [1, 2, 3, 4], "truth": PETS, "a": PETS})["item"] == name


def test_another_column_that_ends_in_id_is_no_item_beside_one():
    assert (
        roles({"item": [1, 2, 3, 4], "page_id": ["p"] * 4, "truth": PETS, "a": PETS})["item"]
        == "item"
    )


def test_what_hangs_together_is_no_item():
    assert "item" not in roles(
        {"page_id": ["p", "p", "q", "q"], "truth": PETS, "a": PETS}, cluster="page_id"
    )


def test_read_says_that_there_is_no_truth():
    said = karat.read({"id": [1, 2], "a": ["x", "y"]}).describe().notes()
    assert "No truth was found; name it with --truth COL, FILE or FILE:COL." in said


@pytest.mark.parametrize("name", ["group", "query", "subject", "task"])
def test_the_group_is_known_by_its_name(name):
    assert roles({name: ["g"] * 4, "truth": PETS, "a": PETS})["group"] == name


def test_what_was_inferred_is_said():
    said = facts({"id": [1, 2, 3, 4], "gold": PETS, "a": PETS}).notes
    assert said == ("item = 'id', by its name", "truth = 'gold', by its name")


@pytest.mark.parametrize(
    ("role", "names"),
    [("truth", ("gold", "y_true")), ("item", ("id", "doc_id")), ("group", ("task", "query"))],
)
def test_two_columns_that_fit_one_role_are_an_error_that_names_the_option(role, names):
    table = {"truth": PETS} if role != "truth" else {}
    with pytest.raises(RoleError, match=f"could each be the {role}; settle it with {role}=COL"):
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


@pytest.mark.parametrize(
    "role", ["truth", "item", "group", "cluster", "weight", "count", "run", "systems"]
)
def test_a_column_that_is_not_there_is_an_error_with_the_nearest_name(role):
    with pytest.raises(
        RoleError, match=f"no column 'colum', which {role}= names; did you mean 'column'"
    ):
        karat.read({"truth": PETS, "a": PETS, "column": PETS}, **{role: "colum"})


def test_a_table_without_systems_is_an_error():
    with pytest.raises(RoleError, match="name them with systems="):
        karat.read({"item": [1, 2], "truth": ["x", "y"]})


def test_a_table_without_truth_can_be_read_but_not_scored():
    bench = karat.read({"item": [1, 2], "a": ["x", "y"]})
    with pytest.raises(OptionError, match="name it with truth="):
        bench.score()


# Wide and long


def test_a_column_that_names_the_system_makes_the_table_long():
    assert right(LONG) == {"a": (1, 2), "b": (1, 2)}


@pytest.mark.parametrize("system", ["system", "model", "annotator", "worker"])
@pytest.mark.parametrize("answer", ["answer", "label", "prediction"])
def test_who_answered_and_what_are_known_by_their_names(system, answer):
    assert right({"item": [1, 2], system: ["a", "a"], answer: ["x", "y"], "truth": ["x", "x"]}) == {
        "a": (1, 2)
    }


def test_a_pair_of_item_and_system_that_is_absent_is_a_missing_answer():
    assert facts(LONG).counts.missing == {"a": 0, "b": 1}
    assert right(LONG, missing="skip") == {"a": (1, 2), "b": (1, 1)}


def test_long_columns_of_any_name_can_be_named():
    table = {"page": [1, 2], "engine": ["a", "a"], "text": ["x", "y"], "truth": ["x", "x"]}
    assert right(table, long=("page", "engine", "text")) == {"a": (1, 2)}


def test_systems_of_a_long_table_can_be_chosen():
    assert right(LONG, systems="b") == {"b": (1, 2)}


def test_a_system_that_never_answered_is_refused():
    with pytest.raises(RoleError, match="no answers of 'c', which systems= names"):
        karat.read(LONG, systems=("a", "c"))


def test_a_long_table_needs_items():
    with pytest.raises(RoleError, match="item=COL, or all three with long=ITEM,SYSTEM,ANSWER"):
        karat.read({name: column for name, column in LONG.items() if name != "item"})


def test_two_columns_that_name_the_system_are_an_error_that_names_the_option():
    with pytest.raises(
        RoleError,
        match="'system', 'model' could each say which system answered; settle it with long=",
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
    with pytest.raises(
        InputError, match=r"'a' answered item '1' 3 times; .*repeats='first', majority or keep"
    ):
        karat.read(REPEATED)


@pytest.mark.parametrize(
    ("repeats", "expected"), [("first", (1, 2)), ("majority", (2, 2)), ("keep", (4, 6))]
)
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
    seeds = {
        "item": [1, 1],
        "system": ["a", "b"],
        "answer": ["x", "x"],
        "truth": ["x", "x"],
        "seed": [1, 2],
    }
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
