"""Formulas for people with counts in hand: intervals, tests, planning, label errors and prevalences, without a table.

Numbers go in and numbers come out: a float for single counts, an array for arrays of them. The formulas themselves,
with their assumptions and references, stand in the rooms of measures, doubts and planning.
"""
# ruff: noqa: PLC0415 (each formula loads what it needs)

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from karat.doubt.interval import Interval, Side
    from karat.numeric.arrays import FloatArray

    Number = npt.ArrayLike
    Value = float | np.ndarray[Any, np.dtype[np.float64]]


class Range(NamedTuple):
    """The two ends of an interval."""

    low: "Value"
    high: "Value"


class KeptOrder(NamedTuple):
    """How likely the order of two systems is kept (None where they are tied), becomes a tie, or is reversed."""

    kept: float | None
    tied: float
    reversed: float


def interval(
    successes: "Number",
    trials: "Number",
    *,
    level: float = 0.95,
    side: "Side" = "both",
    bound: str = "exact",
) -> Range:
    """How sure is a share? The interval of successes out of trials.

    level, side: the confidence level; both, lower or upper.
    bound: exact (Clopper and Pearson), wilson or jeffreys.

    >>> low, high = interval(42, 50)
    >>> round(low, 4), round(high, 4)
    (0.7089, 0.9283)
    """
    from karat.doubt.bounds import BOUNDS

    return _range(BOUNDS[bound](successes, trials, level=level, side=side))


def difference_of_shares(
    successes: "Number",
    trials: "Number",
    other_successes: "Number",
    other_trials: "Number",
    *,
    level: float = 0.95,
) -> Range:
    """How far apart are two shares of different items? Newcombe's interval of the first minus the second.

    >>> low, high = difference_of_shares(56, 70, 48, 80)
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    from karat.doubt.tests.newcombe import newcombe

    return _range(newcombe(successes, trials, other_successes, other_trials, level=level))


def difference_of_pairs(
    only_first: "Number", only_second: "Number", items: "Number", *, level: float = 0.95
) -> Range:
    """How far apart are two systems on the same items? Tango's interval of the first share minus the second.

    only_first, only_second: the items that only this system has right, out of all items.
    """
    from karat.doubt.tests.tango import tango

    return _range(tango(only_first, only_second, items, level=level))


def mcnemar(only_first: "Number", only_second: "Number") -> "Value":
    """Are two systems equally good on the same items? McNemar's exact p-value.

    only_first, only_second: the items that only this system has right.

    >>> round(mcnemar(2, 10), 5)
    0.03857
    """
    from karat.doubt.tests.mcnemar import mcnemar as formula

    return _value(formula(only_first, only_second))


def two_samples(
    successes: "Number",
    trials: "Number",
    other_successes: "Number",
    other_trials: "Number",
    *,
    test: str = "exact",
) -> "Value":
    """Are two shares of different items the same? A p-value.

    test: exact (given the sum of the successes), barnard or boschloo.

    >>> round(two_samples(56, 70, 48, 80), 4)
    0.0126
    """
    from karat.errors import ChoiceError

    samples = (successes, trials, other_successes, other_trials)
    if test == "exact":
        from karat.doubt.tests.two_samples import two_samples as exact

        return _value(exact(*samples).p_value)
    if test == "barnard":
        from karat.doubt.tests.barnard import barnard

        return _value(barnard(*samples))
    if test == "boschloo":
        from karat.doubt.tests.boschloo import boschloo

        return _value(boschloo(*samples))
    raise ChoiceError("--test", test, ["exact", "barnard", "boschloo"])


def holm(p_values: "npt.ArrayLike") -> "FloatArray":
    """What are p-values worth, if so many were looked at? Holm's adjusted ones."""
    from karat.doubt.tests.holm import holm as formula

    return formula(p_values)


def items_for_bound(lower: float, estimate: float, *, level: float = 0.95) -> int | None:
    """From how many items on does this estimate guarantee at least `lower`? None if it never does."""
    from karat.planning.items import items_for_bound as formula

    return formula(lower, estimate, level=level).items


def items_for_increase(baseline: float, increase: float, *, level: float = 0.95) -> int | None:
    """From how many items in each of two samples on is this increase significant?"""
    from karat.planning.items import items_for_increase as formula

    return formula(baseline, increase, level=level).items


def items_for_pair(
    only_first: float, only_second: float, *, level: float = 0.95, power: float | None = None
) -> int | None:
    """How many items must two systems share for a difference between them to be significant?

    only_first, only_second: the shares of items that only this system has right.
    power: the probability with which it is to be significant; None: if exactly these shares are observed.
    """
    from karat.planning.items import items_for_pair as formula

    return formula(only_first, only_second, level=level, power=power).items


def order_kept(only_worse: int, only_better: int, label_error: float) -> KeptOrder:
    """How likely is the order of two systems the one by the right labels, if labels are wrong by chance?

    only_worse, only_better: the items that only this system has right by the given labels, of two classes.
    label_error: the share of wrong labels. Errors that lie by chance are the kindest case.
    """
    from karat.doubt.label_noise.pair_order import kept_uniform

    found = kept_uniform(only_worse, only_better, label_error)
    kept = None if only_worse == only_better else float(found.kept)
    return KeptOrder(kept, float(found.tie), float(found.reversed))


def critical_error(
    only_worse: int, only_better: int, *, level: float = 0.95, classes: int = 2
) -> float | None:
    """Up to which share of wrong labels is the order of two systems robust, if they are wrong by chance?"""
    from karat.doubt.label_noise.critical_error import critical_error as formula

    return formula(only_worse, only_better, level=level, classes=classes)


def precision_at(recall: "Number", false_alarm_rate: "Number", *, prevalence: "Number") -> "Value":
    """What is the precision where another share of the items is positive?

    >>> round(precision_at(0.8, 0.2, prevalence=0.01), 4)
    0.0388
    """
    from karat.measure.prevalence.precision_at import precision_at as formula

    return _value(formula(recall, false_alarm_rate, pi=prevalence))


def kendall(first: "npt.ArrayLike", second: "npt.ArrayLike") -> float | None:
    """How far do two scores agree on the order of systems? Kendall's tau-b; None where one ties them all."""
    from karat.measure.rank_agreement import kendall as formula

    return formula(first, second)


def _range(found: "Interval") -> Range:
    return Range(_value(found.low), _value(found.high))


def _value(found: Any) -> "Value":
    """Return a float for a single number, and an array as it is."""
    import numpy as np

    array: FloatArray = np.asarray(found, np.float64)
    return array if array.ndim else float(array)
