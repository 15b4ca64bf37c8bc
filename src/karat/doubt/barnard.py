"""The unconditional exact test of Barnard: more often significant than the paper's, and much slower."""

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import BoolArray, FloatArray
from karat.doubt.two_samples import check_samples
from karat.errors import OptionError

MOST = 1000


def barnard(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_successes: npt.ArrayLike,
    second_trials: npt.ArrayLike,
) -> FloatArray:
    """Could two shares be the same, if only the trials are taken as given and not the sum of the successes?

    p = max over the common share of P(|T| >= |t|), T the pooled z statistic of (x1/n1) - (x2/n2); two-sided.
    Assumes independent items and no item in both samples. SciPy seeks the maximum numerically, and where rounding
    parts a table from its mirror image it drops the latter: p is then too small (github.com/scipy/scipy/issues/18798).
    No trials, no successes or no failures at all give p = 1.
    Reference: Barnard, Biometrika 34, 1947. doi:10.1093/biomet/34.1-2.123
    >>> print(barnard(40, 50, 47, 50).round(4))
    0.0417
    """
    samples = check_samples(first_successes, first_trials, second_successes, second_trials)
    refuse_large(samples[1] + samples[3], "barnard")
    open_cases = ~degenerate(*samples)
    p_values = np.ones(open_cases.shape)
    p_values[open_cases] = [_p_value(*table) for table in zip(*(part[open_cases] for part in samples), strict=True)]
    return p_values


def refuse_large(trials: FloatArray, name: str) -> None:
    """Refuse more trials than SciPy can enumerate in reasonable time and memory.

    >>> refuse_large(np.array(2000.0), "barnard")
    Traceback (most recent call last):
    karat.errors.OptionError: barnard is for up to 1000 trials in both samples together, not 2000; use `exact`, ...
    """
    if np.any(trials > MOST):
        found = f"{name} is for up to {MOST} trials in both samples together, not {trials.max():.0f}"
        raise OptionError(f"{found}; use `exact`, which loses little with so many")


def degenerate(x1: FloatArray, n1: FloatArray, x2: FloatArray, n2: FloatArray) -> BoolArray:
    """Which tables cannot tell two shares apart: an empty sample, no successes at all, or no failures.

    >>> degenerate(*(np.array(counts, float) for counts in ([0, 1, 0], [5, 5, 0], [0, 2, 3], [5, 6, 6])))
    array([ True, False,  True])
    """
    s, n = x1 + x2, n1 + n2
    return np.asarray((n1 == 0) | (n2 == 0) | (s == 0) | (s == n))


def _p_value(x1: float, n1: float, x2: float, n2: float) -> float:
    # Loading scipy.stats takes longer than most runs of karat: only for those who ask for this test.
    from scipy.stats import barnard_exact  # noqa: PLC0415

    return min(1.0, float(barnard_exact([[int(x1), int(x2)], [int(n1 - x1), int(n2 - x2)]]).pvalue))
