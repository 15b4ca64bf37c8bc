"""Every measure, and two made-up ones, through every question: an answer that goes the right way, or a remedy."""

import json
import math
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import numpy as np
import pytest

import karat
from karat.errors import KaratError
from karat.measure import MEASURES
from karat.measure.measure import measure
from karat.measure.quantity import Quantity, measure_named
from karat.measure.share import Share

LABELS = ("cat", "dog", "elk")
ITEMS = 120
ACCURACY = {"bad": 0.4, "good": 0.95, "mid": 0.7}
"""Named so that neither the alphabet nor the order of the columns is the ranking."""
SCORE, COMPARE, STABILITY, REPORT = "score", "compare", "stability", "report"
ANSWERED = {
    "confusion": {SCORE, COMPARE, STABILITY, REPORT},
    "curve": {SCORE, COMPARE, REPORT},
    "confidences": {SCORE, COMPARE, REPORT},
    "losses": {STABILITY},
    "ranking": {SCORE, COMPARE, REPORT},
    "numbers": {STABILITY},
    "boxes": set(),
    "counts": set(),
    "texts": {SCORE, COMPARE, REPORT},
    "samples": {SCORE, COMPARE, REPORT},
    "spans": {SCORE, COMPARE, REPORT},
}
"""Which questions are for a measure, by what it is counted from; losses are measures without a largest value."""


@measure("confusion", per_class=True, lower_is_better=True)
def made_up_miss_rate(totals):
    """The share of a label's items that were not given it."""
    return Share(totals.truth - totals.hits, totals.truth)


@measure("confusion", low=-1.0, high=1.0)
def made_up_lead(totals):
    """How many more items are answered right than wrong, as a share of all."""
    with np.errstate(invalid="ignore"):
        return (2 * totals.hits.sum(axis=-1) - totals.total) / totals.total


MADE_UP = {"made-up-miss-rate": made_up_miss_rate, "made-up-lead": made_up_lead}
SAYS_NOT_HOW_GOOD = "Judged"
"""A share of documents that were judged ranks nobody."""
NAMES = [*(name for name in MEASURES if name != SAYS_NOT_HOW_GOOD), *MADE_UP]


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """The made-up measures, as another package would add them."""
    points = {name: SimpleNamespace(load=lambda one=one: one) for name, one in MADE_UP.items()}
    monkeypatch.setattr(MEASURES, "_installed", lambda: points)


def labels_table():
    random = np.random.default_rng(1)
    truth = random.choice(LABELS, ITEMS)
    table = {"truth": truth}
    for name, accuracy in ACCURACY.items():
        wrong = random.choice(LABELS, ITEMS)
        table[name] = np.where(random.random(ITEMS) < accuracy, truth, wrong)
    return table


@cache
def labels():
    return karat.read(labels_table())


@cache
def scores():
    random = np.random.default_rng(2)
    truth = random.integers(0, 2, ITEMS)
    noise = {name: 1 - accuracy for name, accuracy in ACCURACY.items()}
    columns = {
        name: np.clip(truth + one * random.normal(size=ITEMS), 0.001, 0.999).round(4)
        for name, one in noise.items()
    }
    return karat.read({"truth": truth, **columns})


@cache
def distributions():
    random = np.random.default_rng(3)
    names = [f"label {k}" for k in range(8)]
    truth = random.integers(0, 8, ITEMS)
    table = {"truth": [names[code] for code in truth]}
    for name, accuracy in ACCURACY.items():
        weight = random.random((ITEMS, 8)) + 0.01
        weight[np.arange(ITEMS), truth] += accuracy**4
        for place, label in enumerate(names):
            table[f"{name}.p.{label}"] = (weight / weight.sum(axis=1, keepdims=True))[:, place]
    return karat.read(table)


@cache
def rankings():
    random = np.random.default_rng(4)
    query = np.repeat(np.arange(60), 15)
    truth = np.tile([1] * 4 + [0] * 11, 60)
    columns = {
        name: truth + 3 * (1 - accuracy) * random.normal(size=len(truth))
        for name, accuracy in ACCURACY.items()
    }
    return karat.read({"query": query, "item": np.arange(len(truth)), "truth": truth, **columns})


