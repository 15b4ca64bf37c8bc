"""`karat consensus`, as a shell sees it."""

import csv
import io
import json

import pytest

WANTED = {"system", "weight", "retrieved", "precision", "recall", "f1"}


def line(k):
    truth = "xy"[k % 2]
    a, b, c = (truth if k % n else "z" for n in (11, 7, 5))
    return f"{k},{truth},{a},{b},{c},{truth if k % 3 else 'x'}\n"


ROWS = "item,truth,a,b,c,d\n" + "".join(map(line, range(90)))
TABLE_3 = "item,S1,S2,S3\n1,1,1,1\n2,1,1,1\n3,0,1,0\n4,1,0,0\n5,1,0,0\n6,0,0,1\n7,0,0,0\n"
"""Tables 2 and 3 of Lamiroy and Sun."""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(ROWS)
    return str(path)


@pytest.fixture
def table_3(tmp_path):
    path = tmp_path / "table3.csv"
    path.write_text(TABLE_3)
    return str(path)


def test_the_json_has_a_row_for_every_system_and_the_virtual_ones(run, table_3):
    code, out, _ = run("consensus", table_3, "--estimator", "vote", "--json")
    found = json.loads(out)
    assert code == 0
    assert all(set(row) >= WANTED for row in found["rows"])
    rows = {row["system"]: row for row in found["rows"]}
    assert [round(rows[name]["recall"], 2) for name in ("S1", "S2", "S3", "(all)", "(none)")] == [
        0.71,
        0.59,
        0.59,
        1,
        0,
    ]
    assert rows["(none)"]["precision"] is rows["(none)"]["f1"] is None
    assert {row["weight"] for row in found["rows"]} == {0.2}
    assert found["command"] == "consensus"
    assert found["input"]["items"] == 7
    assert "truth" not in found


def test_the_terminal_says_undefined_and_what_cannot_be_seen(run, table_3):
    code, out, _ = run("consensus", table_3, "--estimator", "vote")
    assert code == 0
    assert "undefined" in out
    assert "cannot be seen from their answers" in out
    assert "0.6486" in out


def test_a_truth_is_set_beside_it(run, table):
    _, out, _ = run("consensus", table, "--json")
    found = json.loads(out)
    assert set(found["truth"]) >= {"measure", "items", "tau", "tiers", "tied_apart", "majority"}
    assert found["labels"] == ["x", "y", "z"]
    assert {"truth_value", "truth_rank"} <= set(found["rows"][0])
    _, out, _ = run("consensus", table)
    assert "Kendall's tau" in out


def test_without_draws_there_is_no_spread(run, table):
    _, out, _ = run("consensus", table, "--draws", "0", "--json")
    assert {row["spread_low"] for row in json.loads(out)["rows"]} == {None}
    _, out, _ = run("consensus", table, "--draws", "0")
    assert "spread" not in out
    _, out, _ = run("consensus", table, "--draws", "20")
    assert "spread: about how far" in out
    assert "interval " not in out.replace("truth interval ", "").replace("confidence interval ", "")


def test_the_same_seed_gives_the_same_numbers_and_the_signature_has_it(run, table):
    one, same, other = (run("consensus", table, "--json", "--seed", seed).out for seed in (1, 1, 2))
    assert one == same != other
    assert "seed='1'" in json.loads(one)["signature"]


def test_weights_oracles_and_families_are_taken(run, table):
    options = [
        "--trust",
        "a=2,(all)=0",
        "--oracle",
        "b=0.5",
        "--family",
        "f=c,d",
        "--leave-out",
        "itself",
        "--beta",
        "2",
    ]
    code, out, _ = run("consensus", table, *options, "--json")
    found = json.loads(out)
    assert code == 0
    weights = {row["system"]: row["weight"] for row in found["rows"]}
    assert weights["b"] == pytest.approx(0.5)
    assert weights["(all)"] == 0
    assert "f2" in found["rows"][0]
    assert all(part in found["signature"] for part in ("a=2", "b=0.5", "leave_out"))


