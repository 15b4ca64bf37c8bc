"""Many systems, precision and recall, and divergences after Lamiroy and Pierrot (2015): golden.json, exact values."""

import json
from pathlib import Path

import numpy as np
import pytest

from karat.doubt.label_noise.divergence_order import divergence_under_label_noise
from karat.doubt.label_noise.precision_recall_order import precision_recall_under_label_noise
from karat.doubt.label_noise.ranking_order import ranking_under_label_noise

ENTRIES = [
    entry
    for entry in json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
    if entry["paper"] == "003"
]


def of(*functions):
    return [pytest.param(entry, id=entry["id"]) for entry in ENTRIES if entry["fn"] in functions]


def close(entry, found, wanted):
    assert found == pytest.approx(wanted, abs=entry["tolerance"], rel=0)


def test_every_entry_is_met():
    assert [len(of(name)) for name in ("joint_ranking", "joint_prf", "kl_rank_move")] == [8, 9, 10]
    assert len(of("kl_forward_rank_move")) == 3


@pytest.mark.parametrize("entry", of("joint_ranking"))
def test_joint_ranking(entry):
    given, wanted = entry["inputs"], entry["exact"]
    right = (np.array(given["algos"]) == given["om"]).T
    found = ranking_under_label_noise(right, np.ones(len(right)), given["eps_list"])
    assert found.given.tolist() == wanted["base_scores"]
    close(entry, found.kept, wanted["p_full_order_same"])
    close(entry, found.no_inversion, wanted["p_no_strict_inversion"])
    close(entry, found.sole_best, wanted["p_sole_best"])
    for got, name in [
        (found.best_kept, "p_unique_best_kept"),
        (found.best_among, "p_best_still_among_best"),
    ]:
        assert got == (
            None
            if wanted[name] is None
            else pytest.approx(wanted[name], abs=entry["tolerance"], rel=0)
        )
    before = [
        [0.0 if cell is None else cell for cell in row] for row in wanted["p_strictly_better"]
    ]
    close(entry, found.before, np.array(before))


@pytest.mark.parametrize("entry", of("joint_prf"))
def test_joint_prf(entry):
    given, wanted = entry["inputs"], entry["exact"]
    cells = np.zeros((2, 2, 2), int)
    np.add.at(cells, (given["a1"], given["a2"], given["om"]), 1)
    found = precision_recall_under_label_noise(
        cells, given["eps_list"][0], measure=given["measure"]
    )
    assert len(set(given["eps_list"])) == 1
    close(entry, found.before[1, 0], wanted["A2_better"])
    close(entry, found.before[0, 1], wanted["A1_better"])
    close(entry, found.tied(0, 1), wanted["tie"])


@pytest.mark.parametrize("entry", of("kl_rank_move", "kl_forward_rank_move"))
def test_ranking_by_divergence(entry):
    given, wanted = entry["inputs"], entry["exact"]
    direction = "forward" if "forward" in entry["fn"] else "reverse"
    both = [given["A1"], given["A2"]]
    floor = given.get("delta", 0.0)
    found = divergence_under_label_noise(
        both, given["labels"], given["eps"], direction=direction, floor=floor
    )
    assert found.method == "exact"
    close(entry, found.before[1, 0], wanted["D1_gt_D2"])
    close(entry, found.before[0, 1], wanted["D1_lt_D2"])
    close(entry, found.tied(0, 1), wanted["tie"])


@pytest.mark.parametrize("entry", [one for one in of("kl_rank_move") if one.values[0]["agrees"]])
def test_table_4_lies_within_the_published_interval_under_the_convention_that_fits(entry):
    given, published = entry["inputs"], entry["published"]
    found = divergence_under_label_noise([given["A1"], given["A2"]], given["labels"], given["eps"])
    assert abs(found.kept - published["kept"]) <= published["halfwidth"]


def test_table_4_is_the_polynomial_of_the_errata():
    # METHODS.md 2.3, 8: 1 - 2e/3 + e^2/9 - 5e^3/9 + 26e^4/27 - 160e^5/243 + 13e^6/81.
    given = next(entry["inputs"] for entry in ENTRIES if entry["id"] == "LP-T4-eps0.5")
    for e, printed in [(0.5, 0.66712), (0.4, 0.73412), (0.2, 0.86801)]:
        kept = divergence_under_label_noise([given["A1"], given["A2"]], given["labels"], e).kept
        terms = [1, -2 / 3, 1 / 9, -5 / 9, 26 / 27, -160 / 243, 13 / 81]
        assert kept == pytest.approx(sum(c * e**k for k, c in enumerate(terms)), abs=1e-12)
        assert round(kept, 5) == printed
