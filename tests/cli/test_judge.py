"""`--judge`: a few labels and many answers, and grades of outputs, from the command line."""

import json

import numpy as np
import pytest


def lines(seed=1, *, items=300, labelled=60):
    random = np.random.default_rng(seed)
    truth = random.choice(["cat", "dog"], items)
    rows = ["item,truth,a,b,c"]
    for k in range(items):
        answers = []
        for share in (0.95, 0.85, 0.6):
            other = "dog" if truth[k] == "cat" else "cat"
            answers.append(truth[k] if random.random() < share else other)
        rows.append(",".join([f"i{k}", truth[k] if k < labelled else "", *answers]))
    return "\n".join(rows)


def graded(*, header="item,system,gpt,human"):
    random = np.random.default_rng(2)
    rows = [header]
    for k in range(200):
        for name, share in (("new", 0.8), ("old", 0.5)):
            right = random.random() < share
            judge = random.random() < (0.9 if right else 0.2)
            people = str(int(right)) if k < 80 else ""
            rows.append(f"q{k},{name},{int(judge)},{people}")
    return "\n".join(rows)


def test_without_a_judge_score_and_compare_say_that_there_is_one(run, file):
    path = file(lines())
    for command in ("score", "compare"):
        _, out, _ = run(command, path)
        assert "240 items without truth left out" in out
        assert "--judge majority" in out
    _, out, _ = run("compare", file(lines(labelled=200), "more.csv"))
    assert "--judge" not in out


def test_score_and_compare_from_few_labels(run, file):
    path = file(lines())
    code, out, _ = run("score", path, "--judge", "majority")
    assert code == 0
    assert "accuracy, by the judge 'majority' corrected for its errors" in out
    assert "The 60 items with truth are taken for a random sample of all 300" in out
    code, out, _ = run("compare", path, "--judge", "majority", "--json")
    found = json.loads(out)
    assert code == 0
    assert {"judge", "sample", "next", "ranking", "rows"} <= set(found)
    assert found["judge"]["checked"] == 60
    for row in found["rows"]:
        assert row["low"] <= row["difference"] <= row["high"]
        assert (row["p_value"] < 0.05) == (row["low"] > 0 or row["high"] < 0)
    code, out, _ = run("compare", path, "--judge", "majority")
    assert "differ: items on which the two answer differently" in out
    assert "Label next" in out


def test_conditions_are_checked(run, file):
    path = file(lines())
    assert run("compare", path, "--judge", "majority", "--require", "better:a,c").code == 0
    assert run("compare", path, "--judge", "majority", "--require", "better:c,a").code == 1
    assert run("score", path, "--judge", "majority", "--require", "accuracy>=0.99").code == 1


@pytest.mark.parametrize("systems", [(), ("--systems", "a,b")])
def test_a_column_of_the_table_may_be_the_judge(run, file, systems):
    _, out, _ = run("score", file(lines()), "--judge", "c", *systems, "--json")
    assert [row["system"] for row in json.loads(out)["rows"]] == ["a", "b"]


def test_a_judges_grades_of_outputs(run, file):
    path = file(graded())
    code, out, err = run("score", path, "--judge", "gpt")
    assert code == 0
    assert "'gpt' is the judge's grade, 'human' that of people" in err
    assert "the errors of the judge 'gpt'" in out
    assert "200 items, 2 systems, 400 outputs." in out
    _, out, _ = run("compare", path, "--judge", "gpt", "--json")
    row = json.loads(out)["rows"][0]
    assert (row["first"], row["verdict"], row["labelled"]) == ("new", "better", 80)
    assert json.loads(out)["input"]["systems"] == ["new", "old"]


def test_the_columns_of_grades_may_have_any_names(run, file):
    plain = json.loads(run("score", file(graded()), "--judge", "gpt", "--json").out)["rows"]
    path = file(graded(header="question,who,grade,person"), "other.csv")
    options = ("--judge", "grade", "--truth", "person", "--long", "question,who,grade", "--json")
    assert json.loads(run("score", path, *options).out)["rows"] == plain


def test_what_a_judge_cannot_be_is_said(run, file):
    full = file(lines(labelled=300), "full.csv")
    assert "every item of" in run("score", full, "--judge", "majority").err
    outputs = file(graded(), "outputs.csv")
    assert "has no column 'gtp', which --judge names" in run("score", outputs, "--judge", "gtp").err
    elsewhere = run("score", outputs, "--judge", "gpt", "--truth", file(lines(), "truth.csv"))
    assert elsewhere.code == 2
    assert "--truth names a column of" in elsewhere.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("score", "--judge", "majority", "--per", "class"), "leave --per"),
        (("compare", "--judge", "nobody"), "no judge is called 'nobody'"),
        (("stability", "--judge", "majority"), "--judge is for score and compare"),
        (("report", "--judge", "majority", "-o", "page.html"), "--judge is for score and compare"),
    ],
)
def test_refusals_name_the_option(run, file, arguments, words):
    command, *options = arguments
    code, _, err = run(command, file(lines()), *options)
    assert code == 2
    assert words in err
