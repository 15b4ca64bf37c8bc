"""Means over queries that are clustered or weighted, and the tests that compare two runs query by query."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, ndtr

from karat.doubt.bounds.query_mean import query_mean
from karat.doubt.tests.over_queries import no_worse_over_queries, paired_t, randomisation
from karat.tally.scores.query_units import QueryUnits

from .row import Row, covered, rejected

DRAWS = 1000
MARGIN = 0.05


@dataclass(frozen=True, slots=True)
class Setting:
    """How queries come, and how their values are distributed."""

    clusters: int
    size: int
    """The mean number of queries in a cluster; 1 where queries are independent."""
    skewed: bool
    correlation: float
    """Of the normal scores of two queries in a cluster."""
    shape: tuple[float, float]
    """Of the beta distribution of the values."""
    weights: float
    """The standard deviation of the logarithm of the weights; 0 where all are the same."""

    def __str__(self) -> str:
        a, b = self.shape
        values = f"values Beta({a:g}, {b:g})"
        if self.size == 1:
            text = f"{self.clusters} queries, {values}"
        else:
            sizes = "skewed sizes around" if self.skewed else "each of"
            text = (
                f"{self.clusters} clusters, {sizes} {self.size} queries, "
                f"correlation {self.correlation:g}, {values}"
            )
        if self.weights:
            text += f", weights lognormal with deviation {self.weights:g}"
        return text


PLAIN = (
    Setting(10, 1, False, 0.0, (2, 2), 0),
    Setting(50, 1, False, 0.0, (0.5, 0.5), 0),
    Setting(20, 1, False, 0.0, (0.3, 6), 0),
)
UNEVEN = (
    Setting(10, 5, False, 0.3, (2, 2), 0),
    Setting(6, 5, True, 0.5, (2, 2), 0),
    Setting(20, 5, True, 0.3, (0.5, 0.5), 0),
    Setting(25, 4, True, 0.3, (0.3, 2), 0),
    Setting(50, 1, False, 0.0, (2, 2), 0.5),
    Setting(20, 1, False, 0.0, (2, 2), 1),
    Setting(20, 4, True, 0.3, (2, 2), 1),
)


def rows(runs: int) -> Iterator[Row]:
    """Yield the coverage of the means, and how often each test calls two equal runs different."""
    random = np.random.default_rng(19)
    for setting in UNEVEN:
        yield _mean(setting, runs, random)
    for setting in (*PLAIN, *UNEVEN):
        yield from _tests(setting, runs, random)


def _units(setting: Setting, random: np.random.Generator) -> QueryUnits | None:
    """Return clusters and weights of one data set."""
    sizes = np.full(setting.clusters, setting.size)
    if setting.skewed:
        sizes = random.geometric(1 / setting.size, size=setting.clusters)
    number = int(sizes.sum())
    cluster = None
    if setting.size > 1:
        cluster = np.repeat(np.arange(setting.clusters), sizes)
    weight = None
    if setting.weights:
        weight = np.exp(setting.weights * random.normal(size=number))
    if cluster is None and weight is None:
        return None
    names = tuple(str(place) for place in range(number))
    return QueryUnits(names, cluster, weight)


def _values(
    setting: Setting, units: QueryUnits | None, runs: int, random: np.random.Generator
) -> np.ndarray:
    """Return the values of the queries in many runs, a column each."""
    number = setting.clusters if units is None else len(units.queries)
    cluster = np.arange(number)
    if units is not None and units.cluster is not None:
        cluster = units.cluster
    shared = random.normal(size=(setting.clusters, runs))[cluster]
    own = random.normal(size=(number, runs))
    normal = np.sqrt(setting.correlation) * shared + np.sqrt(1 - setting.correlation) * own
    return np.asarray(betaincinv(*setting.shape, ndtr(normal)))


def _mean(setting: Setting, runs: int, random: np.random.Generator) -> Row:
    a, b = setting.shape
    found = []
    for _ in range(runs):
        units = _units(setting, random)
        values = _values(setting, units, 1, random)[:, 0]
        found.append(query_mean(values, units=units))
    number = "mean over queries of clusters or with weights, Student's t"
    return covered(number, str(setting), a / (a + b), found, runs=runs)


def _tests(setting: Setting, runs: int, random: np.random.Generator) -> Iterator[Row]:
    """Yield the type I errors; queries of one sample of sizes and weights, values of many."""
    blocks = 10
    p_values: dict[str, list[np.ndarray]] = {"randomisation": [], "paired-t": [], "margin": []}
    for seed in range(blocks):
        units = _units(setting, random)
        first = _values(setting, units, runs // blocks, random)
        second = _values(setting, units, runs // blocks, random)
        gap = first - second
        p_values["randomisation"].append(randomisation(gap, units, draws=DRAWS, seed=seed))
        p_values["paired-t"].append(paired_t(gap, units))
        p_values["margin"].append(no_worse_over_queries(gap - MARGIN, units, margin=MARGIN))
    names = {
        "randomisation": "--test randomisation, rankings",
        "paired-t": "--test paired-t, rankings",
        "margin": "--margin, rankings",
    }
    for test, found in p_values.items():
        yield rejected(names[test], str(setting), np.concatenate(found), None)
