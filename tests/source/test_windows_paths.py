r"""Paths as Windows writes them, as far as another system can try them: C:\x\y.csv is a file, not the column of C."""

import pytest

import karat
from karat.errors import InputError
from karat.source.database_name import database_and_table
from karat.source.origin import file_and_column
from karat.source.recognise import is_file

TABLE = "item,a,gold\n1,x,x\n2,y,x\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"C:\x\t.csv", (r"C:\x\t.csv", None)),
        (r"C:\x\t.csv:gold", (r"C:\x\t.csv", "gold")),
        ("C:/x/t.csv", ("C:/x/t.csv", None)),
        ("d:/x/t.csv:the gold", ("d:/x/t.csv", "the gold")),
        (r"\\server\share\t.csv:gold", (r"\\server\share\t.csv", "gold")),
        ("t.csv:gold", ("t.csv", "gold")),
        ("t.csv", ("t.csv", None)),
        ("a:b", ("a", "b")),
    ],
)
def test_the_colon_of_a_drive_is_not_that_of_a_column(text, expected):
    assert file_and_column(text) == expected


def test_tables_of_databases_have_drives_too():
    assert database_and_table(r"C:\x\runs.db:answers") == (r"C:\x\runs.db", "answers")
    assert database_and_table(r"C:\x\runs.db") == (r"C:\x\runs.db", "")


@pytest.mark.parametrize("text", [r"C:\x\t", r"\\server\share\t", r"C:\x\t.csv:gold", "t.zip:gold"])
def test_a_path_is_no_column(text):
    assert is_file(text)
    assert not is_file("gold")
    assert not is_file("C")


def test_a_truth_that_is_not_there_is_named_whole(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    for truth in (r"C:\x\gold.csv", r"C:\x\gold.csv:gold"):
        with pytest.raises(InputError) as told:
            karat.read(tmp_path / "t.csv", truth=truth)
        assert r"there is no file C:\x\gold.csv" in str(told.value)


def test_files_with_such_names_are_read(tmp_path, monkeypatch):
    """On Linux a drive and backslashes are parts of a name; the words around them are split all the same."""
    monkeypatch.chdir(tmp_path)
    name = r"C:\x\t.csv"
    (tmp_path / name).write_text(TABLE)
    (tmp_path / "answers.csv").write_text("item,a\n1,x\n2,y\n")
    (row,) = karat.read("answers.csv", truth=f"{name}:gold").score(measure="accuracy").rows()
    assert (row["successes"], row["trials"]) == (1, 2)
    assert karat.read([f"mine={name}"], using={"answer": "a"}).facts.systems == ("mine",)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_files_as_windows_programs_write_them(tmp_path, mark, ends):
    """With a byte order mark, and with returns at the ends of lines."""
    text = "item,truth,a\n1,Zoë,Zoë\n2,b,Zoë\n".replace("\n", ends)
    (tmp_path / "t.csv").write_bytes(mark + text.encode())
    (row,) = karat.read(tmp_path / "t.csv").score(measure="accuracy").rows()
    assert (row["system"], row["successes"]) == ("a", 1)
    lines = '{"item": 1, "truth": "Zoë", "a": "Zoë"}\n{"item": 2, "truth": "b", "a": "Zoë"}\n'
    (tmp_path / "t.jsonl").write_bytes(mark + lines.replace("\n", ends).encode())
    (row,) = karat.read(tmp_path / "t.jsonl").score(measure="accuracy").rows()
    assert row["successes"] == 1


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_other_encodings_are_refused_with_the_remedy(tmp_path, encoding):
    (tmp_path / "t.csv").write_bytes("item,truth,a\n1,Zoë,Zoë\n2,b,Zoë\n".encode(encoding))
    with pytest.raises(InputError, match="UTF-8"):
        karat.read(tmp_path / "t.csv")
