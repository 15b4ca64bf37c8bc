"""`karat graph`, `karat check` and `--graphs`, as a shell sees them."""

import csv
import io
import json

import pytest

WANTED = [
    "system",
    "files",
    "nodes",
    "dC",
    "dS",
    "dR",
    "dL",
    "dB",
    "dBn_mean",
    "dBn_sd",
    "dE_mean",
    "dE_sd",
    "expression_rate",
    "object_recall",
    "object_precision",
    "class_recall",
    "class_precision",
    "relation_recall",
    "relation_precision",
    "relation_place_recall",
    "relation_place_precision",
    "missing_files",
    "malformed_files",
]
TRUTH = {
    "one": "O, a, 2, 1.0, s1\nO, b, +, 1.0, s2, s3\nO, c, 2, 1.0, s4\nR, a, b, Right, 1.0\nR, b, c, Right, 1.0\n",
    "two": "O, x, x, 1.0, t1\nO, y, 2, 1.0, t2\nR, x, y, Sup, 1.0\n",
    "three": "O, x, z, 1.0, u1\n",
}
GOOD = TRUTH | {"three": "O, x, 2, 1.0, u1\n"}
BAD = {
    "one": "O, a, 2, 1.0, s1\nO, b, -, 1.0, s2\nO, d, 1, 1.0, s3\nO, c, 2, 1.0, s4\nR, a, b, Right, 1.0\n",
    "two": "",
    "four": "N, v, x\n",
}


def folder(path, graphs):
    path.mkdir(parents=True)
    for name, text in graphs.items():
        (path / f"{name}.lg").write_text(text)
    return path


@pytest.fixture
def sets(tmp_path):
    return [
        folder(tmp_path / name, graphs)
        for name, graphs in {"truth": TRUTH, "good": GOOD, "bad": BAD}.items()
    ]


