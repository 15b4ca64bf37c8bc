"""`karat audit`, as a shell sees it: the list, what comes back, and what is refused."""

import csv
import json
from itertools import pairwise
from pathlib import Path

import pytest

from support import package_files
from support.recompute_audit import capital, in_order

DIGITS = str(package_files.DIGITS)
CLAIM = ("--claim", "svm,knn", "--seed", "1")


def read(path):
    with Path(path).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(path, rows, separator=","):
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=separator)
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


@pytest.fixture
def listed(run, tmp_path):
    """A list of the svm and the knn, as rows."""
    path = tmp_path / "list.csv"
    code, _, _ = run("audit", DIGITS, *CLAIM, "--budget", "20", "-o", str(path))
    assert code == 0
    return read(path)


def filled(rows, **labels):
    """The list with the given labels taken as right, but for some draws: `d7="9"`."""
    return [{**row, "right": labels.get(f"d{row['draw']}", row["given"])} for row in rows]


def test_the_list_is_a_plain_csv(listed):
    assert list(listed[0]) == ["draw", "item", "given", "right", "q", "list"]
    assert len(listed) == 20
    assert [row["draw"] for row in listed] == [str(draw) for draw in range(1, 21)]


def test_rows_after_checks_and_what_recomputes_them(run, listed, tmp_path):
    first = write(tmp_path / "c1.csv", filled(listed, d7="9", d9="", d12="(undecidable)"))
    second = str(tmp_path / "list2.csv")
    code, out, _ = run("audit", DIGITS, *CLAIM, "--apply", first, "--json", "-o", second)
    found = json.loads(out)
    assert code == 0
    wanted = ["better", "worse", "checked", "wrong", "capital", "needed", "verdict", "risk"]
    assert list(found["rows"][0]) == wanted
    assert found["rows"][0]["checked"] == 8
    assert set(found["label_error"]) == {"value", "low", "high", "of", "items"}
    following = read(second)
    assert following[0]["draw"] == "9"
    assert following[1]["draw"] == "21"
    third = write(tmp_path / "c2.csv", filled(following, d30="0"))
    code, out, _ = run("audit", DIGITS, *CLAIM, "--apply", first, "--apply", third, "--json")
    found = json.loads(out)
    (pair,) = found["pairs"]
    bets = [draw["capital"] for draw in pair["draws"]]
    again = capital(DIGITS, in_order([first, third]), "svm", "knn")
    assert bets == pytest.approx(again[: len(bets)])
    assert found["rows"][0]["capital"] == pytest.approx(bets[-1])
    keys = {"draw", "item", "given", "right", "q", "guess", "guesses", "lead", "stake", "capital"}
    assert keys | {"opposite"} == set(pair["draws"][0])
    money = 1.0
    for draw, following in pairwise(pair["draws"]):
        loss = draw["lead"] - following["lead"]
        z = draw["guesses"] + (loss - draw["guess"]) / draw["q"]
        money *= 1 + draw["stake"] * (draw["lead"] - z)
        assert draw["capital"] == pytest.approx(money)


@pytest.mark.parametrize("options", [(), ("--random", "0.3")])
def test_the_bets_of_every_rival_of_the_best_are_recomputed(run, tmp_path, options):
    audit = ("audit", DIGITS, "--claim", "best", "--seed", "9", *options)
    path = str(tmp_path / "list.csv")
    run(*audit, "--budget", "150", "-o", path)
    rows = filled(read(path), d3="1", d8="2", d20="(undecidable)", d31="0")
    checked = write(tmp_path / "c.csv", rows)
    found = json.loads(run(*audit, "--apply", checked, "--json").out)
    labels = [(row["item"], row["right"]) for row in rows]
    assert len(found["pairs"]) == 8
    for pair in found["pairs"]:
        bets = [draw["capital"] for draw in pair["draws"]]
        again = capital(DIGITS, labels, pair["better"], pair["worse"])
        assert bets
        assert bets == pytest.approx(again[: len(bets)])


