"""Whatever the bytes of a file are, reading it ends in a number or in words: never in another exception."""

import gzip
import io
import json
import lzma
import shutil
import zipfile
from dataclasses import replace

import pytest

import karat
from karat.errors import InputError, KaratError, TallyError

pytest.importorskip("lxml")
pytest.importorskip("pyarrow")

import pyarrow as pa
import pyarrow.parquet as pq

from support.every_input import EVERY_INPUT
from support.mutations import damage
from support.valid_inputs import (
    COLUMNS,
    CSV,
    EVAL,
    INPUTS,
    JSON_LINES,
    in_gzip,
    in_zip,
    in_zstandard,
    plain,
)

PARSED, READ = 300, 5
"""How many mutations of a format are parsed in Python, and how many read by an engine and scored.

`bench/robustness/mutated_inputs.py` reads and scores as many as one likes.
"""
QUICK = [name for name, given in EVERY_INPUT.items() if hasattr(given.read, "parse")]


@pytest.mark.parametrize("name", EVERY_INPUT)
def test_the_undamaged_input_is_read(name, tmp_path):
    EVERY_INPUT[name].write(tmp_path)
    EVERY_INPUT[name].read(tmp_path)


@pytest.mark.parametrize("name", EVERY_INPUT)
def test_a_damaged_input_ends_in_a_number_or_in_words(name, tmp_path):
    given = EVERY_INPUT[name]
    for seed in range(READ):
        _attempt(given, given.read, f"{name} {seed}", tmp_path / str(seed))


@pytest.mark.parametrize("name", QUICK)
def test_what_python_reads_of_a_damaged_input_ends_in_columns_or_in_words(name, tmp_path):
    for seed in range(PARSED):
        given = EVERY_INPUT[name]
        _attempt(given, given.parse, f"{name} {seed}", tmp_path / str(seed))


def _attempt(given, read, seed, folder):
    folder.mkdir()
    damage(given, folder, seed)
    try:
        read(folder)
    except (InputError, TallyError) as error:
        message = str(error)
        names = [
            str(folder),
            *given.files,
            *(part for file in given.files.values() for part in file.parts if part),
        ]
        assert any(name in message for name in names), message
    except KaratError:
        pass  # of a role or an option, which has no place
    shutil.rmtree(folder)


def refused(path, data, match, **options):
    """Write a file that must be refused when it is read, and return the message."""
    path.write_bytes(data)
    with pytest.raises(KaratError, match=match) as caught:
        karat.read(str(path), **options).score()
    assert path.name in str(caught.value)
    return str(caught.value)


def flipped(data, place):
    changed = bytearray(data)
    changed[place] ^= 0xFF
    return bytes(changed)


def test_a_damaged_page_of_parquet_is_refused_with_the_name_of_the_file(tmp_path):
    """The engine, which reads it late, does not always say which file it is."""
    whole = INPUTS["parquet of numbers"].files["t.parquet"].packed()
    data = whole[:4] + b"\xff" * 20 + whole[24:]
    refused(tmp_path / "t.parquet", data, r"t\.parquet is not a readable Parquet file")


# What was once an exception of another kind, each by the smallest input


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("place", [20, -6])
def test_json_lines_that_gzip_cannot_unpack(tmp_path, place, lenient):
    """The engine says only that it is no JSON; where, is looked for by reading the lines again."""
    data = flipped(in_gzip('{"item": 1, "truth": "x", "a": "x"}\nx\n' * 3).packed(), place)
    message = refused(tmp_path / "t.jsonl.gz", data, r"t\.jsonl\.gz", lenient=lenient)
    assert "; " in message


@pytest.mark.parametrize("line", ["[" * 2000, '{"a": ' + "9" * 5000 + "}"])
@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("reader", [None, "categories", "correct", "lm-eval", "bag"])
def test_json_that_is_too_deep_or_has_too_long_a_number(tmp_path, line, lenient, reader):
    path = tmp_path / "t.jsonl"
    path.write_text(f"{JSON_LINES}{line}\n", encoding="utf-8")
    try:
        karat.read(str(path), format=reader, lenient=lenient).score()
    except KaratError as error:
        assert "t.jsonl" in str(error)  # noqa: PT017 (it may also be left out)


