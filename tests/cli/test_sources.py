"""Sources on the command line."""

import json

import pytest

from karat.source import SOURCES

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\n"
RUN = "q1 Q0 d1 1 3.0 r\nq1 Q0 d2 2 2.0 r\nq2 Q0 d3 1 5 r\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judged.qrels").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    for name, text in {"truth": "one two three", "x": "one too three", "y": "one two"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.txt").write_text(text)


def test_sources_lists_every_format(run):
    done = run("sources")
    *lines, of_boxes = done.out.splitlines()
    assert [line.split()[0] for line in lines] == list(SOURCES)
    assert of_boxes.startswith("Of boxes in images: coco, yolo, voc, page, hocr, boxes")


def test_sources_tells_the_options_of_boxes(run):
    out = run("sources", "coco").out
    assert "--using matching=greedy" in out
    assert "--using sizes=... (no default)" in out


def test_sources_tells_of_one_format_with_its_options(run):
    out = run("sources", "trec").out
    assert out.startswith("TREC qrels and runs")
    assert "--using relevant=1" in out
    assert run("sources", "trek").err == "karat: no source is called 'trek'; did you mean 'trec'?\n"


@pytest.mark.usefixtures("files")
def test_retrieval_prints_means_and_single_queries(run):
    found = json.loads(
        run("retrieval", "judged.qrels", "a.run", "--measure", "AP,P@1", "--json").out
    )
    assert [(row["measure"], row["value"]) for row in found["rows"]] == [("AP", 0.5), ("P@1", 0.5)]
    assert "trec(relevant=1, unjudged=irrelevant)" in found["signature"]
    rows = json.loads(
        run("retrieval", "judged.qrels", "a.run", "--per", "query", "--measure", "AP", "--json").out
    )["rows"]
    assert [(row["query"], row["value"]) for row in rows] == [("q1", 1.0), ("q2", 0.0)]


@pytest.mark.usefixtures("files")
def test_folders_of_text_are_known_and_the_options_stand_in_the_signature(run):
    found = json.loads(
        run("score", "truth", "x", "why=y", "--using", "normalise=case", "--json").out
    )
    assert found["input"]["systems"] == ["why", "x"]
    assert "text(normalise=case, rows=labels)" in found["signature"]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("score", "truth", "x", "--using", "unit"), "--using is 'unit'; write OPTION=VALUE"),
        (
            ("score", "truth", "x", "--using", "unit=1"),
            "--using unit is not an option of text; it takes 'normalise'",
        ),
        (("score", "truth"), "truth stands alone"),
        (("score", "truth", "z"), "there is no file or folder z"),
        (("score", "truth", "x", "--format", "frame"), "--format frame is for data in memory"),
        (("score", "-", "x", "y"), "has no truth to score by"),
        (("score", "truth", "x", "--nothing", "~"), "--nothing is ∅ for what is read here"),
        (
            ("retrieval", "judged.qrels", "a.run", "--per", "query", "--level", "0.9"),
            "--level is for the means",
        ),
        (
            ("retrieval", "judged.qrels", "a.run", "--scores", "a.run"),
            "--scores is for confidences beside labels",
        ),
        (("retrieval", "truth", "x"), "holds no scores to rank by"),
    ],
)
def test_a_usual_mistake_is_one_message_and_exit_code_2(run, arguments, message):
    done = run(*arguments)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
