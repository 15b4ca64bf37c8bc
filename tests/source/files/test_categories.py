"""Several categories a document: the numbers are those of scikit-learn."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from sklearn.metrics import f1_score, hamming_loss, precision_score

import karat
from karat.errors import InputError, KaratError

NAMES = ["art", "law", "sea", "war"]


@pytest.fixture
def drawn(tmp_path):
    random = np.random.default_rng(7)
    truth = random.random((50, 4)) < 0.4
    found = np.where(random.random((50, 4)) < 0.8, truth, ~truth)

    def texts(rows):
        return [
            ";".join(name for name, there in zip(NAMES, row, strict=True) if there) for row in rows
        ]

    lines = [
        f"d{k},{a},{b}" for k, (a, b) in enumerate(zip(texts(truth), texts(found), strict=True))
    ]
    path = tmp_path / "documents.csv"
    path.write_text("document,truth,m\n" + "\n".join(lines) + "\n")
    return path, truth, found


def value(bench, measure, **options):
    return [row["value"] for row in bench.score(measure=measure, **options).rows()]


def test_assigned_categories_score_as_in_scikit_learn(drawn):
    path, truth, found = drawn
    bench = karat.read(path, format="categories")
    assert value(bench, "micro-f1") == pytest.approx(
        [f1_score(truth, found, average="micro")], abs=1e-12
    )
    assert value(bench, "macro-precision") == pytest.approx(
        [precision_score(truth, found, average="macro")], abs=1e-12
    )
    per_class = {
        row["label"]: row["value"] for row in bench.score(measure="f1", per="class").rows()
    }
    assert per_class == pytest.approx(
        dict(zip(NAMES, f1_score(truth, found, average=None), strict=True)), abs=1e-12
    )


def test_every_cell_of_document_and_category_is_a_yes_or_a_no(drawn):
    path, truth, found = drawn
    bench = karat.read(path, format="cells")
    assert bench.facts.counts.items == 50 * 4
    assert value(bench, "accuracy") == pytest.approx([1 - hamming_loss(truth, found)], abs=1e-12)
    groups = {row["group"]: row["value"] for row in bench.score(measure="f1", per="group").rows()}
    assert [groups[name] for name in NAMES] == pytest.approx(
        f1_score(truth, found, average=None), abs=1e-12
    )
    assert karat.read(path, format="cells", item="place").facts.counts.items == 200


def test_lists_in_json_lines_and_what_was_not_said(tmp_path):
    rows = [
        {"id": 1, "truth": ["art", "law"], "m": ["art"], "n": None},
        {"id": 2, "truth": [], "m": ["sea"], "n": []},
    ]
    path = tmp_path / "documents.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    bench = karat.read(path, format="categories")
    counts = {
        (row["system"], row["measure"]): (row["successes"], row["trials"])
        for row in bench.score(measure="micro-recall,micro-precision").rows()
    }
    assert counts["m", "micro-recall"] == (1, 2)
    assert counts["m", "micro-precision"] == (1, 2)
    assert counts["n", "micro-precision"] == (0, 0)
    assert bench.facts.counts.missing == {"m": 0, "n": 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("document,truth,m\nd1,a,b\nd1,a,c\n", "line 3: the document 'd1' is there twice"),
        ("document,truth,m\nd1,a\n", "line 2: 2 values where the header has 3 names"),
        ("document,truth\nd1,a\n", "no column of a system's categories"),
        ('document,truth,m\nd1,"a,b\n', "line 2"),
    ],
)
def test_bad_tables_are_refused_with_their_place(tmp_path, text, message):
    (tmp_path / "documents.csv").write_text(text)
    with pytest.raises(InputError, match=message):
        karat.read(tmp_path / "documents.csv", format="categories")


@given(
    some.text(alphabet='da;,"\n1é', max_size=40),
    some.sampled_from(["categories", "cells", "correct"]),
    some.booleans(),
)
@settings(derandomize=True, deadline=None, max_examples=15)
def test_whatever_a_table_holds_it_is_counted_or_refused(tmp_path_factory, text, form, lenient):
    path = tmp_path_factory.mktemp("table") / "documents.csv"
    path.write_text("document,truth,m\n" + text)
    try:
        karat.read(path, format=form, lenient=lenient).score()
    except KaratError as error:
        assert str(error)  # noqa: PT017


def test_a_system_that_the_first_document_lacks_is_there(tmp_path):
    rows = [
        {"doc": 1, "truth": ["x"], "a": ["x"]},
        {"doc": 2, "truth": ["x"], "a": ["x"], "b": ["x"]},
    ]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = karat.read(tmp_path / "d.jsonl", format="categories").score(measure="accuracy").rows()
    assert {row["system"]: row["value"] for row in found} == {"a": 1.0, "b": 0.5}


@pytest.mark.parametrize(
    ("lines", "using", "message"),
    [
        ('{"doc": 1, "truth": "x", "a": "x"}', {"sep": ""}, "using={'sep': ...} is empty"),
        (
            '{"doc": 1, "truth": "x", "category": "x"}',
            {},
            "karat has a column 'category' of its own",
        ),
        ('{"doc": 1, "truth": "x", "count": "x"}', {}, "karat has a column 'count' of its own"),
        ('{"doc": 1, "truth": "x", "a": {"x": 0.9}}', {}, "line 1: 'a' holds a dict"),
    ],
)
def test_what_would_be_misread_is_refused(tmp_path, lines, using, message):
    (tmp_path / "d.jsonl").write_text(lines + "\n")
    with pytest.raises(KaratError, match=message):
        karat.read(tmp_path / "d.jsonl", format="cells", using=using)
