"""What may be said: rankings and comparisons, and why."""

from karat.index import Index

VERDICTS = Index(
    "verdict",
    "verdict",
    "verdicts",
    ranking="ranking",
    compare="compare.compare",
    groups="compare.groups",
    stability="stability.stability",
    consensus="consensus.consensus",
    retrieval="score.retrieval",
)
