"""The same answers give the same bytes: wide or long, in whatever order systems and rows happen to stand."""

import json

import numpy as np
import pytest

import karat

RANDOM = np.random.default_rng(3)
NUMBER = 120
CLASS = RANDOM.integers(0, 3, NUMBER)
NAMES = np.array(["cat", "dog", "eel"])
SYSTEMS = ("zeta", "alpha", "mid", "Beta")
"""Neither in the order of their names nor the other way round."""
POSITIVE = RANDOM.integers(0, 2, NUMBER)


def noisy(share):
    return np.where(RANDOM.random(NUMBER) < share, RANDOM.integers(0, 3, NUMBER), CLASS)


LABELS = {name: NAMES[noisy(0.2 + 0.05 * k)] for k, name in enumerate(SYSTEMS)}
SCORES = {
    name: np.round(RANDOM.normal(size=NUMBER) + POSITIVE * (1.5 - 0.2 * k), 1)
    for k, name in enumerate(SYSTEMS)
}
YES = {
    name: np.where(RANDOM.random(NUMBER) < 0.2 + 0.05 * k, 1 - POSITIVE, POSITIVE)
    for k, name in enumerate(SYSTEMS)
}
OF_LABELS = (LABELS, NAMES[CLASS], {})
OF_YES = (YES, POSITIVE, {})
OF_SCORES = (SCORES, POSITIVE, {"kinds": "score"})
QUESTIONS = {
    "score": (OF_LABELS, lambda bench: bench.score(seed=1)),
    "score by class": (OF_LABELS, lambda bench: bench.score(per="class", seed=1)),
    "score of scores": (
        OF_SCORES,
        lambda bench: bench.score(measure="average-precision", seed=1),
    ),
    "compare": (OF_LABELS, lambda bench: bench.compare(ranks=True, draws=200, seed=1)),
    "compare by F": (
        OF_LABELS,
        lambda bench: bench.compare(measure="macro-f1", draws=200, seed=1),
    ),
    "stability": (OF_LABELS, lambda bench: bench.stability(label_error=0.05, draws=200, seed=1)),
    "stability by F": (
        OF_LABELS,
        lambda bench: bench.stability(label_error=0.05, measure="macro-f1", draws=200, seed=1),
    ),
    "stability of few": (
        OF_LABELS,
        lambda bench: bench.stability(label_error=0.05, few=True, draws=200, seed=1),
    ),
    "consensus": (OF_LABELS, lambda bench: bench.consensus(draws=30, seed=1)),
    "consensus of yes and no": (OF_YES, lambda bench: bench.consensus(draws=30, seed=1)),
    "dawid-skene": (
        OF_LABELS,
        lambda bench: bench.consensus(estimator="dawid-skene", draws=20, seed=1),
    ),
    "families": (OF_YES, lambda bench: bench.consensus(families={"found": ()}, draws=0)),
    "items": (OF_LABELS, lambda bench: bench.consensus(per="item")),
    "skew": (OF_SCORES, lambda bench: bench.skew(low=0.01, high=0.2, draws=50, seed=1)),
    "skew under label noise": (
        OF_SCORES,
        lambda bench: bench.skew(low=0.01, high=0.2, label_error=0.03, draws=40, seed=1),
    ),
}


def wide(answers, truth, order):
    return {"item": np.arange(NUMBER), "truth": truth, **{name: answers[name] for name in order}}


def long(answers, truth, rows):
    return {
        "item": np.array([item for item, _ in rows]),
        "system": np.array([name for _, name in rows]),
        "truth": np.array([truth[item] for item, _ in rows]),
        "answer": np.array([answers[name][item] for item, name in rows]),
    }


def answered(data, reading, ask):
    """The answer, without what says how the data was laid out."""
    found = json.loads(ask(karat.read(data, **reading)).to_json())
    del found["input"]
    return json.dumps(found)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_answers_give_the_same_bytes(question):
    (answers, truth, reading), ask = QUESTIONS[question]
    expected = answered(wide(answers, truth, SYSTEMS), reading, ask)
    rows = [(item, name) for item in range(NUMBER) for name in SYSTEMS]
    shuffled = [rows[place] for place in RANDOM.permutation(len(rows))]
    for order in (sorted(SYSTEMS), SYSTEMS[::-1]):
        assert answered(wide(answers, truth, order), reading, ask) == expected
        chosen = {**reading, "systems": order}
        assert answered(wide(answers, truth, SYSTEMS), chosen, ask) == expected
    assert answered(long(answers, truth, rows), reading, ask) == expected
    if question != "items":  # their rows are in the order of the file
        assert answered(long(answers, truth, shuffled), reading, ask) == expected


def test_the_demo_has_one_answer_wide_and_long(tmp_path):
    from importlib.resources import files

    lines = (files("karat.demo") / "digits.csv").read_text(encoding="utf-8").splitlines()[:301]
    names, *rows = [line.split(",") for line in lines]
    table = tmp_path / "wide.csv"
    table.write_text("\n".join(lines))
    written = ["item,system,truth,answer"]
    for row in rows:
        cells = dict(zip(names, row, strict=True))
        item, truth = cells.pop("item"), cells.pop("truth")
        written += [
            f"{item},{name},{truth},{answer}" for name, answer in cells.items() if "." not in name
        ]
    other = tmp_path / "long.csv"
    other.write_text("\n".join(written))
    answers = [
        answered(path, {}, lambda bench: bench.stability(label_error=0.03, draws=200, seed=1))
        for path in (table, other)
    ]
    assert answers[0] == answers[1]
