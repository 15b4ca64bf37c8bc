"""nDCG: the discounted gain of a list, as a share of that of the ideal one."""

import numpy as np

from karat.measure.measure import Parameter, measure
from karat.measure.of_rankings.judged_lists import judged_of
from karat.measure.of_rankings.lists import ratio, sums
from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import JudgedDocuments, Rankings


@measure(
    "ranking",
    name="nDCG",
    parameter=Parameter(name="cut", form="nDCG@{}", whole=True),
    looks_at_judged=True,
    aliases=("ndcg-cut",),
)
def discounted_gain(rankings: Rankings, *, cut: int | None = None) -> FloatArray:
    """How near is a list to the ideal one, with documents of a high grade first, query by query?

    nDCG@k = DCG / DCG of the judged documents in the order of their grades; DCG = Σ grade / log2(place + 1) over the
    first k places, as trec_eval has it. NaN where no grade is above 0.
    Reference: Järvelin, Kekäläinen, ACM TOIS 20, 2002. doi:10.1145/582415.582418
    """
    judged = judged_of(rankings)
    gain = np.maximum(judged.grade, 0)
    ideal = np.maximum(judged.ideal_grade, 0)
    return _normalised(judged, gain, ideal, len(rankings.queries), cut)


@measure(
    "ranking",
    name="nDCG-exp",
    parameter=Parameter(name="cut", form="nDCG-exp@{}", whole=True),
    looks_at_judged=True,
)
def exponential_gain(rankings: Rankings, *, cut: int | None = None) -> FloatArray:
    """How near is a list to the ideal one, where a grade counts twice as much as the one below, query by query?

    As nDCG, with 2^grade - 1 in the place of the grade; ir_measures writes nDCG(dcg='exp-log2')@10.
    Reference: Burges et al., Learning to rank using gradient descent, ICML 2005. doi:10.1145/1102351.1102363
    """
    judged = judged_of(rankings)
    gain = np.exp2(np.maximum(judged.grade, 0)) - 1
    ideal = np.exp2(np.maximum(judged.ideal_grade, 0)) - 1
    return _normalised(judged, gain, ideal, len(rankings.queries), cut)


def _normalised(
    judged: JudgedDocuments, gain: FloatArray, ideal: FloatArray, queries: int, cut: int | None
) -> FloatArray:
    inside = np.ones(len(judged.place), bool) if cut is None else judged.place <= cut
    discounted = gain[inside] / np.log2(judged.place[inside] + 1)
    found = sums(judged.query[inside], discounted, queries)
    return ratio(found, _ideal(judged, ideal, queries, cut))


def _ideal(judged: JudgedDocuments, gain: FloatArray, queries: int, cut: int | None) -> FloatArray:
    """Return the discounted gain of the best order of each query's documents."""
    longest = int(sums(judged.ideal_query, judged.ideal_number.astype(float), queries).max())
    last = longest if cut is None else min(cut, longest)
    down_to = np.append(0.0, (1 / np.log2(np.arange(last) + 2)).cumsum())
    best = np.zeros(queries)
    first = np.zeros(queries, np.int64)
    # The grades of a query go from the highest down: each takes the next places.
    for query, number, worth in zip(judged.ideal_query, judged.ideal_number, gain, strict=True):
        begin = min(first[query], last)
        end = min(first[query] + number, last)
        best[query] += worth * (down_to[end] - down_to[begin])
        first[query] += number
    return best
