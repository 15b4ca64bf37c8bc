"""A prevalence that moves evenly from one value to another."""

import numpy as np

from karat.measure.prevalence.precision_at import check_prevalence
from karat.measure.prevalence.priors.uniform import integrated_precision, uniform
from karat.measure.prevalence.trajectory import Trajectory, TrajectoryShape, check_time
from karat.numeric.arrays import FloatArray


def linear(start: float, end: float, *, time: float = 1.0) -> Trajectory:
    """Return a prevalence that moves evenly from start to end: the mean is that over the range.

    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.2. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.trajectory import precision_on
    >>> float(precision_on(0.4, 0.4, linear(0.6, 0.2)).round(12))
    0.4
    """
    check_prevalence("the prevalence at the start", start)
    check_prevalence("the prevalence at the end", end)
    low = min(start, end)
    high = max(start, end)

    def at(t: FloatArray) -> FloatArray:
        return start + (end - start) * (np.asarray(t) / time)

    def mean(a: FloatArray, b: FloatArray) -> FloatArray:
        return integrated_precision(a, b, low=low, high=high)

    return Trajectory(at, check_time(time), mean, uniform(low, high))


SHAPE = TrajectoryShape(
    help="a prevalence that moves evenly from A to B", parameters=("A", "B"), trajectory=linear
)
