"""Mean absolute error: how far numbers are from the truth, on average."""

import numpy as np

from karat.measure.measure import measure
from karat.numeric.arrays import FloatArray


@measure("numbers", lower_is_better=True, high=np.inf, order_under_noise="absolute")
def mean_absolute_error(truth: FloatArray, answers: FloatArray) -> FloatArray:
    """How far are answers from the truth, on average?

    The mean of |answer - truth|. Returned is the error of each item, a column a system.
    """
    return np.asarray(np.abs(answers - truth[:, None]))
