"""A number with its interval, by the method that fits it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from karat.doubt.bounds import BOUNDS
from karat.doubt.bounds.areas import delong, redrawn
from karat.doubt.bounds.delta import delta
from karat.doubt.bounds.dirichlet import dirichlet
from karat.doubt.interval import Interval, Side, check_chance, check_level, tails
from karat.doubt.resampling.bootstrap import DRAWS, Units, bootstrap, units
from karat.doubt.resampling.jackknife import Deleted, deleted, jackknife
from karat.measure.curves import average_precision, roc_area
from karat.measure.f import Cells
from karat.measure.quantity import Quantity, evaluate, values
from karat.measure.share import Share
from karat.measure.totals import Totals, totals
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve
from karat.tally.votes.confusion import Confusion


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How an interval is to be made."""

    level: float = 0.95
    side: Side = "both"
    bound: str = "exact"
    draws: int = DRAWS
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        check_level(self.level)
        check_chance(draws=self.draws, seed=self.seed)


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """A quantity of one system: one entry, or one per class; NaN inside arrays is undefined."""

    quantity: Quantity
    labels: tuple[str | None, ...]
    value: FloatArray
    interval: Interval
    successes: FloatArray | None = None
    trials: FloatArray | None = None

    def chosen(self, label: str) -> "Estimates":
        """Return the entry of one class, undefined if it neither occurs nor is answered."""
        if label not in self.labels:
            unknown = Interval(np.zeros(1), np.ones(1), self.interval.level, self.interval.method)
            counts = (
                None if part is None else np.zeros(1) for part in (self.successes, self.trials)
            )
            return Estimates(self.quantity, (label,), np.array([np.nan]), unknown, *counts)
        place = [self.labels.index(label)]
        low, high = self.interval.low[place], self.interval.high[place]
        counts = (None if part is None else part[place] for part in (self.successes, self.trials))
        interval = Interval(low, high, self.interval.level, self.interval.method)
        return Estimates(self.quantity, (label,), self.value[place], interval, *counts)


class Estimator:
    """Estimates of one confusion; what several of them share is made once."""

    def __init__(self, confusion: Confusion, how: How) -> None:
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

    def estimate(self, quantity: Quantity, *, side: Side | None = None) -> Estimates:
        """Return a quantity with its interval; all classes at once if it is one of classes."""
        measured = evaluate(quantity, self._totals)
        how = self._how if side is None else replace(self._how, side=side)
        interval = self._interval(quantity, measured, how)
        names: tuple[str | None, ...] = self._totals.labels if quantity.of_classes else (None,)
        value = np.atleast_1d(values(quantity, self._totals))
        interval = Interval(
            np.atleast_1d(interval.low),
            np.atleast_1d(interval.high),
            interval.level,
            interval.method,
        )
        counts = (
            [np.atleast_1d(part) for part in (measured.successes, measured.trials)]
            if isinstance(measured, Share)
            else []
        )
        estimates = Estimates(quantity, names, value, interval, *counts)
        return estimates if quantity.label is None else estimates.chosen(quantity.label)

    def _interval(
        self, quantity: Quantity, measured: Share | Cells | FloatArray, how: How
    ) -> Interval:
        if self._units is None:
            return self._counted(quantity, measured, how)
        if self.clusters:
            return self._clustered(quantity, self._units, how)
        return self._drawn(quantity, self._units, how)

    @property
    def clusters(self) -> int | None:
        """How many clusters of items there are, where items hang together."""
        return len(self._units.number) if self._units and "c" in self._confusion.keys else None

    def _counted(
        self, quantity: Quantity, measured: Share | Cells | FloatArray, how: How
    ) -> Interval:
        bound = BOUNDS[how.bound]
        if isinstance(measured, Share):
            interval: Interval = bound(
                measured.successes, measured.trials, level=how.level, side=how.side
            )
            return interval
        if isinstance(measured, Cells) and quantity.average is None:
            return f_interval(measured, how)
        if quantity.averages and np.count_nonzero(self._totals.classes) == 1:
            return self._only(quantity.of_one_class(), how)
        return delta(quantity, self._confusion, level=how.level, side=how.side)

    def _only(self, quantity: Quantity, how: How) -> Interval:
        """Return the interval of the only class that the truth has: its average is no approximation."""
        every = self._counted(quantity, evaluate(quantity, self._totals), how)
        here = self._totals.classes
        return Interval(every.low[here], every.high[here], every.level, every.method)

    def _clustered(self, quantity: Quantity, parts: Units, how: How) -> Interval:
        if self._deleted is None:
            self._deleted = deleted(parts, seed=how.seed)
        return jackknife(
            quantity,
            self._deleted,
            items=int(self._confusion.number.sum()),
            weighted=self._weighted is not None,
            level=how.level,
            side=how.side,
        )

    def _drawn(self, quantity: Quantity, parts: Units, how: How) -> Interval:
        if self._resampled is None:
            self._resampled = parts.resampled(draws=how.draws, seed=how.seed)
        return bootstrap(
            quantity,
            self._resampled,
            what=parts.what,
            number=int(parts.number.sum()),
            level=how.level,
            side=how.side,
            draws=how.draws,
            seed=how.seed,
        )


