"""Estimates of one system's labels, by the method that fits the measure, and their mean over groups."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from karat.doubt.bounds import BOUNDS
from karat.doubt.bounds.delta import delta, delta_variance
from karat.doubt.bounds.dirichlet import dirichlet
from karat.doubt.estimates import Estimates, IntervalOptions
from karat.doubt.group_mean import (
    LIKE_THESE,
    OF_EFFECTIVE,
    GroupValues,
    MeanOver,
    mean_of_groups,
    mean_of_groups_like_these,
    mean_of_these_groups,
)
from karat.doubt.interval import Interval, Side
from karat.doubt.resampling.bootstrap import Units, bootstrap, units
from karat.doubt.resampling.jackknife import Deleted, deleted, jackknife, variance_of_clusters
from karat.measure.cells import Cells
from karat.measure.quantity import Quantity, evaluate, values
from karat.measure.share import Share
from karat.measure.totals import Totals, totals
from karat.numeric.arrays import FloatArray
from karat.tally.votes.confusion import Confusion


class ConfusionEstimator:
    """Estimates of one confusion; what several of them share is made once."""

    def __init__(self, confusion: Confusion, how: IntervalOptions) -> None:
        self._how = how
        self._confusion = confusion
        self._weighted = np.asarray(confusion.keys["w"], float) if "w" in confusion.keys else None
        self._totals = totals(confusion, self._weighted)
        self._units: Units | None = units(confusion) if {"c", "w"} & set(confusion.keys) else None
        self._resampled: Totals | None = None
        self._deleted: Deleted | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes there are."""
        return self._totals.labels

    @property
    def clusters(self) -> int | None:
        """How many clusters of items there are, where items are clustered."""
        if self._units is None or "c" not in self._confusion.keys:
            return None
        return len(self._units.number)

    def estimate(self, quantity: Quantity, *, side: Side | None = None) -> Estimates:
        """Return a quantity with its interval; all classes at once if it is one of classes."""
        how = self._how if side is None else replace(self._how, side=side)
        measured = evaluate(quantity, self._totals)
        interval = self._interval(quantity, measured, how)
        labels: tuple[str | None, ...] = self._totals.labels if quantity.of_classes else (None,)
        value = values(quantity, self._totals)
        estimates = Estimates.of(quantity, labels, value, interval, measured)
        return estimates if quantity.label is None else estimates.chosen(quantity.label)

    def within(self, quantity: Quantity) -> GroupValues:
        """Return a quantity with its variance, as of one group; all its classes at once, or the one that is meant."""
        variance, trials = self._variance(quantity)
        value = np.atleast_1d(values(quantity, self._totals))
        variance = np.broadcast_to(variance, value.shape)
        trials = np.broadcast_to(trials, value.shape)
        if quantity.label is None:
            return GroupValues(value, variance, trials)
        if quantity.label not in self.labels:
            return GroupValues(np.array([np.nan]), np.zeros(1), np.zeros(1))
        place = [self.labels.index(quantity.label)]
        return GroupValues(value[place], variance[place], trials[place])

    def _variance(self, quantity: Quantity) -> tuple[FloatArray, FloatArray]:
        """Return the variance of a quantity, and how many items, or clusters, it rests on."""
        items = np.asarray(float(self._confusion.number.sum()))
        if self._units is not None and self.clusters:
            return variance_of_clusters(quantity, self._left_out(self._units))
        if self._units is not None:
            return _variance_of(values(quantity, self._resample(self._units))), items
        measured = evaluate(quantity, self._totals)
        if isinstance(measured, Share):
            share = np.nan_to_num(measured.values)
            return share * (1 - share) / np.maximum(measured.trials - 1, 1), measured.trials
        variance = delta_variance(quantity, self._confusion, self._totals)
        if isinstance(measured, Cells) and quantity.average is None:
            return variance, measured.hits + measured.missed + measured.false
        return variance, items

    def _interval(
        self, quantity: Quantity, measured: Share | Cells | FloatArray, how: IntervalOptions
    ) -> Interval:
        if self._units is None:
            return self._of_items(quantity, measured, how)
        if self.clusters:
            return self._of_clusters(quantity, self._units, how)
        return self._of_weights(quantity, self._units, how)

    def _of_items(
        self, quantity: Quantity, measured: Share | Cells | FloatArray, how: IntervalOptions
    ) -> Interval:
        """Return the interval for independent items: what was measured says which."""
        bound = BOUNDS[how.bound]
        if isinstance(measured, Share):
            interval: Interval = bound(
                measured.successes, measured.trials, level=how.level, side=how.side
            )
            return interval
        if isinstance(measured, Cells) and quantity.average is None:
            return f_interval(measured, how)
        if quantity.averages and np.count_nonzero(self._totals.classes) == 1:
            return self._of_only_class(quantity.of_one_class(), how)
        return delta(quantity, self._confusion, level=how.level, side=how.side)

    def _of_only_class(self, quantity: Quantity, how: IntervalOptions) -> Interval:
        """Return the interval of the only class that the truth has: its average is no approximation."""
        every = self._of_items(quantity, evaluate(quantity, self._totals), how)
        here = self._totals.classes
        return Interval(every.low[here], every.high[here], every.level, every.method)

    def _of_clusters(self, quantity: Quantity, clusters: Units, how: IntervalOptions) -> Interval:
        return jackknife(
            quantity,
            self._left_out(clusters),
            items=int(self._confusion.number.sum()),
            weighted=self._weighted is not None,
            level=how.level,
            side=how.side,
        )

    def _of_weights(self, quantity: Quantity, weighted: Units, how: IntervalOptions) -> Interval:
        interval = self._by_resamples(quantity, weighted, how)
        measured = evaluate(quantity, self._totals)
        if not isinstance(measured, Share):
            return interval
        variance, _ = self._variance(quantity)
        return _of_effective_items(measured.values, variance, interval, how)

    def _by_resamples(self, quantity: Quantity, weighted: Units, how: IntervalOptions) -> Interval:
        return bootstrap(
            quantity,
            self._resample(weighted),
            what=weighted.what,
            number=int(weighted.number.sum()),
            level=how.level,
            side=how.side,
            draws=how.draws,
            seed=how.seed,
        )

    def _left_out(self, clusters: Units) -> Deleted:
        if self._deleted is None:
            self._deleted = deleted(clusters, seed=self._how.seed)
        return self._deleted

    def _resample(self, weighted: Units) -> Totals:
        if self._resampled is None:
            self._resampled = weighted.resampled(draws=self._how.draws, seed=self._how.seed)
        return self._resampled


