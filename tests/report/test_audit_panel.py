"""How many labels to look up, on the page: the numbers of the plan, and none where nothing can be looked up."""

import json

import numpy as np
import pytest

import karat
from karat.report.page.build import page
from karat.report.panels.audit import panel


def table(items=120):
    random = np.random.default_rng(1)
    truth = random.integers(0, 3, items)
    found = {"item": [f"i{place}" for place in range(items)], "truth": truth.tolist()}
    for name, accuracy in {"a": 0.9, "b": 0.75, "c": 0.5}.items():
        wrong = (truth + 1) % 3
        found[name] = np.where(random.random(items) < accuracy, truth, wrong).tolist()
    return found


@pytest.fixture(scope="module")
def bench():
    return karat.read(table(), kinds="label")


def test_the_panel_shows_the_plan_of_every_two_neighbours(bench, tmp_path):
    findings = bench.findings(label_error=0.02)
    found = panel(findings)
    assert [(one.better, one.worse) for one in findings.audit.planned] == [("a", "b"), ("b", "c")]
    for one in findings.audit.planned:
        assert one.label_error == 0.02
        assert 0 < one.low <= one.checks <= one.high <= one.disputed
        assert f'data-value="{one.checks}"' in found.html
    assert 'id="audit"' in page(findings)
    bench.report(tmp_path / "page.md", label_error=0.02)
    text = (tmp_path / "page.md").read_text()
    assert "## Which labels should be checked?" in text
    assert "if 2 % of the disputed ones are wrong" in text
    bench.report(tmp_path / "page.json", label_error=0.02)
    rows = json.loads((tmp_path / "page.json").read_text())["audit"]["rows"]
    assert [row["checks"] for row in rows] == [one.checks for one in findings.audit.planned]


def test_a_saved_tally_has_the_same_plan(bench, tmp_path):
    path = tmp_path / "t.tally"
    bench.save(path)
    assert karat.read(path).findings().audit.rows() == bench.findings().audit.rows()


def test_the_plan_of_the_page_is_that_of_the_command(bench):
    by_page = bench.findings(label_error=0.02).audit.planned
    by_command = bench.audit(claim="order", seed=1).plan(0.02, runs=50).planned
    assert by_page == by_command[: len(by_page)]


def test_without_a_truth_or_with_weights_there_is_no_plan():
    columns = table()
    weighted = {**columns, "w": [1.5] * len(columns["item"])}
    assert karat.read(weighted, weight="w", kinds="label").findings().audit is None
    del columns["truth"]
    assert karat.read(columns, kinds="label").findings().audit is None
