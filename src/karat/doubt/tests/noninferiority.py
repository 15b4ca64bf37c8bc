"""Whether one system is at most a margin worse than another; approximate."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.tests.mcnemar import check_paired
from karat.doubt.tests.tango import halve, score
from karat.doubt.tests.two_samples import check_samples
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class NonInferiority:
    """The p-value of the hypothesis that the first system is worse by the margin or more."""

    p_value: FloatArray
    margin: float
    method: str


def noninferior(
    only_first: npt.ArrayLike, only_second: npt.ArrayLike, items: npt.ArrayLike, *, margin: float
) -> NonInferiority:
    """Is the first system at most `margin` worse than the second, on the same items?

    p = 1 - Φ(T), T Tango's score of the observed difference at d = -margin; the hypothesis rejected by a small p is
    first - second <= -margin. p <= g exactly where the lower bound of `tango` with error g is at least -margin.
    Approximate; assumes independent items. No variance gives p = 1.
    Reference: Tango, Stat. Med. 17, 1998. doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B
    >>> print(noninferior(0, 1, 44, margin=0.1).p_value.round(3))
    0.044
    """
    _check_margin(margin)
    b, c, n = check_paired(only_first, only_second, items)
    z = score(b, c, n, np.asarray(-float(margin)))
    return NonInferiority(_above(z), margin, "tango score test, approximate")


def noninferior_samples(
    first_successes: npt.ArrayLike,
    first_trials: npt.ArrayLike,
    second_successes: npt.ArrayLike,
    second_trials: npt.ArrayLike,
    *,
    margin: float,
) -> NonInferiority:
    """Is the first system at most `margin` worse than the second, on different items?

    p = 1 - Φ((x1/n1 - x2/n2 + margin) / √(p1 (1-p1) / n1 + p2 (1-p2) / n2)), p1 and p2 the likeliest shares among
    those with p1 - p2 = -margin. Approximate; assumes independent items and no item in both samples.
    No trials or no variance gives p = 1.
    Reference: Farrington & Manning, Stat. Med. 9, 1990. doi:10.1002/sim.4780091208
    >>> print(noninferior_samples(80, 100, 82, 100, margin=0.1).p_value.round(4))
    0.0761
    """
    _check_margin(margin)
    x1, n1, x2, n2 = check_samples(first_successes, first_trials, second_successes, second_trials)
    p1 = _likeliest(x1, n1, x2, n2, margin)
    p2 = p1 + margin
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2
        z = (x1 / n1 - x2 / n2 + margin) / np.sqrt(variance)
    return NonInferiority(_above(z), margin, "farrington-manning score test, approximate")


def _check_margin(margin: float) -> None:
    if not 0 <= margin < 1:
        raise OptionError(f"margin is {margin}; it must be at least 0 and below 1, such as 0.05")


def _above(z: FloatArray) -> FloatArray:
    return np.where(np.isnan(z), 1.0, special.ndtr(-z))


def _likeliest(
    x1: FloatArray, n1: FloatArray, x2: FloatArray, n2: FloatArray, margin: float
) -> FloatArray:
    """Return the likeliest first share, if the second is larger by the margin."""

    def rising(p: FloatArray) -> npt.NDArray[np.bool_]:
        # The derivative of the log-likelihood, which is concave.
        q = p + margin
        slope = x1 / p - (n1 - x1) / (1 - p) + x2 / q - (n2 - x2) / (1 - q)
        return np.asarray(slope > 0)

    with np.errstate(divide="ignore", invalid="ignore"):
        return halve(rising, np.zeros(x1.shape), np.full(x1.shape, 1.0 - margin))
