"""Lamiroy and Pierrot (2015) on two systems: the paper's numbers and the exact values beside them in golden.json."""

import json
from pathlib import Path

import numpy as np
import pytest

import karat
from karat.doubt.label_noise.critical_error import critical_error
from karat.doubt.label_noise.pair_order import (
    kept_at_most,
    kept_exactly,
    kept_items,
    kept_per_class,
    kept_uniform,
    safe_errors,
)
from karat.doubt.label_noise.published_scores import pair_counts

ENTRIES = json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
NAMES = (
    "kept_symmetric",
    "kept_asymmetric",
    "kept_items",
    "kept_exactly_m",
    "critical_eps",
    "tau",
    "pair_counts",
)
BY = {name: [entry for entry in ENTRIES if entry["fn"] == name] for name in NAMES}
# Table 3 of the paper.
A1, A2 = [0, 1, 1, 1, 1, 0, 0, 0, 0, 1], [0, 1, 1, 0, 0, 1, 1, 0, 0, 1]
GIVEN = [0, 1, 1, 0, 0, 1, 0, 1, 1, 0]


def entries(name):
    return pytest.mark.parametrize("entry", BY[name], ids=lambda entry: entry["id"])


def three(found, worse, better):
    """P(second better), P(tie), P(first better), of a tied pair too."""
    kept = found.kept if better > worse else 1 - found.tie - found.reversed
    return kept, found.tie, found.reversed


def disputed(entry):
    """The labels and places of the items that only the first and only the second system has right."""
    first, second, given = (np.array(entry["inputs"][name]) for name in ("a1", "a2", "om"))
    return given, (first == given) & (second != given), (second == given) & (first != given)


def test_every_kind_of_entry_is_there():
    assert [len(BY[name]) for name in NAMES] == [12, 3, 3, 10, 5, 1, 1]


@entries("kept_symmetric")
def test_uniform_errors(entry):
    worse, better, error = (entry["inputs"][name] for name in ("n1", "n2", "eps"))
    right = [entry["exact"][name] for name in ("kept_strict", "tie", "reversed")]
    assert three(kept_uniform(worse, better, error), worse, better) == pytest.approx(
        right, abs=entry["tolerance"]
    )


@pytest.mark.parametrize(
    "entry", [entry for entry in BY["kept_symmetric"] if entry["published"]], ids=lambda e: e["id"]
)
def test_table_3_as_published_in_closed_form_and_by_monte_carlo(entry):
    counts, published, error = (
        pair_counts(A1, A2, GIVEN),
        entry["published"],
        entry["inputs"]["eps"],
    )
    kept = kept_uniform(counts.only_first, counts.only_second, error).kept
    assert kept == pytest.approx(published["closed"], abs=5.1e-4)
    assert kept == pytest.approx(published["monte_carlo"], abs=published["halfwidth"] or 0)
    assert kept == pytest.approx(
        1 - error * (3 - 6 * error + 7 * error**2 - 3 * error**3), abs=1e-12
    )


@entries("kept_asymmetric")
def test_errors_per_class(entry):
    given, first, second = disputed(entry)
    counts = [
        [int(np.sum(only & (given == label))) for label in (0, 1)] for only in (first, second)
    ]
    rates = [entry["inputs"][name] for name in ("eps01", "eps10")]
    right = [entry["exact"][name] for name in ("A2_better", "tie", "A1_better")]
    if first.sum() > second.sum():
        counts, right = counts[::-1], right[::-1]
    worse, better = counts
    found = three(kept_per_class(worse, better, rates), sum(worse), sum(better))
    assert found == pytest.approx(right, abs=entry["tolerance"])


@entries("kept_items")
def test_errors_per_item(entry):
    _, first, second = disputed(entry)
    rates = np.array(entry["inputs"]["eps_list"])
    right = [entry["exact"][name] for name in ("A2_better", "tie", "A1_better")]
    if first.sum() > second.sum():
        first, second, right = second, first, right[::-1]
    found = three(kept_items(rates[first], rates[second]), first.sum(), second.sum())
    assert found == pytest.approx(right, abs=entry["tolerance"])


@entries("kept_exactly_m")
def test_a_known_number_of_errors(entry):
    worse, better, items, wrong = (entry["inputs"][name] for name in ("n1", "n2", "p", "m"))
    exact, safe, lead = entry["exact"], safe_errors(worse, better), better - worse
    right = (
        exact["exact_m"]
        if "exact_m" in exact
        else [exact[name] for name in ("kept_strict", "tie", "reversed")]
    )
    found = three(kept_exactly(worse, better, items, wrong), worse, better)
    assert found == pytest.approx(right, abs=entry["tolerance"])
    if "ball" in exact:
        found = three(kept_at_most(worse, better, items, wrong), worse, better)
        assert found == pytest.approx(exact["ball"], abs=entry["tolerance"])
        assert safe == exact["largest_safe_m"]
    assert (safe is not None and wrong <= safe) == exact["guaranteed_strict"]
    assert (lead > 0 and 2 * wrong <= lead) == exact["guaranteed_weak"]


@entries("critical_eps")
def test_the_critical_error(entry):
    found = critical_error(
        entry["inputs"]["n1"], entry["inputs"]["n2"], level=entry["inputs"]["level"]
    )
    right = entry["exact"]
    assert found is None if right is None else found == pytest.approx(right, abs=entry["tolerance"])


@entries("tau")
def test_the_accuracies_of_table_2(entry):
    tables = {"truth": entry["inputs"]["Omega"], **entry["inputs"]["A"]}
    cells = {name: np.ravel(table) for name, table in tables.items()}
    rows = karat.read(cells, truth="truth").score(measure="accuracy").rows()
    accuracies = {row["system"]: row["value"] for row in rows}
    assert accuracies == pytest.approx(entry["exact"], abs=entry["tolerance"])


@entries("pair_counts")
def test_the_counts_of_table_3(entry):
    found, right = pair_counts(A1, A2, GIVEN), entry["exact"]
    assert entry["inputs"] == {"a1": A1, "a2": A2, "om": GIVEN}
    ours = (found.divergence, found.only_first, found.only_second, found.half_lead)
    assert ours == tuple(right[name] for name in ("D12", "n1", "n2", "Dhat"))
    assert (found.first_wrong, found.second_wrong) == (right["D1"], right["D2"])
