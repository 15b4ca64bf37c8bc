"""Where bins of scores begin: narrow where scores are dense, and narrowest where the order inside a bin would matter.

Every step of the arithmetic keeps the order of the scores and is the same in SQL and here, so that no item falls into
a bin above or below its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from karat.tally.scores.curve import Counts, Curve, Floats, Ints

Costs = Callable[[Curve], Floats]
Histograms = Callable[[Mapping[str, "Bins"]], dict[str, Curve]]
"""Counts each system's scores in its bins: all bins from the highest down, then the missing scores."""

FIRST = 4_096
LEAST_SPREAD = 1e-300
"""Half of it is not 0."""
ROUNDS = 4
"""How often bins may be moved closer to most of the scores; each time they can become a thousand times narrower."""
HOPELESS = 1.1
"""Bins that are expected to cost so many times as much as those at hand are not worth another scan of the scores."""


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Even bins of the stretched scores between two scores, each of them cut evenly into `parts`.

    A score is stretched around `middle`: half of all places are for scores within one `spread` of it, however far
    away the others lie.
    """

    low: float
    high: float
    middle: float
    spread: float
    parts: Ints

    @property
    def number(self) -> int:
        """How many bins there are."""
        return int(self.parts.sum())

    @property
    def is_cut(self) -> bool:
        """Whether an even bin has several parts."""
        return self.number > len(self.parts)

    @property
    def begin(self) -> Ints:
        """The number of the first bin that each even one was cut into."""
        return np.asarray(np.cumsum(self.parts) - self.parts)

    @property
    def first(self) -> float:
        """The lowest score, stretched."""
        return float(self.stretched(np.array(self.low)))

    @property
    def scale(self) -> float:
        """How many even bins there are to a unit of the stretched scores."""
        width = float(self.stretched(np.array(self.high))) - self.first
        if width == 0:
            return 0.0
        return len(self.parts) / width

    def stretched(self, score: Floats) -> Floats:
        """Return scores as places from -1 to 1."""
        # Halves, so that no difference is too large. Written so that rounding cannot change the order.
        half, spread = score * 0.5 - self.middle * 0.5, self.spread * 0.5
        close = spread / (spread + np.abs(half))
        return np.where(half >= 0, 1.0 - close, close - 1.0)

    def edges(self) -> Floats:
        """Return the lowest score of every bin, rising, up to rounding."""
        even = np.repeat(np.arange(len(self.parts)), self.parts)
        parts = np.repeat(self.parts, self.parts)
        part = np.arange(len(even)) - np.repeat(self.begin, self.parts)
        if self.scale == 0:
            return np.full(len(even), self.low)
        place = self.first + (even + part / parts) / self.scale
        distance = self.spread * (place / (1 - np.abs(place)))
        return np.asarray(np.clip(self.middle + distance, self.low, self.high))

    def places(self, score: Floats) -> Ints:
        """Return the bin of each score, from the lowest up; -1 for those below all."""
        place = (self.stretched(score) - self.first) * self.scale
        even = np.clip(np.floor(place), 0, len(self.parts) - 1).astype(np.int64)
        size = self.parts[even]
        part = np.clip(np.floor((place - even) * size), 0, size - 1).astype(np.int64)
        return np.where(score < self.low, -1, self.begin[even] + part)


def best_bins(
    ranges: Mapping[str, tuple[float, float]],
    histograms: Histograms,
    *,
    bins: int,
    costs: Costs | None = None,
) -> dict[str, Bins]:
    """Return for each system at most about so many bins, placed where they are most informative.

    First even bins between the lowest and the highest score; then, as long as that helps, bins that are closer to
    where most scores are; in the end each is cut into parts by what an order inside of it would matter.
    """
    costs = costs or ambiguity
    best = {system: _even(low, high, bins) for system, (low, high) in ranges.items()}
    counted = histograms(best)
    improving = [system for system, own in best.items() if own.low < own.high]
    for _ in range(ROUNDS):
        closer = {}
        for system in improving:
            moved = _closer(best[system], counted[system])
            expected = _expected(moved, best[system], counted[system])
            if costs(expected).sum() <= HOPELESS * costs(counted[system]).sum():
                closer[system] = moved
        recounted = histograms(closer) if closer else {}
        improving = []
        for system, curve in recounted.items():
            if costs(curve).sum() < costs(counted[system]).sum():
                best[system] = closer[system]
                counted[system] = curve
                improving.append(system)
    return {system: _cut(own, counted[system], bins, costs) for system, own in best.items()}


def _even(low: float, high: float, bins: int) -> Bins:
    """Return even bins from the lowest score to the highest. Halves are added, so that no sum is infinite."""
    size = 1 if high == low else min(FIRST, bins // 2)
    middle = low * 0.5 + high * 0.5
    spread = max(high * 0.5 - low * 0.5, LEAST_SPREAD)
    return Bins(low, high, middle, spread, np.ones(size, np.int64))


def _closer(bins: Bins, counted: Curve) -> Bins:
    """Return bins around the median score, as dense as the quartiles are close; both kinds of items count the same."""
    positive = counted.positive / max(1, counted.positive.sum())
    negative = counted.negative / max(1, counted.negative.sum())
    # From the lowest score up, without the missing scores.
    share = (positive + negative)[-2::-1].cumsum()
    edges = np.append(bins.edges(), bins.high)
    quartile, median, other = np.searchsorted(share, share[-1] * np.array([0.25, 0.5, 0.75]))
    # At least one bin: where the scores are inside of a bin is not known.
    half = edges[other + 1] * 0.5 - edges[quartile] * 0.5
    spread = min(max(half, LEAST_SPREAD), bins.spread)
    middle = edges[median] * 0.5 + edges[median + 1] * 0.5
    return replace(bins, middle=float(middle), spread=float(spread))


def _expected(moved: Bins, bins: Bins, counted: Curve) -> Curve:
    """Return the counts in other bins, if scores were spread evenly inside of the bins that were counted."""
    edges = np.append(bins.edges(), bins.high)
    wanted = np.append(moved.edges(), moved.high)
    positive = _between(wanted, edges, counted.positive)
    negative = _between(wanted, edges, counted.negative)
    return Curve(np.append(wanted[-2::-1], -np.inf), positive, negative)


def _between(wanted: Floats, edges: Floats, number: Counts) -> Floats:
    """Return how many lie between wanted edges, from the highest down; missing scores come last."""
    below = np.append(0, number[-2::-1].cumsum())
    rising = np.diff(np.interp(wanted, edges, below))
    return np.append(rising[::-1], number[-1])


def _cut(even: Bins, counted: Curve, bins: int, costs: Costs) -> Bins:
    """Return the bins cut more finely where an order inside one would matter most."""
    if even.low == even.high:
        return even
    # From the lowest score up; the last bin of a curve holds missing scores, which have it to themselves.
    root = np.sqrt(np.maximum(costs(counted)[-2::-1], 0.0))
    share = root / root.sum() if root.any() else root
    more = np.floor(share * (bins - len(root))).astype(np.int64)
    return replace(even, parts=1 + more)


def ambiguity(binned: Curve) -> Floats:
    """How much can the area change with the order inside each bin, at the prevalence of the data?

    The positives of the bin, as a share of all, times its negatives as a share of all items down to it.
    >>> ambiguity(Curve(np.array([0.9, 0.1]), np.array([3, 1]), np.array([1, 1]))).round(4).tolist()
    [0.1875, 0.0417]
    """
    down = (binned.positive + binned.negative).cumsum()
    share_of_positives = binned.positive / max(1, binned.positive.sum())
    return np.asarray(share_of_positives * binned.negative / np.maximum(down, 1))
