"""Whole numbers that have a place in an array: the same counts as those that the engine groups, on every engine."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import karat
from karat.errors import InputError
from karat.table.options import TableOptions
from karat.tally.votes import small_numbers as module
from karat.tally.votes.confusion import confusions


@dataclass(frozen=True)
class Numbered:
    """Items whose truth and answers are whole numbers, some of them missing."""

    name: str
    columns: dict[str, list[Any]]
    spark: tuple[str, ...] = ("parquet",)
    reading: TableOptions = field(
        default_factory=lambda: TableOptions(item="item", truth="truth", kinds="label")
    )


def numbered(low, high, number=60):
    random = np.random.default_rng(3)
    columns: dict[str, list[Any]] = {"item": [f"i{k}" for k in range(number)]}
    for name in ("truth", "a", "b"):
        values = random.integers(low, high, number, endpoint=True).tolist()
        columns[name] = [
            None if k % 7 == len(name) and name != "b" else value for k, value in enumerate(values)
        ]
    return columns


CASES = [Numbered("few", numbered(-3, 4)), Numbered("far", numbered(10**15, 10**15 + 2))]


@pytest.fixture
def sizes(monkeypatch):
    """The sizes of the arrays in which was counted."""
    from karat.engine.duckdb import DuckDB

    seen = []
    frequencies = DuckDB.frequencies

    def noted(self, sql, size):
        seen.append(size)
        return frequencies(self, sql, size)

    monkeypatch.setattr(DuckDB, "frequencies", noted)
    monkeypatch.setattr(module, "MANY", 0)
    return seen


def digests(table):
    return {system: found.digest() for system, found in confusions(table).items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_engine_counts_in_an_array_what_it_counts_in_groups(case, read, monkeypatch):
    table = read.table(case)
    wanted = digests(table)
    monkeypatch.setattr(module, "MANY", 0)
    assert digests(table) == wanted


def both(columns, sizes, monkeypatch, **options):
    table = karat.read(columns, kinds="label", **options).counter.table
    ours = digests(table)
    is_in_array = bool(sizes)
    with monkeypatch.context() as patch:
        patch.setattr(module, "MANY", 10**9)
        assert digests(table) == ours
    return is_in_array


def test_systems_with_different_ranges_share_an_array(sizes, monkeypatch):
    columns = {"truth": [1, 2, 3], "a": [-128, 127, 3], "b": [1, 2, 3]}
    narrow = {name: np.array(values, np.int8) for name, values in columns.items()}
    assert both(narrow, sizes, monkeypatch)
    assert sizes == [2 * 4 * 257]


@pytest.mark.parametrize(
    "columns",
    [
        {"truth": ["x", "y", "x"], "a": [1, 2, 3]},
        {"truth": [1, 2, 3], "a": ["x", "y", "x"]},
        {"truth": [1, 2**62, 3], "a": [1, 2, 3]},
        {"truth": [1, 2, 3], "a": [-(2**62), 2, 3]},
        {"truth": [1, 2, 3], "a": [1, 2, 3_000_000]},
        {"truth": [1, 2, 3], "a": np.ma.masked_all(3, np.int64)},
    ],
)
def test_what_has_no_small_range_is_grouped(columns, sizes, monkeypatch):
    assert not both(columns, sizes, monkeypatch)


@pytest.mark.parametrize("options", [{"group": "g"}, {"count": "n"}])
def test_keys_are_counted_beside_the_answers(options, sizes):
    columns = {"truth": [1, 2, 2], "a": [1, 2, 1], "g": ["x", "y", "y"], "n": [2, 3, 4]}
    table = karat.read(columns, systems=["a"], kinds="label", **options).counter.table
    found = confusions(table, keys="g")["a"]
    assert found.total == (9 if "count" in options else 3)
    assert not sizes


def test_an_error_amid_the_numbers_is_reported():
    engine = karat.read({"truth": [1, 0], "a": [1, 1]}).counter.table.engine
    late = "case when range = 2900000 then 'x' else '1' end"
    with pytest.raises(InputError, match="'x'"):
        engine.frequencies(f"select cast({late} as integer) as code from range(3000000)", 2)
    assert engine.frequencies("select cast(1 as integer) as code where 1 = 0", 2).tolist() == [0, 0]
