"""RBP: rank-biased precision, for a reader who goes on to the next document with probability p."""

import numpy as np

from karat.measure.measure import Parameter, measure
from karat.measure.of_rankings.lists import RelevantDocuments
from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import Rankings


@measure("ranking", name="RBP", parameter=Parameter(name="p", form="RBP(p={})", default=0.8))
def rank_biased_precision(rankings: Rankings, *, p: float = 0.8) -> FloatArray:
    """How many of the documents that a reader looks at are relevant, query by query?

    RBP = (1 - p) Σ p^(place - 1) over the relevant ones. Unjudged documents count as irrelevant. NaN where no document
    is relevant, as ir_measures' RBP(p=0.8, rel=1) but for that.
    Reference: Moffat, Zobel, ACM TOIS 27, 2008. doi:10.1145/1416950.1416952
    """
    relevant = RelevantDocuments.within(rankings, None)
    gain = relevant.sums((1 - p) * p ** (relevant.place - 1))
    return np.where(rankings.relevant > 0, gain, np.nan)
