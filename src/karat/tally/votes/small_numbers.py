"""Truth x answer where both are small whole numbers: each pair has a place in an array, so no hash table is needed."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.table.table import Table
from karat.tally.sql import MOST_CODES, cells_of

MANY = 1_000_000
"""From this many items on, the scan for the ranges costs less than it saves."""
LARGEST = 2**62
RANGES = "select min(t) as low_t, max(t) as high_t, {answers} from {rows}"
CODE = """
select cast((k * {truths} + coalesce(cast(t as bigint) - ({low_t}) + 1, 0)) * {answers}
  + coalesce(cast(v as bigint) - ({low_v}) + 1, 0) as integer) as code
from ({cells}) as cells
"""


def small_numbers(table: Table, places: Sequence[int]) -> "Arrays | None":
    """Count truth `t` x answer `v` of systems, `k` being the place in `places`; None where this way is not possible.

    A missing truth or answer has the first place of its range.
    """
    if not _is_worthwhile(table, places):
        return None
    answers = ", ".join(f"min(s{k}) as low_{k}, max(s{k}) as high_{k}" for k in places)
    ends = table.engine.query(RANGES.format(answers=answers, rows=table.rows.name))
    truth = _range(ends, ["t"])
    answer = _range(ends, [str(place) for place in places])
    if truth is None or answer is None:
        return None
    size = len(places) * len(truth) * len(answer)
    if size > MOST_CODES:
        return None
    codes = CODE.format(
        truths=len(truth),
        low_t=truth[1],
        answers=len(answer),
        low_v=answer[1],
        cells=cells_of(table, places, beside=["t"]),
    )
    number = table.engine.frequencies(codes, size)
    occurring = np.flatnonzero(number)
    shape = (len(places), len(truth), len(answer))
    k, t, v = np.unravel_index(occurring, shape)
    return {"k": k, "t": _values(t, truth), "v": _values(v, answer), "n": number[occurring]}


def _is_worthwhile(table: Table, places: Sequence[int]) -> bool:
    """Return whether there are many items, each counted once, whose answers are whole numbers."""
    if table.threshold is not None or table.rows.number != "1":
        return False
    if any(table.stored[place] != "whole" for place in places):
        return False
    return table.counts.items >= MANY


def _range(ends: Arrays, names: Sequence[str]) -> range | None:
    """Return the numbers of some columns, and one below them that means missing; None where they are not all known."""
    lows = [ends[f"low_{name}"] for name in names]
    highs = [ends[f"high_{name}"] for name in names]
    if not all(_is_whole_number(column) for column in (*lows, *highs)):
        return None
    low = min(int(column[0]) for column in lows)
    high = max(int(column[0]) for column in highs)
    if max(-low, high) >= LARGEST:
        return None
    return range(low - 1, high + 1)


def _is_whole_number(column: npt.NDArray[Any]) -> bool:
    """Return whether a column of one row holds a whole number, and not a missing value."""
    return column.dtype.kind in "iu" and np.ma.count(column) > 0


def _values(place: npt.NDArray[np.intp], numbers: range) -> np.ma.MaskedArray:
    return np.ma.masked_array(place + numbers[0], place == 0)
