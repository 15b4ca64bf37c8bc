"""Whether two shares differ, if they are of the same items and only their counts are known."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.tests.mcnemar import mcnemar
from karat.numeric.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class PairedRange:
    """The smallest and the largest p-value of all paired tables that have these counts; NaN where there is none."""

    low: FloatArray
    high: FloatArray


def same_items(
    first_least: npt.ArrayLike,
    first_most: npt.ArrayLike,
    second_least: npt.ArrayLike,
    second_most: npt.ArrayLike,
    items: npt.ArrayLike,
) -> PairedRange:
    """How small and how large may McNemar's p-value be, if only the right answers of each are known?

    With c1 >= c2 right answers of n items, only the first is right on k + c1 - c2 items and only the second on k, for
    k = 0 .. min(c2, n - c1). Two discordant items more and the same lead L never lower the p-value:
    P(X <= k + 1 | 2k + 2 + L) - P(X <= k | 2k + L) = (P(X = k + 1) - P(X = k)) / 4 >= 0, X binomial with share 1/2 of
    2k + L. So the ends are at k = 0 and at the largest k. Of a rounded share the counts lie between least and most;
    the p-value falls with the lead, so that its ends are at the largest and the smallest lead.
    >>> found = same_items([95, 50], [95, 52], [85, 51], [85, 51], 100)
    >>> found.low.round(4), found.high.round(4)
    (array([0.002, 1.   ]), array([0.0414, 1.    ]))
    """
    one_low, one_high, two_low, two_high, number = np.broadcast_arrays(
        *(
            np.asarray(count, float)
            for count in (first_least, first_most, second_least, second_most, items)
        )
    )
    turned = one_low + one_high < two_low + two_high
    better_low = np.where(turned, two_low, one_low)
    better_high = np.where(turned, two_high, one_high)
    worse_low = np.where(turned, one_low, two_low)
    worse_high = np.where(turned, one_high, two_high)
    largest_lead = better_high - worse_low
    smallest_lead = np.maximum(better_low - worse_high, 0)
    overlap = np.minimum(worse_high, number - better_low)
    return PairedRange(
        low=mcnemar(largest_lead, np.zeros_like(largest_lead)),
        high=mcnemar(overlap + smallest_lead, overlap),
    )
