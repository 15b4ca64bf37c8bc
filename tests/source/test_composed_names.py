"""Names of files, and tokens, with letters such as ï, which some systems and archives write as two characters."""

from pathlib import Path
from unicodedata import normalize

import pytest

import karat
from karat.errors import InputError

NAMES = ("naïve", "zürich")
COMPOSED, TAKEN_APART = "NFC", "NFD"


@pytest.fixture
def folders(tmp_path):
    """Return how to write a folder with composed names, and one with the same names taken apart."""

    def write(ending, text, *, folders=("truth", "system")):
        for folder, form in zip(folders, (COMPOSED, TAKEN_APART), strict=True):
            (tmp_path / folder).mkdir()
            for name in NAMES:
                path = tmp_path / folder / (normalize(form, name) + ending)
                path.write_text(text, encoding="utf-8")
        return [str(tmp_path / folder) for folder in folders]

    return write


def test_pages_of_text(folders):
    paths = folders(".txt", "good morning")
    bench = karat.read(paths, using={"rows": "texts"})
    assert [row["value"] for row in bench.score(measure="CER").rows()] == [0]


def test_images(folders):
    pytest.importorskip("PIL")
    truth, system = folders(".pgm", "P2 2 1 255\n0 255\n")
    bench = karat.read(system, truth=truth)
    assert [row["value"] for row in bench.score(measure="f1").rows()] == [1]


def test_documents_of_brat(folders):
    bench = karat.read(folders(".ann", "T1\tPER 0 3\tAda\n"))
    assert [row["value"] for row in bench.score(measure="micro-f1").rows()] == [1]


def test_tokens(tmp_path):
    tagged = "Café B-ORG\nin O\nZürich B-LOC\n"
    paths = []
    for form in (COMPOSED, TAKEN_APART):
        path = tmp_path / f"{form}.conll"
        path.write_text(normalize(form, tagged), encoding="utf-8")
        paths.append(str(path))
    bench = karat.read(paths)
    assert [row["successes"] for row in bench.score(measure="micro-recall").rows()] == [2]


def test_label_graphs(folders):
    truth, system = folders(".lg", "O, a, x, 1.0, s1\n")
    (row,) = karat.read_graphs(truth, {"a": system}).graph().rows()
    assert (row["dB"], row["files"]) == (0, len(NAMES))


def test_boxes(folders):
    truth, system = folders(".txt", "0 0.5 0.5 0.5 0.5\n", folders=("labels", "found"))
    for path in Path(system).iterdir():
        path.write_text(path.read_text().replace("\n", " 0.9\n"))
    bench = karat.read_boxes(truth, {"a": system})
    assert [row["value"] for row in bench.score(measure="mAP").rows()] == [pytest.approx(1)]


def test_two_names_that_look_the_same_are_one_page(tmp_path):
    folder = tmp_path / "truth"
    folder.mkdir()
    for form in (COMPOSED, TAKEN_APART):
        (folder / (normalize(form, "ï") + ".txt")).write_text("x")
    if len(list(folder.iterdir())) == 1:
        pytest.skip("this file system takes both names for one")
    with pytest.raises(InputError, match="are one page"):
        karat.read([str(folder), f"other={folder}"], using={"rows": "texts"})
