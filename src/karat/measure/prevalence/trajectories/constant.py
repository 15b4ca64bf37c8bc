"""A prevalence that stays as it is."""

import numpy as np

from karat.measure.prevalence.distribution import single
from karat.measure.prevalence.precision_at import precision_at
from karat.measure.prevalence.trajectory import Trajectory, TrajectoryShape, check_time
from karat.numeric.arrays import FloatArray


def constant(pi: float, *, time: float = 1.0) -> Trajectory:
    """Return a prevalence that stays as it is.

    >>> from karat.measure.prevalence.trajectory import precision_on
    >>> float(precision_on(0.8, 0.2, constant(0.4)).round(4))
    0.7273
    """

    def at(t: FloatArray) -> FloatArray:
        return np.full(np.shape(t), pi)

    def mean(a: FloatArray, b: FloatArray) -> FloatArray:
        return precision_at(a, b, pi=pi)

    return Trajectory(at, check_time(time), mean, single(pi))


SHAPE = TrajectoryShape(
    help="a prevalence that stays as it is", parameters=("P",), trajectory=constant
)
