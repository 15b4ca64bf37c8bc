"""AP: average precision of a list."""

from karat.measure.measure import Parameter, measure
from karat.measure.of_rankings.lists import RelevantDocuments, ratio
from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import Rankings


@measure(
    "ranking",
    name="AP",
    parameter=Parameter(name="cut", form="AP@{}", whole=True),
    aliases=("map", "mean-average-precision", "average-precision"),
)
def average_precision_of_list(rankings: Rankings, *, cut: int | None = None) -> FloatArray:
    """What is the precision down to each relevant document, averaged over them, query by query?

    AP = (1/R) Σ i / (place of the i-th relevant one), R all relevant ones; NaN where no document is relevant.
    Reference: Manning, Raghavan, Schuetze, Introduction to Information Retrieval, Cambridge 2008, section 8.4.
    doi:10.1017/CBO9780511809071
    """
    relevant = RelevantDocuments.within(rankings, cut)
    precisions = relevant.order / relevant.place
    return ratio(relevant.sums(precisions), rankings.relevant.astype(float))
