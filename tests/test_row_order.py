"""The order in which rows happen to stand, or an engine happens to read them, changes no digit of any answer."""

import numpy as np
import pytest

import karat

RANDOM = np.random.default_rng(7)
NUMBER = 300
TRUTH = RANDOM.integers(0, 2, NUMBER)


def noisy(share):
    return np.where(RANDOM.random(NUMBER) < share, 1 - TRUTH, TRUTH)


LABELS = {
    "item": np.arange(NUMBER),
    "truth": TRUTH,
    **{f"s{k}": noisy(0.1 + 0.1 * k) for k in range(3)},
}
SCORES = {
    "item": np.arange(NUMBER),
    "truth": TRUTH,
    # Rounded, so that there are ties, and both zeros among them.
    **{f"s{k}": np.round(RANDOM.normal(size=NUMBER) + TRUTH * (2 - k), 1) for k in range(3)},
}
YES = {f"s{k}.p.1": RANDOM.random(NUMBER).round(1) for k in range(3)}
NO = {f"s{k}.p.0": 1 - YES[f"s{k}.p.1"] for k in range(3)}
CONFIDENCES = {"item": np.arange(NUMBER), "truth": TRUTH, **YES, **NO}


def loss(bench):
    return bench.stability(measure="cross-entropy", floor=0.01, label_error=0.05)


QUESTIONS = {
    "score": (LABELS, {}, lambda bench: bench.score()),
    "score of scores": (
        SCORES,
        {"kinds": "score"},
        lambda bench: bench.score(measure="average-precision"),
    ),
    "compare": (LABELS, {}, lambda bench: bench.compare()),
    "stability": (LABELS, {}, lambda bench: bench.stability(label_error=0.05, draws=200)),
    "loss of confidences": (
        CONFIDENCES,
        {},
        loss,
    ),
    "consensus": (LABELS, {}, lambda bench: bench.consensus()),
    "consensus of confidences": (CONFIDENCES, {}, lambda bench: bench.consensus()),
    "dawid-skene": (LABELS, {}, lambda bench: bench.consensus(estimator="dawid-skene", draws=50)),
    "skew": (SCORES, {"kinds": "score"}, lambda bench: bench.skew(low=0.01, high=0.2, draws=100)),
}


def test_both_zeros_are_among_the_scores():
    zeros = SCORES["s0"][SCORES["s0"] == 0]
    assert set(np.signbit(zeros).tolist()) == {True, False}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_order_of_the_rows_changes_nothing(question):
    data, reading, ask = QUESTIONS[question]
    orders = [np.arange(NUMBER), np.arange(NUMBER)[::-1], RANDOM.permutation(NUMBER)]
    answers = {
        ask(karat.read({name: column[order] for name, column in data.items()}, **reading)).to_json()
        for order in orders
    }
    assert len(answers) == 1
