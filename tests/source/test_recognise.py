"""What the user names is found, wherever it stands: a truth of its own, a pipe; or it is refused in words."""

import io
import sys

import pytest

import karat
from karat.errors import InputError
from support.tables import right

GOLD = "EU B-ORG\nsays O\n"


@pytest.fixture
def folders(tmp_path):
    for folder, text in {"gt": "hello", "one": "hallo", "two": "hello"}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "p1.txt").write_text(text)
    return tmp_path


@pytest.mark.parametrize("none", [[], ["-"]])
def test_folders_of_text_take_their_truth_as_an_option(folders, none):
    systems = [str(folders / "one"), f"b={folders / 'two'}"]
    beside = right([*none, *systems], truth=str(folders / "gt"))
    assert beside == right([str(folders / "gt"), *systems]) == {"one": (4, 5), "b": (5, 5)}
    assert right(folders / "one", truth=folders / "gt") == {"one": (4, 5)}


def test_tagged_files_and_runs_take_their_truth_as_an_option(tmp_path):
    gold = tmp_path / "gold.conll"
    found = tmp_path / "found.conll"
    gold.write_text(GOLD)
    found.write_text(GOLD)
    assert right(str(found), truth=str(gold)) == {"found": (1, 1)}
    qrels = tmp_path / "q.qrels"
    run = tmp_path / "bm25.run"
    qrels.write_text("1 0 a 1\n1 0 b 0\n")
    run.write_text("1 Q0 a 1 2.0 x\n1 Q0 b 2 1.0 x\n")
    bench = karat.read(str(run), truth=str(qrels))
    assert bench.facts.has_truth
    assert bench.facts.systems == ("bm25",)


def test_a_column_that_is_called_like_a_folder_stays_a_column(folders, monkeypatch):
    monkeypatch.chdir(folders)
    (folders / "t.csv").write_text("id,gt,a\n1,x,x\n2,x,y\n")
    assert right("t.csv", truth="gt") == {"a": (1, 2)}


class Pipe:
    """Standard input that holds some bytes."""

    def __init__(self, data):
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize(
    "data",
    [
        b"id,truth,a\n1,x,x\n2,x,y\n",
        b"\xef\xbb\xbfid\ttruth\ta\n1\tx\tx\n2\tx\ty\n",
        b'{"id": 1, "truth": "x", "a": "x"}\n{"id": 2, "truth": "x", "a": "y"}\n',
    ],
)
def test_a_table_may_be_piped_in(monkeypatch, data):
    monkeypatch.setattr(sys, "stdin", Pipe(data))
    bench = karat.read("-")
    assert bench.facts.origin == "standard input"
    assert bench.score(measure="accuracy").rows()[0]["successes"] == 1


def test_an_empty_pipe_is_told(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Pipe(b""))
    with pytest.raises(InputError, match="standard input is empty"):
        karat.read("-")


@pytest.mark.parametrize(
    "paths", [["https://example.org/t.csv"], ["s3://bucket/t.parquet"], ["-", "http://x.org/a"]]
)
def test_an_address_is_refused_in_words(paths):
    with pytest.raises(InputError, match="is an address; karat reads files"):
        karat.read(paths, format="text" if len(paths) > 1 else None)


def test_a_folder_of_label_graphs_is_refused_in_words(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.lg").write_text("N, 1, a, 1.0\n")
    with pytest.raises(InputError, match=r"holds label graphs .* karat graph TRUTH SYSTEM"):
        karat.read([str(tmp_path), str(tmp_path)])