NO_TEXT = b"abc\xff\xfefgh"


def test_names_of_arrow_columns_that_are_no_text(tmp_path):
    out = io.BytesIO()
    table = pa.table({"truth": ["x"], "abcdefgh": ["x"]})
    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    data = out.getvalue().replace(b"abcdefgh", NO_TEXT)
    refused(tmp_path / "t.arrow", data, r"t\.arrow is not an Arrow file")


@pytest.mark.parametrize(
    ("columns", "match"),
    [
        ({"truth": ["x"], "abcdefgh": ["x"]}, "the name of a column is not UTF-8 text"),
        ({"truth": ["x"], "a": ["abcdefgh"]}, "a value is not UTF-8 text"),
    ],
)
def test_names_or_values_of_parquet_columns_that_are_no_text(tmp_path, columns, match):
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, compression="none", store_schema=False)
    assert b"abcdefgh" in out.getvalue()
    data = out.getvalue().replace(b"abcdefgh", NO_TEXT)
    refused(tmp_path / "t.parquet", data, match)


def tally_with(tmp_path, **changes):
    """The parts of a tally, with another header; a field that is given as `...` is left out."""
    path = tmp_path / "whole.tally"
    karat.read(COLUMNS, systems=["a", "b"]).save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(parts["header.json"]) | changes
    header = {name: value for name, value in header.items() if value is not ...}
    parts["header.json"] = json.dumps(header).encode()
    return in_zip(parts).packed()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("digest", ...),
        ("digest", 5),
        ("kind", ...),
        ("kind", []),
        ("unanswered", ...),
        ("unanswered", "many"),
        ("options", []),
        ("options", {"a": 1}),
        ("systems", [1, 2]),
        ("systems", ["a"]),
        ("systems", ["a", "\ud800"]),
        ("kind", "\ud800"),
        ("labels", [None] * 5),
        ("labels", []),
        ("keys", {"g": ["x"]}),
        ("keys", []),
        ("meaning", {}),
        ("meaning", {"pair": [1], "whole": False}),
        ("meaning", {"pair": None, "whole": "yes"}),
    ],
)
def test_a_tally_whose_header_is_not_what_it_should_be(tmp_path, field, value):
    data = tally_with(tmp_path, **{field: value})
    refused(tmp_path / "t.tally", data, r"is not a tally, or it is damaged|is damaged: its counts")


def test_a_tally_whose_arrays_are_written_as_python_2_did(tmp_path):
    """NumPy reads them with a warning; karat never wrote any."""
    (tmp_path / "whole.tally").write_bytes(tally_with(tmp_path))
    with zipfile.ZipFile(tmp_path / "whole.tally") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    number = parts["number.npy"]
    parts["number.npy"] = number.replace(b"(4,), }  ", b"(4L,), } ")
    assert parts["number.npy"] != number
    data = in_zip(parts).packed()
    refused(tmp_path / "t.tally", data, "is not a tally, or it is damaged")


def test_a_tally_that_is_sound_is_read(tmp_path):
    (tmp_path / "t.tally").write_bytes(tally_with(tmp_path))
    assert len(karat.read(str(tmp_path / "t.tally")).score(measure="accuracy").rows()) == 2


def test_a_zip_of_a_version_or_a_method_that_python_does_not_know(tmp_path):
    data = bytearray(in_zip(EVAL).packed())
    start = data.index(b"PK\1\2")
    data[start + 6] = 74
    refused(tmp_path / "a.eval", bytes(data), "is not a log of Inspect, or it is cut off: zip file")
    data = bytearray(in_zip(EVAL).packed())
    data[start + 10] = data[8] = 99
    refused(tmp_path / "b.eval", bytes(data), r"b\.eval: header\.json cannot be read")


