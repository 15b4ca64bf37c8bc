"""130 judges of LLMBar, from a few of their 419 gold labels: do the corrected values hold those of all labels?"""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

import karat

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "llmbar_judges"
pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="the shared data is not here")


@pytest.fixture(scope="module")
def judges():
    with gzip.open(FOLDER / "systems.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with (FOLDER / "items.csv").open(encoding="utf-8", newline="") as file:
        truth = {row["item"]: row["truth"] for row in csv.DictReader(file)}
    columns = {name: [row[name] or None for row in rows] for name in rows[0]}
    return columns, [truth[item] for item in columns["item"]]


@pytest.mark.parametrize("judge", ["majority", "GPT-4|CoT|ab"])
def test_corrected_values_hold_those_of_all_labels(judges, judge):
    columns, truth = judges
    everything = karat.read({**columns, "truth": truth}).score(measure="accuracy").rows()
    right = {row["system"]: row["value"] for row in everything}
    held = total = 0
    corrected_error = naive_error = 0.0
    for seed in range(6):
        known = set(np.random.default_rng(seed).choice(len(truth), 100, replace=False).tolist())
        few = [label if k in known else None for k, label in enumerate(truth)]
        for row in karat.read({**columns, "truth": few}, judge=judge).score().rows():
            exact = right[row["system"]]
            held += row["low"] <= exact <= row["high"]
            corrected_error += abs(row["value"] - exact)
            naive_error += abs(row["by_judge"] - exact)
            total += 1
    # The systems of one draw share their labels, so that 6 draws are worth far fewer than 780.
    assert held / total > 0.9
    assert corrected_error < naive_error / 2
