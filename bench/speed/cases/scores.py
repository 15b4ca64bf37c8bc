"""Scores: exact curves and areas, at any prevalence, with intervals; and 1e8 scores in bins."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
from case import Case, Way
from common import made
from sklearn.metrics import average_precision_score

import karat
from karat.doubt.prevalence.area_bootstrap import area_interval
from karat.doubt.prevalence.inversions import rankings
from karat.measure.prevalence.packed_area import rises_of
from karat.measure.prevalence.pr_curve import areas, pr_area, roc
from karat.measure.prevalence.step_areas import average_precision_at
from karat.tally.scores.binned_curve import binned
from karat.tally.scores.packed_curve import curve_of

DRAWS, LOOPED = 1_000, 25
SKEWS = np.linspace(0.001, 0.999, 101)
SOME_SKEWS = SKEWS[::20]
SYSTEMS = 8


@dataclass(frozen=True)
class Scored:
    """A truth, and a score of each item."""

    truth: np.ndarray
    score: np.ndarray


def scored(number: int, rate: float) -> Scored:
    random = np.random.default_rng(0)
    truth = random.random(number) < rate
    return Scored(truth, (random.normal(size=number) + truth).astype(np.float32))


def area(data: Scored) -> float:
    return float(areas(rises_of(data.truth, data.score), data.truth.mean()))


def curve(data: Scored) -> tuple[float, float]:
    """Return the area of the whole curve, and its average precision, which scikit-learn has."""
    found = roc(curve_of(data.truth, data.score))
    share = data.truth.mean()
    return float(pr_area(found, pi=share)), float(average_precision_at(found, pi=share))


def theirs(data: Scored) -> float:
    return float(average_precision_score(data.truth, data.score))


def skewed(data: Scored) -> list[float]:
    return areas(rises_of(data.truth, data.score), SKEWS).tolist()


def skewed_by_weight(data: Scored) -> list[float]:
    share = data.truth.mean()
    weights = (np.where(data.truth, pi / share, (1 - pi) / (1 - share)) for pi in SOME_SKEWS)
    return [average_precision_score(data.truth, data.score, sample_weight=one) for one in weights]


def interval(data: Scored) -> tuple[float, float]:
    found = area_interval(curve_of(data.truth, data.score), [data.truth.mean()], draws=DRAWS)
    return float(found.low[0]), float(found.high[0])


def bootstrap(data: Scored) -> list[float]:
    random = np.random.default_rng(1)
    found = []
    for _ in range(LOOPED):
        chosen = random.integers(0, len(data.truth), len(data.truth))
        found.append(average_precision_score(data.truth[chosen], data.score[chosen]))
    return found


def weights(data: Scored) -> float:
    random = np.random.default_rng(1)
    return sum(float(random.standard_exponential(len(data.truth)).sum()) for _ in range(DRAWS))


def sort(data: Scored) -> np.ndarray:
    return np.sort(data.score)


def several() -> tuple[np.ndarray, list[np.ndarray]]:
    """Return a truth and systems whose curves cross."""
    random = np.random.default_rng(2)
    truth = random.random(1_000_000) < 0.01
    shapes = [(0.8 + 0.1 * k, 2.2 - 0.22 * k) for k in range(SYSTEMS)]
    scores = [
        random.normal(size=len(truth)) + np.where(truth, random.normal(mean, wide, len(truth)), 0)
        for mean, wide in shapes
    ]
    return truth, scores


def ranked(data: tuple[np.ndarray, list[np.ndarray]]) -> int:
    truth, scores = data
    curves = {f"system{k}": roc(curve_of(truth, score)) for k, score in enumerate(scores)}
    return len(rankings(curves).changes)


def sort_all(data: tuple[np.ndarray, list[np.ndarray]]) -> int:
    return sum(len(np.sort(score)) for score in data[1])


def many() -> Path:
    return made("scores1e8.parquet", _write_many)


def _write_many(path: Path) -> None:
    yes = "select cast(random() < 0.05 as tinyint) as truth, random() as u from range(100_000_000)"
    score = "cast(case when truth = 1 then sqrt(u) else u * u end as real)"
    rows = f"select truth, {score} as score from ({yes})"
    duckdb.connect().execute(f"copy ({rows}) to '{path}' (format parquet)")


def in_bins(path: Path) -> int:
    found = karat.read(path, duplicate_check=False).counter.count(binned)["score"]  # type: ignore[attr-defined]
    return len(found.score)


def sums(path: Path) -> object:
    return duckdb.connect().execute(f"select sum(truth), sum(score) from '{path}'").fetchall()


def gap_of_curve(ours: tuple[float, float], other: float) -> float:
    return abs(ours[1] - other)


SORT = Way("NumPy, one sort of the scores", sort)
PEER = Way("scikit-learn's average precision", theirs)
WEIGHTS = Way(f"NumPy, {DRAWS:,} weights an item", weights)
LOOP = Way(f"scikit-learn in a loop ({LOOPED} of {DRAWS:,})", bootstrap, share=LOOPED / DRAWS)
MERGED = "after the sort positives and negatives are merged, counted where the curve turns, and integrated by stretches"
DIGESTED = "after the sort come the distinct scores, the counts at each, and a logarithm a stretch"
CASES = (
    Case("area of 1e7 scores, 5 % positives", partial(scored, 10_000_000, 0.05), area, SORT, PEER, reason=MERGED),
    Case("area of 1e7 scores, 50 % positives", partial(scored, 10_000_000, 0.5), area, SORT, PEER, reason=MERGED),
    Case(
        "whole curve of 1e7 scores and its areas, 50 % positives",
        partial(scored, 10_000_000, 0.5), curve, SORT, PEER, gap_of_curve, reason=DIGESTED,
    ),
    Case(
        "area at 101 prevalences, 1e6 scores, 1 % positives",
        partial(scored, 1_000_000, 0.01), skewed, SORT,
        Way("scikit-learn, weighted (6 of 101)", skewed_by_weight, share=len(SOME_SKEWS) / len(SKEWS)),
        reason="101 integrals in closed form over all stretches",
    ),
    Case(
        f"interval of an area by {DRAWS:,} draws, 1e5 scores, 5 % positives",
        partial(scored, 100_000, 0.05), interval, WEIGHTS, LOOP,
    ),
    Case(
        f"interval of an area by {DRAWS:,} draws, 1e5 scores, 50 % positives",
        partial(scored, 100_000, 0.5), interval, WEIGHTS, LOOP,
        reason="a weight an item is drawn, summed twice and integrated with a logarithm a stretch, in every draw",
    ),
    Case(
        f"every prevalence at which two of {SYSTEMS} systems change places, 1e6 scores",
        several, ranked, Way("NumPy, one sort a system", sort_all),
        reason="the search evaluates areas of 28 pairs until each change is bracketed",
    ),
    Case("1e8 scores in bins, Parquet", many, in_bins, Way("DuckDB, both columns summed", sums), times=1,
         reason="scores are read several times: to check them, to lay bins where they tell most, to count them"),
)  # fmt: skip