@pytest.mark.parametrize("estimator", ["dawid-skene", "majority"])
def test_other_estimators_rank_by_their_value(run, table, estimator):
    code, out, _ = run("consensus", table, "--estimator", estimator, "--json")
    rows = json.loads(out)["rows"]
    assert code == 0
    assert {row["system"] for row in rows} == {"a", "b", "c", "d"}
    assert [row["value"] for row in rows] == sorted((row["value"] for row in rows), reverse=True)


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (["--per", "class", "--group", "page"], ["x", "y", "z"]),
        (["--per", "group", "--group", "page"], ["p", "q", "(mean)"]),
        (["--per", "family", "--family", "f=a,b", "--family", "g=c,d"], ["f", "g"]),
    ],
)
def test_the_vote_in_parts(run, tmp_path, options, parts):
    path = tmp_path / "pages.csv"
    rows = ROWS.splitlines()
    path.write_text(
        "\n".join(
            [f"{rows[0]},page", *(f"{row},{'pq'[k % 3 == 0]}" for k, row in enumerate(rows[1:]))]
        )
    )
    code, out, _ = run("consensus", path, *options, "--json")
    found = json.loads(out)["rows"]
    assert code == 0
    assert {row["part"] for row in found} == set(parts)
    assert all(
        {"part", "system", "retrieved", "precision", "recall", "f1"} <= set(row) for row in found
    )
    code, out, _ = run("consensus", path, *options)
    assert code == 0
    assert all(part in out for part in parts)


def test_a_truth_on_some_items_is_powered_by_the_rest(run, tmp_path):
    path = tmp_path / "few.csv"
    rows = [row.split(",") for row in ROWS.splitlines()]
    path.write_text(
        "\n".join(",".join([r[0], r[1] if k <= 30 else "", *r[2:]]) for k, r in enumerate(rows))
    )
    _, out, _ = run("consensus", path, "--json")
    powered = json.loads(out)["powered"]
    assert [(row["checked"], row["judged"]) for row in powered] == [(30, 60)] * 4
    assert all(row["low"] <= row["value"] <= row["high"] for row in powered)
    _, out, _ = run("consensus", path)
    assert "from a few items with truth and many without" in out
    code, out, _ = run("consensus", path, "--oracle", "(truth)=1")
    assert code == 0
    assert "60 items left out" in out


def test_what_all_say_serves_as_a_truth_with_errors(run, table, tmp_path):
    voted = tmp_path / "voted.csv"
    code, _, _ = run("consensus", table, "--per", "item", "--csv", "-o", voted)
    rows = list(csv.DictReader(io.StringIO(voted.read_text())))
    assert code == 0
    assert list(rows[0]) == ["item", "label", "p", "error"]
    assert len(rows) == 90
    assert all(float(row["p"]) + float(row["error"]) == pytest.approx(1) for row in rows)
    again = [table, "--truth", f"{voted}:label", "--systems", "a,b,c"]
    code, out, _ = run("stability", *again, "--error", "error", "--json")
    assert code == 0
    assert [(row["better"], row["worse"]) for row in json.loads(out)["rows"]] == [
        ("a", "b"),
        ("b", "c"),
    ]
    assert all(0 <= row["kept"] <= 1 for row in json.loads(out)["rows"])
    code, out, _ = run("score", *again, "--measure", "accuracy", "--json")
    labels = {row["item"]: row["label"] for row in rows}
    right = [
        labels[cells[0]] == cells[2] for cells in (row.split(",") for row in ROWS.splitlines()[1:])
    ]
    assert code == 0
    assert json.loads(out)["rows"][0]["successes"] == sum(right)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--trust", "a"], "--trust is 'a'; it takes NAME=NUMBER"),
        (["--trust", "a=much"], "--trust is 'a=much'"),
        (["--trust", "a=-1"], "a weight in the vote is -1"),
        (["--trust", "e=1"], "no system is called 'e'"),
        (["--oracle", "a"], "--oracle is 'a'; it takes NAME=NUMBER"),
        (["--oracle", "a=2"], "from 0 to 1"),
        (["--oracle", "gold=1"], "no system is called 'gold'"),
        (["--family", "a,b"], "--family is 'a,b'; it takes NAME=a,b,c, or found"),
        (["--family", "f="], "--family is 'f='"),
        (["--family", "f=a,e"], "no system is called 'e'"),
        (["--family", "f=a,b", "--family", "g=b,c"], "'b' is in the families 'f' and 'g'"),
        (["--leave-out", "me"], "nobody"),
        (["--estimator", "mean"], "no estimator is called 'mean'"),
        (["--estimator", "spectral"], "spectral is for yes/no"),
        (["--estimator", "majority", "--trust", "a=2"], "for the vote"),
        (["--estimator", "majority", "--per", "item"], "says nothing about single items"),
        (["--per", "page"], "class, group, family, cutoff, depth or item"),
        (["--per", "group"], "--group COL"),
        (["--per", "family"], "--family NAME=a,b"),
        (["--draws", "-1"], "draws is -1"),
        (["--level", "95"], "strictly between 0 and 1"),
    ],
)
def test_a_mistake_ends_with_a_sentence(run, table, options, words):
    code, out, err = run("consensus", table, *options)
    assert (code, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


def test_the_help_names_every_option(run):
    code, out, _ = run("consensus", "--help")
    assert code == 0
    assert all(
        option in out
        for option in (
            "--estimator",
            "--trust",
            "--oracle",
            "--family",
            "--leave-out",
            "--per",
            "item",
        )
    )


def test_cutoffs_are_printed_and_drawn(run, tmp_path):
    path, picture = tmp_path / "scores.csv", tmp_path / "cutoffs.svg"
    path.write_text("item,truth,a,b\n1,1,0.9,0.6\n2,0,0.2,0.7\n3,1,0.8,0.3\n4,0,0.1,0.2\n")
    code, out, _ = run("consensus", path, "--per", "cutoff", "--cutoffs", 0.5, "--json")
    rows = json.loads(out)["rows"]
    assert code == 0
    assert {row["cutoff"] for row in rows} == {0.5}
    assert next(row for row in rows if row["system"] == "b")["truth_precision"] == 0.5
    code, _, err = run("plot", "cutoffs", path, "-o", picture)
    assert (code, err.splitlines()[-1]) == (0, f"wrote {picture}")
    assert "by consensus, without the truth" in picture.read_text()
    code, _, err = run("plot", "consensus", path, "--threshold", "0.5", "-o", picture)
    assert code == 0
    assert "ring: by consensus; dot: by the truth" in picture.read_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--cutoffs", "0.5"], "--cutoffs is for --per cutoff and --per depth"),
        (["--per", "depth"], "name their columns with --group COL and --item COL"),
        (
            ["--per", "depth", "--cutoffs", "2.5"],
            "it takes numbers of documents with commas between",
        ),
        (["--per", "depth", "--threshold", "1"], "leave --threshold out"),
        (["--per", "cutoff", "--cutoffs", "a"], "--cutoffs is 'a'; it takes scores"),
        (["--per", "cutoff", "--cutoffs", "0.5,nan"], "--cutoffs is '0.5,nan'; it takes scores"),
        (["--per", "cutoff", "--threshold", "0.5"], "leave --threshold out"),
    ],
)
def test_a_mistake_with_cutoffs_ends_with_a_sentence(run, tmp_path, options, words):
    path = tmp_path / "scores.csv"
    path.write_text("a,b\n0.9,0.6\n0.2,0.7\n")
    code, out, err = run("consensus", path, *options)
    assert (code, out) == (2, "")
    assert words in err


