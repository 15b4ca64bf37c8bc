"""A prevalence that grows or falls in an S, as an epidemic does."""

import numpy as np

from karat.measure.prevalence.precision_at import check_prevalence
from karat.measure.prevalence.trajectories.constant import constant
from karat.measure.prevalence.trajectory import (
    Trajectory,
    TrajectoryShape,
    check_time,
    prevalences_until,
)
from karat.numeric.arrays import FloatArray


def logistic(ceiling: float, rate: float, half_time: float, *, time: float) -> Trajectory:
    """Return a prevalence that grows (or, with a rate below 0, falls) in an S between 0 and a ceiling.

    pi = K / (1 + e^(-r (t - t0))), mean = a K / (T r A') [ln(A' e^(r (t - t0)) + b)] from 0 to T, A' = L(K).
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.2. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.trajectory import precision_on
    >>> float(precision_on(0.998, 0.07, logistic(0.579, 0.71, 2, time=7)).round(6))
    0.877461
    """
    check_prevalence("the ceiling", ceiling)
    check_time(time)
    # A fall is a rise backwards, so the mean is that of a rise with its half time counted from the end.
    middle = half_time if rate >= 0 else time - half_time
    span = abs(rate) * time

    def at(t: FloatArray) -> FloatArray:
        exponent = -rate * (np.asarray(t) - half_time)
        return np.asarray(ceiling * np.exp(-np.logaddexp(0, exponent)))

    def mean(a: FloatArray, b: FloatArray) -> FloatArray:
        # In logarithms throughout, since e^x itself may overflow: x runs from `start` to start + span, and `grown` is
        # ln of how much A' e^x grows, relative to A' e^start + b.
        top = np.log(ceiling * a + (1 - ceiling) * b)
        start = -abs(rate) * middle
        before = np.logaddexp(np.log(b), top + start)
        grown = top + start + span + np.log(-np.expm1(-span)) - before
        return np.asarray(a * ceiling * np.exp(-top) * np.logaddexp(0, grown) / span)

    if rate == 0 or ceiling == 0:
        return constant(float(at(np.zeros(1))[0]), time=time)
    return Trajectory(at, time, mean, prevalences_until(at, time, time))


SHAPE = TrajectoryShape(
    help="a prevalence that grows in an S up to K, by RATE, with half of it reached at T0",
    parameters=("K", "RATE", "T0"),
    trajectory=logistic,
    needs_time=True,
)