def test_the_sentences(run, listed, tmp_path):
    checked = write(tmp_path / "c.csv", filled(listed))
    code, out, _ = run("audit", DIGITS, *CLAIM, "--apply", checked)
    assert code == 0
    assert (
        "After 20 checks: open whether 'svm' is better than 'knn'; capital 2.1 of 20; about" in out
    )
    assert "more if errors go on as seen" in out
    rest = str(tmp_path / "rest.csv")
    run("audit", DIGITS, *CLAIM, "--apply", checked, "-o", rest)
    both = ("--apply", checked, "--apply", write(tmp_path / "r.csv", filled(read(rest))))
    code, out, _ = run("audit", DIGITS, *CLAIM, *both)
    assert code == 0
    assert "'svm' is better than 'knn' by the right labels of these items; risk at most 5 %" in out
    assert "claim svm,knn and seed 1 fixed before the first label" in out
    for form in ("--md", "--latex", "--csv"):
        code, out, _ = run("audit", DIGITS, *CLAIM, *both, form)
        assert code == 0
        assert "settled" in out


def test_an_empty_list_has_its_header(run, listed, tmp_path):
    empty = tmp_path / "none.csv"
    audit = ("audit", DIGITS, "--claim", "svm,tree", "--seed", "1")
    first = str(tmp_path / "first.csv")
    run(*audit, "-o", first)
    checked = write(tmp_path / "c.csv", filled(read(first)))
    code, _, _ = run(*audit, "--apply", checked, "-o", str(empty))
    assert code == 0
    assert empty.read_text() == "draw,item,given,right,q,list\n"
    code, out, _ = run(*audit, "--apply", checked, "--apply", str(empty))
    assert code == 0
    assert "settled" in out
    assert len(listed) == 20


def test_lists_of_spreadsheets(run, listed, tmp_path):
    checked = write(tmp_path / "c.csv", filled(listed), separator=";")
    text = Path(checked).read_text(encoding="utf-8")
    Path(checked).write_text("\ufeff" + text.replace("0.0", "0,0"), encoding="utf-8")
    code, out, _ = run("audit", DIGITS, *CLAIM, "--apply", checked)
    assert code == 0
    assert "After 20 checks" in out


CHANGED = {
    "an item that was not drawn": ({"item": "digit-0001"}, "draw 2 is the item 'digit-0057', not"),
    "another draw": ({"draw": "3"}, "draw 3 is the item"),
    "a draw beyond the last": ({"draw": "900"}, "there is no draw 900"),
    "no draw": ({"draw": "x"}, "draw is 'x'"),
    "another given label": (
        {"given": "9"},
        "the given label of the item 'digit-0057' is '2', not '9'",
    ),
    "another q": ({"q": "0.5"}, "q is 0.5 and should be 0.0161"),
    "no q": ({"q": "much"}, "q is 'much'"),
    "another list": ({"list": "abc"}, "the list is 'abc', that of this audit is"),
    "an unknown label": ({"right": "seven"}, "no label of the table is 'seven'"),
    "a label in brackets": ({"right": "(others)"}, "no label of the table is '(others)'"),
}


@pytest.mark.parametrize("change", CHANGED)
def test_changed_lists_are_refused_in_words(run, listed, tmp_path, change):
    cells, message = CHANGED[change]
    rows = filled(listed)
    rows[1] = {**rows[1], **cells}
    checked = write(tmp_path / "c.csv", rows)
    code, out, err = run("audit", DIGITS, *CLAIM, "--apply", checked)
    assert code == 2
    assert not out
    assert "c.csv, line 3" in err
    assert message in err


@pytest.mark.parametrize(
    "options",
    [
        ("--claim", "svm,knn", "--seed", "2"),
        ("--claim", "knn,svm", "--seed", "1"),
        ("--claim", "best", "--seed", "1"),
        ("--claim", "svm,knn", "--seed", "1", "--risk", "0.1"),
        ("--claim", "svm,knn", "--seed", "1", "--measure", "recall[8]"),
        ("--claim", "svm,knn", "--seed", "1", "--random", "0.2"),
    ],
)
def test_a_list_of_another_claim_risk_measure_or_seed_is_refused(run, listed, tmp_path, options):
    checked = write(tmp_path / "c.csv", filled(listed))
    code, _, err = run("audit", DIGITS, *options, "--apply", checked)
    assert code == 2
    assert "was made for another table, claim, risk, measure, guide or seed" in err


