"""Whatever a file or frame is made of: its counts are those of a plain loop over its rows, or it is refused."""

import csv
import io
import json
from collections import Counter
from contextlib import suppress

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import karat
from karat.tally.votes.confusion import confusions

LAWS = settings(derandomize=True, deadline=None, max_examples=10)
NAMES = ("item", "truth", "a", "b")
AWKWARD = [
    '"',
    "'",
    ",",
    "\t",
    ";",
    "|",
    "\\",
    "#",
    " ",
    " x ",
    '""',
    'a"b',
    "a,b",
    "a\tb",
    "NULL",
    "nan",
    "NA",
    "None",
]
AWKWARD += [
    "0",
    "1",
    "01",
    "1.0",
    "-1",
    "--5",
    "1e5",
    "true",
    "no",
    "+",
    "-",
    "日本",
    "ß",
    "é",
    "é",
    "😀",
    "∅∅",
    "{}",
    "[1]",
]
AWKWARD += [
    "2020-1-1",
    "12:30",
    "'); --",
    '"; drop table answers; --',
    "$1",
    "?",
    "%",
    "\N{ZERO WIDTH NO-BREAK SPACE}",
]
PLAIN = some.text(some.characters(exclude_categories=("C",)), max_size=6)
LINES = some.sampled_from(["a\nb", "\n", "\n\n"])
OTHER_LINES = some.sampled_from(["a\r\nb", "\r"])
LABELS = some.sampled_from(AWKWARD) | PLAIN


def tables(labels):
    """Rows of truth and two answers; an empty or absent label is a missing one. The first truth is a word."""
    row = some.tuples(*[some.none() | labels] * 3)
    return some.lists(row, max_size=8).map(lambda rows: [("word", "word", None), *rows])


def columns(rows):
    numbered = [(f"i{number}", *row) for number, row in enumerate(rows)]
    return dict(zip(NAMES, map(list, zip(*numbered, strict=True)), strict=True))


def delimited(rows, separator, end="\n"):
    out = io.StringIO()
    # A return is quoted by Python's writer only where it is part of the line end, so then everything is quoted.
    returns = any("\r" in (label or "") for row in rows for label in row)
    quoting = csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL
    writer = csv.writer(out, delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writerows([NAMES, *zip(*columns(rows).values(), strict=True)])
    return out.getvalue().encode()


def json_lines(rows):
    values = zip(*columns(rows).values(), strict=True)
    return "".join(json.dumps(dict(zip(NAMES, row, strict=True))) + "\n" for row in values).encode()


def parquet(rows):
    out = io.BytesIO()
    pq.write_table(arrow_table(rows), out)
    return out.getvalue()


def arrow(rows):
    out = io.BytesIO()
    with pa.ipc.new_file(out, arrow_table(rows).schema) as file:
        file.write_table(arrow_table(rows))
    return out.getvalue()


def arrow_table(rows):
    return pa.table({name: pa.array(column, pa.string()) for name, column in columns(rows).items()})


FILES = {
    "csv": lambda rows: delimited(rows, ","),
    "tsv": lambda rows: delimited(rows, "\t"),
    "jsonl": json_lines,
    "parquet": parquet,
    "arrow": arrow,
}
FRAMES = {
    "dict": columns,
    "pandas": lambda rows: pd.DataFrame(columns(rows)),
    "polars": lambda rows: pl.DataFrame(columns(rows), schema=dict.fromkeys(NAMES, pl.String)),
    "arrow": arrow_table,
}


def counted(data):
    """The cells of each system, as karat counts them."""
    counter = karat.read(data, systems=("a", "b"), kinds="label").counter
    return {name: cells(counter.count(confusions)[name]) for name in ("a", "b")}


def cells(confusion):
    names = (*confusion.labels, None)
    return Counter(
        {
            (names[truth], names[answer]): int(number)
            for truth, answer, number in zip(
                confusion.truth, confusion.answer, confusion.number, strict=True
            )
        }
    )


def looped(rows):
    """The cells of each system, counted by hand; what both call nothing counts for nobody."""
    return {
        name: Counter((row[0], row[place] or None) for row in rows if row[0])
        for place, name in ((1, "a"), (2, "b"))
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("readers")


@pytest.mark.parametrize("ending", FILES)
@LAWS
@given(tables(LABELS))
def test_a_file_gives_the_counts_of_a_plain_loop(folder, ending, rows):
    path = folder / f"table.{ending}"
    path.write_bytes(FILES[ending](rows))
    assert counted(path) == looped(rows)


@pytest.mark.parametrize("kind", FRAMES)
@LAWS
@given(tables(LABELS | LINES | OTHER_LINES))
def test_a_frame_gives_the_counts_of_a_plain_loop(kind, rows):
    assert counted(FRAMES[kind](rows)) == looped(rows)


@pytest.mark.parametrize("ending", FILES)
@settings(LAWS, max_examples=6)
@given(tables(LINES))
def test_a_label_may_run_over_several_lines(folder, ending, rows):
    path = folder / f"lines.{ending}"
    path.write_bytes(FILES[ending](rows))
    assert counted(path) == looped(rows)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "arrow"])
