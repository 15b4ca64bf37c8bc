"""All systems' scores of a sample of the items: how the curves of very many items, counted in full, vary together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat.table.table import Table
from karat.tally.scores.curve import Curve, Floats, missing_last, positives, put_truths
from karat.tally.scores.paired_scores import PairedScores
from karat.tally.sql import (
    chance_of_scores_sql,
    drawn_sql,
    has_item_names,
    named_rows,
    numbers,
)
from karat.tally.tally import tally

DRAWN = 200_000
"""Items that are drawn by chance, about."""
TAKEN = 100_000
"""Items with the highest scores of any system, all of which are taken; and so are all of a kind that is as rare."""
SQL = """
select t, {scores}, {n} as n from {rows} where t is not null and ({chosen})
"""
SQL_WITHOUT_NAMES = """
select t, {scores}, case when {taken} then n else floor(n * {share} + chance) end as n
from (
  select t, {scores}, cast(sum({n}) as double) as n, {chance} as chance
  from {rows} where t is not null group by t, {scores}
) as alike
where {taken} or n * {share} + chance >= 1e0
"""
"""Of equal rows a share is drawn, and one more by the chance that their scores give them."""
NUMBER = "select count(*) as stored from {rows} where t is not null"


@dataclass(frozen=True, slots=True, eq=False)
class SampledScores:
    """Some of the items, each of which represents a number of rows of the data."""

    rows: PairedScores
    times: Floats

    @property
    def items(self) -> int:
        """How many items were sampled."""
        return int(self.rows.number.sum())


@tally(needs="scores")
def sampled_scores(
    table: Table, systems: Sequence[str], *, curves: Mapping[str, Curve]
) -> SampledScores:
    """Return a sample of the items, which is the same on every engine.

    Items are drawn by their names, or by their scores where they have none. Those that move an area most where
    positives are rare, as the negatives with the highest scores do, are too few to be left to chance: these are all
    taken, and stand for themselves alone.
    """
    names = [f"s{table.systems.index(system)}" for system in systems]
    cutoffs = [_cutoff(curves[system], TAKEN // len(systems)) for system in systems]
    rare = _rare_kind(curves[systems[0]])
    taken = ["1 = 0"]
    for name, cutoff in zip(names, cutoffs, strict=True):
        if np.isfinite(cutoff):
            # With an exponent: a decimal would be rounded in its own way.
            taken.append(f"coalesce({name} >= {cutoff:.16e}, false)")
    if rare is not None:
        put_truths(table, "rare_truths", positive=rare)
        taken.append("t in (select truth from rare_truths)")
    whole = curves[systems[0]]
    share = min(1.0, DRAWN / _drawn_from(table, whole))
    columns = table.engine.query(_drawn(table, names, " or ".join(taken), share))
    scores = np.stack([missing_last(columns[name]) for name in names], axis=1)
    found = PairedScores(
        tuple(systems), positives(table, columns["t"]), scores, numbers(columns)
    ).in_order()
    is_taken = (found.scores >= cutoffs).any(axis=1)
    if rare is not None:
        is_taken |= found.positive == rare
    return SampledScores(found, np.where(is_taken, 1.0, 1 / share))


def _cutoff(curve: Curve, most: int) -> float:
    """Return the score from which on there are at most so many items; infinite if there is none."""
    items = (curve.positive + curve.negative).cumsum()
    number = int(np.searchsorted(items, most, side="right"))
    return float(curve.score[number - 1]) if number else np.inf


def _rare_kind(curve: Curve) -> bool | None:
    """Return the kind of items, positive or not, of which there are few enough to take all; None if of neither."""
    if curve.positive.sum() <= TAKEN:
        return True
    if curve.negative.sum() <= TAKEN:
        return False
    return None


def _drawn(table: Table, names: Sequence[str], taken: str, share: float) -> str:
    """Return SQL for truth, scores and number of the items that are taken or drawn."""
    source = named_rows(table)
    scores = ", ".join(names)
    if has_item_names(table):
        chosen = f"{drawn_sql(table, share)} or {taken}"
        return SQL.format(scores=scores, n=source.number, rows=source.name, chosen=chosen)
    return SQL_WITHOUT_NAMES.format(
        scores=scores,
        n=source.number,
        rows=source.name,
        taken=f"({taken})",
        share=f"{share:.16e}",
        chance=chance_of_scores_sql(names),
    )


def _drawn_from(table: Table, curve: Curve) -> int:
    """Return how many there are to draw from: items, or rows with names, which may represent several items each."""
    if "n" not in table.keys or not has_item_names(table):
        return int(curve.positive.sum() + curve.negative.sum())
    found = table.engine.query(NUMBER.format(rows=named_rows(table).name))
    return int(found["stored"][0])
