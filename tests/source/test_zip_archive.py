"""A .zip in the place of the files that it holds."""

import zipfile

import pytest

import karat
from karat.errors import InputError
from karat.scratch import without_scratch
from karat.source import unpacking, zip_archive

TABLE = "item,truth,a\n1,x,x\n2,y,x\n"
MORE = "item,truth,a\n3,x,x\n"


@pytest.fixture
def packed(tmp_path):
    """Write an archive of these files, and return its path."""

    def write(files, name="data.zip"):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, text in files.items():
                archive.writestr(path, text)
        return str(tmp_path / name)

    return write


def right(bench, measure="accuracy"):
    rows = bench.score(measure=measure).rows()
    return {row["system"]: (row["successes"], row["trials"]) for row in rows}


@pytest.mark.parametrize(
    "files",
    [
        {"table.csv": TABLE},
        {"folder/inner/table.csv": TABLE},
        {"table.csv": TABLE, "__MACOSX/._table.csv": "junk", ".DS_Store": "junk"},
        {"table.tsv": TABLE.replace(",", "\t")},
        {
            "table.jsonl": '{"item": 1, "truth": "x", "a": "x"}\n{"item": 2, "truth": "y", "a": "x"}\n'
        },
    ],
)
def test_one_file_is_read_as_if_it_were_there(packed, files):
    assert right(karat.read(packed(files))) == {"a": (1, 2)}


def test_several_files_of_a_table_are_read_together(packed):
    assert right(karat.read(packed({"1.csv": TABLE, "2.csv": MORE}))) == {"a": (2, 3)}


def test_folders_are_folders(packed):
    truth = packed({"gt/p1.txt": "ab cd", "gt/p2.txt": "ef"}, "gt.zip")
    engine = packed({"engine/p1.txt": "ab xd", "engine/p2.txt": "ef"}, "engine.zip")
    bench = karat.read([truth, engine], format="words")
    assert right(bench, "micro-recall") == {"engine": (2, 3)}
    assert right(karat.read([truth, f"mine={engine}"], format="words"), "micro-recall") == {
        "mine": (2, 3)
    }
    with_option = karat.read(engine, truth=truth, format="words")
    assert right(with_option, "micro-recall") == {"engine": (2, 3)}


def test_a_truth_may_be_packed_and_have_a_column(packed):
    answers = packed({"a.csv": "item,a\n1,x\n2,y\n"}, "answers.zip")
    truth = packed({"t.csv": "item,first,second\n1,x,y\n2,y,y\n"}, "truth.zip")
    assert right(karat.read(answers, truth=f"{truth}:second")) == {"a": (1, 2)}


def test_messages_and_results_name_files_as_the_archive_does(packed):
    bad = packed({"table.csv": "item,truth,a\n1,x\n"}, "bad.zip")
    with pytest.raises(InputError, match=r"^bad/table.csv, line 2: 2 values"):
        karat.read(bad)
    assert karat.read(packed({"table.csv": TABLE})).facts.origin == "data/table.csv"
    assert without_scratch("nothing to do") == "nothing to do"


@pytest.mark.parametrize(
    "name", ["../out.csv", "/etc/out.csv", "a/../../out.csv", "C:\\out.csv", "..\\out.csv"]
)
def test_nothing_is_written_beside_its_folder(packed, name):
    with pytest.raises(InputError, match="leads out of its folder"):
        karat.read(packed({name: TABLE}))


def test_what_unpacks_to_too_much_is_refused(packed, monkeypatch):
    monkeypatch.setattr(unpacking, "HELD", 1000)
    lines = "".join(f"{k},x,x\n" for k in range(400_000))
    with pytest.raises(InputError, match=r"table.csv unpacks to more than"):
        karat.read(packed({"table.csv": "item,truth,a\n" + "0" * 5_000_000}))
    parts = {f"{k}.csv": "item,truth,a\n" + "0" * 90_000 for k in range(20)}
    with pytest.raises(InputError, match="unpacks to more than"):
        karat.read(packed(parts))
    assert karat.read(packed({"t.csv": "item,truth,a\n" + lines})).facts.counts.items == 400_000


def test_what_cannot_be_unpacked_is_refused(packed, tmp_path, monkeypatch):
    (tmp_path / "no.zip").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(InputError, match=r"no.zip cannot be unpacked"):
        karat.read(str(tmp_path / "no.zip"))
    with pytest.raises(InputError, match="holds no files"):
        karat.read(packed({}))
    whole = (tmp_path / "data.zip").read_bytes
    karat.read(packed({"table.csv": TABLE}))
    damaged = bytearray(whole())
    damaged[45] ^= 255
    (tmp_path / "damaged.zip").write_bytes(damaged)
    with pytest.raises(InputError, match=r"damaged.zip"):
        karat.read(str(tmp_path / "damaged.zip"))
    monkeypatch.setattr(zip_archive, "MOST_MEMBERS", 1)
    with pytest.raises(InputError, match="holds 2 files, more than 1"):
        karat.read(packed({"1.csv": TABLE, "2.csv": MORE}))
