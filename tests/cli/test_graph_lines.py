"""`karat graph` on files of LaTeX lines and folders of InkML."""

import json

import pytest


def test_two_files_of_latex_lines_are_compared_line_by_line(run, tmp_path):
    (tmp_path / "truth.txt").write_text("x^2\n\\frac{a}{b}\n\\sqrt{x}\ny\n")
    (tmp_path / "mine.txt").write_text("x ^ { 2 }\n\\frac a 6\n\\sqrt { x\n\n")
    done = run(
        "graph", tmp_path / "truth.txt", tmp_path / "mine.txt", "--json", "--semantics", "lgeval"
    )
    (row,) = json.loads(done.out)["rows"]
    assert row["expression_rate"] == 1 / 4
    assert "mine.txt, line 3: column 10: '}' is missing at the end" in done.err


def test_lines_may_be_paired_by_name(run, tmp_path):
    (tmp_path / "truth.txt").write_text("a\tx\nb\ty\n")
    (tmp_path / "mine.txt").write_text("b\ty\na\tx\n")
    done = run("graph", tmp_path / "truth.txt", tmp_path / "mine.txt", "--json")
    assert json.loads(done.out)["rows"][0]["expression_rate"] == 1


def test_folders_of_inkml_are_compared_as_they_are(run, tmp_path):
    pytest.importorskip("lxml")
    (tmp_path / "truth").mkdir()
    (tmp_path / "mine").mkdir()
    ink = (
        "<ink><annotationXML><math><mi xml:id='z_1'>z</mi></math></annotationXML><trace id='0'>0 0</trace><traceGroup>"
        "<traceGroup><annotation type='truth'>z</annotation><traceView traceDataRef='0'/><annotationXML href='z_1'/>"
        "</traceGroup></traceGroup></ink>"
    )
    (tmp_path / "truth" / "a.inkml").write_text(ink)
    (tmp_path / "mine" / "a.lg").write_text("N, 0, z, 1.0\n")
    done = run("graph", tmp_path / "truth", tmp_path / "mine", "--json")
    assert json.loads(done.out)["rows"][0]["expression_rate"] == 1


def test_a_truth_without_a_line_is_refused(run, tmp_path):
    (tmp_path / "truth.txt").write_text("")
    (tmp_path / "mine.txt").write_text("x\n")
    code, _, err = run("graph", tmp_path / "truth.txt", tmp_path / "mine.txt")
    assert code == 2
    assert "truth.txt holds no expression to compare with" in err


def test_line_ends_and_the_mark_of_unicode_are_no_symbols(run, tmp_path):
    (tmp_path / "truth.txt").write_text("x^2\n\ny\n")
    (tmp_path / "mine.txt").write_bytes(b"\xef\xbb\xbfx^2\r\n\r\ny\r\n")
    done = run("graph", tmp_path / "truth.txt", tmp_path / "mine.txt", "--json")
    assert json.loads(done.out)["rows"][0]["expression_rate"] == 1


def test_files_of_unequal_length_are_told(run, tmp_path):
    (tmp_path / "long.txt").write_text("x\ny\nz\n")
    (tmp_path / "short.txt").write_text("x\n")
    done = run("graph", tmp_path / "long.txt", tmp_path / "short.txt")
    assert "scored as absent: 2 missing ('00002', '00003')" in done.out
    done = run("graph", tmp_path / "short.txt", tmp_path / "long.txt")
    assert "2 files without a truth, not scored: '00002', '00003'" in done.out


def test_a_wrong_cell_of_a_matrix_is_one_error(run, tmp_path):
    (tmp_path / "truth.txt").write_text("\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}\n")
    (tmp_path / "mine.txt").write_text(
        "\\left( \\begin{array}{cc} a & 6 \\\\ c & d \\end{array} \\right)\n"
    )
    (row,) = json.loads(run("graph", tmp_path / "truth.txt", tmp_path / "mine.txt", "--json").out)[
        "rows"
    ]
    assert (row["dC"], row["dR"], row["dS"]) == (1, 0, 0)
