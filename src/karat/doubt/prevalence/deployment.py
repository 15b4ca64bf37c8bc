"""What a threshold does in a deployment where positives are rarer or more frequent than among the labelled items.

All of it assumes that in the deployment positives score as the labelled positives do, and negatives as the labelled
negatives: only their shares differ.
"""

from dataclasses import dataclass

import numpy as np

from karat.doubt.prevalence.melded import Function, Seen, exact_ends, melded
from karat.doubt.prevalence.threshold_units import ThresholdUnits
from karat.errors import OptionError
from karat.measure.prevalence.distribution import PrevalenceDistribution, precision_over
from karat.measure.prevalence.precision_at import check_prevalence, precision_at
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve


@dataclass(frozen=True, slots=True)
class BoundedNumber:
    """A number and its interval; None is undefined."""

    value: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DeployedThreshold:
    """What a threshold does in a deployment: its rates, precision, and what 1,000 items bring."""

    threshold: float
    balance: BoundedNumber
    """The prevalence."""
    tpr: BoundedNumber
    fpr: BoundedNumber
    precision: BoundedNumber
    alarms: BoundedNumber
    misses: BoundedNumber
    level: float
    method: str


@dataclass(frozen=True, slots=True)
class SeenRates:
    """What is seen of a threshold's two rates."""

    tpr: float
    fpr: float
    hits: Seen
    false: Seen
    units: ThresholdUnits | None

    def bounded(self, function: Function, *, rises: bool, level: float) -> BoundedNumber:
        """Return a function of the two rates between 0 and 1 with its interval: the exact bounds of both, melded."""
        known = function(np.array([self.tpr]), np.array([self.fpr]))
        if np.isnan(known[0]):
            return BoundedNumber(None, 0.0, 1.0)
        value = float(known[0])
        low, high = melded(function, self.hits, self.false, rises=rises, level=level)
        if self.units is not None:
            by_units = self.units.ends(function, level=level)
            low = min(low, by_units[0])
            high = max(high, by_units[1])
        return BoundedNumber(value, min(low, value), max(high, value))


def deployed(
    curve: Curve,
    *,
    threshold: float,
    pi: float,
    level: float = 0.95,
    units: ThresholdUnits | None = None,
) -> DeployedThreshold:
    """What does a threshold do where a share pi of the items, known exactly, is positive?

    Precision pi TPR / (pi TPR + (1 - pi) FPR), 1000 (pi TPR + (1 - pi) FPR) alarms and 1000 pi (1 - TPR) misses. The
    intervals of both rates and of misses are exact; those of precision and alarms meld the exact bounds of both rates
    (`melded`), so that no false positive seen does not mean that there are none. Where items are clustered or weighted
    (`units`), the bounds are of as many independent items as these are worth, and not narrower than by the jackknife.
    Reference: Fay, Proschan, Brittain, Biometrics 71, 2015. doi:10.1111/biom.12231
    >>> found = deployed(Curve(np.array([1.0, 0.0]), np.array([80, 20]), np.array([20, 80])), threshold=0.5, pi=0.1)
    >>> round(found.precision.value, 4), round(found.alarms.value), round(found.misses.value)
    (0.3077, 260, 20)
    """
    check_prevalence("the prevalence", pi)
    seen = _seen(curve, threshold, units, level)

    def precision(tpr: FloatArray, fpr: FloatArray) -> FloatArray:
        return precision_at(tpr, fpr, pi=pi)

    def alarms(tpr: FloatArray, fpr: FloatArray) -> FloatArray:
        return pi * tpr + (1 - pi) * fpr

    least_tpr, most_tpr = exact_ends(seen.hits, level=level)
    share = seen.bounded(alarms, rises=True, level=level)
    misses = 1000 * pi * (1 - seen.tpr)
    method = f"melded exact bounds at prevalence {pi:g}"
    if units is not None:
        method = f"{method}, by {units.what}"
    return DeployedThreshold(
        threshold=threshold,
        balance=BoundedNumber(pi, pi, pi),
        tpr=BoundedNumber(seen.tpr, least_tpr, most_tpr),
        fpr=BoundedNumber(seen.fpr, *exact_ends(seen.false, level=level)),
        precision=seen.bounded(precision, rises=False, level=level),
        alarms=_per_thousand(share),
        misses=BoundedNumber(misses, 1000 * pi * (1 - most_tpr), 1000 * pi * (1 - least_tpr)),
        level=level,
        method=method,
    )


def precision_interval(
    curve: Curve,
    prevalences: PrevalenceDistribution,
    *,
    threshold: float,
    level: float = 0.95,
    units: ThresholdUnits | None = None,
) -> BoundedNumber:
    """Return the mean precision of a threshold over prevalences, with its interval as in `deployed`.

    Reference: Fay, Proschan, Brittain, Biometrics 71, 2015. doi:10.1111/biom.12231
    >>> from karat.measure.prevalence.distribution import single
    >>> curve = Curve(np.array([1.0, 0.0]), np.array([80, 20]), np.array([20, 80]))
    >>> found = precision_interval(curve, single(0.1), threshold=0.5)
    >>> found.value == deployed(curve, threshold=0.5, pi=0.1).precision.value
    True
    """

    def precision(tpr: FloatArray, fpr: FloatArray) -> FloatArray:
        return precision_over(tpr, fpr, prevalences)

    return _seen(curve, threshold, units, level).bounded(precision, rises=False, level=level)


def recall_interval(
    curve: Curve,
    *,
    threshold: float,
    level: float = 0.95,
    units: ThresholdUnits | None = None,
) -> BoundedNumber:
    """Return the recall of a threshold, with its exact interval.

    >>> curve = Curve(np.array([1.0, 0.0]), np.array([80, 20]), np.array([20, 80]))
    >>> round(recall_interval(curve, threshold=0.5).low, 4)
    0.7082
    """
    seen = _seen(curve, threshold, units, level)
    return BoundedNumber(seen.tpr, *exact_ends(seen.hits, level=level))


def _seen(curve: Curve, threshold: float, units: ThresholdUnits | None, level: float) -> SeenRates:
    """Return which shares of the positives and of the negatives reach the threshold, and how surely."""
    if units is not None:
        hits, false = units.seen(level=level)
        return SeenRates(*units.rates, hits, false, units)
    positives, negatives = sizes(curve)
    reached, wrongly = reaching(curve, threshold)
    return SeenRates(
        reached / positives,
        wrongly / negatives,
        Seen(reached, positives),
        Seen(wrongly, negatives),
        None,
    )


def _per_thousand(share: BoundedNumber) -> BoundedNumber:
    assert share.value is not None  # noqa: S101 (only a precision may be undefined)
    return BoundedNumber(1000 * share.value, 1000 * share.low, 1000 * share.high)


def reaching(curve: Curve, threshold: float) -> tuple[int, int]:
    """Return how many positives and how many negatives reach the threshold."""
    reached = curve.score >= threshold
    return int(curve.positive[reached].sum()), int(curve.negative[reached].sum())


def sizes(curve: Curve) -> tuple[int, int]:
    """Return how many positives and how many negatives there are."""
    positives = int(curve.positive.sum())
    negatives = int(curve.negative.sum())
    if not (positives and negatives):
        raise OptionError(
            f"the labelled items are {positives} positives and {negatives} negatives; both are needed"
        )
    return positives, negatives
