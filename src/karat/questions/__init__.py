"""The questions: each counts what it needs, asks the verdict, and signs the result."""

from karat.index import Index

PLOTS = Index(
    "questions",
    "plot",
    "plots",
    scores="plot",
    comparisons="plot",
    ranking="ranking_plots",
    forest="ranking_plots",
    ranks="ranking_plots",
    groups="ranking_plots",
    confusion="ranking_plots",
    stability="plot",
    consensus="plot",
    cutoffs="plot",
    depths="plot",
    skew="plot",
    roc="plot",
    graphs="plot",
)
"""Single pictures."""
