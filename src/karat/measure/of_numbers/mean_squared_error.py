"""Mean squared error: how far numbers are from the truth, large errors weighing more."""

import numpy as np

from karat.measure.measure import measure
from karat.numeric.arrays import FloatArray


@measure("numbers", lower_is_better=True, high=np.inf, order_under_noise="squared")
def mean_squared_error(truth: FloatArray, answers: FloatArray) -> FloatArray:
    """How far are answers from the truth, large errors weighing more?

    The mean of (answer - truth)². Returned is the squared error of each item, a column a system.
    """
    return np.asarray(np.abs(answers - truth[:, None]) ** 2)
