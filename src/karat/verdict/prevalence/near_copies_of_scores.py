"""Systems whose scores differ on too few positives for the interval of a difference."""

from collections.abc import Mapping
from itertools import combinations

from karat.numeric.arrays import FloatArray, IntArray
from karat.tally.scores.paired_scores import PairedScores
from karat.tally.scores.sampled_scores import SampledScores
from karat.verdict.prevalence.resampled_areas import ScoredTable
from karat.words import counted

TOO_FEW = 10
"""Differing positives below which intervals of a difference hold too seldom: bench/coverage/sampled_areas.py."""
AT_FIRST = 1_000
"""Positives that are looked at first: most pairs differ on enough of these."""


def near_copies_of_scores(tables: Mapping[str, ScoredTable]) -> list[str]:
    """Return a warning for two systems that have the same score on nearly all positives."""
    warnings = []
    for table in tables.values():
        rows = _rows(table)
        if rows is None:
            continue
        systems = tuple(table.curves)  # in the order of the columns
        scores = rows.scores[rows.positive]
        number = rows.number[rows.positive]
        for first, second in combinations(range(len(systems)), 2):
            differing = _differing(scores[:, first], scores[:, second], number)
            if differing >= TOO_FEW:
                continue
            if (rows.scores[:, first] != rows.scores[:, second]).any():
                warnings.append(_warning(systems[first], systems[second], differing))
    return warnings


def _rows(table: ScoredTable) -> PairedScores | None:
    """Return single items with the scores of all systems, or a sample of them."""
    if isinstance(table.paired, SampledScores):
        return table.paired.rows
    if isinstance(table.paired, PairedScores):
        return table.paired
    return None


def _differing(first: FloatArray, second: FloatArray, number: IntArray) -> int:
    """Return on how many items two systems' scores differ, or at least TOO_FEW if on so many."""
    found = 0
    for part in (slice(AT_FIRST), slice(None)):
        if found < TOO_FEW:
            differ = first[part] != second[part]
            found = int(number[part][differ].sum())
    return found


def _warning(first: str, second: str, differing: int) -> str:
    where = counted(differing, "positive")
    return (
        f"warning: the scores of {first!r} and {second!r} differ on {where} only; intervals of such "
        "differences were too short in simulations: do not rely on theirs."
    )
