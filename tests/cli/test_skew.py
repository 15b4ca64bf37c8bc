"""`karat skew`, as a shell sees it."""

import json

import pytest

from karat.ask.prevalence_forms import prior_forms, trajectory_forms

ROWS = [(k, int(k % 4 == 0), (k * 7 % 10) / 10, (k * 3 % 10) / 10) for k in range(40)]
SCORES = "item,truth,a,b\n" + "".join(",".join(map(str, row)) + "\n" for row in ROWS)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(SCORES)
    return path


def test_a_published_precision_at_another_balance(run):
    found = json.loads(
        run("skew", "published", "--precision", 0.73, "--from", 0.5, "--to", 0.01, "--json").out
    )
    assert found["command"] == "skew"
    assert found["rows"][0]["value"] == pytest.approx(0.02658, abs=1e-5)


def test_whole_numbers_are_scores_here(run, tmp_path):
    path = tmp_path / "whole.csv"
    path.write_text("truth,a\n1,3\n0,1\n1,2\n0,2\n")
    found = json.loads(run("skew", path, "--to", "1:9", "--json").out)
    assert found["rows"][0]["low"] == pytest.approx(0.1)


def test_the_range_may_come_from_known_data_sets(run, table):
    found = json.loads(run("skew", table, "--limits", "0.1,0.2,0.3", "--draws", 0, "--json").out)
    assert found["rows"][0]["low"] == 0
    assert found["rows"][0]["high"] == pytest.approx(0.5)


def test_a_course_may_be_a_file(run, table, tmp_path):
    course = tmp_path / "course.csv"
    course.write_text("time,skew\n0,0.1\n1,0.3\n3,0.3\n")
    found = json.loads(
        run("skew", table, "--trajectory", course, "--time", "1,3", "--draws", 0, "--json").out
    )
    assert [row["random"] for row in found["rows"][::2]] == pytest.approx([0.2, 0.8 / 3])


def test_a_prior_may_be_a_file(run, table, tmp_path):
    prior = tmp_path / "prior.csv"
    prior.write_text("skew,weight\n0,1\n1,1\n")
    found, plain = (
        json.loads(
            run("skew", table, "--low", 0.1, "--high", 0.3, *more, "--draws", 0, "--json").out
        )["rows"]
        for more in (("--prior", prior), ())
    )
    assert [row["area"] for row in found] == pytest.approx([row["area"] for row in plain], rel=1e-9)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--to", "2"), "the prevalence is 2"),
        (("--low", "0.3", "--high", "0.1"), "give the lower one first"),
        (("--low", "0.3"), "two ends"),
        (("--limits", "0.3"), "two or more"),
        (("--limits", "0.3,0.2", "--low", "0.1"), "leave --low and --high out"),
        (("--check", "0.3"), "PRECISION,RECALL"),
        (("--check", "0.3,x"), "where a number should stand"),
        (("--trajectory", "linear:0,2"), "must be between 0 and 1"),
        (("--to", "absent.csv"), "there is no file absent.csv"),
        (("--precision", "0.5"), "without a table"),
        (("--recall", "0.5"), "--recall is for karat skew published"),
        (("--trajectory", "exponential:0.1,0.5", "--time", "-1"), "must be above 0 and finite"),
        (("--trajectory", "exponential:0.1,0.5", "--time", "inf"), "must be above 0 and finite"),
        (("--trajectory", "logistic:0.5,nan,1", "--time", "3"), "a number that is not finite"),
        (
            ("--low", "0.1", "--high", "0.2", "--prior", "normal:0.1,inf"),
            "a number that is not finite",
        ),
        (("--graphs",), "label graphs hold no scores"),
        (("--trajectory", "linear:0.1"), "has 1 number where linear:A,B is meant"),
        (("--per", "class"), "it takes total or group"),
        (("--per", "group"), "name their column with --group COL"),
        (("--per", "group", "--threshold", "0"), "--per group goes without --threshold"),
        (("--per", "group", "--bands"), "--per group goes without --bands"),
        (("--per", "group", "--label-error", "0.1"), "--per group goes without --label-error"),
        (
            ("--levels", "a,b", "--systems", "b", "--threshold", "0"),
            "--levels goes without --threshold",
        ),
        (("--levels", "a,a", "--systems", "b"), "--annotators names a column twice"),
        (("--levels", "a,b", "--systems", "b", "--draws", "0"), "--levels goes without --draws"),
        (("--levels", "a,b", "--systems", "b", "--group", "a"), "--levels goes without --group"),
    ],
)
def test_mistakes_are_met_with_one_message_and_exit_code_2(run, table, arguments, words):
    done = run("skew", table, *arguments)
    assert done.code == 2
    assert words in done.err
    assert "Traceback" not in done.err


def test_a_cell_that_is_no_number_is_named(run, table, tmp_path):
    course = tmp_path / "course.csv"
    course.write_text("time,skew\n0,0.1\n1,often\n")
    assert "row 2: skew has 'often'" in run("skew", table, "--trajectory", course).err


