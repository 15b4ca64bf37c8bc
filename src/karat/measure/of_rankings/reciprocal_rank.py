"""RR: the reciprocal rank of the first relevant document."""

import numpy as np

from karat.measure.measure import Parameter, measure
from karat.measure.of_rankings.lists import RelevantDocuments
from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import Rankings


@measure(
    "ranking",
    name="RR",
    parameter=Parameter(name="cut", form="RR@{}", whole=True),
    aliases=("mrr", "mean-reciprocal-rank", "recip-rank", "reciprocal-rank"),
)
def reciprocal_rank(rankings: Rankings, *, cut: int | None = None) -> FloatArray:
    """How far up is the first relevant document, query by query?

    RR = 1 / its place, 0 if there is none among the retrieved; NaN where no document is relevant.
    Reference: Voorhees, The TREC-8 question answering track report, TREC 1999.
    """
    relevant = RelevantDocuments.within(rankings, cut)
    is_first = relevant.order == 1
    reciprocal = relevant.sums(is_first / relevant.place)
    return np.asarray(np.where(rankings.relevant > 0, reciprocal, np.nan))
