"""Without a truth: the vote, and Dawid and Skene's estimate."""

from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from case import Case, Way
from common import made

import karat
from karat.measure.consensus.dawid_skene import DawidSkene, dawid_skene
from karat.measure.consensus.summed_votes import summed_consensus
from karat.tally.votes.covotes import covotes

SYSTEMS = tuple(f"system{k}" for k in range(6))
ITEMS, ANNOTATORS, CLASSES, ACCURACY, ROUNDS = 100_000, 10, 4, 0.7, 10
YES_OR_NO = "case when random() < 0.8 then truth else 1 - truth end"
CONFIDENCE = "0.4 * truth + 0.6 * random()"


def votes(name: str, vote: str) -> Path:
    return made(f"{name}.parquet", partial(_write, vote=vote))


def _write(path: Path, *, vote: str) -> None:
    """Write six systems that agree with a truth that is not written."""
    columns = ", ".join(f"{vote} as {name}" for name in SYSTEMS)
    rows = "select cast(random() < 0.5 as tinyint) as truth from range(10_000_000)"
    duckdb.connect().execute(f"copy (select {columns} from ({rows})) to '{path}' (format parquet)")


def voted(path: Path) -> list[float]:
    """Return the precisions by the paper's vote, from the sums of votes and of their products."""
    found = summed_consensus(karat.read(path).counter.count(covotes))  # type: ignore[attr-defined]
    return [float(value) for value in found.precision[: len(SYSTEMS)]]


def by_sql(path: Path) -> list[float]:
    """Return the same precisions row by row."""
    share = f"(1 + {' + '.join(SYSTEMS)}) / {len(SYSTEMS) + 2}"
    sums = ", ".join(f"sum({share} * {name}) / sum({name})" for name in SYSTEMS)
    return list(duckdb.connect().execute(f"select {sums} from '{path}'").fetchall()[0])


def summed(path: Path) -> Any:
    sums = ", ".join(f"sum({name})" for name in SYSTEMS)
    return duckdb.connect().execute(f"select {sums} from '{path}'").fetchall()


def largest_gap(ours: list[float], others: list[float]) -> float:
    return max(abs(one - other) for one, other in zip(ours, others, strict=True))


def answers() -> np.ndarray:
    """Draw answers that are right seven times in ten, and any other class where they are not."""
    random = np.random.default_rng(0)
    truth = random.integers(0, CLASSES, ITEMS)[:, None]
    wrong = (truth + random.integers(1, CLASSES, (ITEMS, ANNOTATORS))) % CLASSES
    return np.where(random.random(wrong.shape) < ACCURACY, truth, wrong)


def frame() -> Any:
    """Return the same answers as a peer wants them, and as an array."""
    import pandas as pd

    found = answers()
    row, system = np.divmod(np.arange(found.size), ANNOTATORS)
    return pd.DataFrame({"task": row, "worker": system, "label": found.ravel()}), found


def estimated(data: Any) -> DawidSkene:
    return dawid_skene(data[1], rounds=ROUNDS, tolerance=-np.inf)


def theirs(data: Any) -> Any:
    from crowdkit.aggregation import DawidSkene as Theirs

    found = Theirs(n_iter=ROUNDS, tol=-1e9).fit(data[0])
    labels = list(range(CLASSES))  # it keeps them in the order of their first answers
    return found.priors_[labels].to_numpy(), found.probas_.sort_index()[labels].to_numpy()


def apart(ours: DawidSkene, others: Any) -> float:
    pairs = (ours.prior, others[0]), (ours.chances, others[1])
    return max(float(np.abs(one - other).max()) for one, other in pairs)


def reads(data: Any) -> int:
    """Read every answer twice a round: for the chances of the items, and for the systems' errors."""
    return sum(int(data[1].sum()) for _ in range(2 * ROUNDS))


SUMS = Way("DuckDB, every column summed", summed)
CASES = (
    Case(
        "precision of 6 voters, 1e7 items, yes or no", partial(votes, "yes-or-no", YES_OR_NO), voted, SUMS,
        Way("the paper's vote in SQL, precision alone", by_sql), largest_gap,
        reason="six columns are summed, and their 21 products",
    ),
    Case(
        "precision of 6 voters, 1e7 items, confidences", partial(votes, "confidences", CONFIDENCE), voted, SUMS,
        Way("the paper's vote in SQL, precision alone", by_sql), largest_gap,
        reason="six columns are summed, and their 21 products",
    ),
    Case(
        f"Dawid-Skene, {ITEMS:,} items, {ANNOTATORS} annotators, {ROUNDS} rounds", frame, estimated,
        Way("NumPy, every answer read twice a round", reads), Way("crowd-kit", theirs), apart,
        reason="each answer is a logarithm looked up and added for each of four classes, and each item a softmax",
    ),
)  # fmt: skip
