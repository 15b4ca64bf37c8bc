"""Bpref: how often relevant documents come before judged irrelevant ones."""

import numpy as np

from karat.measure.measure import measure
from karat.measure.of_rankings.judged_lists import judged_of
from karat.measure.of_rankings.lists import ratio, sums
from karat.measure.of_rankings.places_above import JudgedAbove
from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import Rankings


@measure("ranking", name="Bpref", looks_at_judged=True)
def binary_preference(rankings: Rankings) -> FloatArray:
    """How often does a relevant document stand before the judged irrelevant ones, query by query?

    Bpref = (1/R) Σ (1 - min(n, R) / min(N, R)) over the relevant documents that were retrieved, n the judged irrelevant
    ones before it, N all of them; documents that nobody judged do not count. NaN where no document is relevant.
    Reference: Buckley, Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004.
    doi:10.1145/1008992.1009000
    """
    judged = judged_of(rankings)
    above = JudgedAbove.of(rankings, judged)
    relevant = rankings.relevant.astype(float)
    of_query = relevant[rankings.query]
    irrelevant = above.all_irrelevant[rankings.query]
    fewest = np.minimum(irrelevant, of_query)
    share = np.minimum(above.irrelevant, of_query) / np.maximum(fewest, 1)
    gain = sums(rankings.query, 1 - share, len(rankings.queries))
    return ratio(gain, relevant)
