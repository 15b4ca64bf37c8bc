"""Whether two numbers differ: p-values and intervals of differences, from counts."""

from karat.index import Index

TESTS = Index(
    "doubt.tests",
    "test",
    "tests",
    exact="two_samples:TEST",
    mcnemar="mcnemar:TEST",
    barnard="barnard:TEST",
    boschloo="boschloo:TEST",
    bootstrap="karat.doubt.resampling.resampled_tests",
    jackknife="karat.doubt.resampling.resampled_tests",
)
"""What `--test` takes: each entry is a `SignificanceTest`, or a plain function of four counts."""
