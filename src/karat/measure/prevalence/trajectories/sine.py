"""A prevalence that swings around its mean, as with the seasons."""

import numpy as np

from karat.measure.prevalence.distribution import PrevalenceDistribution
from karat.measure.prevalence.precision_at import check_prevalence
from karat.measure.prevalence.trajectory import Trajectory, TrajectoryShape, check_time
from karat.numeric.arrays import FloatArray

NODES = 256


def sine(middle: float, amplitude: float, *, time: float = 1.0) -> Trajectory:
    """Return a prevalence that swings around its middle, over whole periods.

    pi = m + A sin, mean = (a/c) (1 - b / sqrt((b + c m)² - (c A)²)), written as a (2 b m + c (m² - A²)) / (D (D + b)),
    D² = L(m - A) L(m + A), which loses no digits for c near 0. Here the time is one period, or any number of them.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.2. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.trajectory import precision_on
    >>> float(precision_on(0.998, 0.07, sine(0.346, 0.242)).round(6))
    0.840313
    """
    swing = abs(amplitude)
    low = float(check_prevalence("the prevalence where it turns", middle - swing))
    high = float(check_prevalence("the prevalence where it turns", middle + swing))

    def at(t: FloatArray) -> FloatArray:
        angle = 2 * np.pi * np.asarray(t) / time
        return np.clip(middle + amplitude * np.sin(angle), low, high)

    def mean(a: FloatArray, b: FloatArray) -> FloatArray:
        at_low = low * a + (1 - low) * b
        at_high = high * a + (1 - high) * b
        root = np.sqrt(at_low * at_high)
        return np.asarray(a * (2 * b * middle + (a - b) * (low * high)) / (root * (root + b)))

    # Equal steps in time: for a smooth periodic function there is no better rule.
    angles = np.pi * (np.arange(NODES) + 0.5) / NODES
    prevalences = PrevalenceDistribution(
        middle + swing * np.cos(angles),
        np.full(NODES, 1 / NODES),
        low,
        high,
        f"sine({middle:g}, {amplitude:g})",
    )
    return Trajectory(at, check_time(time), mean, prevalences)


SHAPE = TrajectoryShape(
    help="a prevalence that swings around its mean, over whole periods",
    parameters=("MEAN", "AMPLITUDE"),
    trajectory=sine,
)
