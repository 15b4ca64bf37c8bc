"""The difference of two shares if whole groups of items are the sample, by the jackknife over groups."""

import numpy as np
from scipy import special

from karat.doubt.interval import Interval
from karat.numeric.arrays import FloatArray


def difference_over_groups(
    leads: FloatArray, items: FloatArray, *, level: float = 0.95
) -> Interval:
    """Interval of d = Σ leads / Σ items, where `leads` are the right answers of one system less those of another.

    d ± t s, s² = (k-1)/k Σ (d(i) - d)², d(i) the difference without group i, t Student's quantile with k - 1 degrees of
    freedom, k the groups. Assumes that groups, not items, are independent of each other.
    Reference: Tukey, Bias and confidence in not quite large samples, Annals of Mathematical Statistics 29, 1958.

    >>> interval = difference_over_groups(np.array([2.0, 1.0, 3.0]), np.array([10.0, 10.0, 10.0]))
    >>> round(float(interval.low), 3), round(float(interval.high), 3)
    (-0.048, 0.448)
    """
    groups = len(leads)
    whole = leads.sum() / items.sum()
    without = (leads.sum() - leads) / (items.sum() - items)
    spread = np.sqrt((groups - 1) / groups * ((without - whole) ** 2).sum())
    reach = special.stdtrit(groups - 1, (1 + level) / 2) * spread
    low = np.asarray(max(-1.0, whole - reach))
    high = np.asarray(min(1.0, whole + reach))
    return Interval(low, high, level, f"jackknife over {groups:,} groups")
