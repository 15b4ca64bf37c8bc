"""Precision, curves and areas at another prevalence than that of the data."""

from karat.index import Index

PRIORS = Index(
    "measure.prevalence",
    "prior",
    "priors",
    uniform="priors",
    normal="priors:gaussian",
    landgrebe="priors",
)
"""How likely each class balance of a range is."""
TRAJECTORIES = Index(
    "measure.prevalence",
    "trajectory",
    "trajectories",
    constant="trajectory",
    linear="trajectory",
    exponential="trajectory",
    sine="trajectory",
    logistic="trajectory",
)
"""How a class balance changes with time."""
