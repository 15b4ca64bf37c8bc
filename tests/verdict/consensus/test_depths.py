"""Lists cut at a depth: the vote, and the truth, on the first documents of every query, as a plain loop has it."""

import json

import numpy as np
import pytest

import karat
from karat.errors import KaratError, OptionError
from karat.measure.consensus.votes import consensus

NAMES = ("a", "b", "c")


def lists(seed, queries=5, documents=14, *, truth=True):
    """Scores with ties, documents that a system does not list, and a query that one of them does not have."""
    random = np.random.default_rng(seed)
    rows = {
        "item": [],
        "query": [],
        **({"truth": []} if truth else {}),
        **{name: [] for name in NAMES},
    }
    for query in range(queries):
        for document in range(documents):
            rows["item"].append(f"q{query} d{document:02}")
            rows["query"].append(f"q{query}")
            if truth:
                rows["truth"].append(int(random.random() < 0.3))
            for name in NAMES:
                listed = random.random() < 0.7 and (name, query) != ("b", 2)
                rows[name].append(int(random.integers(-3, 9)) / 2 if listed else None)
    return rows


def first(rows, name, depth):
    """Which documents are among the first of their query, counted one by one: of equal scores the later name."""
    told = list(zip(rows["query"], rows["item"], rows[name], strict=True))
    return [
        score is not None
        and sum(
            other is not None and one == query and (other, item) > (score, own)
            for one, item, other in told
        )
        < depth
        for query, own, score in told
    ]


@pytest.mark.parametrize("seed", [1, 2])
def test_the_first_documents_of_every_query_are_retrieved_and_no_others(seed):
    rows = lists(seed)
    found = karat.read(rows).consensus(per="depth", cutoffs=[7, 2, 3])
    assert list(dict.fromkeys(row["depth"] for row in found.rows())) == [2, 3, 7]
    truth = np.array(rows["truth"])
    for depth in (2, 3, 7):
        votes = np.array([first(rows, name, depth) for name in NAMES]).T
        plain = consensus(votes)
        own = {row["system"]: row for row in found.rows() if row["depth"] == depth}
        for place, name in enumerate((*NAMES, "(all)")):
            assert own[name]["precision"] == pytest.approx(plain.precision[place])
            assert own[name]["recall"] == pytest.approx(plain.recall[place])
            assert own[name]["retrieved"] == plain.retrieved[place]
        for place, name in enumerate(NAMES):
            hits = votes[:, place] @ truth
            assert own[name]["truth_precision"] == pytest.approx(hits / votes[:, place].sum())
            assert own[name]["truth_recall"] == pytest.approx(hits / truth.sum())


def test_a_depth_that_no_list_reaches_retrieves_all_that_is_listed():
    rows = lists(3)
    found = karat.read(rows).consensus(per="depth", cutoffs=[100]).rows()
    assert {row["system"]: row["retrieved"] for row in found if row["rank"]} == {
        name: sum(score is not None for score in rows[name]) for name in NAMES
    }


def test_the_vote_on_runs_needs_no_judgements(tmp_path):
    runs = {"x": "q1 Q0 d1 1 12 x\nq1 Q0 d2 2 11 x\n", "y": "q1 Q0 d2 1 0.5 y\nq1 Q0 d3 2 0.1 y\n"}
    paths = [tmp_path / f"{name}.run" for name in runs]
    for path, text in zip(paths, runs.values(), strict=True):
        path.write_text(text)
    bench = karat.read(["-", *map(str, paths)])
    found = {row["system"]: row for row in bench.consensus(per="depth", cutoffs=[1]).rows()}
    assert found["x"]["precision"] == found["y"]["precision"] == pytest.approx(1 / 2)
    assert "truth_precision" not in found["x"]
    with pytest.raises(OptionError, match="cut lists of queries with per='depth'"):
        bench.consensus()


def test_trust_and_the_truth_may_vote_on_lists():
    bench = karat.read(lists(4))
    sure = {
        row["system"]: row
        for row in bench.consensus(per="depth", cutoffs=[3], oracles={"(truth)": 1.0}).rows()
    }
    for name in NAMES:
        assert sure[name]["precision"] == pytest.approx(sure[name]["truth_precision"])
        assert sure[name]["recall"] == pytest.approx(sure[name]["truth_recall"])


def test_the_signature_says_where_lists_were_cut():
    found = karat.read(lists(5)).consensus(per="depth", cutoffs=[2, 5])
    assert "depths='2,5'" in json.loads(found.to_json())["signature"]
    assert "documents that a system does not list count as not retrieved" in found.notes()[0]
    assert list(found.parts()) == [f"retrieved: the first {depth} of each list" for depth in (2, 5)]


@pytest.mark.parametrize(
    ("rows", "options", "words"),
    [
        (lists(1), {"cutoffs": [0]}, "cutoffs= has 0; of a list the first 1 or more"),
        (lists(1), {"cutoffs": [2.5]}, r"cutoffs= has 2\.5"),
        (lists(1), {"cutoffs": []}, "no cut-off is given"),
        (lists(1), {"estimator": "majority"}, "per='depth' is for the vote"),
        (lists(1), {"draws": 10}, "leave draws= and seed= out"),
        ({"a": [0.5, 1.5], "b": [0.1, 0.2]}, {}, "group=COL and item=COL"),
        (
            {"item": [1, 2], "query": ["q", "q"], "a": ["x", "y"], "b": ["y", "y"]},
            {},
            "these answers are label",
        ),
    ],
)
def test_what_cannot_be_cut_is_refused(rows, options, words):
    with pytest.raises(KaratError, match=words):
        karat.read(rows).consensus(per="depth", **options)
