"""Recall and precision of a class compared as shares of two samples, and what is shown of many systems."""

from itertools import pairwise

import numpy as np
import pytest

import karat
from karat.doubt.tests.two_samples import two_samples
from karat.errors import KaratError
from karat.verdict.compare.legend import ALL_PAIRS

RANDOM = np.random.default_rng(5)
ITEMS = 90
TRUTH = RANDOM.choice(["cat", "dog", "eel"], ITEMS)


def answers(share):
    return np.where(RANDOM.random(ITEMS) < share, TRUTH, RANDOM.choice(["cat", "dog"], ITEMS))


TABLE = {"truth": TRUTH, "a": answers(0.8), "b": answers(0.3)}


@pytest.mark.parametrize("label", ["cat", "dog", "eel"])
@pytest.mark.parametrize("measure", ["recall", "precision"])
def test_a_class_is_compared_by_its_own_successes_and_trials(measure, label):
    counts = []
    for system in "ab":
        among = TRUTH if measure == "recall" else TABLE[system]
        hits = int(((TABLE[system] == label) & (label == TRUTH)).sum())
        counts += [hits, int((among == label).sum())]
    (row,) = karat.read(TABLE).compare(measure=f"{measure}[{label}]", test="exact").rows()
    if row["first"] == "b":
        counts = counts[2:] + counts[:2]
    assert row["p_value"] == pytest.approx(float(two_samples(*counts).p_value))
    assert row["first_value"] == pytest.approx(counts[0] / counts[1])
    assert row["second_value"] == pytest.approx(counts[2] / counts[3])


@pytest.mark.parametrize("more", [0, 1])
def test_of_many_systems_only_neighbours_are_shown(more):
    systems = {f"s{place}": answers(place / 9) for place in range(ALL_PAIRS + more)}
    found = karat.read({"truth": TRUTH} | systems).compare(draws=100)
    (order,) = [field["order"] for field in found.beside()["ranking"]]
    pairs = next(rows for rows in found.parts().values() if "second" in rows[0])
    shown = [(row["first"], row["second"]) for row in pairs]
    if more:
        assert shown == list(pairwise(order))
    else:
        assert len(shown) == len(order) * (len(order) - 1) // 2


def test_a_measure_of_distributions_is_not_of_labels_or_scores():
    with pytest.raises(KaratError, match="no probability for every label"):
        karat.read(TABLE).score(measure="top-2-accuracy")
    scores = {"truth": [0, 1] * 10, "a": [place / 20 for place in range(20)]}
    with pytest.raises(KaratError, match="it is of distributions over labels"):
        karat.read(scores).score(measure="top-2-accuracy")
