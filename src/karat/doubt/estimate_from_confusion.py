"""Estimates of one system's labels, by the method that fits the measure, and their mean over groups."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from karat.doubt.bounds import BOUNDS
from karat.doubt.bounds.delta import delta
from karat.doubt.bounds.dirichlet import dirichlet
from karat.doubt.estimates import Estimates, IntervalOptions
from karat.doubt.interval import Interval, Side, tails
from karat.doubt.resampling.bootstrap import Units, bootstrap, units
from karat.doubt.resampling.jackknife import Deleted, deleted, jackknife
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
        if self._deleted is None:
            self._deleted = deleted(clusters, seed=how.seed)
        return jackknife(
            quantity,
            self._deleted,
            items=int(self._confusion.number.sum()),
            weighted=self._weighted is not None,
            level=how.level,
            side=how.side,
        )

    def _of_weights(self, quantity: Quantity, weighted: Units, how: IntervalOptions) -> Interval:
        if self._resampled is None:
            self._resampled = weighted.resampled(draws=how.draws, seed=how.seed)
        return bootstrap(
            quantity,
            self._resampled,
            what=weighted.what,
            number=int(weighted.number.sum()),
            level=how.level,
            side=how.side,
            draws=how.draws,
            seed=how.seed,
        )


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


def mean_of(parts: Sequence[Estimates], how: IntervalOptions) -> Estimates:
    """Where does the mean over independent groups lie?

    mean ± z √(Σ e²) / G, e the half-width of each group's two-sided interval over its z; approximate. Groups in
    which the number is undefined are left out, class by class.
    """
    from scipy.special import ndtri  # noqa: PLC0415 (wanted only here)

    quantity = parts[0].quantity
    values_of = np.array([part.value for part in parts])
    widths = np.array([(part.interval.high - part.interval.low) / 2 for part in parts])
    known = ~np.isnan(values_of)
    number = known.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.where(known, values_of, 0.0).sum(axis=0) / number
        error = np.sqrt((known * widths**2).sum(axis=0)) / number / -ndtri((1 - how.level) / 2)
    below, above = tails(how.level, how.side)
    low = np.full_like(value, quantity.low)
    high = np.full_like(value, quantity.high)
    somewhere = number > 0
    if below:
        end = np.clip(value + ndtri(below) * error, quantity.low, quantity.high)
        low = np.where(somewhere, end, low)
    if above:
        end = np.clip(value - ndtri(above) * error, quantity.low, quantity.high)
        high = np.where(somewhere, end, high)
    interval = Interval(low, high, how.level, f"delta over {int(number.max())} groups")
    return Estimates(quantity, parts[0].labels, value, interval)
