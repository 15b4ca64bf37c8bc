"""Whether two systems differ on the same items: the exact test of the discordant items, which only one has right."""

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.interval import floats, refuse, together
from karat.doubt.tests.significance_test import SignificanceTest
from karat.numeric.arrays import FloatArray

_SHAPES = "the counts of pairs have the shapes {} and {}"


def mcnemar(only_first: npt.ArrayLike, only_second: npt.ArrayLike) -> FloatArray:
    """How surprising are these discordant items, if both systems are right equally often?

    p = min(1, 2 P(X <= min(b, c))), X binomial with b + c trials and share 1/2; b and c are the items that only
    the first and only the second has right. Assumes independent items; never wrong more often than promised.
    Without discordant items, b = c = 0, p = 1.
    Reference: McNemar, Psychometrika 12, 1947. doi:10.1007/BF02295996
    >>> mcnemar([2, 0, 0], [10, 6, 0]).round(5)
    array([0.03857, 0.03125, 1.     ])
    """
    b, c = _check_pairs(only_first, only_second)
    tail = _half_tail(np.minimum(b, c), b + c)
    return np.asarray(np.minimum(1, 2 * tail))


def _half_tail(k: FloatArray, n: FloatArray) -> FloatArray:
    """P(X <= k), X binomial with n trials and share 1/2.

    >>> _half_tail(np.array([2.0, 0.0]), np.array([12.0, 0.0])).round(5)
    array([0.01929, 1.     ])
    """
    # bdtr would do, but it wants whole types, knows no n above 2**31 and keeps eleven digits only at a million.
    tail: FloatArray = special.betainc(n - k, k + 1, 0.5)
    return np.where(k >= n, 1.0, tail)


def _check_pairs(
    only_first: npt.ArrayLike, only_second: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return two arrays of whole counts and one shape, or refuse the first entry that is not a count.

    >>> _check_pairs([3, 1.5], 2)
    Traceback (most recent call last):
    karat.errors.OptionError: entry 1 of only_first is 1.5; the tests of pairs count whole items
    """
    first = _counts("only_first", only_first)
    second = _counts("only_second", only_second)
    return together(first, second, _SHAPES)


def check_paired(
    only_first: npt.ArrayLike, only_second: npt.ArrayLike, items: npt.ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the discordant counts and the number of items, of one shape, or refuse what is impossible.

    >>> check_paired([3, 6], 5, 10)
    Traceback (most recent call last):
    karat.errors.OptionError: entry 1 of only_first + only_second is 11; there are not so many items
    """
    b, c = _check_pairs(only_first, only_second)
    n, discordant = together(_counts("items", items), b + c, _SHAPES)
    refuse(discordant > n, "only_first + only_second", discordant, "there are not so many items")
    return np.broadcast_to(b, n.shape), np.broadcast_to(c, n.shape), n


def _counts(name: str, given: npt.ArrayLike) -> FloatArray:
    counts = floats(name, given)
    refuse(~np.isfinite(counts), name, counts, "a count must be finite")
    refuse(counts < 0, name, counts, "a count cannot be negative")
    refuse(counts != np.floor(counts), name, counts, "the tests of pairs count whole items")
    return counts


TEST = SignificanceTest(method=mcnemar, basis="discordant")
