"""Whether each item is positive, and all its scores: what systems share when items are drawn anew."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.table.table import Table
from karat.tally.codes import MISSING, digest, encode, frequency

MOST = 1_000_000
"""More distinct rows are not held in memory."""


@dataclass(frozen=True, slots=True, eq=False)
class PairedScores:
    """Distinct rows of a truth and a score per system, with their number; a missing score is below every other."""

    systems: tuple[str, ...]
    truth: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.float64]
    number: npt.NDArray[np.int64]

    def digest(self) -> str:
        """Return a short hash of the counts."""
        return digest([self.truth, self.scores, self.number])


def paired_scores(table: Table, systems: Sequence[str]) -> PairedScores | None:
    """Count the distinct rows of truth and scores; None where they are too many."""
    places = [table.systems.index(system) for system in systems]
    columns = ", ".join(f"s{place}" for place in places)
    rows = f"select t, {columns}, {frequency(table)} as n from answers where t is not null group by t, {columns}"
    counted = table.engine.query(f"{rows} limit {MOST + 1}")
    number = np.ma.getdata(counted["n"]).astype(np.int64)
    if len(number) > MOST:
        return None
    (truth,), labels = encode([counted["t"]], [None], replace(table.labels, truth_sep=None))
    yes = truth == (labels.index(table.labels.positive) if table.labels.positive in labels else MISSING)
    scores = np.column_stack([np.ma.filled(counted[f"s{place}"].astype(np.float64), -np.inf) for place in places])
    order = np.lexsort((*scores.T, yes))
    return PairedScores(tuple(systems), yes[order], scores[order], number[order])
