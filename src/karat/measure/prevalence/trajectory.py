"""Mean precision where the prevalence changes with time in a known way."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError
from karat.measure.prevalence.distribution import (
    PrevalenceDistribution,
    adaptive,
    precision_over,
    precisions,
)
from karat.measure.prevalence.precision_at import check_prevalence, check_rate, with_limits
from karat.measure.prevalence.priors.uniform import integrated_precision
from karat.numeric.arrays import FloatArray

OfTime = Callable[[FloatArray], FloatArray]
MeanPrecision = Callable[[FloatArray, FloatArray], FloatArray]
_MANY = 100
"""Of so many stretches each is short: a few nodes suffice."""


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """The share of positives pi(t) from 0 to `time`: the prevalences it passes, and the mean precision on its way.

    The prevalences serve curves, areas, their minimum and the random classifier, as any others do; `mean` is in closed
    form where one is known.
    """

    at: OfTime
    time: float
    mean: MeanPrecision
    prevalences: PrevalenceDistribution


@dataclass(frozen=True, slots=True, kw_only=True)
class TrajectoryShape:
    """A trajectory that users can name, as `linear:A,B`: how it is written, and how it is made."""

    help: str
    """In one line, how the prevalence changes."""
    parameters: tuple[str, ...]
    """The numbers after the colon, as help and messages call them."""
    trajectory: Callable[..., Trajectory]
    """Called with the numbers, and with `time` where that is needed."""
    needs_time: bool = False
    """Whether it has no end, so that users must give its duration."""


def precision_on(tpr: npt.ArrayLike, fpr: npt.ArrayLike, trajectory: Trajectory) -> FloatArray:
    """What is the mean precision over the whole time?

    The mean over t of pi(t) TPR / (pi(t) TPR + (1 - pi(t)) FPR); NaN if TPR = FPR = 0.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, eq 4. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.trajectories.exponential import exponential
    >>> float(precision_on(0.8, 0.2, exponential(0.0001, 2, time=20)).round(4))
    0.4689
    """
    a, b = np.broadcast_arrays(check_rate("TPR", tpr), check_rate("FPR", fpr))
    # Where a rate is 0 the precision is constant, and a closed form would divide by 0: any rates will do there.
    constant = (a == 0) | (b == 0)
    mean = trajectory.mean(np.where(constant, 1.0, a), np.where(constant, 1.0, b))
    return with_limits(mean, a, b)


def along(at: OfTime, *, time: float) -> Trajectory:
    """Return a prevalence that follows any function of time, integrated numerically to 1e-12 of the mean.

    Reference: Lampert, Gancarski, Machine Learning 97, 2014, eq 4. doi:10.1007/s10994-013-5432-x
    >>> float(precision_on(0.4, 0.4, along(lambda t: t**2, time=1)).round(9))
    0.333333333
    """
    prevalences = prevalences_until(at, check_time(time), time)

    def mean(a: FloatArray, b: FloatArray) -> FloatArray:
        return precision_over(a, b, prevalences)

    return Trajectory(at, time, mean, prevalences)


def sampled(times: npt.ArrayLike, skews: npt.ArrayLike) -> Trajectory:
    """Return a prevalence known at some times, straight between them: the mean of closed forms, one per stretch.

    The closed form of the mean between two prevalences, on each stretch.
    >>> float(precision_on(0.4, 0.4, sampled([0, 1, 3], [0.1, 0.3, 0.3])).round(12))
    0.266666666667
    """
    moments = np.asarray(times, np.float64)
    values = check_prevalence("a prevalence of the series", skews)
    _check_series(moments, values)
    elapsed = moments - moments[0]
    duration = moments[-1] - moments[0]
    share = np.diff(moments) / duration
    low = np.minimum(values[:-1], values[1:])
    high = np.maximum(values[:-1], values[1:])

    def at(t: FloatArray) -> FloatArray:
        return np.interp(t, elapsed, values)

    def mean(a: FloatArray, b: FloatArray) -> FloatArray:
        each = integrated_precision(a[..., None], b[..., None], low=low, high=high)
        return np.asarray((each * share).sum(axis=-1))

    node, weight = np.polynomial.legendre.leggauss(16 if len(share) <= _MANY else 4)
    pi = (low + high)[:, None] / 2 + np.outer((high - low) / 2, node)
    prevalences = PrevalenceDistribution(
        pi.ravel(),
        np.outer(share, weight / 2).ravel(),
        float(values.min()),
        float(values.max()),
        f"series of {len(values)} prevalences",
    )
    return Trajectory(at, duration, mean, prevalences)


def _check_series(moments: FloatArray, values: FloatArray) -> None:
    one_each = moments.ndim == 1 and moments.shape == values.shape
    if not one_each or len(moments) < 2 or not np.all(np.diff(moments) > 0):
        raise OptionError("a series needs two times or more, rising, and one prevalence for each")


def prevalences_until(at: OfTime, until: float, time: float) -> PrevalenceDistribution:
    """Return the prevalences up to a moment, and for the rest of the time the prevalence at that moment."""

    def integrands(t: FloatArray) -> FloatArray:
        return precisions(check_prevalence("the trajectory", at(t)))

    place, width = adaptive(integrands, 0.0, until)
    pi = at(place)
    weight = width / time
    if until < time:
        pi = np.append(pi, at(np.array([until])))
        weight = np.append(weight, (time - until) / time)
    return PrevalenceDistribution(pi, weight, float(pi.min()), float(pi.max()), f"over {time:g}")


def check_time(time: float) -> float:
    """Return how long a trajectory lasts, or a sentence about what is not a duration.

    >>> check_time(0)
    Traceback (most recent call last):
    karat.errors.OptionError: the time is 0; it must be above 0 and finite
    """
    if not 0 < time < math.inf:
        raise OptionError(f"the time is {time:g}; it must be above 0 and finite")
    return time
