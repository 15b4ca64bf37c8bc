"""What may be said: rankings and comparisons, and why."""

from karat.index import Index

VERDICTS = Index(
    "verdict",
    ranking="ranking",
    compare="compare",
    groups="groups",
    stability="stability",
    consensus="consensus",
    graphs="graphs:GraphScores",
)
