"""`karat show`, `karat graph merge`, `find`, `--parts` and `--draw`, as a shell sees them."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from karat.graphs.formats.label_graph import read_lg

EXAMPLES = Path(__file__).parents[1] / "graphs" / "paper_examples"
RIGHT, WRONG, ABSENT = (EXAMPLES / name for name in ("fig1b.lg", "fig3b.lg", "fig3a.lg"))
INK = """<ink xmlns="http://www.w3.org/2003/InkML">
<trace id="s1">0 0, 1 1, 2 0</trace><trace id="s2">3 1, 5 1</trace>
<trace id="s3">4 0, 4 2</trace><trace id="s4">6 0, 7 1, 6 2</trace></ink>"""


def folder(path, *files):
    path.mkdir()
    for file in files:
        (path / "fig1b.lg").write_text(file.read_text())
    return path


def words(picture):
    """The text of a drawing."""
    return [one.text for one in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314


def test_a_graph_is_drawn_to_standard_output(run):
    code, out, err = run("show", RIGHT)
    assert (code, err) == (0, "")
    assert {"2", "+", "R", "s2 s3", "fig1b.lg"} <= set(words(out))


def test_two_graphs_are_drawn_with_their_differences(run, tmp_path):
    code, _, err = run("show", WRONG, RIGHT, "-o", tmp_path / "both.svg")
    assert (code, err.strip()) == (0, f"wrote {tmp_path / 'both.svg'}")
    said = words((tmp_path / "both.svg").read_text())
    assert {"output: fig3b.lg", "truth: fig1b.lg", "only in the truth", "Sup"} <= set(said)


def test_the_matrix_is_text(run):
    assert (
        run("show", RIGHT, "--as", "matrix").out
        == "s1  2  R  R  R\ns2  _  +  *  R\ns3  _  *  +  R\ns4  _  _  _  2\n"
    )
    assert "?≠2" in run("show", ABSENT, RIGHT, "--as", "matrix").out


def test_a_page_needs_nothing_else(run, tmp_path):
    assert run("show", RIGHT, "-o", tmp_path / "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_the_browser_opens_a_page(run, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: bool(opened.append(address)) or True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run("show", RIGHT, "--browser").code == 0
    assert Path(opened[0].removeprefix("file://")).read_text().startswith("<!DOCTYPE html>")
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    assert "no browser could be opened here" in run("show", RIGHT, "--browser").err


def test_strokes_are_drawn_where_there_is_ink(run, tmp_path):
    pytest.importorskip("karat.graphs.formats.inkml")
    ink = tmp_path / "fig1b.inkml"
    ink.write_text(INK)
    code, out, _ = run("show", ABSENT, RIGHT, "--ink", ink)
    assert code == 0
    assert out.count('class="stroke') == 8
    assert 'class="stroke missing"' in out
    ink.write_text(INK.replace('id="s', 'id="t'))
    assert "has no stroke that fig1b.lg names, such as 's1'" in run("show", RIGHT, "--ink", ink).err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.lg"], "there is no file nothing.lg"),
        ([RIGHT, "-o", "x.png"], "the form of x.png is unclear; end it with .svg, .html or .txt"),
        ([RIGHT, "--as", "dot"], "--as is 'dot'; it takes svg, html or matrix"),
        ([RIGHT, "--browser", "-o", "x.svg"], "--browser shows a page and keeps none"),
    ],
)
def test_mistakes_are_told(run, arguments, message):
    code, out, err = run("show", *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_lines_that_mean_nothing_are_refused_or_named(run, tmp_path):
    bad = tmp_path / "bad.lg"
    bad.write_text("N, a, x\nQ, b\n")
    assert "bad.lg, line 2: 'Q' is not a kind of line" in run("show", bad).err
    code, out, err = run("show", bad, "--lenient", "--as", "matrix")
    assert (code, out) == (0, "a  x\n")
    assert "left out:" in err
    assert (
        "1 malformed line left out, in 'bad'"
        in run("graph", "find", RIGHT, tmp_path, "--lenient").out
    )


def test_a_vote_is_written_and_scored_beside_its_parts(run, tmp_path):
    parts = [
        folder(tmp_path / name, file) for name, file in (("a", RIGHT), ("b", WRONG), ("c", RIGHT))
    ]
    code, out, err = run(
        "graph", "merge", *parts, "-o", tmp_path / "vote", "--truth", parts[0], "--json"
    )
    assert code == 0, err
    rows = {row["system"]: row["dB"] for row in json.loads(out)["rows"]}
    assert rows == {"a": 0, "b": 5, "c": 0, "merged": 0}
    assert [one.label for one in read_lg(tmp_path / "vote" / "fig1b.lg").objects] == ["2", "+", "2"]
    assert f"wrote 1 graph to {tmp_path / 'vote'}" in err


def test_without_a_truth_each_part_is_compared_with_the_vote(run, tmp_path):
    parts = [folder(tmp_path / name, file) for name, file in (("a", RIGHT), ("b", WRONG))]
    _, out, _ = run("graph", "merge", *parts, "-o", tmp_path / "vote", "--weight", "b=2", "--json")
    assert {row["system"]: row["dB"] for row in json.loads(out)["rows"]} == {"a": 5, "b": 0}
    assert (
        "compared with the vote of all"
        in run("graph", "merge", *parts, "-o", tmp_path / "vote").out
    )


def test_a_vote_never_overwrites_its_parts(run, tmp_path):
    parts = [folder(tmp_path / name, file) for name, file in (("a", RIGHT), ("b", WRONG))]
    code, _, err = run("graph", "merge", *parts, "-o", parts[0])
    assert (code, "holds graphs that are merged" in err) == (2, True)
    assert (
        "--weight is 'b'; it takes NAME=NUMBER"
        in run("graph", "merge", *parts, "-o", "x", "--weight", "b").err
    )
    (tmp_path / "file").write_text("")
    assert "cannot be made" in run("graph", "merge", *parts, "-o", tmp_path / "file" / "x").err


def test_a_folder_that_is_called_merge_is_no_command(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder(tmp_path / "merge", RIGHT)
    folder(tmp_path / "a", WRONG)
    code, out, _ = run("graph", "./merge", "a", "--json")
    assert (code, json.loads(out)["rows"][0]["dB"]) == (0, 5)


def test_the_nearest_graph_is_the_query_itself(run):
    _, out, _ = run("graph", "find", RIGHT, EXAMPLES, "--json", "--lenient")
    found = json.loads(out)
    assert found["searched"] == 11
    assert found["rows"][0] == {
        "rank": 1,
        "file": "fig1b",
        "distance": 0.0,
        "shared_symbols": 3,
        "symbols": 3,
        "shared_relations": 2,
        "relations": 2,
    }
    assert [row["file"] for row in found["rows"] if row["rank"] == 1] == ["fig1b", "fig1a_chain"]
    assert (
        "--most is 0; name at least one graph"
        in run("graph", "find", RIGHT, EXAMPLES, "--most", 0).err
    )


def test_parts_and_drawings_of_a_whole_set(run, tmp_path):
    truth, system = folder(tmp_path / "truth", RIGHT), folder(tmp_path / "a", WRONG)
    code, out, err = run(
        "graph", truth, system, "--parts", "1,2", "--draw", tmp_path / "drawn", "--json"
    )
    assert code == 0, err
    rows = json.loads(out)["rows"]
    assert [(row["size"], row["truth"], row["output"], row["number"]) for row in rows] == [
        (1, "+", "- R→ 1", 1),
        (2, "+ R→ 2", "- R→ 1 Sup→ 2, - R→ 2", 1),
        (2, "2 R→ +", "2 R→ - R→ 1, 2 R→ 1", 1),
    ]
    assert rows[0]["files"] == ["fig1b"]
    assert "truth: fig1b.lg" in words((tmp_path / "drawn" / "fig1b.svg").read_text())
    assert "--parts is 'x'; it takes numbers" in run("graph", truth, system, "--parts", "x").err
    assert "parts of 9 objects are not counted" in run("graph", truth, system, "--parts", "9").err


def test_a_formula_is_drawn_and_looked_up_as_it_is(run, tmp_path):
    (tmp_path / "two.txt").write_text("a\tx^2\nb\ty\n")
    (tmp_path / "one.txt").write_text("x^2\n")
    assert run("show", tmp_path / "one.txt", "--as", "matrix").out == "O     x  Sup\nOSup  _  2\n"
    assert run("show", tmp_path / "two.txt", "--only", "b", "--as", "matrix").out == "O  y\n"
    (tmp_path / "lines.txt").write_text("x\ny\n")
    assert run("show", tmp_path / "lines.txt", "--only", "2", "--as", "matrix").out == "O  y\n"
    assert (
        "two.txt holds 2 graphs; choose one with --only, such as --only a"
        in run("show", tmp_path / "two.txt").err
    )
    assert "'c'; there are 'a', 'b'" in run("show", tmp_path / "two.txt", "--only", "c").err
    (tmp_path / "graphs").mkdir()
    (tmp_path / "graphs" / "square.lg").write_text("N, a, x\nN, b, 2\nE, a, b, Sup\n")
    assert "square  0.0000" in run("graph", "find", tmp_path / "one.txt", tmp_path / "graphs").out
