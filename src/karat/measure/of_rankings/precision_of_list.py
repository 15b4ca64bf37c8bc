"""P@k: precision of the first k documents of a list."""

import numpy as np

from karat.measure.measure import Parameter, measure
from karat.measure.of_rankings.lists import RelevantDocuments, ratio
from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import Rankings


@measure(
    "ranking",
    name="P",
    parameter=Parameter(name="cut", form="P@{}", whole=True),
    aliases=("precision",),
)
def precision_of_list(rankings: Rankings, *, cut: int | None = None) -> FloatArray:
    """How many of the first k documents are relevant, query by query?

    P@k = h / k, h the relevant ones among them; without k, of all that were retrieved. NaN where nothing was.
    Reference: Manning, Raghavan, Schuetze, Introduction to Information Retrieval, Cambridge 2008, section 8.4.
    doi:10.1017/CBO9780511809071
    """
    hits = RelevantDocuments.within(rankings, cut).number
    if cut is None:
        return ratio(hits, rankings.retrieved.astype(float))
    return ratio(hits, np.full(len(hits), float(cut)))