def test_a_label_may_hold_the_line_end_of_another_system(folder, ending):
    rows = [("word", "word", None), ("a\r\nb", "a\r\nb", "a\rb")]
    path = folder / f"other.{ending}"
    path.write_bytes(FILES[ending](rows))
    assert counted(path) == looped(rows)


@LAWS
@given(tables(LABELS), some.sampled_from([",", ";", "|", "\t"]), some.sampled_from(["\n", "\r\n"]))
def test_the_separator_and_the_line_end_of_a_csv_are_found(folder, rows, separator, end):
    path = folder / "separated.csv"
    path.write_bytes(delimited(rows, separator, end))
    assert counted(path) == looped(rows)


@LAWS
@given(tables(LABELS), tables(LABELS))
def test_tallies_of_two_parts_add_up_to_the_tally_of_the_whole(folder, first, second):
    for name, rows in (("first", first), ("second", second)):
        karat.read(columns(rows), systems=("a", "b"), kinds="label").save(folder / f"{name}.tally")
    parts = karat.read([folder / "first.tally", folder / "second.tally"]).counter
    assert {name: cells(parts.count(confusions)[name]) for name in ("a", "b")} == looped(
        first + second
    )


MANY = settings(LAWS, max_examples=15)
ROWS = [("word", "word", None), ("x y", "1", "x,y"), ("x", 'x"', "y")]


@pytest.fixture(scope="module")
def tally(folder):
    """The bytes of a good tally."""
    karat.read(columns(ROWS), systems=("a", "b"), kinds="label").save(folder / "whole.tally")
    return (folder / "whole.tally").read_bytes()


def read_and_score(path):
    """Go all the way with whatever is there; only a message for the user may stop it."""
    with suppress(karat.KaratError):
        karat.read(path).score().rows()


@pytest.mark.parametrize(
    "ending", ["csv", "tsv", "jsonl", "parquet", "arrow", "tally", "csv.gz", "jsonl.gz", "csv.zst"]
)
@MANY
@given(some.binary(max_size=200) | some.text(max_size=60).map(str.encode))
def test_random_bytes_give_a_result_or_a_message(folder, ending, content):
    path = folder / f"random.{ending}"
    path.write_bytes(content)
    read_and_score(path)


@pytest.mark.parametrize("ending", [*FILES, "tally"])
@MANY
@given(some.data())
def test_a_damaged_file_gives_a_result_or_a_message(folder, tally, ending, data):
    whole = tally if ending == "tally" else FILES[ending](ROWS)
    place = data.draw(some.integers(0, len(whole) - 1))
    cut = data.draw(some.booleans())
    path = folder / f"damaged.{ending}"
    path.write_bytes(
        whole[:place]
        if cut
        else whole[:place] + data.draw(some.binary(min_size=1, max_size=4)) + whole[place + 1 :]
    )
    read_and_score(path)


@MANY
@given(some.data())
def test_a_damaged_tally_never_gives_other_counts(folder, tally, data):
    place = data.draw(some.integers(0, len(tally) - 1))
    path = folder / "changed.tally"
    path.write_bytes(
        tally[:place]
        + bytes([tally[place] ^ data.draw(some.integers(1, 255))])
        + tally[place + 1 :]
    )
    with suppress(karat.KaratError):
        counter = karat.read(path).counter
        assert {name: cells(counter.count(confusions)[name]) for name in ("a", "b")} == looped(ROWS)
