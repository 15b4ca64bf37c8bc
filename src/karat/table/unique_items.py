"""Whether every item has a name of its own, without sorting or gathering the names themselves.

A table of many rows would spend most of its time on that question. Two ways prove that no name occurs twice; where
they do not, the one who asks looks for the copies.
"""

import math
from dataclasses import dataclass

import numpy as np

from karat.engine import Engine, OpenedSource

BLOCK = 32
"""So many whole numbers in a row are the bits of one number, so that they are gathered once."""
LARGEST = 2**62
"""Numbers beyond it may not fit into 64 bits with a sign."""
PART = 20_000_000
"""Keys that are sorted here at a time: 160 MB."""
MOST_PARTS = 5
"""In how many parts, each a scan; names of more rows are gathered where the data is."""


@dataclass(frozen=True, slots=True)
class Names:
    """How many rows name their item, and the least and the largest name if they are whole numbers."""

    cell: str
    rows: int
    named: int
    ends: tuple[int, int] | None

    @property
    def lie_close(self) -> bool:
        """Whether the names are whole numbers that fill a good part of their range."""
        if self.ends is None:
            return False
        first, last = self.ends
        return last - first < BLOCK * self.named and max(-first, last) < LARGEST


def count_names(engine: Engine, relation: OpenedSource, column: int) -> Names:
    """Return how many names a column has."""
    cell = f"c{column}"
    is_whole = relation.stored[column] == "whole"
    ends = f", min({cell}) as first, max({cell}) as last" if is_whole else ""
    found = engine.query(f"select count(*) as n, count({cell}) as named{ends} from {relation.name}")
    rows = int(found["n"][0])
    named = int(found["named"][0])
    if not (is_whole and named):
        return Names(cell, rows, named, None)
    return Names(cell, rows, named, (int(found["first"][0]), int(found["last"][0])))


def may_repeat(engine: Engine, relation: OpenedSource, names: Names) -> bool:
    """Return whether a name may occur twice; if not, none does."""
    if names.named < 2:
        return False
    if names.lie_close:
        return _has_equal_neighbours(engine, relation.name, names.cell)
    key = names.cell if names.ends else f"{engine.hash}({names.cell})"
    return _has_equal_keys(engine, relation.name, key, names.named)


def _has_equal_neighbours(engine: Engine, rows: str, cell: str) -> bool:
    """Return whether a block has more numbers than bits: numbers in a narrow range make few blocks."""
    bit = f"cast(1 as bigint) << cast({cell} & {BLOCK - 1} as int)"
    block = f"cast({cell} as bigint) >> 5"
    blocks = (
        f"select count(*) as n, bit_or({bit}) as bits from {rows} where {cell} is not null "
        f"group by {block}"
    )
    odd = engine.query(f"select count(*) as n from ({blocks}) as blocks where n <> bit_count(bits)")
    return int(odd["n"][0]) > 0


def _has_equal_keys(engine: Engine, rows: str, key: str, number: int) -> bool:
    """Return whether two names have one key: equal names do, and others hardly ever."""
    parts = math.ceil(number / PART)
    if parts > MOST_PARTS:
        return True
    for part in range(parts):
        where = f" where abs(key % {parts}) = {part}" if parts > 1 else ""
        found = engine.query(f"select key from (select {key} as key from {rows}) as keys{where}")
        keys = np.sort(np.ma.compressed(found["key"]))
        if np.any(keys[1:] == keys[:-1]):
            return True
    return False
