"""The joint distribution of all systems' scores, as the sum over independent clusters of errors."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from karat.doubt.label_noise.ranking_order import MOST_SYSTEMS, States
from karat.numeric.arrays import FloatArray, IntArray

MOST_CELLS = 1_000_000
"""Differences of scores that the exact distribution of a whole ranking may run over."""


@dataclass(frozen=True, slots=True)
class ClusterDistribution:
    """What all systems have right of one cluster, in every case of what may be true."""

    scores: tuple[tuple[float, ...], ...]
    """A row a case, a column a system."""
    given: tuple[float, ...]
    """What each system has right by the given labels."""
    chances: tuple[float, ...]
    """The chance of each case."""

    def differences(self) -> FloatArray:
        """Return by how much each system's score differs from the first one's, a row a case."""
        scores = np.array(self.scores)
        return np.asarray(scores - scores[:, :1])


Clusters = dict[ClusterDistribution, int]
"""How many clusters have each distribution."""


def work(clusters: Clusters, systems: int) -> float:
    """Return how many numbers the exact distribution of the differences takes at the most; infinite if too many."""
    if systems > MOST_SYSTEMS:
        return np.inf
    reach = np.zeros(systems)
    steps = 0
    for cluster, number in clusters.items():
        differences = cluster.differences()
        reach += number * np.ptp(differences, axis=0)
        steps += number * len(cluster.chances)
    cells = float(np.prod(reach + 1))
    if cells > MOST_CELLS:
        return np.inf
    return cells * steps


def lattice(clusters: Clusters, total: FloatArray) -> States:
    """Yield every case of the systems' scores, up to a number common to all, with its chance.

    Only differences to the first system decide an order. They are whole numbers, so a table with an axis for each
    system holds the chance of every combination. Each cluster in turn widens the table by its largest step: a
    convolution, in which every chance is a sum of products and no digits cancel.
    """
    origin = total - _given(clusters, len(total))
    origin = origin - origin[0]
    table = np.ones((1,) * len(total))
    for cluster, number in clusters.items():
        differences = cluster.differences().astype(np.int64)
        least = differences.min(axis=0)
        for _ in range(number):
            table = _convolved(table, differences - least, cluster.chances)
        origin = origin + number * least
    possible = table > 0
    yield np.argwhere(possible) + origin, table[possible]


def _given(clusters: Clusters, systems: int) -> FloatArray:
    """Return what each system has right of all these clusters by the given labels."""
    rows = [number * np.array(cluster.given) for cluster, number in clusters.items()]
    return np.asarray(np.array(rows).reshape(len(rows), systems).sum(axis=0))


def _convolved(table: FloatArray, steps: IntArray, chances: Iterable[float]) -> FloatArray:
    """Return the table after one more cluster: the old one moved by every step, weighted by its chance."""
    wider = np.zeros(np.array(table.shape) + steps.max(axis=0))
    for step, chance in zip(steps, chances, strict=True):
        ends = step + table.shape
        place = tuple(slice(start, end) for start, end in zip(step, ends, strict=True))
        wider[place] += chance * table
    return wider
