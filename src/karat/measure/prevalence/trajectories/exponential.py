"""A prevalence that is multiplied by the same factor in each unit of time."""

import math

import numpy as np

from karat.errors import OptionError
from karat.measure.prevalence.precision_at import check_prevalence
from karat.measure.prevalence.trajectories.constant import constant
from karat.measure.prevalence.trajectory import (
    Trajectory,
    TrajectoryShape,
    check_time,
    prevalences_until,
)
from karat.numeric.arrays import FloatArray
from karat.numeric.fraction_mean import fraction_mean


def exponential(start: float, base: float, *, time: float) -> Trajectory:
    """Return a prevalence that is multiplied by `base` in each unit of time, and stays at 1 once it is there.

    pi(t) = min(1, pi0 g^t), mean = (1/T) [a / (c ln g) ln(L(pi_e) / L(pi0)) + (time at 1)].
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.2. doi:10.1007/s10994-013-5432-x
    >>> float(exponential(0.1, 2, time=9).at(np.array(3.0)).round(9))
    0.8
    """
    check_prevalence("the prevalence at the start", start)
    if not (start > 0 and 0 < base < math.inf):
        raise OptionError(f"exponential growth from {start:g} by {base:g}: both must be above 0")
    check_time(time)
    rate = math.log(base)
    growing = min(time, _time_to_one(start, rate))
    if rate == 0 or growing == 0:
        return constant(start, time=time)
    end = min(1.0, start * math.exp(rate * growing))

    def at(t: FloatArray) -> FloatArray:
        return np.minimum(1.0, start * np.exp(rate * np.minimum(t, growing)))

    def mean(a: FloatArray, b: FloatArray) -> FloatArray:
        first = start * a + (1 - start) * b
        last = end * a + (1 - end) * b
        middle = (start + end) / 2
        centre = middle * a + (1 - middle) * b
        rise = start * math.expm1(rate * growing) / rate  # the integral of pi(t) while it grows
        slope = (a - b) * ((end - start) / 2) / centre
        one = np.ones_like(a)
        zero = np.zeros_like(a)
        moving = a / centre * rise * fraction_mean(one, zero, slope, first=first, last=last)
        return np.asarray((moving + (time - growing)) / time)

    return Trajectory(at, time, mean, prevalences_until(at, growing, time))


def _time_to_one(start: float, rate: float) -> float:
    """Return after which time every item is positive."""
    if rate <= 0:
        return math.inf
    return -math.log(start) / rate


SHAPE = TrajectoryShape(
    help="a prevalence that starts at P0 and is multiplied by BASE in each unit of time",
    parameters=("P0", "BASE"),
    trajectory=exponential,
    needs_time=True,
)