@cache
def numbers():
    random = np.random.default_rng(5)
    truth = random.integers(0, 9, 40)
    columns = {
        name: truth + np.rint(6 * (1 - accuracy) * random.normal(size=40)).astype(int)
        for name, accuracy in ACCURACY.items()
    }
    return karat.read({"truth": truth, **columns}, kinds="label")


@cache
def texts():
    random = np.random.default_rng(7)
    words = np.array(["a", "bee", "cow", "deer", "eagle", "fox"])
    truth = [random.choice(words, 12) for _ in range(60)]
    table = {"truth": [" ".join(one) for one in truth]}
    for name, accuracy in ACCURACY.items():
        read = [
            np.where(random.random(12) < accuracy, one, random.choice(words, 12)) for one in truth
        ]
        table[name] = [" ".join(one) for one in read]
    return karat.read(table, systems=list(ACCURACY))


@cache
def samples():
    random = np.random.default_rng(8)
    difficulty = random.normal(size=60)
    rows = []
    for item, hard in enumerate(difficulty):
        for name, accuracy in ACCURACY.items():
            right = random.random(4) < 1 / (1 + np.exp(hard - 6 * (accuracy - 0.6)))
            rows += [(f"p{item}", name, int(one)) for one in right]
    items, models, correct = zip(*rows, strict=True)
    return karat.read(
        {"item": items, "system": models, "correct": correct}, correct=True, repeats="keep"
    )


@cache
def spans():
    random = np.random.default_rng(9)
    lines = {name: [] for name in ("truth", *ACCURACY)}
    for document in range(60):
        truth = [[5 * place, 5 * place + 3, random.choice(LABELS)] for place in range(6)]
        lines["truth"].append(json.dumps({"id": document, "spans": truth}))
        for name, accuracy in ACCURACY.items():
            found = []
            for start, end, label in truth:
                if random.random() < accuracy:
                    found.append([start, end, label])
                elif random.random() < 0.5:
                    found.append([start + 1, end + 1, random.choice(LABELS)])
                elif random.random() < 0.5:
                    found.append([start + 3, end + 2, label])
            lines[name].append(json.dumps({"id": document, "spans": found}))
    with TemporaryDirectory() as folder:
        paths = []
        for name, documents in lines.items():
            path = Path(folder) / f"{name}.jsonl"
            path.write_text("\n".join(documents), encoding="utf-8")
            paths.append(str(path))
        return karat.read(paths, format="spans", using={"rows": "documents"})


TABLES = {
    "confusion": labels,
    "curve": scores,
    "confidences": distributions,
    "ranking": rankings,
    "numbers": numbers,
    "boxes": labels,
    "counts": labels,
    "texts": texts,
    "samples": samples,
    "spans": spans,
}
"""Measures of boxes are refused by tables; tests/boxes asks them of boxes."""


def source(name):
    """What a measure is counted from; losses of distributions by themselves."""
    one = measure_named(name)
    is_loss = one.counted_from == "confidences" and not math.isfinite(one.high)
    return "losses" if is_loss else one.counted_from


def written(name):
    """The measure of the first two, where it is of the first so many."""
    one = measure_named(name)
    counts = one.parameter is not None and one.parameter.whole
    return one.written(2) if counts else name


def ask(question, name, place):
    bench = TABLES[measure_named(name).counted_from]()
    text = written(name)
    if question == SCORE:
        return bench.score(measure=text)
    if question == COMPARE:
        return bench.compare(measure=text, draws=300)
    if question == REPORT:
        bench.report(place, measure=text, draws=300)
        return json.loads(place.read_text(encoding="utf-8"))
    if source(name) == "losses":
        return bench.stability(measure=text, label_error=0.02, floor=1e-6, draws=300)
    if source(name) == "numbers":
        return bench.stability(measure=text, noise=0.2, draws=300)
    return bench.stability(measure=text, label_error=0.02, draws=300)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("question", [SCORE, COMPARE, STABILITY, REPORT])
def test_a_measure_is_answered_in_its_own_way_or_refused_with_a_remedy(name, question, tmp_path):
    if question not in ANSWERED[source(name)]:
        with pytest.raises(KaratError, match=r"[;:] .*(--|karat |ask|such as|is of|take)"):
            ask(question, name, tmp_path / "page.json")
        return
    check = {SCORE: check_score, COMPARE: check_compare, STABILITY: check_stability}
    check.get(question, check_report)(name, ask(question, name, tmp_path / "page.json"))


