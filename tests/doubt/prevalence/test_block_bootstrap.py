"""Resamples of blocks: those of a plain loop, and about as wide as resamples of items."""

import numpy as np
import pytest

from karat.doubt.prevalence.joint_areas import paired_areas
from karat.doubt.prevalence.joint_blocks import joint_blocks
from karat.errors import OptionError, UnknownNameError
from karat.measure.prevalence.pr_curve import pr_area, roc
from karat.tally.scores.packed_curve import curve_of
from karat.tally.scores.paired_scores import Blocks, PairedBlocks


def items(number=4000, seed=2):
    random = np.random.default_rng(seed)
    truth = random.random(number) < 0.3
    shared = random.normal(size=number) + truth
    scores = {name: np.round(shared + random.normal(size=number), 1) for name in "ab"}
    return truth, scores, random.integers(0, 100, number)


def blocks_of(truth, score, block):
    distinct, place = np.unique(-score, return_inverse=True)
    code, where = np.unique(block * len(distinct) + place, return_inverse=True)
    counts = [np.bincount(where, kind).astype(np.int64) for kind in (truth, ~truth)]
    return Blocks(code // len(distinct), code % len(distinct), *counts)


def test_a_resample_is_that_of_a_loop_over_blocks():
    truth, scores, block = items()
    tally = PairedBlocks(
        100, {name: blocks_of(truth, score, block) for name, score in scores.items()}
    )
    found = joint_blocks(tally, [0.05, 0.5], draws=5, seed=8).pair("a", "b")
    times = np.random.default_rng(8).multinomial(100, np.full(100, 0.01), 5)
    for draw, often in enumerate(times):
        drawn = np.concatenate(
            [np.flatnonzero(block == k) for k in range(100) for _ in range(often[k])]
        )
        for name, ours in (("a", found.first_draws), ("b", found.second_draws)):
            wanted = pr_area(roc(curve_of(truth[drawn], scores[name][drawn])), pi=[0.05, 0.5])
            assert ours[draw] == pytest.approx(wanted, rel=1e-12)


def test_blocks_made_by_chance_tell_what_items_tell():
    truth, scores, block = items()
    tally = PairedBlocks(
        100, {name: blocks_of(truth, score, block) for name, score in scores.items()}
    )
    by_block = joint_blocks(tally, [0.1], draws=600, seed=1).pair("a", "b")
    by_item = paired_areas(truth, scores["a"], scores["b"], [0.1], draws=600, seed=1)
    spread = [(each.first_draws - each.second_draws).std() for each in (by_block, by_item)]
    # a standard deviation from 100 blocks is off by 1 / sqrt(200), one from 600 draws by 1 / sqrt(1200)
    assert spread[0] / spread[1] == pytest.approx(1, abs=4 * np.sqrt(1 / 200 + 2 / 1200))
    assert pr_area(by_block.first, pi=0.1) == pytest.approx(
        pr_area(by_item.first, pi=0.1), rel=1e-12
    )


def test_too_few_blocks_and_unknown_systems_are_refused():
    blocks = Blocks(np.arange(30), np.arange(30) % 2, np.arange(30) % 2 + 1, np.ones(30, np.int64))
    with pytest.raises(OptionError, match="there are 3 blocks; at least 20"):
        joint_blocks(PairedBlocks(3, {"a": blocks, "b": blocks}), [0.5]).pair("a", "b")
    with pytest.raises(UnknownNameError, match="no system is called 'c'"):
        joint_blocks(PairedBlocks(30, {"a": blocks, "b": blocks}), [0.5]).pair("a", "c")
    with pytest.raises(OptionError, match="draws is 0"):
        joint_blocks(PairedBlocks(30, {"a": blocks, "b": blocks}), [0.5], draws=0).pair("a", "b")
