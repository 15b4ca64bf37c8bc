"""infAP: average precision inferred from a sample of judgements."""

import numpy as np

from karat.measure.measure import measure
from karat.measure.of_rankings.judged_lists import judged_of
from karat.measure.of_rankings.lists import ratio, sums
from karat.measure.of_rankings.places_above import JudgedAbove
from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import Rankings

SMALL = 0.00001
"""What trec_eval adds to counts, so that a share of nothing is one half."""


@measure("ranking", name="infAP", looks_at_judged=True)
def inferred_precision(rankings: Rankings) -> FloatArray:
    """What is average precision, if documents of the pool that nobody judged are like those that were judged?

    As AP, with the precision down to a relevant document at place k estimated as 1/k + ((k-1)/k) (share of the pool
    among the documents before it) (share of relevant ones among the judged before it). Documents of the pool without
    judgement have a grade below 0, as trec_eval has it. NaN where no document is relevant.
    Reference: Yilmaz, Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006.
    doi:10.1145/1183614.1183633
    """
    above = JudgedAbove.of(rankings, judged_of(rankings))
    before = rankings.place - 1.0
    judged = above.relevant + above.irrelevant
    in_pool = judged + above.unseen
    share_of_pool = np.divide(in_pool, before, out=np.zeros(len(before)), where=before > 0)
    share_relevant = (above.relevant + SMALL) / (judged + 2 * SMALL)
    precision = 1 / rankings.place + before / rankings.place * share_of_pool * share_relevant
    total = sums(rankings.query, precision, len(rankings.queries))
    return ratio(total, rankings.relevant.astype(float))
