"""A sheet of a workbook is what the same table is as CSV."""

import io
import sys
import zipfile

import pytest

import karat
from karat.errors import InputError
from support.tables import right

ROWS = [["id", "truth", "a"], [1, "x", "x"], [2, "y", None], [3, "x", "x"]]


def test_a_workbook_without_openpyxl_asks_for_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    (tmp_path / "t.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(InputError, match="need openpyxl: pip install openpyxl; or save the sheet"):
        karat.read(tmp_path / "t.xlsx")


@pytest.fixture
def workbook(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")

    def write(**sheets):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for name, rows in sheets.items():
            sheet = book.create_sheet(name)
            for row in rows:
                sheet.append(row)
        path = tmp_path / "t.xlsx"
        book.save(path)
        return path

    return write


def test_a_sheet_is_read(workbook):
    path = workbook(answers=[*ROWS, [None, None, None]])
    assert right(path) == {"a": (2, 3)}
    assert karat.read(path).facts.counts.missing["a"] == 1


def test_numbers_and_truth_values_are_what_they_are(workbook):
    rows = [["id", "truth", "a"], [1, True, 0.75], [2, False, 0.5], [3, True, 1]]
    bench = karat.read(workbook(s=rows))
    assert bench.facts.kind == "score"
    assert bench.score(measure="auc").rows()[0]["value"] == 1.0


def test_one_sheet_of_several_must_be_named(workbook):
    path = workbook(one=ROWS, two=ROWS[:3])
    with pytest.raises(
        InputError, match=r"has the sheets 'one', 'two'; choose one with using=.*sheet"
    ):
        karat.read(path)
    assert right(path, using={"sheet": "two"}) == {"a": (1, 2)}
    with pytest.raises(InputError, match="has no sheet 'three'"):
        karat.read(path, using={"sheet": "three"})


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "is empty"),
        (ROWS[:1], "has names but no rows"),
        ([*ROWS, [4, "x", "=A1"]], "row 5: the formula '=A1' has no value saved beside it"),
        ([*ROWS, [4, "x", "x", "y"]], "a row has a value where the first row has no name"),
    ],
)
def test_what_cannot_be_a_table_is_refused(workbook, rows, message):
    path = workbook(s=rows)
    with pytest.raises(InputError, match=message):
        karat.read(path)


def test_what_is_no_workbook_is_refused(tmp_path):
    pytest.importorskip("openpyxl")
    path = tmp_path / "t.xlsx"
    empty = io.BytesIO()
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("a.txt", "a")
    for data in (b"PK\x03\x04", b"id,truth,a\n1,x,x\n", empty.getvalue()):
        path.write_bytes(data)
        with pytest.raises(InputError, match="cannot be read as a workbook"):
            karat.read(path)
