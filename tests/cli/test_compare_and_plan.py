"""The commands that compare and plan, as a shell sees them."""

import json

import pytest

from karat.errors import OptionError
from karat.questions.plan import plan

ROWS = "item,truth,new,old\n" + "".join(f"{k},x,x,{'x' if k % 4 else 'y'}\n" for k in range(80))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(ROWS)
    return str(path)


def test_compare_prints_one_json_object_with_the_ranking_beside_the_rows(run, table):
    code, out, _ = run("compare", table, "--json")
    found = json.loads(out)
    assert code == 0
    assert {"karat", "command", "signature", "input", "rows", "ranking"} <= set(found)
    assert found["ranking"][0]["order"] == ["new", "old"]
    wanted = "first second measure label first_value second_value difference low high level only_first only_second "
    wanted += "p_value p_adjusted test verdict"
    assert set(wanted.split()) <= set(found["rows"][0])


def test_compare_takes_counts(run):
    code, out, _ = run("compare", "40/50", "93/100", "--json")
    assert (code, json.loads(out)["rows"][0]["verdict"]) == (0, "worse")


def test_counts_take_a_margin_and_a_condition(run):
    code, out, _ = run("compare", "80/100", "82/100", "--margin", "0.1", "--json")
    # Farrington and Manning's test, as in the docstring of noninferior_samples.
    assert (code, round(json.loads(out)["rows"][0]["p_no_worse"], 4)) == (0, 0.0761)
    assert run("compare", "80/100", "82/100", "--require", "no-worse:80/100,82/100,0.1")[0] == 1
    assert (
        run("compare", "800/1000", "820/1000", "--require", "no-worse:800/1000,820/1000,0.1")[0]
        == 0
    )


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("better:new,old", 0),
        ("better:old,new", 1),
        ("no-worse:new,old,0.05", 0),
        ("no-worse:old,new,0.05", 1),
    ],
)
def test_a_condition_decides_the_exit_code(run, table, condition, code):
    assert run("compare", table, "--require", condition)[0] == code


def test_an_unmet_condition_is_named_on_standard_error(run, table):
    _, _, err = run("compare", table, "--require", "better:old,new")
    assert "not met: 'old' is not shown to be better than 'new': worse" in err


def test_a_condition_on_a_pair_is_one_on_every_measure(run, tmp_path):
    path = tmp_path / "rare.csv"
    rows = ["x,x,x"] * 60 + ["x,x,y"] * 30 + ["y,x,y"] * 4
    path.write_text(
        "item,truth,new,old\n" + "".join(f"{place},{row}\n" for place, row in enumerate(rows))
    )
    assert run("compare", path, "--measure", "accuracy", "--require", "better:new,old").code == 0
    code, _, err = run(
        "compare", path, "--measure", "accuracy,recall[y]", "--require", "better:new,old"
    )
    assert code == 1
    assert "not met: recall[y]: 'new' is not shown to be better than 'old'" in err
    assert "accuracy: " not in err


@pytest.mark.parametrize(("least", "code"), [("0.3", 0), ("0.9", 1)])
def test_a_lower_bound_of_counts_can_be_required(run, least, code):
    assert run("score", "42/100", "--require", f"share>={least}").code == code


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--require", "accuracy>=0.99"], "counts are shares, write share>=0.99"),
        (["--require", "share>=0.9.9"], "is not a condition"),
        (["--weight", "w"], "--weight is for tables; counts such as 42/100 take no such option"),
        (["--seed", "x"], "seed"),
    ],
)
def test_what_counts_do_not_take_is_refused(run, words, says):
    code, _, err = run("score", "42/100", *words)
    assert code == 2
    assert says in err


def test_three_numbers_of_trials_are_no_plan():
    with pytest.raises(OptionError, match="not a question to plan for"):
        plan(baseline=0.8, trials=[10, 20, 30])


def test_a_lower_bound_can_be_required(run, table):
    assert run("score", table, "--systems", "new", "--require", "accuracy>=0.9")[0] == 0
    assert run("score", table, "--require", "accuracy>=0.9")[0] == 1


