"""From counts to a number: shares, F, averages; one file per kind of number."""

from karat.index import Index

MEASURES = Index(
    "measure",
    "measure",
    "measures",
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
LOSSES = ("mean-absolute-error", "mean-squared-error", "cross-entropy", "divergence")
"""Losses by name, two of numbers and two of distributions; all live in `losses`."""
