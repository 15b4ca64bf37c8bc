"""Mean precision where the class balance changes with time in a known way."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.prevalence.integrated import integrated_precision, precision_over
from karat.measure.prevalence.precision_at import at_the_ends, check_rate, check_skew, precision_at
from karat.measure.prevalence.priors import Spread, adaptive, precisions, single, uniform
from karat.numeric.arrays import FloatArray
from karat.numeric.fraction_mean import fraction_mean

Mean = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """The share of positives pi(t) from 0 to `time`: the skews it passes, and the mean precision on its way.

    The spread serves curves, areas, their minimum and the random classifier, as over any other skews; `mean` is closed
    where a closed form is known.
    """

    at: Callable[[FloatArray], FloatArray]
    time: float
    mean: Mean
    spread: Spread


def precision_on(tpr: npt.ArrayLike, fpr: npt.ArrayLike, trajectory: Trajectory) -> FloatArray:
    """What is the mean precision over the whole time?

    The mean over t of pi(t) TPR / (pi(t) TPR + (1 - pi(t)) FPR); NaN if TPR = FPR = 0.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, eq 4. doi:10.1007/s10994-013-5432-x
    >>> float(precision_on(0.8, 0.2, exponential(0.0001, 2, time=20)).round(4))
    0.4689
    """
    a, b = np.broadcast_arrays(check_rate("TPR", tpr), check_rate("FPR", fpr))
    none = (a == 0) | (b == 0)
    return at_the_ends(trajectory.mean(np.where(none, 1.0, a), np.where(none, 1.0, b)), a, b)


def constant(pi: float, *, time: float = 1.0) -> Trajectory:
    """Return a skew that stays as it is.

    >>> float(precision_on(0.8, 0.2, constant(0.4)).round(4))
    0.7273
    """
    return Trajectory(
        lambda t: np.full(np.shape(t), pi),
        _time(time),
        lambda a, b: precision_at(a, b, pi=pi),
        single(pi),
    )


def linear(start: float, end: float, *, time: float = 1.0) -> Trajectory:
    """Return a skew that moves evenly from start to end: the mean is that over the range.

    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.2. doi:10.1007/s10994-013-5432-x
    >>> float(precision_on(0.4, 0.4, linear(0.6, 0.2)).round(12))
    0.4
    """
    check_skew("the skew at the start", start)
    low, high = sorted((start, float(check_skew("the skew at the end", end))))
    return Trajectory(
        lambda t: start + (end - start) * (np.asarray(t) / time),
        _time(time),
        lambda a, b: integrated_precision(a, b, low=low, high=high),
        uniform(low, high),
    )


def exponential(start: float, base: float, *, time: float) -> Trajectory:
    """Return a skew that is multiplied by `base` in each unit of time, and stays at 1 once it is there.

    pi(t) = min(1, pi0 g^t), mean = (1/T) [a / (c ln g) ln(L(pi_e) / L(pi0)) + (time at 1)].
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.2. doi:10.1007/s10994-013-5432-x
    >>> float(exponential(0.1, 2, time=9).at(np.array(3.0)).round(9))
    0.8
    """
    if not (check_skew("the skew at the start", start) > 0 and 0 < base < math.inf):
        raise OptionError(f"exponential growth from {start:g} by {base:g}: both must be above 0")
    rate = math.log(base)
    growing = min(_time(time), -math.log(start) / rate if rate > 0 else math.inf)
    if rate == 0 or growing == 0:
        return constant(start, time=time)
    end = min(1.0, start * math.exp(rate * growing))

    def mean(a: FloatArray, b: FloatArray) -> FloatArray:
        first, last, centre = (
            share * a + (1 - share) * b for share in (start, end, (start + end) / 2)
        )
        rise = start * math.expm1(rate * growing) / rate  # the integral of pi(t) while it grows
        slope = (a - b) * ((end - start) / 2) / centre
        moving = (
            a
            / centre
            * rise
            * fraction_mean(np.ones_like(a), np.zeros_like(a), slope, first=first, last=last)
        )
        return np.asarray((moving + (time - growing)) / time)

    def at(t: FloatArray) -> FloatArray:
        return np.minimum(1.0, start * np.exp(rate * np.minimum(t, growing)))

    return Trajectory(at, time, mean, _joined(at, growing, time))


def sine(middle: float, amplitude: float, *, time: float = 1.0) -> Trajectory:
    """Return a skew that swings around its middle, over whole periods.

    pi = m + A sin, mean = (a/c) (1 - b / sqrt((b + c m)² - (c A)²)), written as a (2 b m + c (m² - A²)) / (D (D + b)),
    D² = L(m - A) L(m + A), which loses no digits for c near 0. Here the time is one period, or any number of them.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.2. doi:10.1007/s10994-013-5432-x
    >>> float(precision_on(0.998, 0.07, sine(0.346, 0.242)).round(6))
    0.840313
    """
    swing = abs(amplitude)
    low, high = (check_skew("the skew where it turns", middle + side * swing) for side in (-1, 1))

    def at(t: FloatArray) -> FloatArray:
        return np.clip(middle + amplitude * np.sin(2 * np.pi * np.asarray(t) / time), low, high)

    def mean(a: FloatArray, b: FloatArray) -> FloatArray:
        root = np.sqrt((low * a + (1 - low) * b) * (high * a + (1 - high) * b))
        return np.asarray(a * (2 * b * middle + (a - b) * (low * high)) / (root * (root + b)))

    nodes = 256  # equal steps: for a smooth periodic function the best rule there is
    turns = middle + swing * np.cos(np.pi * (np.arange(nodes) + 0.5) / nodes)
    spread = Spread(
        turns,
        np.full(nodes, 1 / nodes),
        float(low),
        float(high),
        f"sine({middle:g}, {amplitude:g})",
    )
    return Trajectory(at, _time(time), mean, spread)


def logistic(ceiling: float, rate: float, half_time: float, *, time: float) -> Trajectory:
    """Return a skew that grows (or, with a rate below 0, falls) in an S between 0 and a ceiling.

    pi = K / (1 + e^(-r (t - t0))), mean = a K / (T r A') [ln(A' e^(r (t - t0)) + b)] from 0 to T, A' = L(K).
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.2. doi:10.1007/s10994-013-5432-x
    >>> float(precision_on(0.998, 0.07, logistic(0.579, 0.71, 2, time=7)).round(6))
    0.877461
    """
    check_skew("the ceiling", ceiling)
    span, middle = (
        abs(rate) * _time(time),
        half_time if rate >= 0 else time - half_time,
    )  # a fall is a rise backwards

    def at(t: FloatArray) -> FloatArray:
        return np.asarray(ceiling * np.exp(-np.logaddexp(0, -rate * (np.asarray(t) - half_time))))

    def mean(a: FloatArray, b: FloatArray) -> FloatArray:
        top, start = np.log(ceiling * a + (1 - ceiling) * b), -abs(rate) * middle
        before = np.logaddexp(np.log(b), top + start)
        grown = (
            top + start + span + np.log(-np.expm1(-span)) - before
        )  # ln of the growth of A' e^x over A' e^x0 + b
        return np.asarray(a * ceiling * np.exp(-top) * np.logaddexp(0, grown) / span)

    if rate == 0 or ceiling == 0:
        return constant(float(at(np.zeros(1))[0]), time=time)
    return Trajectory(at, time, mean, _joined(at, time, time))


def along(at: Callable[[FloatArray], FloatArray], *, time: float) -> Trajectory:
    """Return a skew that follows any function of time, integrated numerically to 1e-12 of the mean.

    Reference: Lampert, Gancarski, Machine Learning 97, 2014, eq 4. doi:10.1007/s10994-013-5432-x
    >>> float(precision_on(0.4, 0.4, along(lambda t: t**2, time=1)).round(9))
    0.333333333
    """
    spread = _joined(at, _time(time), time)
    return Trajectory(at, time, lambda a, b: precision_over(a, b, spread), spread)


def sampled(times: npt.ArrayLike, skews: npt.ArrayLike) -> Trajectory:
    """Return a skew known at some times, straight between them: the mean of closed forms, one per stretch.

    The closed form of the mean between two balances, on each stretch.
    >>> float(precision_on(0.4, 0.4, sampled([0, 1, 3], [0.1, 0.3, 0.3])).round(12))
    0.266666666667
    """
    moments, values = np.asarray(times, np.float64), check_skew("a skew of the series", skews)
    if (
        moments.ndim != 1
        or moments.shape != values.shape
        or len(moments) < 2
        or not np.all(np.diff(moments) > 0)
    ):
        raise OptionError("a series needs two times or more, rising, and one skew for each")
    share = np.diff(moments) / (moments[-1] - moments[0])
    low, high = np.minimum(values[:-1], values[1:]), np.maximum(values[:-1], values[1:])

    def mean(a: FloatArray, b: FloatArray) -> FloatArray:
        each = integrated_precision(a[..., None], b[..., None], low=low, high=high)
        return np.asarray((each * share).sum(axis=-1))

    place, weight = np.polynomial.legendre.leggauss(16 if len(share) <= 100 else 4)
    pi = (low + high)[:, None] / 2 + np.outer((high - low) / 2, place)
    limits = float(values.min()), float(values.max())
    spread = Spread(
        pi.ravel(), np.outer(share, weight / 2).ravel(), *limits, f"series of {len(values)} skews"
    )
    return Trajectory(
        lambda t: np.interp(t, moments - moments[0], values), moments[-1] - moments[0], mean, spread
    )


def _joined(at: Callable[[FloatArray], FloatArray], until: float, time: float) -> Spread:
    """Return the skews up to a moment, and for the rest of the time the skew at that moment."""
    place, width = adaptive(lambda t: precisions(check_skew("the trajectory", at(t))), 0.0, until)
    rest = [(time - until) / time] if until < time else []
    pi = np.concatenate([at(place), at(np.array([until] * len(rest)))])
    return Spread(
        pi, np.concatenate([width / time, rest]), float(pi.min()), float(pi.max()), f"over {time:g}"
    )


def _time(time: float) -> float:
    if not 0 < time < math.inf:
        raise OptionError(f"the time is {time:g}; it must be above 0 and finite")
    return time
