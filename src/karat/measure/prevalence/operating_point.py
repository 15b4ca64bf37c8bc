"""Which threshold, and which system, serves best where only the range of the class balance is known."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from karat.errors import OptionError
from karat.measure.prevalence.distribution import PrevalenceDistribution, precision_over
from karat.measure.prevalence.pr_curve import roc
from karat.measure.prevalence.precision_at import check_rate
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve

Goal = Callable[[FloatArray, FloatArray, PrevalenceDistribution], FloatArray]
"""From TPR, FPR and skews to what is to be largest, at each point; NaN where a point is no choice."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A system, the threshold from which on its scores mean yes, what is gained there, and the rates.

    An infinite threshold means that nothing is worth a yes. `precision` is the mean over the skews, None if undefined.
    """

    system: str
    threshold: float
    value: float
    tpr: float
    fpr: float
    precision: float | None


def precision_at_recall(recall: float) -> Goal:
    """Return the goal: the highest mean precision at this recall or more.

    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.3. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.distribution import single
    >>> precision_at_recall(0.5)(np.array([0.4, 0.8]), np.array([0.1, 0.2]), single(0.5)).tolist()
    [nan, 0.8]
    """
    check_rate("the recall", recall)

    def goal(tpr: FloatArray, fpr: FloatArray, spread: PrevalenceDistribution) -> FloatArray:
        return np.where(tpr >= recall, precision_over(tpr, fpr, spread), np.nan)

    return goal


def f_score(beta: float = 1.0) -> Goal:
    """Return the goal: the highest mean F over the skews.

    (1 + b²) pi TPR / (pi TPR + (1 - pi) FPR + b² pi) at each skew; 0 where nothing is answered; at skew 0 it is 0.
    Reference: van Rijsbergen, Information Retrieval, Butterworths 1979, chapter 7.
    >>> from karat.measure.prevalence.distribution import single
    >>> f_score()(np.array([0.8]), np.array([0.2]), single(0.5)).round(6).tolist()
    [0.8]
    """
    if not 0 <= beta < np.inf:
        raise OptionError(f"beta is {beta:g}; it weighs recall, from 0 up")

    def goal(tpr: FloatArray, fpr: FloatArray, spread: PrevalenceDistribution) -> FloatArray:
        total = np.zeros(tpr.shape)
        for pi, weight in zip(spread.pi.tolist(), spread.weight.tolist(), strict=True):
            below = pi * tpr + (1 - pi) * fpr + beta**2 * pi
            total += weight * np.where(
                below > 0, (1 + beta**2) * pi * tpr / np.where(below > 0, below, 1.0), 0.0
            )
        return total

    return goal


def utility(*, hit: float, miss: float = 0.0, alarm: float, rest: float = 0.0) -> Goal:
    """Return the goal: the highest expected gain an item, given what each kind of answer brings.

    pi (TPR hit + (1 - TPR) miss) + (1 - pi) (FPR alarm + (1 - FPR) rest), with the mean skew in place of pi: the gain
    is a straight line in it. What costs is negative. `hit` true positives, `miss` false negatives, `alarm` false
    positives, `rest` true negatives.
    Reference: Provost, Fawcett, Machine Learning 42, 2001. doi:10.1023/A:1007601015854
    >>> from karat.measure.prevalence.distribution import single
    >>> utility(hit=10, alarm=-1)(np.array([0.8]), np.array([0.2]), single(0.1)).round(6).tolist()
    [0.62]
    """
    if not np.isfinite([hit, miss, alarm, rest]).all():
        raise OptionError(
            f"the gains are {hit:g}, {miss:g}, {alarm:g} and {rest:g}; each must be finite"
        )

    def goal(tpr: FloatArray, fpr: FloatArray, spread: PrevalenceDistribution) -> FloatArray:
        pi = float((spread.weight * spread.pi).sum())
        gained = pi * (tpr * hit + (1 - tpr) * miss)
        return np.asarray(gained + (1 - pi) * (fpr * alarm + (1 - fpr) * rest))

    return goal


def best_threshold(
    curve: Curve, spread: PrevalenceDistribution, goal: Goal, *, system: str = ""
) -> Choice:
    """From which score on should a system say yes, to serve best over these skews?

    The largest value of the goal over all distinct scores and over never saying yes; of equals the highest threshold.
    Chosen and measured on the same items, the value is too good, the more so the fewer they are.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.3. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.priors.uniform import uniform
    >>> curve = Curve(np.array([0.9, 0.5, 0.1]), np.array([6, 3, 1]), np.array([1, 4, 95]))
    >>> best_threshold(curve, uniform(0.0, 0.2), precision_at_recall(0.8)).threshold
    0.5
    """
    found = roc(curve)
    value = goal(found.tpr, found.fpr, spread)
    if np.isnan(value).all():
        raise OptionError(f"no threshold {f'of {system} ' if system else ''}reaches the goal")
    place = int(np.nanargmax(value))
    tpr, fpr = float(found.tpr[place]), float(found.fpr[place])
    precision = float(precision_over(tpr, fpr, spread))
    threshold = float(curve.score[place - 1]) if place else np.inf
    return Choice(
        system, threshold, float(value[place]), tpr, fpr, None if np.isnan(precision) else precision
    )


def choose(
    curves: Mapping[str, Curve], spread: PrevalenceDistribution, goal: Goal
) -> tuple[Choice, ...]:
    """Which system serves best over these skews, each at its best threshold?

    Every system's best choice, the best first; equals in the order in which they were given.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.3. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.priors.uniform import uniform
    >>> good = Curve(np.array([0.9, 0.1]), np.array([9, 1]), np.array([1, 99]))
    >>> poor = Curve(np.array([0.9, 0.1]), np.array([6, 4]), np.array([9, 91]))
    >>> [choice.system for choice in choose({"poor": poor, "good": good}, uniform(0.0, 0.5), f_score())]
    ['good', 'poor']
    """
    found = [best_threshold(curve, spread, goal, system=name) for name, curve in curves.items()]
    return tuple(sorted(found, key=lambda choice: -choice.value))
