"""Tables of questions whose answers are kept: texts, rankings, spans, samples, votes with copies, grades, marks."""

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import karat
from support.kept_questions import ITEMS, NAMES, POSITIVE, SCORES

RANDOM = np.random.default_rng(2027)
LETTERS = np.array(list("abcdefgh"))


def _misread(text: str, share: float) -> str:
    """Return a text some of whose letters are lost, doubled or others."""
    read = []
    for letter in text:
        chance = RANDOM.random()
        if chance < share / 3:
            continue
        read.append(str(RANDOM.choice(LETTERS)) if chance < share else letter)
        if chance > 1 - share / 3:
            read.append(letter)
    return "".join(read)


def _line() -> str:
    words = ["".join(RANDOM.choice(LETTERS, 3 + place % 3)) for place in range(5)]
    return " ".join(words)


LINES = [_line() for _ in range(40)]
TEXTS = {
    "item": NAMES[:40],
    "truth": LINES,
    "a": [_misread(line, 0.05) for line in LINES],
    "b": [_misread(line, 0.12) for line in LINES],
    "page": [f"p{place // 5}" for place in range(40)],
}


def texts(**options: Any) -> karat.Bench:
    return karat.read(TEXTS, systems=["a", "b"], **options)


DOCUMENTS = [f"d{place}" for place in range(12)]
QUERY = np.repeat([f"q{place}" for place in range(14)], 12)
GAIN = RANDOM.choice([0, 0, 0, 1, 2], len(QUERY))
RUNS = {
    "query": QUERY.tolist(),
    "item": [f"{query} {document}" for query, document in zip(QUERY, DOCUMENTS * 14, strict=True)],
    "truth": [None if RANDOM.random() < 0.1 else int(gain > 0) for gain in GAIN],
    "grade": GAIN.tolist(),
}
RUNS |= {
    name: np.round(GAIN + noise * RANDOM.normal(size=len(GAIN)), 1).tolist()
    for name, noise in (("a", 0.8), ("b", 1.6), ("c", 4.0))
}


def runs() -> karat.Bench:
    return karat.read(RUNS, positive="1", grade="grade")


@cache
def spans() -> karat.Bench:
    """Two systems that find most of the names of 20 documents, some with other ends or another type."""
    random = np.random.default_rng(5)
    lines: dict[str, list[str]] = {"truth": [], "a": [], "b": []}
    for document in range(20):
        truth = [[6 * place, 6 * place + 4, "PL"[place % 2]] for place in range(5)]
        lines["truth"].append(json.dumps({"id": document, "spans": truth}))
        for name, share in (("a", 0.85), ("b", 0.6)):
            found = []
            for start, end, kind in truth:
                if random.random() < share:
                    found.append([start, end, kind])
                elif random.random() < 0.6:
                    found.append([start + 1, end, str(random.choice(["P", "L"]))])
            lines[name].append(json.dumps({"id": document, "spans": found}))
    with TemporaryDirectory() as folder:
        paths = []
        for name, documents in lines.items():
            path = Path(folder) / f"{name}.jsonl"
            path.write_text("\n".join(documents), encoding="utf-8")
            paths.append(str(path))
        return karat.read(paths, format="spans", using={"rows": "documents"})


DIFFICULTY = RANDOM.random(30)


def samples() -> karat.Bench:
    """Three answers of each of two models to 30 problems."""
    rows = []
    for item in range(30):
        hard = DIFFICULTY[item]
        for place, name in enumerate("ab"):
            rows += [
                (f"p{item}", name, int((7 * item + 5 * place + 3 * k) % 10 / 10 > hard))
                for k in range(3)
            ]
    items, models, correct = zip(*rows, strict=True)
    return karat.read(
        {"item": items, "system": models, "correct": correct}, correct=True, repeats="keep"
    )


MANY = {"item": [f"m{place}" for place in range(400)]}
_TRUTH = RANDOM.integers(0, 2, 400)
_SKILL = (0.85, 0.8, 0.75, 0.7, 0.65)
for _name, _skill in zip("abcde", _SKILL, strict=True):
    MANY[_name] = np.where(RANDOM.random(400) < _skill, _TRUTH, 1 - _TRUTH).tolist()
_TAKEN = RANDOM.random(400) < 0.7
MANY["f"] = np.where(_TAKEN, MANY["a"], 1 - np.array(MANY["b"])).tolist()
MANY_WITH_TRUTH = MANY | {"truth": _TRUTH.tolist()}
GRADED = {
    "item": np.repeat(NAMES, 2).tolist(),
    "system": ["new", "old"] * ITEMS,
    "gpt": RANDOM.integers(0, 2, 2 * ITEMS).tolist(),
}
_AGREE = RANDOM.random(2 * ITEMS) < 0.8
_SEEN = RANDOM.random(2 * ITEMS) < 0.4
GRADED["human"] = [
    int(judge) if agree else 1 - int(judge)
    for judge, agree in zip(GRADED["gpt"], _AGREE, strict=True)
]
GRADED["human"] = [
    grade if seen else None for grade, seen in zip(GRADED["human"], _SEEN, strict=True)
]
MARKS = {
    "image": [f"i{place // 6}" for place in range(ITEMS)],
    "r1": (POSITIVE | (RANDOM.random(ITEMS) < 0.1)).astype(int).tolist(),
    "r2": (POSITIVE & (RANDOM.random(ITEMS) < 0.8)).astype(int).tolist(),
    "r3": np.where(RANDOM.random(ITEMS) < 0.7, POSITIVE, RANDOM.random(ITEMS) < 0.3)
    .astype(int)
    .tolist(),
    "a": SCORES["a"],
    "b": SCORES["b"],
    "c": SCORES["c"],
}
"""Marks of three annotators, scores of three systems."""
UNLABELLED = {name: np.round(RANDOM.normal(size=300) + 0.3, 1).tolist() for name in "abc"}
"""Scores of items without labels, from where the systems are used."""
