"""How many more labels would show which of two systems is better, where most items have none."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from karat.doubt.consensus.stratified_difference import Strata, lower_end
from karat.doubt.interval import check_level
from karat.doubt.tests.tango import halve
from karat.numeric.arrays import BoolArray, FloatArray

LIKELY = 0.8


@dataclass(frozen=True, slots=True, eq=False)
class FurtherLabels:
    """How many more items must be labelled, for each pair; NaN where no number of these items would do."""

    exactly: FloatArray
    """If they fall exactly as those that are labelled."""
    likely: FloatArray
    """With a chance of 80 %, if the two go on disagreeing as they do."""


def further_labels(strata: Strata, *, pairs: int = 1, level: float = 0.95) -> FurtherLabels:
    """How many more items of these strata must be labelled until the two systems differ significantly?

    The counts of all strata grow in proportion, each up to the items that there are, until the interval of
    `stratified_difference` at the level 1 - (1 - level) / pairs ends at 0 (Holm's strictest step); for a chance of
    80 % ((z + z') / z)² times as many, z and z' the normal quantiles of the error and of 0.8. Strata without labels
    stay without: then the number is too large.
    >>> two = Strata(*np.array([[[9.0]], [[4.0]], [[13.0]], [[1200.0]]]), np.array([10000.0]))
    >>> more = further_labels(two)
    >>> more.exactly, more.likely
    (array([14.]), array([42.]))
    """
    check_level(level)
    error = np.full(strata.total.shape, (1 - level) / 2 / pairs)
    ahead = (strata.difference >= 0)[..., None]
    better = replace(
        strata,
        only_first=np.where(ahead, strata.only_first, strata.only_second),
        only_second=np.where(ahead, strata.only_second, strata.only_first),
    )
    room = strata.items / np.where(strata.checked > 0, strata.checked, np.inf)
    most = np.maximum(room.max(axis=-1), 1.0)

    def undecided(factor: FloatArray) -> BoolArray:
        return np.asarray(lower_end(grown(better, factor), error) <= 0)

    factor = halve(undecided, np.ones(most.shape), most)
    possible = (strata.difference != 0) & ~undecided(factor)
    z = -special.ndtri(error)
    likely = factor * ((z + special.ndtri(LIKELY)) / z) ** 2
    return FurtherLabels(
        _number(better, factor, possible), _number(better, likely, possible & (likely <= most))
    )


def grown(strata: Strata, factor: FloatArray) -> Strata:
    """Return the strata with so many times as many labels, each up to the items that there are."""
    room = strata.items / np.where(strata.checked > 0, strata.checked, 1.0)
    factors = np.minimum(factor[..., None], room)
    return replace(
        strata,
        only_first=strata.only_first * factors,
        only_second=strata.only_second * factors,
        checked=strata.checked * factors,
    )


def _number(strata: Strata, factor: FloatArray, possible: BoolArray) -> FloatArray:
    labels = grown(strata, factor).checked.sum(axis=-1)
    more = np.ceil(labels - strata.checked.sum(axis=-1) - 1e-6)
    return np.where(possible, more, np.nan)