def check_score(name, result):
    rows = result.rows()
    check_rows(name, rows)
    assert [row["rank"] for row in rows] == [1, 2, 3]


def check_rows(name, rows):
    one = measure_named(name)
    assert [row["system"] for row in rows] == ["good", "mid", "bad"]
    values = [row["value"] for row in rows]
    assert values == sorted(values, reverse=not one.lower_is_better)
    for row in rows:
        assert one.low <= row["low"] <= row["value"] <= row["high"] <= one.high
        assert row["low"] < row["high"]


def check_compare(name, result):
    one = measure_named(name)
    width = one.high - one.low
    for row in result.rows():
        assert -width <= row["low"] <= row["difference"] <= row["high"] <= width
        assert (row["difference"] < 0) == one.lower_is_better
    best_and_worst = result.rows()[1]
    assert (best_and_worst["first"], best_and_worst["second"]) == ("good", "bad")
    assert best_and_worst["verdict"] == "better"
    (field,) = result.beside()["ranking"]
    assert field["order"] == ["good", "mid", "bad"]
    assert field["best"]["good"] > 0.9


def check_stability(name, result):
    del name
    ranking = result.beside()["ranking"]
    assert ranking["order"] == ["good", "mid", "bad"]
    assert ranking["best_kept"] > 0.9
    for row in result.rows():
        assert row["kept"] > 0.8
        assert row["kept"] + row["tie"] + row["reversed"] == pytest.approx(1)


def check_report(name, page):
    quantity = Quantity.parse(written(name))
    assert page["measure"] in {str(quantity), f"macro-{quantity}"}


# What an added measure did before measures had traits


def test_a_lower_is_better_measure_does_not_rank_the_worst_system_first():
    bench = labels()
    rows = bench.score(measure="false-discovery-rate").rows()
    assert [(row["rank"], row["system"]) for row in rows] == [(1, "good"), (2, "mid"), (3, "bad")]
    found = bench.stability(measure="false-discovery-rate", label_error=0.02, draws=300)
    assert found.beside()["ranking"]["order"][0] == "good"
    assert any("'good' stays the sole best" in note for note in found.notes())


def test_a_measure_of_the_whole_table_is_no_average_and_has_its_own_range():
    table = {"truth": ["x", "y"] * 20, "a": ["y", "x"] * 20, "b": ["x", "y"] * 19 + ["y", "x"]}
    bench = karat.read(table, kinds="label")
    best, worst = bench.score(measure="matthews").rows()
    assert (best["measure"], best["system"]) == ("matthews", "b")
    assert (worst["value"], worst["low"]) == (-1.0, -1.0)
    assert -1 < worst["high"] < -0.5
    (row,) = bench.stability(measure="matthews", label_error=0.02, draws=300).rows()
    assert (row["better"], row["worse"]) == ("b", "a")


def test_an_undefined_value_is_ranked_as_the_worst_of_its_range():
    table = {"truth": ["x", "y", "x", "y"], "a": ["x", "x", "x", "x"], "b": ["y", "x", "y", "y"]}
    rows = karat.read(table, kinds="label").score(measure="matthews").rows()
    assert [row["system"] for row in rows] == ["b", "a"]
    assert (rows[0]["value"] < 0, rows[1]["value"]) == (True, None)
    assert (rows[1]["low"], rows[1]["high"]) == (-1.0, 1.0)


OF_ANSWERS = [name for name in [*MEASURES] if measure_named(name).counted_from == "confusion"]


@pytest.mark.parametrize("role", ["cluster", "weight"])
@pytest.mark.parametrize("name", [*OF_ANSWERS, *MADE_UP])
def test_clusters_and_weights_keep_every_measure_in_its_range(name, role):
    random = np.random.default_rng(6)
    table = {**labels_table(), "role": random.integers(1, 15, ITEMS)}
    bench = karat.read(table, **{role: "role"})
    check_rows(name, bench.score(measure=name, draws=300).rows())
    check_compare(name, bench.compare(measure=name, draws=300))
