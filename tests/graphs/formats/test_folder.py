"""Folders of graphs: names, pairs, and files that cannot be used."""

import pytest

import karat
from karat.errors import InputError
from karat.graphs.formats.folder import of_graphs, read_set
from karat.graphs.formats.label_graph import parse
from karat.graphs.formats.pairing import called, extra, paired


def write(folder, **texts):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.lg").write_text(text)
    return folder


def test_files_of_2012_and_capital_endings_are_read(tmp_path):
    (tmp_path / "old.bg").write_text("N, a, x, 1.0")
    (tmp_path / "LOUD.LG").write_text("N, a, x, 1.0")
    (tmp_path / "notes.txt").write_text("no graph")
    assert [*read_set(tmp_path).graphs] == ["LOUD", "old"]


def test_the_state_of_every_file_is_told(tmp_path):
    place = write(tmp_path / "s", fine="N, a, x", empty="# nothing", twice="N, a, x")
    write(place / "inner", twice="N, a, y")
    (place / "bytes.lg").write_bytes(b"\xff")
    found = read_set(place)
    states = {name: found.state(name) for name in ("fine", "empty", "twice", "bytes", "none")}
    assert states == {
        "fine": "",
        "empty": "empty",
        "twice": "duplicate",
        "bytes": "unreadable",
        "none": "missing",
    }
    assert found.graph("twice").primitives() == ()


def test_what_the_truth_does_not_have_is_extra(tmp_path):
    truth, system = (
        read_set(write(tmp_path / "t", a="N, p, x")),
        read_set(write(tmp_path / "s", a="", b="N, p, x")),
    )
    assert paired(truth, system) == {"a": "a"}
    assert extra(truth, system) == ("b",)


def test_lines_that_mean_nothing_are_an_error_that_names_the_files(tmp_path):
    place = write(tmp_path / "s", a="Q, 1\nQ, 2\n", b="N\n")
    with pytest.raises(
        InputError, match=r"a.lg, line 1: 'Q' .*; 2 more such lines, also in 'b.lg'"
    ):
        read_set(place)
    assert read_set(place, lenient=True).malformed() == {"a": 2, "b": 1}


def test_systems_are_called_by_what_tells_them_apart(tmp_path):
    assert called(["x/a/out", "x/b/out", "x/c"]) == {
        "a/out": "x/a/out",
        "b/out": "x/b/out",
        "c": "x/c",
    }
    assert called(["best=x/a/out/"]) == {"best": "x/a/out/"}
    with pytest.raises(InputError, match="two systems are called 'a'"):
        called(["a=x", "a=y"])
    with pytest.raises(InputError, match="there is no folder"):
        read_set(tmp_path / "nowhere")


def test_graphs_in_memory_are_a_set_too():
    truth, good, bad = (parse(f"N, a, {label}").graph for label in "xxy")
    bench = karat.read_graphs({"e": truth}, {"good": {"e": good}, "bad": {"e": bad}})
    assert {row["system"]: row["dB"] for row in bench.graph().rows()} == {"good": 0, "bad": 1}
    assert of_graphs("s", {"e": truth}).state("e") == ""


def test_a_folder_of_one_formula_a_file(tmp_path):
    for name, text in {"a": "%a\n$x^2$", "b": "\\frac{1}{2}\n", "c": "x\ny", "d": "x^{"}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    found = read_set(tmp_path)
    assert {name: len(graph.objects) for name, graph in found.graphs.items()} == {"a": 2, "b": 3}
    assert "c.txt holds 2 formulas; a file of a folder holds one" in found.unreadable["c"]
    assert "'}' is missing at the end" in found.unreadable["d"]


def test_an_unreadable_truth_is_an_error_or_left_out_for_all(tmp_path):
    truth = tmp_path / "truth.tsv"
    truth.write_text("a\tx\nb\tx^{\nc\ty\nc\tz\nd\t1\n")
    mine = tmp_path / "mine.tsv"
    mine.write_text("a\tx\nb\tx\nc\ty\nd\t2\n")
    with pytest.raises(InputError, match=r"the truth has 'c' twice: .* lenient=True"):
        karat.read_graphs(truth, {"mine": mine})
    scores = karat.read_graphs(truth, {"mine": mine}, lenient=True).graph()
    (row,) = scores.rows()
    assert (row["files"], row["expression_rate"], row["extra_files"]) == (2, 0.5, 0)
    left_out = "warning: truth: 1 expression left out for all systems, as the truth"
    assert scores.warnings()[0] == f"{left_out} cannot be read: 'b'."
    assert scores.warnings()[1] == f"{left_out} has them more than once: 'c'."
    truth.write_text("a\tx\nb\tx^{\nc\ty^{\n")
    with pytest.raises(
        InputError, match=r"the truth of 'b' cannot be read: .* \(and 1 more: 'c'\)"
    ):
        karat.read_graphs(truth, {"mine": mine})
