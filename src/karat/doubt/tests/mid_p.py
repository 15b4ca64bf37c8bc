"""The exact tests with mid-p-values: the observed table counts half, so that p is not too large on average."""

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.tests.mcnemar import mcnemar
from karat.doubt.tests.significance_test import SignificanceTest
from karat.doubt.tests.two_samples import check_samples, two_samples
from karat.numeric.arrays import FloatArray


def mcnemar_mid_p(only_first: npt.ArrayLike, only_second: npt.ArrayLike) -> FloatArray:
    """How surprising are these discordant items, if both systems are right equally often and these count half?

    p = min(1, 2 P(X <= k) - P(X = k)), k = min(b, c), X binomial with b + c trials and share 1/2, as in `mcnemar`. May
    be wrong more often than promised, by little; in return it is less often undecided. Without discordant items p = 1.
    Reference: Fagerland, Lydersen, Laake, BMC Medical Research Methodology 13, 2013. doi:10.1186/1471-2288-13-91
    >>> mcnemar_mid_p([2, 0, 0], [10, 6, 0]).round(5)
    array([0.02246, 0.01562, 1.     ])
    """
    doubled = mcnemar(only_first, only_second)
    b, c = np.broadcast_arrays(np.asarray(only_first, float), np.asarray(only_second, float))
    n = b + c
    here = np.exp(_log_ways(n, b) - n * np.log(2))
    # Where b = c both tails hold the observed table, and the smaller of them, doubled, exceeds 1 by its probability.
    return np.asarray(np.where(b == c, 1.0, doubled - here))


def exact_mid_p(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_successes: npt.ArrayLike,
    second_trials: npt.ArrayLike,
) -> FloatArray:
    """How surprising is the difference of two shares of different items, if the observed table counts half?

    p = min(1, 2 min(P(X1 <= x1), P(X1 >= x1)) - P(X1 = x1)), as in `two_samples`. May be wrong more often than
    promised, by little. No trials, no successes or no failures at all give p = 1.
    Reference: Lancaster, JASA 56, 1961.
    >>> exact_mid_p(40, 50, [92, 93], 100).round(5)
    array([0.04334, 0.02545])
    """
    x1, n1, x2, n2 = check_samples(first_successes, first_trials, second_successes, second_trials)
    tails = two_samples(x1, n1, x2, n2)
    here = np.exp(_log_ways(n1, x1) + _log_ways(n2, x2) - _log_ways(n1 + n2, x1 + x2))
    smaller = np.minimum(tails.lower, tails.upper)
    return np.asarray(np.clip(2 * smaller - here, 0.0, 1.0))


def _log_ways(n: FloatArray, k: FloatArray) -> FloatArray:
    """Return log C(n, k)."""
    return np.asarray(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1))


MCNEMAR = SignificanceTest(method=mcnemar_mid_p, basis="discordant")
EXACT = SignificanceTest(method=exact_mid_p)
