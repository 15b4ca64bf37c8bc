"""Matthews' correlation coefficient: truth and answer as two variables."""

import numpy as np

from karat.measure.measure import measure
from karat.measure.totals import Totals
from karat.numeric.arrays import FloatArray

ROUNDING = 1e-12
"""Sums of weights that differ by less, as a part of themselves, are equal."""


@measure("confusion", low=-1.0, high=1.0, aliases=("mcc",))
def matthews(totals: Totals) -> FloatArray:
    """How far are truth and answer correlated?

    R_K = (n c - Σ t p) / √((n² - Σ p²) (n² - Σ t²)), c the right ones of n items, t and p how often a class is true and
    answered; of two classes this is the phi coefficient. Missing answers, and *nothing*, are one more class, in which
    no answer is right. Undefined where all truths, or all answers, are of one class.
    Its interval is the delta method's, approximate, and too narrow where a class has but a handful of items: see
    `karat.doubt.bounds.delta`, and bench/coverage/whole_table.py.
    Reference: Gorodkin, Comparing two K-category assignments by a K-category correlation coefficient, Computational
    Biology and Chemistry 28, 2004. doi:10.1016/j.compbiolchem.2004.09.006
    """
    truth, answered = totals.with_rest()
    n = totals.total
    above = n * totals.hits.sum(axis=-1) - (truth * answered).sum(axis=-1)
    spread_of_truth = n**2 - (truth**2).sum(axis=-1)
    spread_of_answers = n**2 - (answered**2).sum(axis=-1)
    least = np.minimum(spread_of_truth, spread_of_answers)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = above / np.sqrt(spread_of_truth * spread_of_answers)
    return np.where(least > ROUNDING * n**2, value, np.nan)
