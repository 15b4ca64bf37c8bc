"""R@k: recall of the first k documents of a list."""

from karat.measure.measure import Parameter, measure
from karat.measure.of_rankings.lists import RelevantDocuments, ratio
from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import Rankings


@measure(
    "ranking",
    name="R",
    parameter=Parameter(name="cut", form="R@{}", whole=True),
    aliases=("recall",),
)
def recall_of_list(rankings: Rankings, *, cut: int | None = None) -> FloatArray:
    """How many of the relevant documents are among the first k, query by query?

    R@k = h / R, h the relevant ones among them, R all relevant ones; without k, of all that were retrieved. NaN where
    no document is relevant.
    Reference: Manning, Raghavan, Schuetze, Introduction to Information Retrieval, Cambridge 2008, section 8.4.
    doi:10.1017/CBO9780511809071
    """
    return ratio(RelevantDocuments.within(rankings, cut).number, rankings.relevant.astype(float))
