"""All systems' scores of a sample of the items: how the curves of very many items, counted in full, vary together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat.table.table import Table
from karat.tally.scores.curve import Curve, Floats, missing_last, positives, put_truths
from karat.tally.scores.paired_scores import PairedScores
from karat.tally.sql import drawn_sql, named_rows, numbers
from karat.tally.tally import tally

DRAWN = 200_000
"""Items that are drawn by chance, about."""
TAKEN = 100_000
"""Items with the highest scores of any system, all of which are taken; and so are all of a kind that is as rare."""
SQL = """
select t, {scores}, {n} as n from {rows} where t is not null and ({chosen})
"""
NUMBER = "select count(*) as stored from {rows} where t is not null"


@dataclass(frozen=True, slots=True, eq=False)
class SampledScores:
    """Some of the items, each of which stands for so many rows of the data."""

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

    Items are drawn by their names. Those that move an area most where positives are rare, as the negatives with the
    highest scores do, are too few to be left to chance: these are all taken, and stand for themselves alone.
    """
    names = [f"s{table.systems.index(system)}" for system in systems]
    cutoffs = [_cutoff(curves[system], TAKEN // len(systems)) for system in systems]
    rare = _rare_kind(curves[systems[0]])
    share = min(1.0, DRAWN / _stored_rows(table, curves[systems[0]]))
    chosen = [drawn_sql(table, share)]
    for name, cutoff in zip(names, cutoffs, strict=True):
        if np.isfinite(cutoff):
            # With an exponent: a decimal would be rounded in its own way.
            chosen.append(f"{name} >= {cutoff:.16e}")
    if rare is not None:
        put_truths(table, "rare_truths", positive=rare)
        chosen.append("t in (select truth from rare_truths)")
    source = named_rows(table)
    columns = table.engine.query(
        SQL.format(
            scores=", ".join(names),
            n=source.number,
            rows=source.name,
            chosen=" or ".join(chosen),
        )
    )
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


def _stored_rows(table: Table, curve: Curve) -> int:
    """Return how many rows with a truth there are; a row may stand for several items."""
    if "n" not in table.keys:
        return int(curve.positive.sum() + curve.negative.sum())
    found = table.engine.query(NUMBER.format(rows=named_rows(table).name))
    return int(found["stored"][0])
