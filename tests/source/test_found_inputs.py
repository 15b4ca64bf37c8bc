"""Inputs that once ended in another exception than words: found by fuzzing, kept in `tests/data/found`, a folder each.

What libFuzzer changes, `bench/robustness/fuzzed_parsers.py` does; here what it found is read again, and a few thousand
texts that are nearly right go to each parser of options, always the same ones.
"""

import random
from pathlib import Path

import pytest

from karat.errors import KaratError

pytest.importorskip("lxml")
pytest.importorskip("pyarrow")
pytest.importorskip("zstandard")
pytest.importorskip("openpyxl")
pytest.importorskip("PIL")

from support.mutations import mutated
from support.parsers import TEXTS, USAGE, parsers

FOUND = Path(__file__).parents[1] / "data" / "found"
KEPT = sorted(path for path in FOUND.rglob("*") if path.is_file())
MANY, FEW = 500, 50
SLOW = {
    "--prior",
    "--trajectory",
    "--trajectory, timed",
    "--measure of rankings",
    "latex, in memory",
    "xml",
}
"""Parsers that take a millisecond or more: an integral, a search for names that are similar, a long text."""


def attempt(parser, data):
    """Read bytes; words are as good as a result."""
    try:
        parser.read(data)
    except (KaratError, *USAGE):
        return


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}, {path.name}")
def test_what_was_found_ends_in_a_result_or_in_words(path, tmp_path):
    known = {name.replace(" ", "_"): parser for name, parser in parsers(tmp_path).items()}
    attempt(known[path.parent.name], path.read_bytes())


@pytest.mark.parametrize("name", TEXTS)
def test_texts_that_are_nearly_right_end_in_a_result_or_in_words(name):
    parser = TEXTS[name]
    chance = random.Random(name)  # noqa: S311 (no secret)
    for _ in range(FEW if name in SLOW else MANY):
        attempt(parser, mutated(chance.choice(parser.seeds), chance))


def test_every_line_of_words_is_understood(tmp_path):
    """A search that begins with words which make no sense would not get far."""
    command_line = parsers(tmp_path)["command line"]
    for line in command_line.seeds:
        command_line.read(line)


def test_a_field_of_a_label_graph_that_is_too_long_for_a_reader_of_csv(tmp_path):
    lg = parsers(tmp_path)["lg, in memory"]
    attempt(lg, f'N, s1, "{"x" * 200_000}", 1.0\n'.encode())


@pytest.mark.parametrize("name", ["checked list", "boxes in csv", "leaderboard"])
def test_a_cell_whose_quote_never_ends(tmp_path, name):
    parser = parsers(tmp_path)[name]
    (seed, *_) = parser.seeds
    attempt(parser, seed + b'1,"' + b"x" * 200_000)
