"""How much is computed at once changes no answer: the kept ones come out again where blocks are small."""

import importlib
import json
from pathlib import Path

import pytest

from support.kept_answers import in_short, leaves, plain
from support.kept_further_questions import FURTHER
from support.kept_methods import METHODS
from support.kept_rarer import RARER

KEPT = Path(__file__).with_name("kept_answers.json")
SMALL = 3000
"""Numbers at once, in the place of millions."""
MODULES = (
    "doubt.bounds.areas",
    "doubt.bounds.delta",
    "doubt.label_noise.divergence_order",
    "doubt.label_noise.informed.draws",
    "doubt.label_noise.number_order",
    "doubt.label_noise.ranking_order",
    "doubt.resampling.bootstrap",
    "doubt.resampling.joint",
    "doubt.tests.over_queries",
    "doubt.tests.over_units",
    "measure.consensus.dawid_skene_resampled",
    "measure.consensus.given_labels",
    "measure.consensus.pair_agreement",
    "measure.consensus.votes",
    "measure.near_copies",
    "measure.prevalence.pr_curve",
    "measure.prevalence.thinned_curve",
    "tally.votes.covotes",
    "verdict.compare.compared",
    "verdict.compare.over_units",
)
"""Where blocks are made that a draw does not depend on."""
ASKED = (
    "areas of one curve",
    "curve with fewer points",
    "consensus of confidences",
    "consensus, copies by the truth",
    "consensus of six, combined",
    "consensus of six, likeliest",
    "consensus, missing",
    "crowd",
    "compare, jackknife",
    "compare, weighted areas",
    "compare, areas of clusters",
    "compare, no worse, weights",
    "differences over queries",
    "divergence, three systems",
    "rankings, compared",
    "rankings, randomised",
    "ranking, simulated",
    "score, averages",
    "score, clusters, more",
    "score, weighted measures",
    "score, average precision of clusters",
    "skew, bands and errors",
    "skew, bins",
    "skew, weights",
    "skew, groups, clusters",
    "skew, prior uniform",
    "stability, informed by check",
    "stability, groups informed",
    "stability, macro",
    "stability, squares",
    "texts, compared",
    "texts, randomised",
)


@pytest.mark.parametrize("name", ASKED)
def test_in_small_blocks_the_answer_is_the_same(name, monkeypatch):
    for module in MODULES:
        monkeypatch.setattr(importlib.import_module(f"karat.{module}"), "AT_ONCE", SMALL)
    wanted = leaves(json.loads(KEPT.read_text(encoding="utf-8"))[name])
    found = leaves(in_short(plain((FURTHER | METHODS | RARER)[name]())))
    for place, leaf in wanted.items():
        is_number = isinstance(leaf, int | float)
        assert found[place] == (pytest.approx(leaf, rel=1e-7, abs=1e-10) if is_number else leaf)