def f_interval(cells: Cells, how: How) -> Interval:
    """Where does F lie, given the cells it is made of?

    F1 = 2 h / (1 + h) grows with h = hits / (hits + missed + false), and given that number of items the hits are
    binomial: the bounds of this share are the bounds of F1, exact where they are. Other weights of recall have no
    such share and are simulated.
    """
    if cells.beta != 1:
        return dirichlet(cells, level=how.level, side=how.side, seed=how.seed)
    union = cells.hits + cells.missed + cells.false
    share: Interval = BOUNDS[how.bound](cells.hits, union, level=how.level, side=how.side)
    low, high = (2 * end / (1 + end) for end in (share.low, share.high))
    return Interval(low, high, how.level, share.method)


def of_counts(successes: int, trials: int, how: How) -> Estimates:
    """Return a share that is known only by its counts."""
    interval: Interval = BOUNDS[how.bound]([successes], [trials], level=how.level, side=how.side)
    share = Share(np.array([float(successes)]), np.array([float(trials)]))
    return Estimates(
        Quantity("share"), (None,), share.values, interval, share.successes, share.trials
    )


def of_curve(quantity: Quantity, curve: Curve, how: How) -> Estimates:
    """Return the area of a curve with its interval."""
    if quantity.measure == "roc-area":
        value, interval = roc_area(curve), delong(curve, level=how.level, side=how.side)
    else:
        value = average_precision(curve)
        interval = redrawn(curve, level=how.level, side=how.side, draws=how.draws, seed=how.seed)
    interval = Interval(
        np.atleast_1d(interval.low), np.atleast_1d(interval.high), how.level, interval.method
    )
    return Estimates(quantity, (None,), np.array([value]), interval)


def mean_of(parts: Sequence[Estimates], how: How) -> Estimates:
    """Where does the mean over independent groups lie?

    mean ± z √(Σ e²) / G, e the half-width of each group's two-sided interval over its z; approximate. Groups in
    which the number is undefined are left out, class by class.
    """
    from scipy.special import ndtri  # noqa: PLC0415 (wanted only here)

    values_of = np.array([part.value for part in parts])
    widths = np.array([(part.interval.high - part.interval.low) / 2 for part in parts])
    known = ~np.isnan(values_of)
    number = known.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.where(known, values_of, 0.0).sum(axis=0) / number
        error = np.sqrt((known * widths**2).sum(axis=0)) / number / -ndtri((1 - how.level) / 2)
    below, above = tails(how.level, how.side)
    low = np.clip(value + ndtri(below) * error, 0, 1) if below else np.zeros_like(value)
    high = np.clip(value - ndtri(above) * error, 0, 1) if above else np.ones_like(value)
    low, high = np.where(number > 0, low, 0.0), np.where(number > 0, high, 1.0)
    interval = Interval(low, high, how.level, f"delta over {int(number.max())} groups")
    return Estimates(parts[0].quantity, parts[0].labels, value, interval)
