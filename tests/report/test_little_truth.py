"""A page of a table in which few items have a truth begins with what they say together with the answers to all."""

import numpy as np
import pytest

import karat
from karat.report.documents import html, md


@pytest.fixture(scope="module")
def annotators():
    random = np.random.default_rng(7)
    truth = random.choice(["x", "y", "z"], 600)
    columns = {"item": [f"<i{k}>" for k in range(600)]}
    columns["truth"] = [str(label) if k < 50 else None for k, label in enumerate(truth)]
    for name, share in (("ann", 0.9), ("bob", 0.8), ("cem", 0.75), ("dia", 0.7), ("eve", 0.5)):
        other = random.choice(["x", "y", "z"], 600)
        columns[name] = np.where(random.random(600) < share, truth, other).tolist()
    return columns


def test_it_comes_first(annotators):
    findings = karat.read(annotators).findings(draws=100)
    page = html(findings)
    first = page.index("from 50 items with truth and the answers to 600")
    assert page.index("by the truth of 50 and the answers to all 600") < first
    assert first < page.index("The ranking by accuracy") < page.index("without a truth?")
    row = karat.read(annotators, judge="majority").score().rows()[0]
    assert f'data-value="{row["low"]}"' in page
    assert "<i" not in page.replace("<input", "").replace("<i>", "")
    assert "from 50 items with truth and the answers to 600" in md(findings)


def test_where_most_items_have_a_truth_the_page_is_as_ever(annotators):
    columns = {**annotators, "truth": ["x"] * 500 + [None] * 100}
    findings = karat.read(columns).findings(draws=100)
    assert findings.little_truth is None


def test_a_crowd_that_answers_little_is_judged_by_what_it_answered(annotators):
    random = np.random.default_rng(1)
    columns = dict(annotators)
    for name in ("ann", "bob", "cem", "dia", "eve"):
        gone = random.random(600) < 0.6
        columns[name] = [None if no else one for one, no in zip(columns[name], gone, strict=True)]
    little = karat.read(columns).findings(draws=100).little_truth
    best = little.scores.systems[0]
    assert best.items < 300
    assert best.value > 0.7
