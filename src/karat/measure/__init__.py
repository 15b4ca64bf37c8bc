"""From counts to a number: shares, F, averages; one file per kind of number."""

from karat.index import Index

MEASURES = Index(
    "measure",
    accuracy="share",
    error_rate="share",
    precision="share",
    recall="share",
    specificity="share",
    f="f",
    balanced_accuracy="average",
    roc_area="curves",
    average_precision="curves",
)
GRAPH_MEASURES = Index(
    "measure",
    "measure of graphs",
    label_error="graph_rates",
    expression_error="graph_rates",
    competition="graph_rates",
    graph_distance="graph_distance:distance",
    graph_distances="graph_distance:distances",
)
"""How far label graphs are from the truth and from each other."""
LOSSES = ("mean-absolute-error", "mean-squared-error", "cross-entropy", "divergence")
"""Losses by name, two of numbers and two of distributions; all live in `losses`."""
ESTIMATORS = Index(
    "measure",
    "estimator",
    vote="votes:consensus",
    dawid_skene="dawid_skene",
    likeliest="likeliest",
    spectral="spectral",
    majority="majority",
)
"""How good systems are by each other's answers, where there is no truth."""
PRIORS = Index("measure", "prior", uniform="spread", normal="spread:gaussian", landgrebe="spread")
"""How likely each class balance of a range is."""
TRAJECTORIES = Index(
    "measure",
    "trajectory",
    constant="trajectory",
    linear="trajectory",
    exponential="trajectory",
    sine="trajectory",
    logistic="trajectory",
)
"""How a class balance changes with time."""
