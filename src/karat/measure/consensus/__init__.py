"""How good systems are by each other's answers, where there is no truth."""

from karat.index import Index

ESTIMATORS = Index(
    "measure.consensus",
    "estimator",
    "estimators",
    vote="votes:consensus",
    dawid_skene="dawid_skene",
    likeliest="likeliest",
    spectral="spectral",
    majority="majority",
)
"""How good systems are by each other's answers, where there is no truth."""
