"""How many documents of each judgement come before each relevant one."""

from dataclasses import dataclass

import numpy as np

from karat.measure.of_rankings.lists import sums
from karat.numeric.arrays import FloatArray
from karat.tally.scores.rankings import JudgedDocuments, Rankings


@dataclass(frozen=True, slots=True, eq=False)
class JudgedAbove:
    """For each relevant document that was retrieved, the documents before it; and the documents of each query."""

    relevant: FloatArray
    irrelevant: FloatArray
    unseen: FloatArray
    """Documents of the pool that nobody looked at: their grade is below 0."""
    all_irrelevant: FloatArray
    """Of each query, all documents that were judged irrelevant."""

    @classmethod
    def of(cls, rankings: Rankings, judged: JudgedDocuments) -> "JudgedAbove":
        """Count the documents before the relevant ones."""
        queries = len(rankings.queries)
        longest = int(max(judged.place.max(initial=0), rankings.place.max(initial=0))) + 1
        key = judged.query * longest + judged.place
        wanted = rankings.query * longest + rankings.place
        is_relevant = np.isin(key, wanted)
        is_unseen = judged.grade < 0
        looked_at = (judged.ideal_number * (judged.ideal_grade >= 0)).astype(float)

        def above(is_counted: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> FloatArray:
            own = key[is_counted]
            begin = np.searchsorted(own, rankings.query * longest)
            return (np.searchsorted(own, wanted) - begin).astype(float)

        return cls(
            relevant=above(is_relevant),
            irrelevant=above(~is_relevant & ~is_unseen),
            unseen=above(is_unseen),
            all_irrelevant=sums(judged.ideal_query, looked_at, queries) - rankings.relevant,
        )