def test_a_member_that_lzma_cannot_unpack(tmp_path):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as archive:
        for name, data in EVAL.items():
            archive.writestr(name, data)
    start = out.getvalue().index(b"header.json") + len("header.json")
    damaged = flipped(out.getvalue(), start + 4)
    with pytest.raises(lzma.LZMAError), zipfile.ZipFile(io.BytesIO(damaged)) as archive:
        archive.read("header.json")
    refused(tmp_path / "a.eval", damaged, r"header\.json cannot be read: .*; copy it again")


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
def test_a_line_that_the_engine_finds_too_long(tmp_path, ending):
    text = f"{CSV}5,{'x' * 2_500_000},x,x\n"
    file = in_gzip(text) if ending == "csv.gz" else plain(text)
    match = r"line 6: a line is longer than the 2 MB"
    refused(tmp_path / f"t.{ending}", file.packed(), match)


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_last_line_that_the_engine_would_drop_is_refused(tmp_path, end):
    text = f"{CSV}5,{'x' * 33_000_000},x,x{end}"
    refused(tmp_path / "t.csv", text.encode(), "its last line is longer than 16,000,000 bytes")


@pytest.mark.parametrize("pack", [in_gzip, in_zstandard])
@pytest.mark.parametrize("end", ["", "\n"])
def test_a_last_line_that_the_engine_would_drop_is_refused_in_compressed_files(tmp_path, end, pack):
    ending = {in_gzip: "csv.gz", in_zstandard: "csv.zst"}[pack]
    text = f"{CSV}5,{'x' * 33_000_000},x,x{end}"
    match = r"line 6: a line is longer than the 2 MB"
    refused(tmp_path / f"t.{ending}", pack(text).packed(), match)


@pytest.mark.parametrize("pack", [in_gzip, in_zstandard])
def test_a_last_line_that_is_too_long_is_left_out_and_named_where_that_was_asked(tmp_path, pack):
    path = tmp_path / {in_gzip: "t.csv.gz", in_zstandard: "t.csv.zst"}[pack]
    path.write_bytes(pack(f"{CSV}5,{'x' * 33_000_000},x,x").packed())
    bench = karat.read(str(path), lenient=True)
    assert bench.score(measure="accuracy").rows()[0]["trials"] == 4
    assert "line 6" in repr(bench)


def test_a_json_object_that_the_engine_finds_too_long(tmp_path):
    text = json.dumps({"item": "5", "truth": "x" * 34_000_000, "a": "x", "b": "x"})
    match = "a line is longer than the 16 MB"
    refused(tmp_path / "t.jsonl", f"{JSON_LINES}{text}\n".encode(), match)


# Bombs: little that unpacks to much


@pytest.fixture
def small_limit(monkeypatch):
    """A limit of 64 KiB in place of 256 MiB."""
    for module in (
        "unpacking",
        "lines",
        "files.delimited",
        "llm.json_reader",
        "retrieval.trec_files",
    ):
        monkeypatch.setattr(f"karat.source.{module}.HELD", 1 << 16)


MUCH = 1 << 20
"""More than a file of a kilobyte may unpack to under the small limit."""
HEAD = json.dumps({"status": "success", "eval": {"model": "a", "task": "sums"}})
LONG_VALUE = '[{"id": 1, "scores": {"match": {"value": "C"}}, "x": "' + " " * MUCH + '"}]'
SAMPLE = '{"id": 1, "scores": {"match": {"value": "C"}}},\n'


@pytest.mark.usefixtures("small_limit")
@pytest.mark.parametrize(
    ("name", "text", "match"),
    [
        ("t.csv.gz", "x" * MUCH, "unpacks to more than|longer than"),
        ("log.json.gz", f'{HEAD[:-1]}, "samples": {LONG_VALUE}}}', "value is longer than|unpacks"),
        (
            "log.jsonl.gz",
            f'{{"item": 1, "model": "a", "correct": "{" " * MUCH}"}}',
            "unpacks to more than",
        ),
        ("log.csv.gz", "item,model,correct\n" + "1,a,1\n" * 200_000, "unpacks to more than"),
        ("text.txt.gz", "x" * MUCH, "unpacks to more than"),
    ],
)
def test_a_bomb_in_gzip_is_refused(tmp_path, name, text, match):
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()))
    assert path.stat().st_size < 10_000
    formats = {"log.json.gz": "inspect", "log.jsonl.gz": "correct", "text.txt.gz": "text"}
    paths = [str(path), f"a={path}"] if name == "text.txt.gz" else str(path)
    with pytest.raises(InputError, match=match) as caught:
        karat.read(paths, format=formats.get(name)).score()
    assert name in str(caught.value)


