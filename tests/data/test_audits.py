"""Audits of real benchmarks with their corrected labels as the checker, by lists that go out and come back."""

import csv
import gzip
from pathlib import Path

import pytest

import karat

DATA = Path(__file__).parents[3] / "shared" / "data"
if not DATA.is_dir():
    pytest.skip(f"the real data sets are not at {DATA}", allow_module_level=True)

pytestmark = pytest.mark.shared


def corrected(path, column):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        return {row["item"]: row[column] for row in csv.DictReader(file)}


def settled(audit, right, *, most=2000):
    """The audit after lists of 60, each looked up; a right label that is none or several cannot be decided."""
    while audit.next(60).entries and len(audit.labels) < most:
        labels = {}
        for row in audit.next(60).rows():
            label = right[row["item"]]
            is_known = label in audit.setup.reader.codes
            labels[row["item"]] = label if is_known else "(undecidable)"
        audit = audit.apply(labels)
    return audit


def test_the_best_of_ten_thousand_images():
    folder = DATA / "cifar10_test_13"
    bench = karat.read(
        folder / "systems_label.csv.gz", truth=f"{folder / 'items.csv.gz'}:truth_original"
    )
    right = corrected(folder / "items.csv.gz", "truth_human_majority")
    best, *others = (row["system"] for row in bench.score(measure="accuracy").rows())
    audit = settled(bench.audit(claim=(best, others[-1]), seed=1), right)
    assert audit.rows()[0]["verdict"] == "settled"
    assert audit.rows()[0]["better"] == best
    assert audit.rows()[0]["checked"] < 100


def test_the_best_of_fourteen_language_models():
    folder = DATA / "mmlu_redux_14"
    bench = karat.read(folder / "systems.csv", truth=f"{folder / 'items.csv'}:truth_original")
    right = corrected(folder / "items.csv", "truth_corrected")
    audit = settled(bench.audit(claim="best", seed=1), right)
    assert audit.claim_verdict(0) == "settled"
    assert {row["verdict"] for row in audit.rows()} <= {"settled", "certain"}
    assert len(audit.walk.counted) < 1000
