"""A query with exactly one relevant document, the second of five: every measure of rankings by hand."""

from math import log2

import pytest

import karat

WANTED = {
    "P@1": 0.0,
    "P@2": 1 / 2,
    "P@5": 1 / 5,
    "R@1": 0.0,
    "R@2": 1.0,
    "AP": 1 / 2,
    "Rprec": 0.0,
    "RR": 1 / 2,
    "Success@1": 0.0,
    "Success@2": 1.0,
    "nDCG@1": 0.0,
    "nDCG@5": 1 / log2(3),
    "RBP(p=0.8)": 0.2 * 0.8,
    "Bpref": 0.0,
    "Judged@5": 1.0,
}


@pytest.fixture(scope="module")
def bench():
    """Two queries alike, so that their mean is that of each; the other system has the document last."""
    table = {
        "query": ["q"] * 5 + ["r"] * 5,
        "item": [f"d{place}" for place in range(10)],
        "truth": [0, 1, 0, 0, 0] * 2,
        "second": [0.9, 0.8, 0.7, 0.6, 0.5] * 2,
        "last": [0.9, 0.1, 0.7, 0.6, 0.5] * 2,
    }
    return karat.read(table, positive="1", kinds="score")


@pytest.mark.parametrize("measure", WANTED)
def test_the_second_document_is_relevant(bench, measure):
    values = {
        row["system"]: row["value"]
        for row in bench.retrieval(measure=measure, per="query").rows()
        if row["query"] == "q"
    }
    assert values["second"] == pytest.approx(WANTED[measure])
    if measure in {"AP", "RR"}:
        assert values["last"] == pytest.approx(1 / 5)
    if measure in {"R@2", "Success@2", "P@2"}:
        assert values["last"] == 0.0