@pytest.mark.usefixtures("small_limit")
@pytest.mark.parametrize(
    ("name", "reader", "match"),
    [
        ("t.csv", None, "line 1: the line is longer than 65,536 bytes, the most that karat holds"),
        ("t.csv", "correct", "line 1: the line is longer than 65,536 bytes"),
        ("t.txt", "text", "the text is longer than 65,536 bytes"),
        ("t.run", "trec", "line 1: the line is longer than 65,536 bytes"),
    ],
)
def test_a_line_or_a_page_that_is_too_long_to_be_held_is_refused(tmp_path, name, reader, match):
    path = tmp_path / name
    path.write_text("x" * MUCH)
    paths = [str(path), f"a={path}"] if reader in {"text", "trec"} else str(path)
    with pytest.raises(InputError, match=match):
        karat.read(paths, format=reader)


@pytest.mark.usefixtures("small_limit")
@pytest.mark.parametrize("pack", ["eval", "eval, Zstandard"])
@pytest.mark.parametrize(
    ("summaries", "match"),
    [
        (LONG_VALUE, "a value is longer than 65,536 bytes|unpacks to more than"),
        (f"[{SAMPLE * 40_000}{SAMPLE[:-2]}]", r"summaries\.json unpacks to more than"),
        (f"{' ' * 20 * MUCH}[]", r"summaries\.json unpacks to more than"),
    ],
)
def test_a_bomb_in_a_packed_log_is_refused(tmp_path, pack, summaries, match):
    whole = INPUTS[pack].files["log.eval"]
    bomb = replace(whole, parts=whole.parts | {"summaries.json": summaries.encode()})
    (tmp_path / "log.eval").write_bytes(bomb.packed())
    assert (tmp_path / "log.eval").stat().st_size < 30_000
    with pytest.raises(InputError, match=match):
        karat.read(str(tmp_path / "log.eval")).score()


@pytest.mark.usefixtures("small_limit")
def test_what_a_log_holds_beside_its_samples_is_passed_over_in_parts(tmp_path):
    """As a whole it may be longer than what is held at once."""
    path = tmp_path / "log.json"
    beside = json.dumps({"list": list(range(50_000)), "deep": {"list": list(range(50_000))}})
    samples = f'[{SAMPLE * 3}{{"id": 2, "scores": {{"match": {{"value": "I"}}}}}}]'
    path.write_text(f'{{"plan": {beside}, {HEAD[1:-1]}, "samples": {samples}, "more": {beside}}}')
    (row,) = karat.read(str(path)).score(measure="accuracy").rows()
    assert (row["successes"], row["trials"]) == (3, 4)


@pytest.mark.usefixtures("small_limit")
def test_a_bomb_in_a_tally_is_refused(tmp_path):
    data = tally_with(tmp_path, more="x" * MUCH)
    assert len(data) < 10_000
    match = r"t\.tally unpacks to 1 MiB; .* at most .*count the table again"
    refused(tmp_path / "t.tally", data, match)


@pytest.mark.usefixtures("small_limit")
def test_a_size_that_is_not_the_stated_one_is_no_way_around_the_limit(tmp_path):
    """A tally whose directory says that a part is small unpacks to no more than it says."""
    data = bytearray(tally_with(tmp_path, more="x" * MUCH))
    start = data.index(b"PK\1\2")
    data[start + 24 : start + 28] = (1000).to_bytes(4, "little")
    refused(tmp_path / "t.tally", bytes(data), "is not a tally, or it is damaged")


@pytest.mark.usefixtures("small_limit")
def test_what_unpacks_to_little_is_read_however_well_it_is_compressed(tmp_path):
    path = tmp_path / "log.csv.gz"
    text = "item,model,correct\n" + "".join(f"{k},a,1\n" for k in range(5_000))
    path.write_bytes(gzip.compress(text.encode()))
    assert path.stat().st_size > len(text) / 100
    assert karat.read(str(path)).score(measure="accuracy").rows()[0]["trials"] == 5_000