def test_a_precision_without_any_recall_is_refused(run):
    done = run("skew", "published", "--precision", 0.73, "--from", 0.5, "--to", 0.01, "--recall", 0)
    assert done.code == 2
    assert "at recall 0 no positive is found" in done.err


def test_nothing_to_ask_about_is_said(run):
    assert "name a table of scores" in run("skew").err
    assert (
        "name a prevalence" in run("skew", "published", "--precision", "0.5", "--from", "0.5").err
    )


def test_the_text_says_who_leads_where(run, table):
    out = run("skew", table, "--to", "0.01").out
    assert "who leads at which prevalence" in out
    assert "In the data 25 % are positive (10 of 40 items)." in out


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("--seed", "3"), "--seed"),
        (("--level", "0.9"), "--level"),
        (("--label-error", "0.1"), "--label-error"),
        (("--threshold", "0"), "--threshold"),
        (("--per", "group"), "--per"),
        (("--bands",), "--bands"),
        (("--truth", "gold"), "--truth"),
        (("--systems", "a"), "--systems"),
    ],
)
def test_what_says_nothing_of_a_published_value_is_refused(run, arguments, option):
    done = run("skew", "--precision", 0.73, "--from", 0.5, "--to", 0.01, *arguments)
    assert done.code == 2
    assert f"a published value goes without {option}" in done.err


def test_groups_are_told_apart_where_that_is_asked_for(run, tmp_path):
    path = tmp_path / "grouped.csv"
    rows = [
        (k, int(k % 4 == 0), "xy"[k % 3 == 0], (k * 7 % 10) / 10, (k * 3 % 10) / 10)
        for k in range(60)
    ]
    path.write_text(
        "item,truth,site,a,b\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    )
    together = run("skew", path, "--group", "site", "--to", 0.1, "--draws", 0).out
    assert "Groups are pooled; --per group reports them separately." in together
    done = run(
        "skew", path, "--group", "site", "--per", "group", "--to", 0.1, "--draws", 0, "--json"
    )
    found = json.loads(done.out)
    assert [row["group"] for row in found["rows"][::2]] == ["(mean)", "(all)", "x", "y"]
    assert "per group" in found["signature"]
    picture = tmp_path / "groups.svg"
    run(
        "skew", path, "--group", "site", "--per", "group", "--to", 0.1, "--draws", 40, "-o", picture
    )
    assert ">(mean)</text>" in picture.read_text()
    assert (
        "mean over 2 groups"
        in run("skew", path, "--group", "site", "--per", "group", "--to", 0.1).out
    )


def test_help_shows_how_every_prior_and_trajectory_is_written(run):
    text = " ".join(run("skew", "--help").out.split())
    assert prior_forms() in text
    assert trajectory_forms() in text


TRUTHS = "item,truth,other,a,b\n" + "".join(
    f"{k},{truth},{int(k % 3 == 0)},{a},{b}\n" for k, truth, a, b in ROWS
)


def test_two_truths_of_one_table_stand_side_by_side(run, tmp_path):
    path = tmp_path / "marks.csv"
    path.write_text(TRUTHS)
    asked = ("--systems", "a,b", "--to", "0.2", "--draws", 0, "--json")
    both = json.loads(run("skew", path, *asked, "--beside", f"{path}:other").out)
    by_name = {row["system"]: row["area"] for row in both["rows"]}
    other = json.loads(run("skew", path, *asked, "--truth", "other").out)
    for row in other["rows"]:
        assert by_name[f"{row['system']} in marks, truth other"] == row["area"]
    own = json.loads(run("skew", path, *asked).out)
    for row in own["rows"]:
        assert by_name[f"{row['system']} in marks"] == row["area"]


def test_the_other_truth_may_stand_in_a_file_of_its_own(run, table, tmp_path):
    truths = tmp_path / "second.csv"
    truths.write_text("item,late\n" + "".join(f"{k},{int(k % 3 == 0)}\n" for k in range(40)))
    asked = ("skew", table, "--to", "0.2", "--draws", 0, "--json")
    found = json.loads(run(*asked, "--beside", f"{truths}:late").out)
    assert len(found["rows"]) == 4
    again = run(*asked, "--beside", f"{truths}:late", "--beside", f"{truths}:late")
    assert again.code == 2
    assert "cannot be compared with itself" in again.err


def test_levels_of_agreement_are_drawn_with_a_row_a_system(run, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "marks.csv"
    path.write_text(TRUTHS)
    picture = tmp_path / "levels.svg"
    asked = ("--annotators", "truth,other", "--systems", "a,b", "--to", "0.2", "--draws", 0)
    assert run("skew", "agreement", path, *asked, "-o", picture).code == 0
    text = picture.read_text(encoding="utf-8")
    for system in ("a", "b"):
        for name in ("prevalence as at this level", "20 % positive", "ROC curves"):
            assert f"{system}: {name}" in text
    assert text.count("2 or more") == 6