def _variance_of(resampled: FloatArray) -> FloatArray:
    """Return the variance over resamples, a row each, of those in which the value is defined; 0 where none is."""
    defined = ~np.isnan(resampled)
    number = np.maximum(defined.sum(axis=0), 1)
    mean = np.where(defined, resampled, 0.0).sum(axis=0) / number
    squares = np.where(defined, (resampled - mean) ** 2, 0.0).sum(axis=0)
    return np.asarray(squares / number)


def _of_effective_items(
    share: FloatArray, variance: FloatArray, interval: Interval, how: IntervalOptions
) -> Interval:
    """Return the bound of a share of as many items as have this variance, where that is known.

    Quantiles of resamples are too narrow for few items, and for few that are right or wrong.
    """
    known = (share > 0) & (share < 1) & (variance > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        effective = np.where(known, share * (1 - share) / variance + 1, 1.0)
    successes = np.where(known, share, 0.0) * effective
    bound = OF_EFFECTIVE[how.bound](successes, effective, level=how.level, side=how.side)
    low = np.where(known, bound.low, interval.low)
    high = np.where(known, bound.high, interval.high)
    method = f"{how.bound} of the effective number of items, by {interval.method}"
    return Interval(low, high, how.level, method, interval.caution)


def f_interval(cells: Cells, how: IntervalOptions) -> Interval:
    """Where does F lie, given the cells it is made of?

    F1 = 2 h / (1 + h) grows with h = hits / (hits + missed + false), and given that number of items the hits are
    binomial: the bounds of this share are the bounds of F1, exact where they are. Other weights of recall have no
    such share and are simulated.
    """
    if cells.beta != 1:
        return dirichlet(cells, level=how.level, side=how.side, seed=how.seed)
    union = cells.hits + cells.missed + cells.false
    share: Interval = BOUNDS[how.bound](cells.hits, union, level=how.level, side=how.side)
    low = 2 * share.low / (1 + share.low)
    high = 2 * share.high / (1 + share.high)
    return Interval(low, high, how.level, share.method)


def mean_of(
    parts: Sequence[ConfusionEstimator],
    quantity: Quantity,
    mean_over: MeanOver,
    how: IntervalOptions,
) -> Estimates:
    """Return the mean of a quantity over independent groups, with its interval."""
    estimates = [part.estimate(quantity) for part in parts]
    groups = GroupValues.stacked([part.within(quantity) for part in parts])
    ends: dict[str, Any] = {
        "low": quantity.low,
        "high": quantity.high,
        "level": how.level,
        "side": how.side,
    }
    if mean_over == LIKE_THESE:
        interval = mean_of_groups_like_these(groups, **ends)
    else:
        interval = mean_of_these_groups(groups, bound=how.bound, **ends)
    return Estimates(quantity, estimates[0].labels, mean_of_groups(groups), interval)
