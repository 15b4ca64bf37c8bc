"""Lamiroy and Sun (2013): precision and recall without truth, the paper's numbers and the exact values beside them."""

import json
from pathlib import Path

import numpy as np
import pytest

from karat.measure.consensus.vote_weights import equal_weights, vote_weights
from karat.measure.consensus.votes import consensus, relevance

ENTRIES = [
    entry
    for entry in json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
    if entry["paper"] == "000"
]
BY_NAME = {entry["id"]: entry for entry in ENTRIES}
FULL = [entry for entry in ENTRIES if entry["fn"] == "ls_full"]
CHANCES = [entry for entry in ENTRIES if entry["fn"] in {"ls_relevance", "ls_relevance_partial"}]


def identify(entry):
    return entry["id"]


def votes(entry):
    """A row a document, a column a system; null is unknown."""
    given = entry["inputs"]["systems"]
    return np.array(
        [[np.nan if vote is None else vote for vote in system] for system in given], float
    ).T


def weights(entry):
    given = entry["inputs"]
    if "weights_int" in given:
        whole = given["weights_int"]
        return vote_weights(whole["systems"], top=whole["top"], bottom=whole["bottom"])
    if "kappa" in given:
        return vote_weights(given["kappa"], top=given["kappa_top"], bottom=given["kappa_bottom"])
    return equal_weights(len(given["systems"]))


def parts(entry):
    """What each system has, in our order: the systems, (all), (none)."""
    exact = entry["exact"]
    return [*exact["systems"], exact["top"], exact["bottom"]]


def number(value):
    return np.nan if value is None else value


def test_every_entry_of_the_paper_is_tested_here():
    others = {"LS-ID1", "LS-T5-ID", "LS-T6-ID", "LS-24"}
    assert {entry["id"] for entry in [*FULL, *CHANCES]} | others == set(BY_NAME)
    assert (len(FULL), len(CHANCES), len(ENTRIES)) == (13, 2, 19)


@pytest.mark.parametrize("entry", CHANCES, ids=identify)
def test_the_probability_of_each_document(entry):
    assert relevance(votes(entry)) == pytest.approx(entry["exact"], abs=entry["tolerance"])


@pytest.mark.parametrize("entry", FULL, ids=identify)
def test_sums_precision_recall_and_f(entry):
    found, close = consensus(votes(entry), weights=weights(entry)), entry["tolerance"]
    chance = relevance(votes(entry), weights=weights(entry))
    assert chance == pytest.approx(entry["exact"]["P"], abs=close)
    assert found.relevant == pytest.approx(
        np.full(len(found.relevant), entry["exact"]["sum_P"]), abs=close
    )
    ours = {
        "sum_S": found.retrieved,
        "sum_PS": found.agreed,
        "Pr": found.precision,
        "Rc": found.recall,
        "F": found.f(entry["inputs"].get("beta", 1.0)),
    }
    for name, values in ours.items():
        right = [number(part[name]) for part in parts(entry)]
        assert values == pytest.approx(right, abs=close, nan_ok=True), name


def test_tables_2_and_3_as_published():
    entry = BY_NAME["LS-T3"]
    printed, found = entry["published"], consensus(votes(entry))
    order = ["S1", "S2", "S3", "top"]
    assert relevance(votes(entry)).round(1).tolist() == BY_NAME["LS-T2"]["published"]
    assert found.relevant[0] == pytest.approx(printed["sum_P"])
    assert found.precision[:4].round(2).tolist() == [printed["Pr"][name] for name in order]
    assert found.recall.round(2).tolist() == [printed["Rc"][name] for name in [*order, "bottom"]]
    # METHODS.md 2.0, 1: the precision of what retrieves nothing is 0/0, not infinite as printed.
    assert printed["Pr"]["bottom"] == "inf"
    assert np.isnan(found.precision[4])


def test_the_garbled_table_1_only_swaps_two_systems():
    as_read, as_used = (consensus(votes(BY_NAME[name])) for name in ("LS-T1v", "LS-T3"))
    assert as_read.recall[[1, 0, 2]].tolist() == as_used.recall[:3].tolist()


def test_the_recalls_of_all_systems_sum_to_the_weighted_mean_of_p():
    entry = BY_NAME["LS-ID1"]
    p, size = relevance(votes(entry)), len(entry["inputs"]["systems"]) + 2
    assert consensus(votes(entry)).recall.sum() == pytest.approx(
        entry["exact"]["lhs"], abs=entry["tolerance"]
    )
    assert size * (p @ p) / p.sum() == pytest.approx(entry["exact"]["rhs"], abs=entry["tolerance"])


@pytest.mark.parametrize("name", ["LS-T5-ID", "LS-T6-ID"])
def test_the_identity_holds_in_tables_5_and_6(name):
    # Sum Rc / (s+2), (none) having recall 0, is the P-weighted mean of P, which is at least the mean of P.
    entry = BY_NAME[name]
    given, right = entry["inputs"], entry["exact"]
    mean = sum(given["Rc"]) / (len(given["Rc"]) + 1)
    assert mean == pytest.approx(right["weighted_mean_P"], abs=entry["tolerance"])
    assert (mean >= given["Pr_top"]) is right["consistent"] is True


def test_table_5_needs_documents_that_nobody_retrieved():
    # Were each document retrieved by one of three systems, the least mean of P, .4, would make every P .4, and then the
    # weighted mean were .4 too, not .5295. With documents that nobody found (P = .2) both are possible together.
    exact = BY_NAME["LS-T5-ID"]["exact"]["weighted_mean_P"]
    found_once = relevance(np.eye(3))
    assert found_once == pytest.approx([0.4, 0.4, 0.4])
    assert (found_once @ found_once) / found_once.sum() == pytest.approx(0.4) != exact
    both = relevance([[0, 0, 0]] * 2 + [[1, 0, 0]] + [[1, 1, 1]])
    assert both.mean() == pytest.approx(0.4)
    assert (both @ both) / both.sum() > exact - 0.005


def test_the_number_of_pipelines():
    assert 3 * 4 * 2 == BY_NAME["LS-24"]["exact"] == BY_NAME["LS-24"]["published"]


@pytest.mark.parametrize("seed", range(5))
def test_the_identity_holds_for_any_votes(seed):
    rng = np.random.default_rng(seed)
    systems = int(rng.integers(1, 9))
    table, copies = (rng.random((40, systems)) < 0.4).astype(float), rng.integers(0, 9, 40)
    p = relevance(table)
    right = (systems + 2) * (copies @ p**2) / (copies @ p)
    assert consensus(table, copies).recall.sum() == pytest.approx(right)
