"""Success@k: whether a relevant document is among the first k of a list."""

import numpy as np

from karat.measure.measure import Parameter, measure
from karat.measure.of_rankings.lists import RelevantDocuments
from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import Rankings


@measure(
    "ranking",
    name="Success",
    parameter=Parameter(name="cut", form="Success@{}", whole=True),
    aliases=("hit", "hits", "hit-rate"),
)
def success(rankings: Rankings, *, cut: int | None = None) -> FloatArray:
    """Is one of the first k documents relevant, query by query?

    1 or 0; without k, of all that were retrieved. NaN where no document is relevant.
    Reference: Craswell, Hawking, Overview of the TREC 2004 web track, TREC 2004.
    """
    found = RelevantDocuments.within(rankings, cut).number > 0
    return np.where(rankings.relevant > 0, found.astype(float), np.nan)
