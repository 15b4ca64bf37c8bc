"""`karat report` and `karat plot`: the right file, whole or not at all."""

import json
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

import pytest

import karat

TABLE = "item,truth,one,two\n" + "".join(
    f"{k},{k % 3},{k % 3},{(k + k // 7 % 2) % 3}\n" for k in range(120)
)


@pytest.fixture
def table(tmp_path, monkeypatch):
    (tmp_path / "answers.csv").write_text(TABLE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "answers.csv"


def test_the_name_of_the_file_says_what_is_written(run, table):
    for name, begins in {
        "page.html": "<!DOCTYPE html>",
        "page.md": "# How far",
        "page.json": "{",
    }.items():
        done = run("report", str(table), "-o", name)
        assert done.code == 0, done.err
        assert done.out == ""
        assert f"wrote {name}" in done.err
        assert (table.parent / name).read_text(encoding="utf-8").startswith(begins)


def test_equal_systems_share_a_rank_in_text_too(tmp_path):
    column = [k % 3 for k in range(60)]
    wrong = [0] * 60
    bench = karat.read({"truth": column, "one": column, "twin": column, "other": wrong})
    bench.report(tmp_path / "page.md", draws=100)
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert [line.split(":")[0] for line in text.splitlines() if line.startswith("- rank")] == [
        "- rank 1 to 2, group a, one",
        "- rank 1 to 2, group a, twin",
        "- rank 3, group b, other",
    ]


def test_without_a_name_the_page_is_called_report(run, table):
    assert run("report", str(table)).code == 0
    assert (table.parent / "report.html").is_file()


def test_json_holds_every_answer_as_its_command_gives_it(run, table):
    run("report", str(table), "-o", "page.json")
    whole = json.loads((table.parent / "page.json").read_text(encoding="utf-8"))
    assert whole["command"] == "report"
    for name in ("score", "compare", "stability"):
        alone = json.loads(run(name, str(table), "--json").out)
        assert whole[name]["input"] == alone["input"]
        assert whole[name]["rows"][0].keys() == alone["rows"][0].keys()


@pytest.mark.browser
def test_a_browser_prints_the_page(run, table):
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        pytest.skip("no Chromium here: scripts/browser.sh installs one")
    done = run("report", str(table), "-o", "page.pdf")
    assert done.code == 0, done.err
    assert (table.parent / "page.pdf").read_bytes().startswith(b"%PDF-")


def test_without_a_browser_a_pdf_is_refused(run, table, monkeypatch):
    monkeypatch.setenv("PATH", "")
    done = run("report", str(table), "-o", "page.pdf")
    assert done.code == 2
    assert "write .html" in done.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("-o", "page.xyz"), "end it with .html, .md, .json or .pdf"),
        (("--label-error", "3"), "from 0 to 0.5"),
        (("--level", "95"), "level"),
        (("--measure", "acuracy"), "did you mean 'accuracy'"),
        (("-o", "nowhere/page.html"), "cannot be written"),
    ],
)
def test_mistakes_are_told_in_words(run, table, words, says):
    done = run("report", str(table), *words)
    assert done.code == 2
    assert says in done.err
    assert not list(table.parent.glob("*.html"))


def test_an_interrupted_report_leaves_nothing_behind(tmp_path):
    code = (
        "import karat.report.writing as writing, karat, time\n"
        "def slow(*given):\n"
        "    print('writing', flush=True)\n"
        "    time.sleep(60)\n"
        "writing._fill = slow\n"
        "karat.read({'truth': [1, 0, 1], 'a': [1, 0, 0], 'b': [0, 0, 1]}).report('page.html')\n"
    )
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", code],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as running:
        assert running.stdout.readline() == "writing\n"
        time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        running.wait(timeout=30)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["scores", "comparisons", "stability"])
def test_a_picture_is_drawn_by_its_name(run, table, name):
    pytest.importorskip("matplotlib")
    for ending in ("svg", "png"):
        done = run("plot", name, str(table), "-o", f"picture.{ending}")
        assert done.code == 0, done.err
    assert ET.parse(table.parent / "picture.svg").getroot().tag.endswith("svg")  # noqa: S314 (our own)
    assert (table.parent / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_a_notebook_shows_a_picture(table):
    pytest.importorskip("matplotlib")
    picture = karat.read(str(table)).plot("scores")
    assert "<svg" in picture._repr_svg_()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("scors",), "did you mean 'scores'"),
        (("scores", "x.jpg"), "end it with .svg, .pdf or .png"),
        (("consensus", "x.svg", "--measure", "f1"), "a picture of consensus takes no --measure"),
        (("scores", "x.svg", "--label-error", "0.1"), "a picture of scores takes no --label-error"),
    ],
)
def test_a_picture_that_cannot_be_drawn_is_told_in_words(run, table, words, says):
    name, *rest = words
    done = run("plot", name, str(table), "-o", *(rest or ["x.svg"]))
    assert done.code == 2
    assert says in done.err


def test_an_undefined_value_is_drawn_as_such_and_nothing_else_as_nothing():
    pytest.importorskip("matplotlib")
    bench = karat.read({"truth": ["x", "x", "y"], "a": ["x", "x", "x"], "b": ["y", "x", "x"]})
    shown = bench.plot("comparisons", measure="precision[y]")._repr_svg_()
    assert "a  undefined" in shown
    assert "b  0.000" in shown
    alone = karat.read({"truth": [0, 0], "a": [0, 0]})
    with pytest.raises(karat.KaratError, match="every value is undefined"):
        alone.plot("scores", measure="recall")._repr_svg_()


def test_the_demo_ends_with_a_page_under_a_megabyte(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("demo")
    assert done.code == 0
    assert "karat-demo.html" in done.err
    assert 100_000 < (tmp_path / "karat-demo.html").stat().st_size < 1_000_000


def test_the_demo_for_machines_writes_no_page(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("demo", "--json").code == 0
    assert list(tmp_path.iterdir()) == []