def test_the_json_has_the_keys_of_the_design(run, sets):
    code, out, _ = run("graph", *sets, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["command"] == "graph"
    assert "semantics='paper'" in found["signature"]
    assert [row["system"] for row in found["rows"]] == ["good", "bad"]
    assert all(set(WANTED) <= set(row) for row in found["rows"])
    assert found["truth"]["objects"] == 6
    good, bad = found["rows"]
    assert (good["dC"], good["dB"], good["expression_rate"]) == (1, 1, 2 / 3)
    assert (bad["missing_files"], bad["empty_files"], bad["extra_files"]) == (1, 1, 1)
    assert found["files"]["bad"]["extra"] == ["four"]


def test_what_is_absent_or_extra_is_said_aloud(run, sets):
    code, out, _ = run("graph", *sets)
    assert code == 0
    assert "bad: scored as absent: 1 missing ('three'), 1 empty ('two')" in out
    assert "bad: 1 file without a truth, not scored: 'four'" in out


def test_one_row_per_file(run, sets):
    code, out, _ = run("graph", *sets, "--per", "file", "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert [(row["file"], row["system"]) for row in rows[:3]] == [
        ("one", "good"),
        ("three", "good"),
        ("two", "good"),
    ]
    worst = next(row for row in rows if (row["file"], row["system"]) == ("two", "bad"))
    assert (worst["state"], worst["dB"], worst["dBn"]) == ("empty", "4", "1.0")


def test_a_line_that_means_nothing_is_an_error_or_listed(run, sets):
    (sets[1] / "one.lg").write_text(TRUTH["one"] + "Q, 1\n")
    code, out, err = run("graph", *sets)
    assert (code, out) == (2, "")
    assert "one.lg, line 6: 'Q' is not a kind of line" in err
    assert "--lenient" in err
    code, out, err = run("graph", *sets, "--lenient", "--json")
    assert code == 0
    assert "left out: " in err
    good = next(row for row in json.loads(out)["rows"] if row["system"] == "good")
    assert (good["malformed_files"], good["malformed_objects"]) == (1, 1)


def test_duplicate_and_unreadable_files_are_scored_as_absent(run, sets):
    folder(sets[1] / "again", {"one": TRUTH["one"]})
    (sets[1] / "two.lg").write_bytes(b"\xff\xfe\xff")
    code, out, _ = run("graph", *sets[:2], "--json")
    (row,) = json.loads(out)["rows"]
    assert code == 0
    assert (row["duplicate_files"], row["unreadable_files"]) == (1, 1)
    assert row["expression_rate"] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "nowhere"], "there is no folder nowhere"),
        (["-", "truth"], "karat consensus --graphs"),
        (["truth"], "is the only folder"),
        (["truth", "good", "good"], "two systems are called"),
        (["truth", "good", "--semantics", "old"], "--semantics is 'old'"),
        (["truth", "good", "--level", "cells"], "--level is 'cells'"),
        (["truth", "good", "--confusion", "strokes"], "--confusion is 'strokes'"),
        (["truth", "good", "--common"], "common errors need two"),
        (["truth", "good", "--common", "--per", "file"], "has a result of its own"),
    ],
)
def test_usual_mistakes_are_one_message(run, sets, monkeypatch, arguments, said):
    monkeypatch.chdir(sets[0].parent)
    code, out, err = run("graph", *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_a_folder_without_graphs_is_an_error(run, sets, tmp_path):
    (tmp_path / "empty").mkdir()
    code, _, err = run("graph", sets[0], tmp_path / "empty")
    assert code == 2
    assert "holds no file that ends with .lg" in err


def test_files_of_metrics_are_sorted_and_never_stale(run, sets, tmp_path):
    place = tmp_path / "metrics"
    code, _, err = run("graph", *sets[:2], "--metrics", place, "--semantics", "lgeval")
    assert code == 0
    assert "wrote the metrics of 3 graphs" in err
    assert (place / "three.diff").read_text() == "*N,u1,2,1.0,:vs:,z,1.0\n"
    assert (place / "three.csv").read_text().startswith("D_B,1,D_C,1,D_L,0,")
    assert not (place / "one.diff").exists()
    (sets[1] / "three.lg").write_text(TRUTH["three"])
    run("graph", *sets[:2], "--metrics", place, "--semantics", "lgeval")
    assert not (place / "three.diff").exists()
    run("graph", *sets, "--metrics", place)
    assert (place / "bad" / "one.csv").is_file()


def test_confusions_name_labels_and_common_errors_count_them(run, sets):
    _, out, _ = run("graph", *sets, "--confusion", "all", "--json")
    rows = json.loads(out)["rows"]
    assert {"unit": "primitive", "system": "good", "truth": "z", "output": "2", "number": 1} in rows
    assert {"unit": "object", "system": "bad", "truth": "+", "output": "∅", "number": 1} in rows
    _, out, _ = run("graph", *sets, "--common", "--json")
    found = json.loads(out)
    first = next(row for row in found["rows"] if row["unit"] == "primitive")
    assert (
        first["same_error"],
        first["other_error"],
        first["only_first"],
        first["only_second"],
    ) == (0, 1, 0, 4)
    assert found["expressions"] == [
        {"systems": ["bad"], "number": 2},
        {"systems": ["good", "bad"], "number": 1},
    ]


def test_distances_among_systems_and_truth(run, sets):
    _, out, _ = run("graph", *sets[:2], "--distances", "dB", "--json")
    found = json.loads(out)
    assert found["rows"] == [{"first": "truth", "second": "good", "measure": "dB", "distance": 1.0}]


def test_levels_are_counted_apart(run, tmp_path):
    text = "O, x, x, 1, a\nO, y, y, 1, b\nO, c, Cell, 1, a, b\nR, x, y, R, 1\n"
    folder(tmp_path / "t", {"m": text})
    folder(tmp_path / "s", {"m": text.replace("O, y, y", "O, y, z")})
    _, out, _ = run("graph", tmp_path / "t", tmp_path / "s", "--level", "cells=Cell", "--json")
    found = {row["system"]: row["dB"] for row in json.loads(out)["rows"]}
    assert found == {"s: symbols": 1, "s: cells": 0}


def test_two_files_are_a_pair_whatever_they_are_called(run, sets):
    _, out, _ = run("graph", sets[0] / "two.lg", sets[1] / "one.lg", "--json")
    (row,) = json.loads(out)["rows"]
    assert (row["system"], row["nodes"]) == ("one", 6)


ILLEGAL = {
    "oneway": ("N, a, x\nN, b, x\nE, a, b, *\n", "one-way merge", 3),
    "open": (
        "N, a, x\nN, b, x\nN, c, x\nE, a, b, *\nE, b, a, *\nE, b, c, *\nE, c, b, *\n",
        "unclosed merge",
        1,
    ),
    "mixed": ("N, a, x\nN, b, y\nE, a, b, *\nE, b, a, *\n", "mixed object", 1),
    "shared": ("O, o, x, 1, a, b\nO, p, y, 1, b, c\n", "shared primitive", 2),
    "uneven": (
        "N, a, x\nN, b, x\nN, c, y\nE, a, b, *\nE, b, a, *\nE, a, c, R\n",
        "uneven relation",
        6,
    ),
    "roots": ("O, o, x, 1, a\nO, p, y, 1, b\nO, q, z, 1, c\nR, o, p, R, 1\n", "several roots", 1),
    "cycle": ("O, o, x, 1, a\nO, p, y, 1, b\nR, o, p, R, 1\nR, p, o, R, 1\n", "cycle", 3),
    "empty": ("# nothing\n", "empty", None),
    "malformed": ("N, a\n", "malformed", 1),
}


def test_check_finds_what_is_illegal_with_its_line(run, tmp_path):
    place = folder(
        tmp_path / "graphs", {name: text for name, (text, _, _) in ILLEGAL.items()} | TRUTH
    )
    code, out, _ = run("check", place, "--json")
    found = json.loads(out)
    rows = {(row["file"].rpartition("/")[2], row["kind"], row["line"]) for row in found["rows"]}
    assert code == 1
    assert found["files"] == len(ILLEGAL) + len(TRUTH)
    for name, (_, kind, line) in ILLEGAL.items():
        assert (f"{name}.lg", kind, line) in rows
    assert not {name for name, _, _ in rows} & {f"{name}.lg" for name in TRUTH}


def test_check_is_content_with_legal_graphs(run, sets):
    code, out, _ = run("check", sets[0])
    assert code == 0
    assert "3 files, nothing wrong." in out


def test_check_takes_graphs_that_are_no_trees(run, tmp_path):
    place = folder(
        tmp_path / "graphs", {"cycle": ILLEGAL["cycle"][0], "roots": ILLEGAL["roots"][0]}
    )
    code, *_ = run("check", place, "--no-tree")
    assert code == 0


@pytest.mark.parametrize(
    ("unit", "right"),
    [("expression", (2, 3)), ("object", (5, 6)), ("primitive", (6, 7)), ("pair", (14, 14))],
)
def test_a_set_of_graphs_is_a_table(run, sets, unit, right):
    code, out, _ = run(
        "score", "--graphs", *sets[:2], "--unit", unit, "--measure", "accuracy", "--json"
    )
    assert code == 0
    (row,) = json.loads(out)["rows"]
    assert (row["successes"], row["trials"]) == right


def test_every_question_of_a_table_can_be_asked_of_graphs(run, sets, tmp_path):
    code, out, _ = run("compare", "--graphs", *sets, "--unit", "object", "--json")
    assert code == 0
    assert json.loads(out)["rows"][0]["test"].startswith("jackknife over 3 clusters")
    code, out, err = run("consensus", "--graphs", "-", *sets[1:], "--unit", "primitive", "--json")
    assert code == 0
    assert "taken as a graph without primitives" in err
    page = tmp_path / "page.html"
    assert run("report", "--graphs", *sets, "--unit", "object", "-o", page).code == 0
    assert "What went wrong inside?" in page.read_text()


def test_errors_of_the_truth_are_drawn_per_object(run, sets):
    code, out, _ = run(
        "stability", "--graphs", *sets, "--unit", "object", "--label-error", "0.1", "--json"
    )
    assert code == 0
    assert json.loads(out)["rows"][0]["label_error"] == 0.1
    code, out, _ = run("stability", "--graphs", *sets, "--label-error", "0.1", "--json")
    found = json.loads(out)
    assert code == 0
    assert "unit='expression'" in found["signature"]
    # good has two right, bad none; their truths have three and two objects, and both must be wrong for a tie. So must
    # the third not be wrong, or not stand for what good says there, which is one of the five other classes.
    assert found["rows"][0]["kept"] == pytest.approx(
        1 - (1 - 0.9**3) * (1 - 0.9**2) * (1 - 0.1 / 5)
    )
    done = run("stability", "--graphs", *sets, "--unit", "primitive", "--label-error", "0.1")
    assert done.code == 0
    assert "in all its strokes at once" in " ".join(done.out.split())


def test_a_truth_that_is_there_twice_is_an_error(run, sets):
    folder(sets[0] / "again", {"one": TRUTH["one"]})
    code, _, err = run("score", "--graphs", *sets[:2])
    assert code == 2
    assert "the truth has 'one' twice" in err


def test_cite_knows_the_paper(run):
    assert "Zanibbi" in run("cite", "expression-error").out


def test_a_picture_of_wrong_labels(run, sets, tmp_path):
    pytest.importorskip("matplotlib")
    assert run("plot", "graphs", "--graphs", *sets, "-o", tmp_path / "graphs.svg").code == 0
    assert "relations (dR)" in (tmp_path / "graphs.svg").read_text()


def test_options_of_tables_and_of_graphs_are_not_mixed_in_silence(run, sets):
    code, _, err = run("score", "--graphs", *sets[:2], "--truth", "gold")
    assert (code, "--truth is for tables" in err) == (2, True)
    code, _, err = run("score", "runs.csv", "--unit", "object")
    assert (code, "--unit is for label graphs" in err) == (2, True)


def test_a_page_without_a_truth(run, sets, tmp_path):
    page = tmp_path / "page.html"
    assert run("report", "--graphs", "-", *sets, "--unit", "primitive", "-o", page).code == 0
    assert "What went wrong inside?" not in page.read_text()
