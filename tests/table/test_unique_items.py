"""An item that occurs twice is found, whatever its name; and names are counted once where none does."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.errors import InputError
from karat.table import unique_items

CLOSE = st.integers(-70, 70)
FAR = st.integers(-(2**63), 2**63 - 1)
TEXTS = st.text("ab1", min_size=1, max_size=3)


def read(names: Sequence[object], dtype: type = object) -> None:
    """Read a table of items with these names."""
    answers = np.zeros(len(names), dtype=int)
    karat.read({"item": np.array(names, dtype=dtype), "truth": answers, "a": answers})


def is_refused(names: Sequence[object], dtype: type = object) -> bool:
    try:
        read(names, dtype)
    except InputError as error:
        return " occurs " in str(error)
    return False


@given(st.lists(CLOSE, min_size=1, max_size=40))
def test_whole_numbers_that_lie_close_are_refused_if_one_occurs_twice(names: list[int]) -> None:
    assert is_refused(names, np.int64) == (len(set(names)) < len(names))


@given(st.lists(FAR, min_size=1, max_size=6), st.booleans())
def test_whole_numbers_that_lie_apart_are_refused_if_one_occurs_twice(
    names: list[int], again: bool
) -> None:
    if again:
        names = [*names, names[0]]
    assert is_refused(names, np.int64) == (len(set(names)) < len(names))


@given(st.lists(st.integers(2**64 - 50, 2**64 - 1), min_size=1, max_size=20))
def test_numbers_without_a_sign_are_refused_if_one_occurs_twice(names: list[int]) -> None:
    assert is_refused(names, np.uint64) == (len(set(names)) < len(names))


@given(st.lists(TEXTS, min_size=1, max_size=20))
def test_texts_are_refused_if_one_occurs_twice(names: list[str]) -> None:
    assert is_refused(names) == (len(set(names)) < len(names))


@pytest.mark.parametrize("parts", [2, 3, 7])
def test_keys_are_compared_in_parts_where_they_are_many(
    parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"page {number}" for number in range(100)]
    monkeypatch.setattr(unique_items, "PART", -(-len(names) // parts))
    read(names)
    for first in (0, 41, 99):
        with pytest.raises(InputError, match=f"item 'page {first}' occurs 2 times"):
            read([*names, names[first]])


def test_names_with_equal_keys_are_not_taken_for_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karat.engine.duckdb.DuckDB.hash", "length")
    read(["one", "two", "six"])
