"""Means over queries and how far they spread, where queries are clustered, weighted, or neither."""

from dataclasses import dataclass

import numpy as np

from karat.numeric.arrays import FloatArray
from karat.tally.scores.query_units import QueryUnits
from karat.words import counted

SAME = 1e-9
"""A spread below this part of the largest value is rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitSums:
    """What independent units of queries add up to: each query for itself, or each cluster of them."""

    values: FloatArray
    """A row a unit, a column a number: the sum of its queries' values times their weights."""
    weight: FloatArray
    """The sum of its queries' weights, above 0."""

    @property
    def effective(self) -> float:
        """How many units of equal weight would be worth as much: (Σ w)² / Σ w², after Kish."""
        return float(self.weight.sum() ** 2 / (self.weight**2).sum())

    @property
    def freedom(self) -> float:
        """Student's degrees of freedom: one less than the effective number, and at least one."""
        return max(1.0, self.effective - 1)

    def mean(self) -> FloatArray:
        """Return the mean over queries of each column."""
        return np.asarray(self.values.sum(axis=0) / self.weight.sum())

    def error(self) -> FloatArray:
        """Standard error of each mean, by leaving out one unit after the other.

        s² = (k-1)/k Σ (m(i) - m)², m(i) the mean without unit i of the k. Where all units weigh the same that is the
        variance of the values over k. What is but rounding is 0.
        """
        number = len(self.weight)
        rest_values = self.values.sum(axis=0) - self.values
        rest_weight = self.weight.sum() - self.weight
        without = rest_values / rest_weight[:, None]
        squares = ((without - self.mean()) ** 2).sum(axis=0)
        error = np.sqrt((number - 1) / number * squares)
        largest = np.abs(self.values / self.weight[:, None]).max(axis=0)
        return np.asarray(np.where(error <= SAME * largest, 0.0, error))


@dataclass(frozen=True, slots=True, eq=False)
class QuerySpread:
    """The errors of the means of some columns over queries."""

    mean: FloatArray
    error: FloatArray
    """The standard error over independent units."""
    freedom: float
    error_of_queries: FloatArray
    """The standard error as if queries were independent; clusters never make an interval narrower."""
    freedom_of_queries: float

    @property
    def is_flat(self) -> FloatArray:
        """Where all values are the same, so that their spread shows nothing."""
        return np.asarray((self.error == 0) & (self.error_of_queries == 0))

    def reach(self, tail: float) -> FloatArray:
        """Return Student's quantile times the standard error."""
        from scipy.special import stdtrit  # noqa: PLC0415 (wanted only here)

        by_unit = stdtrit(self.freedom, 1 - tail) * self.error
        by_query = stdtrit(self.freedom_of_queries, 1 - tail) * self.error_of_queries
        return np.asarray(np.maximum(by_unit, by_query))

    def beyond(self, distance: FloatArray) -> FloatArray:
        """Return Student's probability that a mean lies so far off, on one side; 1 where nothing spreads."""
        from scipy.special import stdtr  # noqa: PLC0415 (wanted only here)

        with np.errstate(invalid="ignore", divide="ignore"):
            by_unit = stdtr(self.freedom, -distance / self.error)
            by_query = stdtr(self.freedom_of_queries, -distance / self.error_of_queries)
        return np.asarray(np.where(self.is_flat, 1.0, np.fmax(by_unit, by_query)))


def query_spread(values: FloatArray, units: QueryUnits | None = None) -> QuerySpread:
    """Return the mean of each column over queries, a row each, and its standard errors; of two units or more."""
    over_units = unit_sums(values, units)
    over_queries = over_units
    if units is not None and units.cluster is not None:
        over_queries = _weighted(values, units)
    return QuerySpread(
        over_units.mean(),
        over_units.error(),
        over_units.freedom,
        over_queries.error(),
        over_queries.freedom,
    )


def unit_sums(values: FloatArray, units: QueryUnits | None = None) -> UnitSums:
    """Return what each independent unit adds up to: each cluster, or each query where there are none."""
    sums = _weighted(values, units)
    if units is None or units.cluster is None:
        return sums
    weight = _weights(values, units)
    cluster = units.cluster[weight > 0]
    present, place = np.unique(cluster, return_inverse=True)
    summed = np.zeros((len(present), values.shape[1]))
    np.add.at(summed, place, sums.values)
    weights = np.zeros(len(present))
    np.add.at(weights, place, sums.weight)
    return UnitSums(summed, weights)


def _weighted(values: FloatArray, units: QueryUnits | None) -> UnitSums:
    """Return every query that weighs anything for itself."""
    weight = _weights(values, units)
    counts = weight > 0
    return UnitSums((values * weight[:, None])[counts], weight[counts])


def _weights(values: FloatArray, units: QueryUnits | None) -> FloatArray:
    if units is None or units.weight is None:
        return np.ones(len(values))
    return units.weight


def described(number: int, units: QueryUnits | None) -> str:
    """Return in words what a mean is taken over.

    >>> described(1200, None)
    '1,200 queries'
    """
    if units is None:
        return f"{number:,} queries"
    weighted = "" if units.weight is None else "weighted "
    queries = f"{number:,} {weighted}queries"
    if units.cluster is None:
        return queries
    return f"{queries} in {counted(len(np.unique(units.cluster)), 'cluster')}"
