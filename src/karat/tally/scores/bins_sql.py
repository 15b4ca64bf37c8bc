"""SQL for the bin of every score: the arithmetic of `Bins.places`, for an engine."""

from collections.abc import Mapping, Sequence

import numpy as np

from karat.engine import Engine
from karat.table.distinct_rows import Rows
from karat.table.table import Table
from karat.tally.scores.bins import Bins
from karat.tally.sql import answer_sql

EVEN = """
select k, t, {names}{times}floor(v) as b from ({cells}) as cells where t is not null
"""
CUT = """
select cells.k, t, {names}{times}parts.begin + floor((v - parts.even) * parts.size) as b
from ({cells}) as cells join parts on cells.k = parts.k and floor(v) = parts.even
where t is not null
"""
PLACE = """
case when {score} >= {low} then
  least((case when {half} >= 0 then 1e0 - {close} else {close} - 1e0 end - {first}) * {scale}, {size}) else -1e0 end
"""
"""In fractions throughout: they hold every place exactly."""


def placed(
    table: Table, bins: Mapping[str, Bins], *, by: str = "", rows: Rows | None = None
) -> str:
    """Return SQL for the bin of every score."""
    rows = rows or table.rows
    beside = ["t"]
    if by:
        beside.append(by)
    if rows.number != "1":
        beside.append(rows.number)
    scores = [answer_sql(table, table.systems.index(system)) for system in bins]
    places = [_place_sql(score, one) for score, one in zip(scores, bins.values(), strict=True)]
    are_cut = any(one.is_cut for one in bins.values())
    if are_cut:
        _put_parts(table.engine, list(bins.values()))
    return (CUT if are_cut else EVEN).format(
        names=f"{by}, " if by else "",
        times="" if rows.number == "1" else f"{rows.number}, ",
        cells=table.engine.cells(rows.name, places, beside=beside),
    )


def _place_sql(score: str, bins: Bins) -> str:
    """Return SQL for how many even bins a score is above the lowest, at most all; -1 for a score below."""
    half = f"({score} * 0.5e0 - ({_literal(bins.middle * 0.5)}))"
    spread = _literal(bins.spread * 0.5)
    return PLACE.format(
        score=score,
        low=_literal(bins.low),
        half=half,
        close=f"({spread} / ({spread} + abs({half})))",
        first=f"({_literal(bins.first)})",
        scale=_literal(bins.scale),
        size=_literal(len(bins.parts)),
    )


def _literal(number: float) -> str:
    """Return SQL for a fraction, with an exponent: an engine would round a decimal in its own way."""
    return f"{number:.16e}"


def _put_parts(engine: Engine, bins: Sequence[Bins]) -> None:
    """Lay the parts of the systems' bins beside the data: one before the first, and one where the last of them ends."""
    lengths = [len(one.parts) + 2 for one in bins]
    parts = {
        "k": np.repeat(np.arange(len(bins)), lengths),
        "even": np.concatenate([np.arange(-1.0, length - 1) for length in lengths]),
        "begin": np.concatenate([[-1.0, *one.begin, one.number] for one in bins]),
        "size": np.concatenate([[1.0, *one.parts, 1.0] for one in bins]),
    }
    engine.put("parts", parts)
