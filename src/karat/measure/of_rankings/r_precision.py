"""Rprec: precision at as many documents as are relevant."""

import numpy as np

from karat.measure.measure import measure
from karat.measure.of_rankings.lists import ratio, sums
from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import Rankings


@measure("ranking", name="Rprec", aliases=("r-prec", "r-precision"))
def r_precision(rankings: Rankings) -> FloatArray:
    """How many of the first R documents are relevant, where R are relevant in all, query by query?

    Rprec = P@R = R@R, with the R of the query; NaN where no document is relevant.
    Reference: Manning, Raghavan, Schuetze, Introduction to Information Retrieval, Cambridge 2008, section 8.4.
    doi:10.1017/CBO9780511809071
    """
    is_within = rankings.place <= rankings.relevant[rankings.query]
    found = sums(rankings.query, is_within.astype(float), len(rankings.queries))
    return ratio(found, rankings.relevant.astype(np.float64))
