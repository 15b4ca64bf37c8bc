"""Cohen's kappa: agreement beyond chance."""

import numpy as np

from karat.measure.measure import measure
from karat.measure.totals import Totals
from karat.numeric.arrays import FloatArray

ROUNDING = 1e-12
"""Sums of weights that differ by less, as a part of themselves, are equal."""


@measure("confusion", low=-1.0, high=1.0)
def kappa(totals: Totals) -> FloatArray:
    """How far do truth and answer agree, beyond chance?

    (a - e) / (1 - e), a the share of right answers, e = Σ t p / n² what it would be if answers as frequent as these
    were given at random; t and p are how often a class is true and answered. Missing answers, and *nothing*, are one
    more class, in which no answer is right. Undefined where all truths and all answers are one and the same class.
    Its interval is the delta method's, approximate, and too narrow where a class has but a handful of items: see
    `karat.doubt.bounds.delta`, and bench/coverage/whole_table.py.
    Reference: Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20, 1960.
    doi:10.1177/001316446002000104
    """
    truth, answered = totals.with_rest()
    by_chance = (truth * answered).sum(axis=-1)
    above = totals.total * totals.hits.sum(axis=-1) - by_chance
    below = totals.total**2 - by_chance
    with np.errstate(invalid="ignore", divide="ignore"):
        value = above / below
    return np.where(below > ROUNDING * totals.total**2, value, np.nan)