def test_an_upper_bound_can_be_required_where_less_is_better(run, table):
    words = ("--measure", "error-rate", "--require", "error-rate<=0.1")
    assert run("score", table, "--systems", "new", *words)[0] == 0
    code, _, err = run("score", table, *words)
    assert code == 1
    assert "the upper bound is" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--require", "better:nwe,old"], "no system is called 'nwe'; did you mean 'new'?"),
        (["--require", "fine"], "is not a condition"),
        (["--require", "no-worse:new,old,."], "is not a condition"),
        (["--require", "no-worse:new,old,0.1.1"], "is not a condition"),
        (["--baseline", "odl"], "no system is called 'odl'; did you mean 'old'?"),
        (["--test", "t"], "no test is called 't'"),
        (["--systems", "new"], "has one system"),
        (["--margin", "2"], "--margin is 2.0"),
        (["--draws", "0"], "--draws is 0"),
        (["--level", "95"], "level is 95"),
        (["--seed", "-1", "--measure", "macro-f1"], "--seed is -1"),
    ],
)
def test_a_comparison_that_cannot_be_made_is_refused(run, table, words, says):
    code, _, err = run("compare", table, *words, "--json")
    assert code == 2
    assert says in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "words",
    [
        ["41/40", "3/4"],
        ["40/50"],
        ["40/50", "x.csv"],
        ["4/5", "3/5", "--measure", "f1"],
        ["4/5", "3/5", "--truth", "t"],
    ],
)
def test_counts_that_cannot_be_compared_are_refused(run, words):
    assert run("compare", *words)[0] == 2


@pytest.mark.parametrize(
    ("words", "row"),
    [
        (["--estimate", "1", "--trials", "20"], {"trials": 20, "lower": 0.8608916593317348}),
        (
            ["--baseline", "0.8", "--trials", "50"],
            {"first_trials": 50, "second_trials": 50, "increase": 0.16},
        ),
        (["--baseline", "0.8", "--trials", "50,100"], {"second_trials": 100, "increase": 0.13}),
        (["--baseline", "0.9", "--trials", "50"], {"increase": None}),
        (["--baseline", "0.8", "--increase", "0.1"], {"trials": 128}),
        (["--lower", "0.9", "--estimate", "0.95"], {"trials": 116}),
        (["--alone", "0.1,0.05"], {"trials": 276}),
        (["--alone", "10:5/100"], {"trials": 276}),
        (["--alone", "0.1,0.05", "--power", "0.8"], {"trials": 498}),
    ],
)
def test_plan_answers(run, words, row):
    code, out, _ = run("plan", *words, "--json")
    found = json.loads(out)["rows"][0]
    assert code == 0
    for name, value in row.items():
        assert found[name] == (pytest.approx(value) if isinstance(value, float) else value)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--trials", "20"],
        ["--estimate", "2", "--trials", "20"],
        ["--figure", "3"],
        ["--alone", "36,17"],
        ["--alone", "0.1.1,0.2"],
        ["--figure", "1", "--estimate", "0.5"],
        ["--figure", "1", "--power", "0.5"],
    ],
)
def test_a_plan_without_a_question_is_refused(run, words):
    code, _, err = run("plan", *words)
    assert code == 2
    assert err.startswith("karat: ")


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_pictures_are_whole_and_always_the_same(run, table, tmp_path, ending):
    for words in (["compare", table], ["plan", "--figure", "1"], ["plan", "--figure", "2"]):
        files = [tmp_path / f"{place}.{ending}" for place in "ab"]
        for file in files:
            assert run(*words, "-o", str(file))[0] == 0
        assert files[0].read_bytes() == files[1].read_bytes()
        assert files[0].stat().st_size > 5_000


def test_several_measures_have_no_picture_together(run, table, tmp_path):
    code, _, err = run(
        "score", table, "--measure", "accuracy,macro-f1", "-o", str(tmp_path / "score.svg")
    )
    assert code == 2
    assert "a picture shows one measure" in err
    assert not list(tmp_path.glob("*.svg"))
