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
    delong="karat.doubt.resampling.delong_test:TEST",
    bootstrap="karat.doubt.resampling.resampled_tests",
    jackknife="karat.doubt.resampling.resampled_tests",
    randomisation="over_queries:RANDOMISATION",
    paired_t="over_queries:PAIRED_T",
    **{"exact-midp": "mid_p:EXACT", "mcnemar-midp": "mid_p:MCNEMAR"},
)
"""What `--test` takes: each entry is a `SignificanceTest`, or a plain function of four counts."""
