"""Whether two rankings of documents differ, query by query: the mean of paired differences."""

import numpy as np

from karat.doubt.query_spread import query_spread, unit_sums
from karat.doubt.tests.significance_test import SignificanceTest
from karat.numeric.arrays import FloatArray
from karat.tally.scores.query_units import QueryUnits

ALL_SIGNS = 15
"""Up to so many queries every pattern of signs is tried."""
MOST_DRAWS = 100_000
RARE = 20
"""This many draws should be beyond the smallest p-value that decides, after Holm's correction."""
AT_ONCE = 4_000_000
"""How many signs are held at a time."""
SAME = 1e-9
"""Sums that differ by less than this part of the largest one are equal but for rounding."""


def paired_t(differences: FloatArray, units: QueryUnits | None = None) -> FloatArray:
    """How surprising is the mean difference of each column, if its true mean is 0? Student's t.

    t = mean √q / s, s the standard deviation of the q differences, with q - 1 degrees of freedom; two-sided. With
    weights or clusters the mean, its standard error and the degrees of freedom are those of `query_mean`. Assumes
    independent queries, or clusters of them, and differences whose mean is nearly normal. Where all differences are the
    same, s says nothing: p = 1 if they are 0, and 2 / 2^q, that of the randomisation test, if not.
    Reference: Hull, SIGIR 1993. doi:10.1145/160688.160758
    >>> paired_t(np.array([[0.1, 0.2], [0.3, 0.2], [0.2, 0.2]])).round(4)
    array([0.0742, 0.25  ])
    """
    number = len(unit_sums(differences, units).weight)
    if number < 2:
        return np.ones(differences.shape[1])
    spread = query_spread(differences, units)
    flat = np.where(spread.mean == 0, 1.0, min(1.0, 2.0 ** (1 - number)))
    p_value = 2 * spread.beyond(np.abs(spread.mean))
    return np.asarray(np.where(spread.is_flat, flat, p_value))


def randomisation(
    differences: FloatArray,
    units: QueryUnits | None = None,
    *,
    draws: int = 100_000,
    seed: int = 0,
) -> FloatArray:
    """How surprising is the mean difference of each column, if either run could have had either value of a query?

    The share of all 2^q ways to give the q differences signs whose sum is at least as far from 0 as that observed. With
    more than 15 queries signs are drawn, the same for all columns: p = (1 + those as far) / (1 + draws). Differences
    count with the weight of their query, and those of a cluster have their signs together. Assumes independent queries,
    or clusters of them, and nothing about the distribution of the differences.
    Reference: Smucker, Allan, Carterette, CIKM 2007. doi:10.1145/1321440.1321528
    >>> randomisation(np.array([[0.1, 0.2], [0.3, -0.2], [0.2, 0.2]])).tolist()
    [0.25, 1.0]
    """
    differences = unit_sums(differences, units).values
    number, pairs = differences.shape
    if not number:
        return np.ones(pairs)
    largest = np.abs(differences).sum(axis=0)
    observed = np.abs(differences.sum(axis=0)) - SAME * largest
    if number <= ALL_SIGNS:
        signs = all_signs(number)
        return np.asarray((np.abs(signs @ differences) >= observed).mean(axis=0))
    random = np.random.default_rng(seed)
    at_once = max(1, AT_ONCE // number)
    as_far = np.zeros(pairs, np.int64)
    for start in range(0, draws, at_once):
        size = min(at_once, draws - start)
        signs = np.asarray(2.0 * random.integers(0, 2, size=(size, number)) - 1, np.float64)
        as_far += (np.abs(signs @ differences) >= observed).sum(axis=0)
    return np.asarray((1 + as_far) / (1 + draws))


def all_signs(number: int) -> FloatArray:
    """Return every pattern of so many signs, a row each."""
    patterns = np.arange(2**number)[:, None] >> np.arange(number)
    return np.asarray(1.0 - 2.0 * (patterns & 1))


def enough_draws(draws: int, pairs: int, *, level: float) -> int:
    """Return how many signs are drawn: more than requested where Holm's correction for many pairs needs more.

    >>> enough_draws(2000, 1, level=0.95), enough_draws(2000, 45, level=0.95)
    (2000, 18000)
    """
    needed = int(np.ceil(round(RARE * pairs / (1 - level), 6)))
    return max(draws, min(MOST_DRAWS, needed))


def no_worse_over_queries(
    differences: FloatArray,
    units: QueryUnits | None = None,
    *,
    margin: float,
    lowest: float = -1.0,
) -> FloatArray:
    """How surprising is the mean difference of each column, if its true mean is -margin or less? Student's t, one side.

    Where all differences are the same, that is the chance that the queries whose difference is `lowest`, the least that
    is possible, went unseen although there are so many that the mean is -margin.
    >>> no_worse_over_queries(np.array([[0.1, 0.0], [0.3, 0.0], [0.2, 0.0]]), margin=0.1).round(4)
    array([0.0175, 0.729 ])
    """
    sums = unit_sums(differences, units)
    if len(sums.weight) < 2:
        return np.ones(differences.shape[1])
    spread = query_spread(differences, units)
    lost = (-margin - lowest) / np.maximum(spread.mean - lowest, SAME)
    unseen = np.clip(lost, 0, 1) ** sums.effective
    return np.asarray(np.where(spread.is_flat, unseen, spread.beyond(spread.mean + margin)))


RANDOMISATION = SignificanceTest(method=randomisation, basis="queries")
PAIRED_T = SignificanceTest(method=paired_t, basis="queries")