def test_a_list_of_another_table_is_refused(run, listed, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text(Path(DIGITS).read_text().replace("digit-0057,2", "digit-0057,3"))
    checked = write(tmp_path / "c.csv", filled(listed))
    code, _, err = run("audit", str(other), *CLAIM, "--apply", checked)
    assert code == 2
    assert "another table" in err


def test_two_labels_of_one_item_are_refused(run, listed, tmp_path):
    one = write(tmp_path / "one.csv", filled(listed))
    two = write(tmp_path / "two.csv", filled(listed, d2="5"))
    code, _, err = run("audit", DIGITS, *CLAIM, "--apply", one, "--apply", two)
    assert code == 2
    assert "'digit-0057' has two labels, '2' and '5'" in err


def test_files_that_are_no_lists(run, tmp_path):
    cases = {
        "item,truth\n1,2\n": "lacks the columns 'draw', 'right', 'q', 'list'",
        "": "is empty",
    }
    for text, message in cases.items():
        path = tmp_path / "no.csv"
        path.write_text(text)
        code, _, err = run("audit", DIGITS, *CLAIM, "--apply", str(path))
        assert code == 2
        assert message in err
    path.write_bytes(b"PK\x03\x04\xff\xfe")
    assert "save the list as CSV" in run("audit", DIGITS, *CLAIM, "--apply", str(path)).err
    assert (
        "cannot be read" in run("audit", DIGITS, *CLAIM, "--apply", str(tmp_path / "not.csv")).err
    )


def test_options_that_do_not_go_together(run, listed, tmp_path):
    checked = write(tmp_path / "c.csv", filled(listed))
    for options, message in (
        (("--plan", "0.1", "--apply", checked), "--plan is for the time before"),
        (("--corrected", str(tmp_path / "x.csv")), "--corrected writes what was found"),
        (("--apply", checked, "-o", str(tmp_path / "x.json")), "-o names the next list, a .csv"),
        (("--apply", checked, "-o", checked), "is among what is read"),
        (("--apply", checked, "--corrected", DIGITS), "would be lost"),
    ):
        code, _, err = run("audit", DIGITS, *CLAIM, *options)
        assert code == 2
        assert message in err
    assert run("audit", DIGITS).code == 2


def test_the_corrected_table_can_be_scored(run, listed, tmp_path):
    checked = write(tmp_path / "c.csv", filled(listed, d7="9"))
    fixed = str(tmp_path / "fixed.csv")
    code, _, err = run("audit", DIGITS, *CLAIM, "--apply", checked, "--corrected", fixed)
    assert code == 0
    assert "1 label corrected; only items that these systems dispute were looked at" in err
    changed = [
        (row["item"], row["truth"], new["truth"])
        for row, new in zip(
            sorted(read(DIGITS), key=lambda row: row["item"]), read(fixed), strict=True
        )
        if row["truth"] != new["truth"]
    ]
    assert changed == [(listed[6]["item"], listed[6]["given"], "9")]


def test_a_guided_list_comes_back_with_its_guide_only(run, tmp_path):
    path = tmp_path / "list.csv"
    guided = ("audit", DIGITS, *CLAIM, "--guide", "informed")
    code, _, _ = run(*guided, "--budget", "60", "-o", str(path))
    assert code == 0
    rows = read(path)
    assert len({row["q"] for row in rows}) > 20
    checked = write(tmp_path / "checked.csv", filled(rows))
    code, out, _ = run(*guided, "--apply", checked, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["audit"]["guide"] == "informed"
    assert found["rows"][0]["verdict"] == "settled"
    assert any("guided by the model informed" in text for text in found["sentences"])
    code, _, err = run("audit", DIGITS, *CLAIM, "--apply", checked)
    assert code == 2
    assert "another table, claim, risk, measure, guide or seed" in err
    changed = write(tmp_path / "changed.csv", [{**row, "q": "0.5"} for row in filled(rows)])
    code, _, err = run(*guided, "--apply", changed)
    assert code == 2
    assert "q is 0.5" in err


def test_a_plan_before_starting(run):
    code, out, _ = run("audit", DIGITS, "--claim", "best", "--plan", "0.02", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["rows"][0]["better"] == "svm"
    assert found["rows"][-1]["worse"] is None
    assert 0 < found["rows"][0]["checks"] <= found["rows"][0]["disputed"]
