"""DeLong's test: do two areas under ROC curves of the same items differ?"""

import numpy as np
import numpy.typing as npt

from karat.doubt.resampling.curve_influences import PlacedItems, curve_influences
from karat.doubt.resampling.resampled_difference import ResampledDifference, difference_of_spread
from karat.doubt.tests.significance_test import SignificanceTest
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.tally.scores.paired_scores import PairedScores

AREA = Quantity("roc-area")


def delong_test(
    truth: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike, *, level: float = 0.95
) -> ResampledDifference:
    """Interval and p-value of the difference of two ROC areas on the same items.

    d ± z √V, and the p-value is that of d / √V: V = S+/m + S-/n, S+ the variance over the m positives of the difference
    of the shares of negatives below each by the two scores, S- that over the n negatives of the shares of positives
    above each, ties half. Where the two scores order all pairs alike, V is 0, and the interval is ±z²/(k + z²), k the
    smaller of m and n. The p-value is no less than 2^(1-k), k the positives, or the negatives, that the two place
    differently, whichever are fewer: the probability that all of these favour one score by chance. Approximate;
    independent items.
    Reference: DeLong, DeLong, Clarke-Pearson, Biometrics 44, 1988. doi:10.2307/2531595
    >>> found = delong_test([1, 1, 1, 0, 0, 0], [6, 5, 3, 4, 2, 1], [5, 3, 2, 6, 4, 1])
    >>> round(found.low, 4), round(found.high, 4), found.p_value
    (-0.0425, 0.9314, 0.5)
    """
    positive = np.asarray(truth).astype(bool)
    scores = np.stack([np.asarray(first, float), np.asarray(second, float)], axis=1)
    if positive.all() or not positive.any():
        raise OptionError("the truth has one kind of items; a ROC curve needs both")
    paired = PairedScores(("first", "second"), positive, scores, np.ones(len(positive), np.int64))
    influences = curve_influences(AREA, paired, paired.systems)
    assert influences is not None  # noqa: S101 (those of areas are known)
    one, other = (AREA.traits(paired.curve(name)) for name in paired.systems)
    return difference_of_spread(
        one - other,
        float(np.sqrt(influences.variance_of_difference(0, 1))),
        freedom=np.inf,
        units=min(paired.sides),
        differ=PlacedItems.of(paired, paired.systems).differ(0, 1),
        level=level,
    )


TEST = SignificanceTest(method=delong_test, basis="scores")
