"""The doubt of a vote from its sums in blocks: what the blocks add to F, one by one."""

import numpy as np
import pytest
from scipy import stats

from karat.doubt.consensus.vote_blocks import consensus_blocks
from karat.errors import OptionError
from karat.measure.consensus.votes import Consensus, consensus


def in_blocks(votes, blocks):
    parts = [consensus(votes[blocks == block]) for block in np.unique(blocks)]
    sums = (
        np.stack([getattr(part, name) for part in parts])
        for name in ("retrieved", "agreed", "relevant")
    )
    return Consensus(parts[0].weight, *sums, parts[0].left_out)


def drawn(seed, items=400, systems=3):
    random = np.random.default_rng(seed)
    relevant = random.random((items, 1)) < 0.4
    return np.clip(np.where(relevant, 0.7, 0.3) + random.normal(size=(items, systems)) * 0.3, 0, 1)


@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_the_interval_is_student_s_of_what_each_block_adds(beta):
    votes, blocks = drawn(1), np.arange(400) % 20
    found = consensus_blocks(in_blocks(votes, blocks), beta=beta, level=0.9)
    f = consensus(votes).f(beta)
    # To first order F without a block is F less what the block adds, for any of 20 small ones.
    without = np.stack([consensus(votes[blocks != block]).f(beta) for block in range(20)])[:, :3]
    jackknife = np.sqrt(19 / 20 * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    margin = stats.t(19).ppf(0.95) * jackknife
    assert (found.low + found.high)[:3] / 2 == pytest.approx(f[:3])
    assert (found.high - found.low)[:3] / 2 == pytest.approx(margin, rel=0.01)
    assert found.method == "linearised, Student's t over 20 blocks of items"


def test_what_is_undefined_has_no_interval_and_one_block_no_spread():
    found = consensus_blocks(in_blocks(drawn(2), np.arange(400) % 5))
    assert np.isnan(found.low[-1])  # (none) retrieves nothing
    with pytest.raises(OptionError, match="two or more are needed"):
        consensus_blocks(in_blocks(drawn(2), np.zeros(400)))


@pytest.mark.parametrize("beta", [1.0, 2.0])
@pytest.mark.parametrize("number", [2, 4])
def test_of_few_blocks_it_is_the_formula_block_by_block(number, beta):
    blocks = in_blocks(drawn(3), np.arange(400) % number)
    found = consensus_blocks(blocks, beta=beta)
    for system in range(3):
        parts = [
            (blocks.agreed[b, system], blocks.relevant[b, system], blocks.retrieved[b, system])
            for b in range(number)
        ]
        whole = sum(beta**2 * relevant + retrieved for _, relevant, retrieved in parts)
        f = (1 + beta**2) * sum(agreed for agreed, _, _ in parts) / whole
        squares = 0.0
        for agreed, relevant, retrieved in parts:
            adds = (1 + beta**2) * agreed - f * (beta**2 * relevant + retrieved)
            squares += (adds / whole) ** 2
        reach = stats.t(number - 1).ppf(0.975) * np.sqrt(number / (number - 1) * squares)
        ends = max(0.0, f - reach), min(1.0, f + reach)
        assert (found.low[system], found.high[system]) == pytest.approx(ends)