def test_depths_are_printed_and_drawn(run, tmp_path):
    path, picture = tmp_path / "lists.csv", tmp_path / "depths.svg"
    path.write_text("item,query,truth,a,b\n1,q,1,7.5,2\n2,q,0,3,1.5\n3,r,0,2,\n4,r,1,1,9\n")
    code, out, _ = run("consensus", path, "--per", "depth", "--cutoffs", "1,2", "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert {row["depth"] for row in rows} == {"1", "2"}
    assert next(row for row in rows if row["system"] == "b")["truth_precision"] == "1.0"
    code, _, err = run("plot", "depths", path, "-o", picture)
    assert (code, err.splitlines()[-1]) == (0, f"wrote {picture}")
    assert "by consensus, without the truth" in picture.read_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--per", "class", "--draws", "10"], "leave --draws and --seed out"),
        (["--per", "class", "--seed", "0"], "leave --draws and --seed out"),
        (["--per", "item", "--draws", "10"], "leave --draws and --seed out"),
        (["--per", "item", "--level", "0.9"], "--level is for --family found there"),
        (["--per-item", "--per", "class"], "leave --per class out"),
        (["--per", "item", "--leave-out", "itself"], "leave --leave-out and --beta out"),
        (["--per", "item", "--beta", "2"], "leave --leave-out and --beta out"),
        (["--leave-out", "family"], "--leave-out family needs families"),
    ],
)
def test_what_would_not_be_heard_is_refused(run, table, options, words):
    code, out, err = run("consensus", table, *options)
    assert (code, out) == (2, "")
    assert words in err


def test_parts_without_spread_may_be_asked_for_by_name(run, table):
    assert run("consensus", table, "--per", "class", "--draws", "0")[0] == 0


def test_what_plays_no_part_in_a_vote_is_said(run, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("item,page,truth,wrong,a,b\n1,p,x,0.1,x,x\n2,q,y,0.2,y,z\n")
    options = [
        "--systems",
        "a,b",
        "--draws",
        "0",
        "--group",
        "page",
        "--error",
        "wrong",
        "--positive",
        "x",
    ]
    code, out, _ = run("consensus", path, *options, "--md")
    assert code == 0
    for words in ("Groups are pooled", "does not take --error", "whatever --positive says"):
        assert words in out
    path.write_text("item,truth,a,b\n1,x y,x,x\n2,y,y,z\n")
    code, out, _ = run("consensus", path, "--truth-sep", " ", "--draws", "0", "--md")
    assert (code, "The truth is a set of labels for each item" in out) == (0, True)
