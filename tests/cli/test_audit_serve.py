"""`karat audit --serve` and `--second`, as a shell sees them: what is refused, and what two checkers lead to."""

import csv
import json

import pytest

from support import package_files

DIGITS = str(package_files.DIGITS)
CLAIM = ("--claim", "svm,logistic", "--seed", "2026")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "name the list that the page writes, as -o list.csv"),
        (["-o", "list.json"], "the page writes a list, a .csv, not list.json"),
        (["-o", "list.csv", "--json"], "leave --json, --md and --latex out"),
        (["-o", "list.csv", "--plan", "0.1"], "not for the page; leave --serve out"),
        (["-o", "list.csv", "--budget", "0"], "--budget is 0"),
        (["--second", "b.csv"], "name the first checker's list with --apply FILE"),
        (["-o", "list.csv", "--second", "b.csv"], "leave -o out"),
        (["-o", "list.csv", "--fields", "nowhere"], "nowhere"),
        (["-o", "list.csv", "--fields", ".", "--fields", ".."], "names the folders '.', '..'"),
        (["-o", "list.csv", "--fields", "a.csv", "--fields", "b.csv"], "names the files"),
    ],
)
def test_what_a_page_does_not_take_is_refused(run, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    done = run("audit", DIGITS, *CLAIM, "--serve", *options)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""


def test_pictures_need_the_page(run, tmp_path):
    done = run("audit", DIGITS, *CLAIM, "--fields", tmp_path)
    assert done.code == 2
    assert "is a folder of pictures, for the page; say --serve, too" in done.err


def test_a_second_opinion_on_nothing_is_refused(run, tmp_path):
    blank = tmp_path / "blank.csv"
    run("audit", DIGITS, *CLAIM, "--budget", "3", "-o", blank)
    done = run("audit", DIGITS, *CLAIM, "--serve", "--apply", blank, "--second", tmp_path / "s.csv")
    assert done.code == 2
    assert "the lists of --apply have no label yet" in done.err


@pytest.fixture
def lists(run, tmp_path):
    """The lists of two checkers, who disagree about one of six items."""
    first = tmp_path / "first.csv"
    run("audit", DIGITS, *CLAIM, "--budget", "12", "-o", first)
    with first.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    filled = [{**row, "right": row["given"]} for row in rows]
    second = [dict(row) for row in filled[:6]]
    second[2]["right"] = "(undecidable)"
    for path, chosen in ((first, filled), (tmp_path / "second.csv", second)):
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(chosen)
    return str(first), str(tmp_path / "second.csv")


def test_two_checkers_as_text_and_json(run, lists):
    first, second = lists
    done = run("audit", DIGITS, *CLAIM, "--apply", first, "--second", second)
    assert done.code == 0
    assert "The two checkers agree on 5 of 6 items" in done.out
    assert "Whoever is right, item by item: " in done.out
    found = json.loads(
        run("audit", DIGITS, *CLAIM, "--apply", first, "--second", second, "--json").out
    )
    assert [row["labels"] for row in found["rows"]] == ["first", "second", "either"]
    assert found["agreement"]["both"] == 6
    assert found["agreement"]["same"] == 5
    assert set(found["sentences"]) == {"first", "second", "either"}
    alone = json.loads(run("audit", DIGITS, *CLAIM, "--apply", first, "--json").out)
    assert {**alone["rows"][0], "labels": "first"} == found["rows"][0]


def test_a_second_opinion_needs_a_first(run, lists):
    done = run("audit", DIGITS, *CLAIM, "--second", lists[1])
    assert done.code == 2
    assert "name the first checker's list with --apply FILE" in done.err


def test_a_corrected_table_has_one_checkers_labels(run, lists, tmp_path):
    first, second = lists
    done = run(
        "audit",
        DIGITS,
        *CLAIM,
        "--apply",
        first,
        "--second",
        second,
        "--corrected",
        tmp_path / "c.csv",
    )
    assert done.code == 2
    assert "leave --second out" in done.err
