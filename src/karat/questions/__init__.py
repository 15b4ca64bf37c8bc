"""The questions: each counts what it needs, asks the verdict, and signs the result."""

from karat.index import Index

PLOTS = Index(
    "questions",
    "plot",
    "plots",
    scores="plot",
    comparisons="plot",
    stability="plot",
    consensus="plot",
    cutoffs="plot",
    depths="plot",
    skew="plot",
    roc="plot",
    graphs="plot",
)
"""Single pictures."""
