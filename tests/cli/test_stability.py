"""`karat stability`, as a shell sees it."""

import json

import pytest


def line(k):
    truth = "xy"[k % 2]
    return f"{k},{truth},{truth},{truth if k % 9 else 'z'},{truth if k % 5 else 'z'}\n"


ROWS = "item,truth,a,b,c\n" + "".join(map(line, range(90)))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(ROWS)
    return str(path)


def test_the_json_has_the_rows_and_the_ranking_beside_them(run, table):
    code, out, _ = run("stability", table, "--label-error", "0.05", "--json")
    found = json.loads(out)
    wanted = "worse better only_worse only_better label_error model kept tie reversed critical_label_error safe_errors"
    assert code == 0
    assert all(set(wanted.split()) <= set(row) for row in found["rows"])
    assert [(row["better"], row["worse"]) for row in found["rows"]] == [("a", "b"), ("b", "c")]
    beside = "order kept no_inversion best_kept best_among ranks method standard_error"
    assert set(beside.split()) <= set(found["ranking"])
    assert "seed=0" in found["signature"]


def test_without_a_rate_it_says_what_each_order_survives(run, table):
    code, out, _ = run("stability", table)
    assert code == 0
    assert "survives" in out
    assert "kept" not in out.splitlines()[1]


def test_every_pair_on_demand(run, table):
    _, out, _ = run("stability", table, "--all-pairs", "--json")
    assert len(json.loads(out)["rows"]) == 3
    _, out, _ = run("stability", table, "--pair", "c,a", "--json")
    assert [(row["better"], row["worse"]) for row in json.loads(out)["rows"]] == [("a", "c")]


@pytest.mark.parametrize("error", ["0.01:0.05", "3/100", "x=0.01,y=0.05", "0.03+-0.01"])
def test_errors_can_be_said_in_several_ways(run, table, error):
    code, out, _ = run("stability", table, "--label-error", error, "--json")
    assert code == 0
    assert all(0 <= row["kept"] <= 1 for row in json.loads(out)["rows"])


def test_two_annotators_say_how_many_labels_are_wrong(run, tmp_path):
    rows = [f"{k},x,x,{'x' if k % 3 else 'y'},x,{'x' if k % 10 else 'y'}\n" for k in range(60)]
    path = tmp_path / "double.csv"
    path.write_text("item,truth,a,b,first,second\n" + "".join(rows))
    code, out, _ = run("stability", str(path), "--annotators", "first,second", "--json")
    (row,) = json.loads(out)["rows"]
    assert code == 0
    assert (row["better"], row["worse"]) == ("a", "b")
    assert row["label_error"] == pytest.approx((1 - 0.8**0.5) / 2)


@pytest.mark.parametrize(("words", "kept"), [(["--wrong", "1"], 0.7), (["--wrong", "1", "--at-most"], 8 / 11)])
def test_a_number_of_wrong_labels_in_place_of_a_share(run, tmp_path, words, kept):
    rows = ["x,x,y\n"] * 3 + ["x,y,x\n"] + ["x,x,x\n"] * 6
    path = tmp_path / "ten.csv"
    path.write_text("truth,a,b\n" + "".join(rows))
    _, out, _ = run("stability", str(path), *words, "--json")
    assert json.loads(out)["rows"][0]["kept"] == pytest.approx(kept)


def test_two_published_scores_give_a_range(run):
    _, out, _ = run("stability", "85/100", "95/100", "--label-error", "0.1", "--json")
    (row,) = json.loads(out)["rows"]
    assert 0 < row["kept_low"] < row["kept_high"] < 1


def test_what_is_kept_can_be_required(run, table):
    assert run("stability", table, "--label-error", "0.05", "--require", "kept>=0.9")[0] == 0
    code, _, err = run("stability", table, "--label-error", "0.6", "--require", "kept>=0.99")
    assert code == 1
    assert "not met: 'a' before 'b' is kept with probability" in err
    assert run("stability", table, "--require", "kept>=0.9")[0] == 2


def test_there_is_a_picture(run, table, tmp_path):
    file = tmp_path / "kept.svg"
    assert run("stability", table, "--label-error", "0.1", "-o", str(file))[0] == 0
    assert file.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    "words",
    [
        ["--label-error", "3"],
        ["--label-error", "many"],
        ["--label-error", "5/4"],
        ["--label-error", "q=0.1"],
        ["--pair", "a"],
        ["--pair", "a,q"],
        ["--pair", "a,a"],
        ["--measure", "macro-f1"],
        ["--measure", "macro-f1", "--label-error", "3/100"],
        ["--classes", "2", "--label-error", "0.1"],
        ["--wrong", "3"],
        ["--at-most"],
        ["--annotators", "a"],
    ],
)
def test_what_cannot_be_meant_is_refused(run, table, words):
    code, _, err = run("stability", table, *words)
    assert code == 2
    assert "karat: " in err
    assert "Traceback" not in err
