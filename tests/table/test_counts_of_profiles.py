"""Which answers are missing: known from a first look at the columns where every row has a truth, else counted."""

from unittest import mock

import pytest

import karat
from karat.table import build

LABELS = {
    "item": ["1", "2", "3"],
    "truth": ["x", "y", "x"],
    "a": ["x", None, "x"],
    "b": ["y", "y", ""],
}
SCORES = {"item": [1, 2, 3], "truth": [1, 0, 1], "a": [0.5, None, 0.25], "b": [1.5, 2.0, 3.0]}
GAPS = LABELS | {"truth": ["x", None, "x"]}
NO_TRUTH = {name: LABELS[name] for name in ("item", "a", "b")}


def counted_again(columns, **options):
    with mock.patch.object(build, "counts_of_profiles", return_value=None):
        return karat.read(columns, **options).facts.counts


@pytest.mark.parametrize("columns", [LABELS, SCORES, GAPS, NO_TRUTH])
@pytest.mark.parametrize("options", [{}, {"no_answer": ["y"]}])
def test_they_are_those_of_a_second_look(columns, options):
    found = karat.read(columns, **options).facts.counts
    assert found == counted_again(columns, **options)
    assert found.items == 3


def test_a_second_look_is_taken_only_where_truths_are_missing():
    with mock.patch.object(build, "count_rows", wraps=build.count_rows) as look:
        karat.read(LABELS)
        karat.read(SCORES)
        karat.read(NO_TRUTH)
        assert look.call_count == 0
        karat.read(GAPS)
        karat.read(LABELS, no_truth=["y"])
        karat.read(LABELS | {"number": [1, 2, 3]}, count="number")
        assert look.call_count == 3


def test_scores_stored_as_numbers_are_not_counted_by_value_but_labels_are():
    uses = {use.column: use.distinct for use in karat.read(SCORES).facts.uses}
    assert uses["a"] is uses["b"] is None
    labels = {"truth": [1.0, 2.0, 3.0], "a": [1.0, 2.0, 2.0], "b": [3.0, None, 3.0]}
    uses = {use.column: use.distinct for use in karat.read(labels).facts.uses}
    assert (uses["truth"], uses["a"], uses["b"]) == (3, 2, 1)
