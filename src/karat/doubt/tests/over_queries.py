"""Whether two rankings of documents differ, query by query: the mean of paired differences."""

import numpy as np

from karat.doubt.tests.significance_test import SignificanceTest
from karat.numeric.arrays import FloatArray

ALL_SIGNS = 15
"""Up to so many queries every pattern of signs is tried."""
MOST_DRAWS = 100_000
RARE = 20
"""So many draws are to lie beyond the smallest p-value that decides, after Holm's correction."""
AT_ONCE = 4_000_000
"""How many signs are held at a time."""
SAME = 1e-9
"""Sums that differ by less than this part of the largest one are equal but for rounding."""


def paired_t(differences: FloatArray) -> FloatArray:
    """How surprising is the mean difference of each column, if its true mean is 0? Student's t.

    t = mean √q / s, s the standard deviation of the q differences, with q - 1 degrees of freedom; two-sided. Assumes
    independent queries, and differences whose mean is nearly normal. Where all differences are the same, s says
    nothing: p = 1 if they are 0, and 2 / 2^q, that of the randomisation test, if not.
    Reference: Hull, SIGIR 1993. doi:10.1145/160688.160758
    >>> paired_t(np.array([[0.1, 0.2], [0.3, 0.2], [0.2, 0.2]])).round(4)
    array([0.0742, 0.25  ])
    """
    from scipy.special import stdtr  # noqa: PLC0415 (wanted only here)

    number = len(differences)
    if number < 2:
        return np.ones(differences.shape[1])
    mean = differences.mean(axis=0)
    error = differences.std(axis=0, ddof=1) / np.sqrt(number)
    is_flat = error <= SAME * np.abs(differences).max(axis=0, initial=0.0)
    t = np.divide(-np.abs(mean), error, out=np.zeros_like(mean), where=~is_flat)
    flat = np.where(mean == 0, 1.0, min(1.0, 2.0 ** (1 - number)))
    return np.asarray(np.where(is_flat, flat, 2 * stdtr(number - 1, t)))


def randomisation(differences: FloatArray, *, draws: int = 100_000, seed: int = 0) -> FloatArray:
    """How surprising is the mean difference of each column, if either run could have had either value of a query?

    The share of all 2^q ways to give the q differences signs whose sum is at least as far from 0 as that observed. With
    more than 15 queries signs are drawn, the same for all columns: p = (1 + those as far) / (1 + draws). Assumes
    independent queries and nothing about the distribution of the differences.
    Reference: Smucker, Allan, Carterette, CIKM 2007. doi:10.1145/1321440.1321528
    >>> randomisation(np.array([[0.1, 0.2], [0.3, -0.2], [0.2, 0.2]])).tolist()
    [0.25, 1.0]
    """
    number, pairs = differences.shape
    if not number:
        return np.ones(pairs)
    largest = np.abs(differences).sum(axis=0)
    observed = np.abs(differences.sum(axis=0)) - SAME * largest
    if number <= ALL_SIGNS:
        signs = _all_signs(number)
        return np.asarray((np.abs(signs @ differences) >= observed).mean(axis=0))
    random = np.random.default_rng(seed)
    at_once = max(1, AT_ONCE // number)
    as_far = np.zeros(pairs, np.int64)
    for start in range(0, draws, at_once):
        size = min(at_once, draws - start)
        signs = np.asarray(2.0 * random.integers(0, 2, size=(size, number)) - 1, np.float64)
        as_far += (np.abs(signs @ differences) >= observed).sum(axis=0)
    return np.asarray((1 + as_far) / (1 + draws))


def _all_signs(number: int) -> FloatArray:
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
    differences: FloatArray, *, margin: float, lowest: float = -1.0
) -> FloatArray:
    """How surprising is the mean difference of each column, if its true mean is -margin or less? Student's t, one side.

    Where all differences are the same, that is the chance that the queries whose difference is `lowest`, the least that
    is possible, went unseen although there are so many that the mean is -margin.
    >>> no_worse_over_queries(np.array([[0.1, 0.0], [0.3, 0.0], [0.2, 0.0]]), margin=0.1).round(4)
    array([0.0175, 0.729 ])
    """
    from scipy.special import stdtr  # noqa: PLC0415 (wanted only here)

    number, pairs = differences.shape
    if number < 2:
        return np.ones(pairs)
    mean = differences.mean(axis=0)
    error = differences.std(axis=0, ddof=1) / np.sqrt(number)
    is_flat = error <= SAME * np.abs(differences).max(axis=0, initial=0.0)
    t = np.divide(mean + margin, error, out=np.zeros_like(mean), where=~is_flat)
    unseen = np.clip((-margin - lowest) / np.maximum(mean - lowest, SAME), 0, 1) ** number
    return np.asarray(np.where(is_flat, unseen, stdtr(number - 1, -t)))


RANDOMISATION = SignificanceTest(method=randomisation, basis="queries")
PAIRED_T = SignificanceTest(method=paired_t, basis="queries")
