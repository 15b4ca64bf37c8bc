"""Judged@k: how many of the first k documents of a list were judged."""

import numpy as np

from karat.measure.measure import Parameter, measure
from karat.measure.of_rankings.judged_lists import judged_of
from karat.measure.of_rankings.lists import ratio
from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import Rankings


@measure(
    "ranking",
    name="Judged",
    parameter=Parameter(name="cut", form="Judged@{}", whole=True),
    looks_at_judged=True,
)
def judged_share(rankings: Rankings, *, cut: int | None = None) -> FloatArray:
    """How many of the first k documents of a list has somebody judged, query by query?

    h / k, or over all that were retrieved if these are fewer; without k, of all. NaN where nothing was retrieved. A run
    that was not in the pool has few of them, and its other numbers are too low.
    Reference: Lu, Moffat, Culpepper, Information Retrieval Journal 19, 2016. doi:10.1007/s10791-016-9282-6
    """
    judged = judged_of(rankings)
    inside = judged.grade >= 0
    if cut is not None:
        inside &= judged.place <= cut
    found = np.bincount(judged.query[inside], minlength=len(rankings.queries)).astype(float)
    seen = rankings.retrieved.astype(float)
    if cut is not None:
        seen = np.minimum(seen, float(cut))
    return ratio(found, seen)
