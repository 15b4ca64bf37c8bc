"""`karat convert`: from files to files, with the place of what is not understood."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

LINES = "a\tx^2\nb\t\\frac{1}{2}\n"
pytestmark = pytest.mark.usefixtures("files")
GRAPH = "O, x_1, x, 1.0, s1\nO, 2_1, 2, 1.0, s2\nR, x_1, 2_1, Sup, 1.0\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("lines.txt").write_text(LINES)
    Path("one.lg").write_text(GRAPH)
    Path("bad.txt").write_text("x\nx ^ {\n\\foo\n")
    return tmp_path


def test_one_graph_goes_to_standard_output(run):
    assert run("convert", "one.lg", "--to", "latex").out == "x^{2}\n"
    assert run("convert", "one.lg", "--to", "lg").out == GRAPH
    assert run("convert", "one.lg", "--to", "symlg").out == GRAPH.replace("s1", "O").replace(
        "s2", "OSup"
    )
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in run("convert", "one.lg", "--to", "mathml").out


def test_lines_and_names_of_a_graph_file_are_chosen(run):
    done = run(
        "convert",
        "lines.txt",
        "--to",
        "inherited",
        "--lines",
        "ne",
        "--names",
        "short",
        "-o",
        "out",
    )
    assert done.code == 0
    assert Path("out/b.lg").read_text() == (
        "N, O, -, 1.0\nN, OAbove, 1, 1.0\nN, OBelow, 2, 1.0\nE, O, OAbove, A, 1.0\nE, O, OBelow, B, 1.0\n"
    )


def test_several_graphs_of_one_line_share_a_file(run):
    assert run("convert", "lines.txt", "--to", "latex").out == "a\tx^{2}\nb\t\\frac{1}{2}\n"
    run("convert", "lines.txt", "--to", "tree", "-o", "out")
    assert run("convert", "out", "--to", "latex", "-o", "again.txt").code == 0
    assert Path("again.txt").read_text() == "a\tx^{2}\nb\t\\frac{1}{2}\n"


def test_a_folder_is_filled_with_files(run):
    done = run("convert", "lines.txt", "--to", "dot", "--view", "tree", "-o", "out")
    assert "wrote 2 files into out" in done.err
    assert sorted(path.name for path in Path("out").iterdir()) == ["a.dot", "b.dot"]


def test_a_name_without_an_ending_is_a_folder(run):
    assert run("convert", "one.lg", "--to", "latex", "-o", "new/out").code == 0
    assert Path("new/out/one.tex").read_text() == "x^{2}\n"
    assert run("convert", "new", "--to", "latex").out == "x^{2}\n"
    assert run("convert", "new", "one.lg", "--to", "latex").err.endswith(
        "both hold a graph 'one'; convert them one at a time\n"
    )


def test_a_drawing_shows_the_difference_to_the_truth(run):
    Path("truth.lg").write_text(GRAPH.replace("2, 1.0", "3, 1.0"))
    assert "2 (3)" in run("convert", "one.lg", "--to", "dot", "--against", "truth.lg").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.lg", "--to", "lg"), "there is no file none.lg"),
        (("lines.txt", "--to", "latx"), "no form is called 'latx'; did you mean 'latex'?"),
        (
            ("lines.txt", "--to", "lg"),
            "2 graphs in the form lg need a folder; name one with -o FOLDER",
        ),
        (
            ("one.lg", "--to", "latex", "--view", "tree"),
            "--view means nothing for --to latex; it is for --to dot",
        ),
        (("one.lg", "--to", "lg", "--lines", "x"), "--lines is 'x'; it takes given, ne, or"),
        (
            ("bad.txt", "--to", "latex"),
            "2 places in 1 file cannot be read:\n  bad.txt, line 2: column 6: '}' is missing at the end",
        ),
        (
            ("one.lg", "one.lg", "./one.lg", "--to", "latex", "--format", "nope"),
            "no graph format is called 'nope'",
        ),
        (
            ("lines.txt", "--to", "dot", "--against", "one.lg", "-o", "out"),
            "one.lg has no graph 'a' to compare with",
        ),
        (
            (".", "--to", "lg", "-o", "out", "--format", "inkml"),
            "bad.txt, line 1: not well-formed XML",
        ),
        (("empty", "--to", "lg"), "empty holds no graphs"),
    ],
)
def test_a_mistake_is_told_and_nothing_is_written(run, files, arguments, message):
    Path("empty").mkdir()
    before = sorted(files.rglob("*"))
    done = run("convert", *arguments)
    assert done.code == 2
    assert message in done.err
    assert sorted(files.rglob("*")) == before


def test_lenient_reads_around_and_lists(run):
    done = run("convert", "bad.txt", "--to", "latex", "--lenient")
    assert done.code == 0
    assert done.out == "00001\tx\n00002\tx\n00003\t\\foo\n"
    assert "2 places skipped:" in done.err
    assert "bad.txt, line 3: column 1: no symbol is called \\foo" in done.err


def test_lenient_leaves_out_what_has_no_such_form(run):
    Path("two.lg").write_text("N, a, x\nN, b, y\n")
    done = run("convert", "one.lg", "two.lg", "--to", "latex", "--lenient")
    assert done.out == "x^{2}\n"
    assert "1 graph left out:\n  two.lg: 2 of its objects have no parent" in done.err


def test_formats_are_told_by_name_or_content(run):
    pytest.importorskip("lxml")
    Path("a.xml").write_text("<?xml version='1.0'?>\n<!-- x --><math><mi>x</mi></math>")
    Path("b.txt").write_text("# a graph\nN, s1, y, 1.0\n")
    Path("c.xml").write_text(
        "<ink><annotationXML><math><mi xml:id='z_1'>z</mi></math></annotationXML><trace id='0'>0 0</trace><traceGroup>"
        "<traceGroup><annotation type='truth'>z</annotation><traceView traceDataRef='0'/><annotationXML href='z_1'/>"
        "</traceGroup></traceGroup></ink>"
    )
    assert run("convert", "a.xml", "b.txt", "c.xml", "--to", "latex").out == "a\tx\nb\ty\nc\tz\n"


def test_two_graphs_of_one_name_are_not_written_over_each_other(run):
    Path("other").mkdir()
    Path("other/one.lg").write_text(GRAPH)
    assert (
        "both hold a graph 'one'" in run("convert", "one.lg", "other/one.lg", "--to", "latex").err
    )


def test_a_table_is_no_formula(run):
    Path("answers.csv").write_text("item,truth,a\n1,cat,cat\n")
    code, out, err = run("convert", "answers.csv", "--to", "latex")
    assert (code, out) == (2, "")
    assert "the format of answers.csv is unclear; say --format" in err


def test_the_same_graph_is_always_written_in_the_same_order(tmp_path):
    """Sets of names have another order in each run of Python: no line may follow it."""
    strokes = {"s1": "sqrt", "s2": "b", "s3": "b", "s4": "2", "s5": "+", "s6": "+"}
    nodes = [f"N, {stroke}, {label}, 1.0" for stroke, label in strokes.items()]
    merges = [("s2", "s3", "b"), ("s3", "s2", "b"), ("s5", "s6", "+"), ("s6", "s5", "+")]
    relations = [("s1", "s2", "Inside"), ("s1", "s3", "Inside")]
    relations += [(b, "s4", "Sup") for b in ("s2", "s3")]
    relations += [(b, plus, "Right") for b in ("s2", "s3") for plus in ("s5", "s6")]
    edges = [f"E, {one}, {other}, {label}, 1.0" for one, other, label in (*merges, *relations)]
    (tmp_path / "root.lg").write_text("\n".join([*nodes, *edges]))
    written = set()
    for seed in ("1", "2", "3"):
        done = subprocess.run(
            [sys.executable, "-m", "karat", "convert", "root.lg", "--to", "inherited"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        written.add(done.stdout)
    assert len(written) == 1


def test_all_faults_of_a_test_set_are_listed_at_once(run, tmp_path):
    for number in range(9):
        (tmp_path / f"f{number}.tex").write_text("\\frac{1\n" if number < 7 else "x^{\\foo\n")
    (tmp_path / "good.tex").write_text("x\n")
    done = run("convert", tmp_path, "--to", "tree", "-o", tmp_path / "out")
    assert done.code == 2
    # Each of the seven lacks a brace and a second part; each of the two has an unknown symbol and lacks a brace.
    assert "18 places in 9 files cannot be read:" in done.err
    assert done.err.count("line 1") == 18
    assert not (tmp_path / "out").exists()
    lenient = run("convert", tmp_path, "--to", "tree", "-o", tmp_path / "out", "--lenient")
    assert lenient.code == 0
    assert "18 places skipped:" in lenient.err


def test_a_folder_of_one_formula_a_file_is_converted_file_by_file(run, tmp_path):
    (tmp_path / "in").mkdir()
    for name in "ab":
        (tmp_path / "in" / f"{name}.txt").write_text(f"%{name}\n${name}^2$")
    done = run("convert", tmp_path / "in", "--to", "tree", "-o", tmp_path / "out")
    assert done.code == 0
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["a.lg", "b.lg"]
