"""Scores that rank the documents of queries: no score of one query is compared with one of another."""

import pytest

import karat
from karat.errors import OptionError

# Each query is ranked perfectly, but every document of q1 has a higher score than any of q2.
RANKED = {
    "item": ["a", "b", "c", "d", "e", "f"],
    "query": ["q1", "q1", "q1", "q2", "q2", "q2"],
    "truth": [1, 0, 0, 1, 1, 0],
    "run": [0.9, 0.8, 0.7, 0.6, 0.5, 0.1],
}
SCORED = {
    **{name: cells for name, cells in RANKED.items() if name != "query"},
    "task": RANKED["query"],
}


def bench(**options):
    return karat.read(RANKED, systems=["run"], **options)


def test_rankings_are_scored_query_by_query():
    found = bench().score()
    assert [(row["measure"], row["value"]) for row in found.rows()][:2] == [
        ("AP", 1.0),
        ("P@10", pytest.approx(0.15)),
    ]
    assert {row["method"] for row in found.rows()} <= {
        "t over 2 queries",
        "no spread over 2 queries",
    }
    assert any("over queries" in note for note in found.notes())


def test_the_numbers_are_those_of_retrieval():
    ours, theirs = (
        bench().score(measure="RR,P@2").rows(),
        bench().retrieval(measure="RR,P@2").rows(),
    )
    assert [{name: row[name] for name in ("measure", "value", "low", "high")} for row in ours] == [
        {name: row[name] for name in ("measure", "value", "low", "high")} for row in theirs
    ]


def test_an_area_over_all_queries_can_be_asked_for():
    assert bench().score(measure="roc-area").rows()[0]["value"] == pytest.approx(5 / 9)


def test_groups_that_are_no_queries_are_scored_together():
    assert {row["measure"] for row in karat.read(SCORED, systems=["run"]).score().rows()} == {
        "roc-area",
        "average-precision",
    }


def test_a_report_ranks_by_average_precision_over_queries(tmp_path):
    page = tmp_path / "page.md"
    bench().report(page)
    assert "The ranking by AP" in page.read_text()
    assert "These are rankings of documents by query" in page.read_text()
    assert "precision-recall" not in page.read_text()


def test_intervals_over_queries_have_two_sides():
    with pytest.raises(OptionError, match="leave side= out"):
        bench().score(side="lower")


def test_an_area_is_not_of_answers():
    scores = {"truth": [1, 0, 1], "a": [0.9, 0.8, 0.1], "b": [0.2, 0.3, 0.4]}
    with pytest.raises(
        OptionError, match="roc-area is of scores as they are; leave threshold= out"
    ):
        karat.read(scores).compare(measure="roc-area", threshold=0.5)
    labels = {"truth": ["x", "y", "x"], "a": ["x", "y", "y"], "b": ["y", "y", "x"]}
    with pytest.raises(OptionError, match="a curve is of scores"):
        karat.read(labels).compare(measure="roc-area")


def test_scores_are_judged_before_accuracies_are_compared():
    scores = {"truth": [1, 0, 1], "a": [0.9, 0.8, 0.1], "b": [0.2, 0.3, 0.4]}
    with pytest.raises(
        OptionError, match="with threshold=; or compare areas, karat compare --measure roc-area"
    ):
        karat.read(scores).compare()
    with pytest.raises(OptionError, match="by one kind at a time"):
        karat.read(scores).compare(measure="roc-area,accuracy")
