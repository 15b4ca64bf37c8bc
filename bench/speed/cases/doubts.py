"""Bounds, tests, and orders under wrong labels."""

from dataclasses import dataclass

import numpy as np
from case import Case, Way
from scipy.special import betaincinv
from scipy.stats import binomtest, fisher_exact, hypergeom

from karat.doubt.bounds.exact import exact
from karat.doubt.label_noise.pair_order import kept_uniform
from karat.doubt.tests.two_samples import two_samples

SHARES, LOOPED = 1_000_000, 2_000
PAIRS = 100_000
ITEMS, WORSE, BETTER, ERROR = 1_000_000, 14_850, 15_150, 0.25
LOOPS, DRAWN = 100_000, 40


@dataclass(frozen=True)
class Counts:
    """Successes and trials of samples."""

    successes: np.ndarray
    trials: np.ndarray


def shares() -> Counts:
    random = np.random.default_rng(0)
    trials = random.integers(1, 10_000, SHARES)
    return Counts(random.binomial(trials, random.random(SHARES)), trials)


def bounds(data: Counts) -> np.ndarray:
    return np.asarray(exact(data.successes, data.trials, side="lower").low)


def bounds_one_by_one(data: Counts) -> list[float]:
    pairs = zip(data.successes[:LOOPED].tolist(), data.trials[:LOOPED].tolist(), strict=True)
    return [binomtest(x, n, alternative="greater").proportion_ci(0.95).low for x, n in pairs]


def quantiles(data: Counts) -> np.ndarray:
    above = np.maximum(data.successes, 1)
    return np.asarray(betaincinv(above, data.trials - data.successes + 1, 0.05))


def apart(ours: np.ndarray, others: list[float]) -> float:
    return float(np.abs(ours[:LOOPED] - others).max())


def pairs() -> tuple[Counts, Counts]:
    random = np.random.default_rng(0)
    trials = random.integers(20, 201, (2, PAIRS))
    common = random.random(PAIRS)
    first, second = (Counts(random.binomial(number, common), number) for number in trials)
    return first, second


def tested(data: tuple[Counts, Counts]) -> np.ndarray:
    first, second = data
    found = two_samples(first.successes, first.trials, second.successes, second.trials)
    return np.asarray(found.fisher)


def tested_one_by_one(data: tuple[Counts, Counts]) -> list[float]:
    columns = [
        part[:LOOPED] for one in data for part in (one.successes, one.trials - one.successes)
    ]
    tables = np.stack(columns, axis=1).reshape(-1, 2, 2)
    return [float(fisher_exact(table).pvalue) for table in tables]


def tails(data: tuple[Counts, Counts]) -> np.ndarray:
    first, second = data
    right = first.successes + second.successes
    return np.asarray(
        hypergeom.cdf(first.successes, first.trials + second.trials, right, first.trials)
    )


@dataclass(frozen=True)
class Disputed:
    """A truth and the answers of two systems, yes or no."""

    truth: np.ndarray
    first: np.ndarray
    second: np.ndarray


def disputed() -> Disputed:
    truth = np.random.default_rng(0).integers(0, 2, ITEMS, dtype=np.int8)
    first, second = truth.copy(), truth.copy()
    first[:BETTER] ^= 1
    second[BETTER : BETTER + WORSE] ^= 1
    return Disputed(truth, first, second)


def kept(data: Disputed) -> float:
    worse = int(np.count_nonzero((data.first == data.truth) & (data.second != data.truth)))
    better = int(np.count_nonzero((data.first != data.truth) & (data.second == data.truth)))
    return float(kept_uniform(worse, better, ERROR).kept)


def kept_by_draws(data: Disputed) -> float:
    """As the paper prints it, but counting what it reports: the draws in which the second is strictly better."""
    random = np.random.default_rng(0)
    found = 0
    for _ in range(DRAWN):
        true = data.truth ^ (random.random(ITEMS, dtype=np.float32) < ERROR)
        found += np.count_nonzero(data.first != true) > np.count_nonzero(data.second != true)
    return found / DRAWN


def read(data: Disputed) -> int:
    return sum(int(np.count_nonzero(part)) for part in (data.truth, data.first, data.second))


CASES = (
    Case(
        "exact lower bounds of 1e6 shares", shares, bounds, Way("SciPy, quantiles of Beta at once", quantiles),
        Way(f"SciPy's binomtest in a loop ({LOOPED:,} of 1e6)", bounds_one_by_one, share=LOOPED / SHARES), apart,
    ),
    Case(
        "Fisher's test of 1e5 pairs of shares", pairs, tested, Way("SciPy, a hypergeometric tail each", tails),
        Way(f"SciPy's fisher_exact in a loop ({LOOPED:,} of 1e5)", tested_one_by_one, share=LOOPED / PAIRS), apart,
    ),
    Case(
        "probability that an order is kept under wrong labels, 1e6 items", disputed, kept,
        Way("NumPy, truth and answers read once", read),
        Way(f"the paper's loop in NumPy ({DRAWN} of 1e5 draws)", kept_by_draws, share=DRAWN / LOOPS),
        reason="single bytes are read; karat compares them pairwise, and the exact distribution takes a millisecond",
    ),
)  # fmt: skip
