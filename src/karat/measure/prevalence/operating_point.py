"""Which threshold, and which system, serves best where only the range of the prevalence is known."""

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
"""From TPR, FPR and prevalences to what is to be largest, at each point; NaN where a point is no choice."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A system, the threshold from which on its scores mean yes, what is gained there, and the rates.

    An infinite threshold means that nothing is worth a yes; with None as the value, no threshold reaches the goal.
    `precision` is the mean over the prevalences, None if undefined.
    """

    system: str
    threshold: float
    value: float | None
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

    def goal(tpr: FloatArray, fpr: FloatArray, prevalences: PrevalenceDistribution) -> FloatArray:
        return np.where(tpr >= recall, precision_over(tpr, fpr, prevalences), np.nan)

    return goal


def recall_at_precision(precision: float) -> Goal:
    """Return the goal: the highest recall at this mean precision or more.

    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.3. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.distribution import single
    >>> recall_at_precision(0.75)(np.array([0.4, 0.8]), np.array([0.1, 0.4]), single(0.5)).tolist()
    [0.4, nan]
    """
    check_rate("the precision", precision)

    def goal(tpr: FloatArray, fpr: FloatArray, prevalences: PrevalenceDistribution) -> FloatArray:
        # Where nothing is answered precision is undefined, and NaN is not enough.
        return np.where(precision_over(tpr, fpr, prevalences) >= precision, tpr, np.nan)

    return goal


def f_score(beta: float = 1.0) -> Goal:
    """Return the goal: the highest mean F over the prevalences.

    (1 + b²) pi TPR / (pi TPR + (1 - pi) FPR + b² pi) at each prevalence; 0 where nothing is answered, and at
    prevalence 0.
    Reference: van Rijsbergen, Information Retrieval, Butterworths 1979, chapter 7.
    >>> from karat.measure.prevalence.distribution import single
    >>> f_score()(np.array([0.8]), np.array([0.2]), single(0.5)).round(6).tolist()
    [0.8]
    """
    if not 0 <= beta < np.inf:
        raise OptionError(f"beta is {beta:g}; it weighs recall, from 0 up")

    def goal(tpr: FloatArray, fpr: FloatArray, prevalences: PrevalenceDistribution) -> FloatArray:
        total = np.zeros(tpr.shape)
        for pi, weight in zip(prevalences.pi.tolist(), prevalences.weight.tolist(), strict=True):
            denominator = pi * tpr + (1 - pi) * fpr + beta**2 * pi
            safe = np.where(denominator > 0, denominator, 1.0)
            score = np.where(denominator > 0, (1 + beta**2) * pi * tpr / safe, 0.0)
            total += weight * score
        return total

    return goal


def utility(*, hit: float, miss: float = 0.0, alarm: float, rest: float = 0.0) -> Goal:
    """Return the goal: the highest expected gain an item, given what each kind of answer brings.

    pi (TPR hit + (1 - TPR) miss) + (1 - pi) (FPR alarm + (1 - FPR) rest), with the mean prevalence in place of pi: the
    gain is a straight line in it. What costs is negative. `hit` true positives, `miss` false negatives, `alarm` false
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

    def goal(tpr: FloatArray, fpr: FloatArray, prevalences: PrevalenceDistribution) -> FloatArray:
        pi = prevalences.mean(prevalences.pi)
        of_a_positive = tpr * hit + (1 - tpr) * miss
        of_a_negative = fpr * alarm + (1 - fpr) * rest
        return np.asarray(pi * of_a_positive + (1 - pi) * of_a_negative)

    return goal


def best_threshold(
    curve: Curve, prevalences: PrevalenceDistribution, goal: Goal, *, system: str = ""
) -> Choice:
    """From which score on should a system answer yes, to serve best over these prevalences?

    The largest value of the goal over all distinct scores and over never saying yes; of equals the highest threshold.
    None, with an infinite threshold, where no score reaches the goal.
    Chosen and measured on the same items, the value is too good, the more so the fewer they are.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.3. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.priors.uniform import uniform
    >>> curve = Curve(np.array([0.9, 0.5, 0.1]), np.array([6, 3, 1]), np.array([1, 4, 95]))
    >>> best_threshold(curve, uniform(0.0, 0.2), precision_at_recall(0.8)).threshold
    0.5
    """
    points = roc(curve)
    values = goal(points.tpr, points.fpr, prevalences)
    if np.isnan(values).all():
        return Choice(system, np.inf, None, 0.0, 0.0, None)
    best = int(np.nanargmax(values))
    tpr = float(points.tpr[best])
    fpr = float(points.fpr[best])
    precision = float(precision_over(tpr, fpr, prevalences))
    return Choice(
        system=system,
        threshold=float(curve.score[best - 1]) if best else np.inf,
        value=float(values[best]),
        tpr=tpr,
        fpr=fpr,
        precision=None if np.isnan(precision) else precision,
    )


def choose(
    curves: Mapping[str, Curve], prevalences: PrevalenceDistribution, goal: Goal
) -> tuple[Choice, ...]:
    """Which system serves best over these prevalences, each at its best threshold?

    Every system's best choice, the best first; equals in the order in which they were given.
    Reference: Lampert, Gancarski, Machine Learning 97, 2014, section 4.3. doi:10.1007/s10994-013-5432-x
    >>> from karat.measure.prevalence.priors.uniform import uniform
    >>> good = Curve(np.array([0.9, 0.1]), np.array([9, 1]), np.array([1, 99]))
    >>> poor = Curve(np.array([0.9, 0.1]), np.array([6, 4]), np.array([9, 91]))
    >>> [choice.system for choice in choose({"poor": poor, "good": good}, uniform(0.0, 0.5), f_score())]
    ['good', 'poor']
    """
    choices = []
    for name, curve in curves.items():
        choices.append(best_threshold(curve, prevalences, goal, system=name))
    return tuple(sorted(choices, key=_worse))


def _worse(choice: Choice) -> float:
    """Return what rises from the best choice to the worst, and to those that do not reach the goal."""
    return np.inf if choice.value is None else -choice.value
