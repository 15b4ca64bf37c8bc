"""How good systems are, judged by each other's answers, where there is no truth."""

from karat.index import Index

ESTIMATORS = Index(
    "measure.consensus",
    "estimator",
    "estimators",
    combined="combined:by_combined",
    one_coin="one_coin:by_one_coin",
    pooled="pooled:by_pooled",
    vote="vote",
    dawid_skene="dawid_skene:by_dawid_skene",
    likeliest="likeliest:by_likeliest_labels",
    spectral="spectral:by_covariances",
    majority="majority:by_majority",
)
"""The ways to judge systems by each other's answers; each is an `Estimator` of `karat.measure.consensus.estimator`."""
DEFAULT_ESTIMATOR = "combined"
"""The default estimator, unless an option is given that only the vote has."""
