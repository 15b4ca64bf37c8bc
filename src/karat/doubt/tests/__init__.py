"""Whether two numbers differ: p-values and intervals of differences, from counts."""

from karat.index import Index

TESTS = Index(
    "doubt.tests",
    "test",
    "tests",
    exact="two_samples:two_samples",
    mcnemar="mcnemar",
    barnard="barnard",
    boschloo="boschloo",
    bootstrap="karat.doubt.resampling.joint:joint",
    jackknife="karat.doubt.resampling.joint:joint_without",
)
