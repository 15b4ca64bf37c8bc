"""Predictions in memory give the numbers that scikit-learn gives."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.metrics import accuracy_score, f1_score, precision_score

import karat
from karat.errors import InputError, KaratError


def value(bench, measure, system="m", **options):
    rows = bench.score(measure=measure, **options).rows()
    return next(
        row["value"]
        for row in rows
        if row["system"] == system and row.get("group") in {None, "(mean)"}
    )


@pytest.fixture
def drawn():
    random = np.random.default_rng(3)
    truth = random.choice(["ant", "bee", "cat"], 200)
    shares = random.dirichlet([1, 1, 1], 200)
    shares[np.arange(200), np.unique(truth, return_inverse=True)[1]] += 0.5
    return truth, shares / shares.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("measure", ["accuracy", "macro-f1", "macro-precision"])
def test_labels_and_probabilities_score_as_in_scikit_learn(drawn, measure):
    truth, shares = drawn
    labels = np.unique(truth)[shares.argmax(axis=1)]
    expected = {
        "accuracy": accuracy_score(truth, labels),
        "macro-f1": f1_score(truth, labels, average="macro"),
        "macro-precision": precision_score(truth, labels, average="macro"),
    }[measure]
    for answers in (shares, labels, labels.tolist(), shares.tolist()):
        assert value(karat.from_predictions(truth, {"m": answers}), measure) == pytest.approx(
            expected, abs=1e-12
        )


def test_probabilities_keep_their_class_names(drawn):
    truth, shares = drawn
    swapped = karat.from_predictions(truth, {"m": shares[:, ::-1]}, classes=["cat", "bee", "ant"])
    assert value(swapped, "accuracy") == value(
        karat.from_predictions(truth, {"m": shares}), "accuracy"
    )


def test_beside_labels_probabilities_count_as_their_likeliest_label(drawn):
    truth, shares = drawn
    bench = karat.from_predictions(
        truth, {"m": shares, "n": np.unique(truth)[shares.argmax(axis=1)]}
    )
    assert value(bench, "accuracy", "m") == value(bench, "accuracy", "n")
    assert "likeliest label of 'm'" in bench.facts.notes[0]


def test_several_labels_an_item_are_cells_of_item_and_class():
    random = np.random.default_rng(5)
    truth, answers = random.integers(0, 2, (2, 60, 4))
    bench = karat.from_predictions(truth, {"m": answers}, classes=list("wxyz"))
    assert value(bench, "f1") == pytest.approx(f1_score(truth, answers, average="micro"), abs=1e-12)
    per_class = [row["value"] for row in bench.score(measure="f1", per="group").rows()][:4]
    assert per_class == pytest.approx(f1_score(truth, answers, average=None), abs=1e-12)


def test_without_truth_the_systems_judge_each_other():
    answers = {"a": [1, 0, 1, 1], "b": [1, 0, 1, 0], "c": [0, 1, 0, 1]}
    assert karat.from_predictions(None, answers).consensus().rows()


@pytest.mark.parametrize(
    ("truth", "answers", "message"),
    [
        ([1, 0], {"m": [1]}, "'m' has 1 prediction for 2 truths"),
        ([1, 0], {}, "at least one system"),
        (
            [1, 0],
            {"m": np.ones((2, 3)) / 3},
            "'m' has 3 columns of classes, but the classes are '0', '1'",
        ),
        (None, {"m": np.ones((2, 3)) / 3}, "name their columns with classes"),
        ([1, 0], {"y_true": [1, 0]}, "no system can be called 'y_true'"),
        (
            np.ones((2, 3), int),
            {"m": np.ones((2, 2), int)},
            "'m' has 2 columns of classes, but the classes are '0', '1', '2'",
        ),
        (["a", "b"], {"m": [["a", "b"], ["b", "a"]]}, "'m' has several columns of text"),
        ([1, 0], {"m": [[0.1, 0.9], [0.3]]}, "'m' has rows of different lengths"),
        (np.eye(2, dtype=int), {"class": np.eye(2, dtype=int)}, "no system can be called 'class'"),
        (
            ["a", "b"],
            {"m": pd.DataFrame({"p_a": [0.1, 0.2], "p_b": [0.9, 0.8]})},
            "has the columns 'p_a', 'p_b'",
        ),
    ],
)
def test_what_does_not_fit_is_said(truth, answers, message):
    with pytest.raises(InputError, match=message):
        karat.from_predictions(truth, answers)


def test_a_frame_of_probabilities_goes_by_the_names_of_its_columns():
    shares = pd.DataFrame({"dog": [0.1, 0.9, 0.2], "cat": [0.9, 0.1, 0.8]})
    truth = ["cat", "dog", "cat"]
    assert value(karat.from_predictions(truth, {"m": shares}), "accuracy") == 1
    assert value(karat.from_predictions(truth, {"m": shares, "n": truth}), "accuracy") == 1
    assert (
        value(karat.from_predictions(truth, {"m": shares}, classes=["cat", "dog"]), "accuracy") == 1
    )
    several = pd.DataFrame({"news": [1, 0], "sport": [0, 1]})
    assert (
        value(karat.from_predictions(several, {"m": several[["sport", "news"]]}), "accuracy") == 1
    )


@pytest.mark.parametrize(
    "truth",
    [
        np.array([1.0, 0.0, 1.0]),
        np.array([True, False, True]),
        np.array([1, 0, 1]),
        [[1], [0], [1]],
        [1.0, 0.0, float("nan")],
        pd.Series([1, 0, None], dtype="Int64"),
    ],
    ids=["floats", "truth values", "whole", "a column", "one unknown", "one NA"],
)
@pytest.mark.parametrize(
    "beside", [{}, {"n": [1, 0, 1]}, {"n": [True, False, True]}], ids=["alone", "ints", "bools"]
)
def test_one_and_true_are_one_label_for_probabilities_as_for_scikit_learn(truth, beside):
    found = karat.from_predictions(
        truth, {"m": np.array([[0.1, 0.9], [0.8, 0.2], [0.3, 0.7]]), **beside}
    )
    assert [row["value"] for row in found.score(measure="accuracy").rows()] == [1] * (
        1 + len(beside)
    )


def test_text_of_digits_is_sorted_as_text_as_in_scikit_learn():
    found = karat.from_predictions(["10", "9"], {"m": [[0.9, 0.1], [0.2, 0.8]]})
    assert value(found, "accuracy") == 1


def test_an_unknown_probability_makes_no_label_the_likeliest():
    found = karat.from_predictions(["a", "b"], {"m": [[np.nan, 0.4], [0.1, 0.9]], "n": ["a", "b"]})
    assert found.facts.counts.missing == {"m": 1, "n": 0}


def test_scores_beside_probabilities_are_no_labels():
    with pytest.raises(InputError, match="'n' has scores where others have"):
        karat.from_predictions([1, 0], {"m": np.eye(2), "n": [0.25, 0.5]})


def test_sparse_matrices_of_labels_are_read():
    several = scipy.sparse.csr_matrix(np.eye(3, dtype=int))
    assert value(karat.from_predictions(several, {"m": several}), "accuracy") == 1


@pytest.mark.parametrize(
    ("shares", "note"),
    [
        (
            [[0.5, 0.5], [0.1, 0.1]],
            "'m' has 1 row of numbers that are not probabilities, as for item 2, with the sum 0.2;",
        ),
        (
            [[-1.0, 2.0], [0.5, 0.5]],
            "'m' has 1 row of numbers that are not probabilities, as for item 1, with the sum 1;",
        ),
    ],
)
def test_rows_that_are_no_probabilities_are_said(shares, note):
    assert note in karat.from_predictions(["a", "b"], {"m": shares}).facts.notes[0]


def test_where_one_probability_is_unknown_the_answer_is_missing():
    found = karat.from_predictions(["a", "b"], {"m": [[np.nan, 1.0], [0.5, 0.5]]})
    assert found.facts.counts.missing == {"m": 1}
    assert not found.facts.notes


def test_what_else_is_known_of_an_item_is_given_beside_its_predictions() -> None:
    """As columns of the table that holds the same."""
    truth, answers = ["a", "b", "a", "b"], ["a", "b", "b", "b"]
    beside = {"group": ["x", "x", "y", "y"], "cluster": [1, 1, 2, 2]}
    bench = karat.from_predictions(truth, {"m": answers}, **beside)
    table = karat.read(
        {"truth": truth, "m": answers, "group": beside["group"], "page": [1, 1, 2, 2]},
        cluster="page",
    )
    rows = bench.score(measure="accuracy", per="group").rows()
    assert rows == table.score(measure="accuracy", per="group").rows()
    weighted = karat.from_predictions(truth, {"m": answers}, weight=[1, 1, 3, 1])
    assert value(weighted, "accuracy") == pytest.approx(0.5)


def test_a_value_beside_is_that_of_every_class_where_items_have_several_labels() -> None:
    """Clusters keep the cells of an item together."""
    several = [[1, 0], [0, 1], [1, 1]]
    bench = karat.from_predictions(several, {"m": several}, cluster=["p", "p", "q"])
    assert "2 clusters" in bench.score(measure="accuracy").rows()[0]["method"]


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        ({"group": ["x"]}, "group= has 1 value for 3 items; every item needs one"),
        (
            {"wieght": [1, 1, 1]},
            "no option of from_predictions is called 'wieght'; did you mean 'weight'?",
        ),
    ],
)
def test_what_does_not_fit_beside_the_predictions_is_refused(beside, words) -> None:
    """With the number of values, or the nearest name."""
    with pytest.raises(KaratError) as caught:
        karat.from_predictions(["a", "b", "a"], {"m": ["a", "b", "b"]}, **beside)
    assert str(caught.value).startswith(words)
