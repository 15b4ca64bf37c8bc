"""Does a 95 % interval for the F of a vote by confidences hold 95 % of the time? Simulated items in 256 blocks."""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import header

from karat.doubt.consensus.vote_blocks import consensus_blocks
from karat.measure.consensus.summed_votes import blocked_consensus, summed_consensus
from karat.tally.votes.covotes import BLOCKS, UNIT, BlockedCovotes

RUNS, LEVEL, WHOLE = 1000, 0.95, 10_000_000
"""Tables each, and the items that stand for all."""


def votes(items: int, systems: int, missing: float, random: np.random.Generator) -> np.ndarray:
    """Draw confidences that are higher for the relevant two fifths, NaN where a system says nothing."""
    relevant = random.random(items) < 0.4
    noise = random.normal(size=(systems, items)) * np.linspace(0.2, 0.5, systems)[:, None]
    drawn = np.clip(np.where(relevant, 0.7, 0.3) + noise, 0, 1)
    return np.where(random.random(drawn.shape) < missing, np.nan, drawn)


def blocked(drawn: np.ndarray, random: np.random.Generator) -> BlockedCovotes:
    """Sum the votes by the set of systems that answered and by block, into which items come by chance."""
    answered, systems = ~np.isnan(drawn), tuple(map(str, range(len(drawn))))
    full = np.vstack([np.nan_to_num(drawn), np.ones(drawn.shape[1])])
    sets, place = np.unique(answered.T @ (1 << np.arange(len(drawn))), return_inverse=True)
    at = place.ravel() * BLOCKS + random.integers(0, BLOCKS, drawn.shape[1])
    size = len(sets) * BLOCKS
    shape = len(sets), BLOCKS
    products = [
        [np.bincount(at, one * other, size).reshape(shape) for one in full] for other in full
    ]
    whole = (UNIT * np.moveaxis(np.array(products), (0, 1), (2, 3))).round().astype(np.int64)
    number = np.bincount(at, minlength=size).reshape(shape)
    return BlockedCovotes(systems, sets[:, None] >> np.arange(len(drawn)) & 1 == 1, number, whole)


def main() -> None:
    header(
        f"coverage of the interval from {BLOCKS} blocks at level {LEVEL}, {RUNS:,} simulated tables each (+- 0.014)"
    )
    print(f"  {'systems':>7} {'missing':>7} {'items':>7}  {'held':>6}  {'width':>8}")
    for systems, missing in ((3, 0.0), (5, 0.0), (5, 0.2)):
        random = np.random.default_rng(0)
        parts = (
            blocked(votes(WHOLE // 20, systems, missing, random), random).whole() for _ in range(20)
        )
        true = summed_consensus(sum(parts, start=next(parts))).f()[:systems]
        for items in (5_000, 50_000):
            held, width = np.zeros(systems), 0.0
            for _ in range(RUNS):
                blocks = blocked_consensus(blocked(votes(items, systems, missing, random), random))
                ends = consensus_blocks(blocks, level=LEVEL)
                held += (ends.low[:systems] <= true) & (true <= ends.high[:systems])
                width += float((ends.high - ends.low)[:systems].mean())
            row = f"  {systems:7} {missing:7.1f} {items:7,}"
            print(f"{row}  {held.mean() / RUNS:6.3f}  {width / RUNS:8.5f}", flush=True)


if __name__ == "__main__":
    main()
