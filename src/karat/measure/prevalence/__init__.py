"""Precision, curves and areas at another prevalence than that of the data."""

from karat.index import Index

PRIORS = Index(
    "measure.prevalence",
    "prior",
    "priors",
    uniform="priors.uniform:PRIOR",
    normal="priors.normal:PRIOR",
    landgrebe="priors.landgrebe:PRIOR",
)
"""How likely each prevalence of a range is; an entry is a `prior.Prior`."""
DEFAULT_PRIOR = "uniform"
TRAJECTORIES = Index(
    "measure.prevalence",
    "trajectory",
    "trajectories",
    constant="trajectories.constant:SHAPE",
    linear="trajectories.linear:SHAPE",
    exponential="trajectories.exponential:SHAPE",
    sine="trajectories.sine:SHAPE",
    logistic="trajectories.logistic:SHAPE",
)
"""How a prevalence changes with time; an entry is a `trajectory.TrajectoryShape`."""
