"""How sure many systems' areas are together, where blocks or clusters of items are resampled, and not single items."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.ranking_order import check_draws
from karat.doubt.prevalence.area_bootstrap import DRAWS, areas_of_cells
from karat.doubt.prevalence.curve_cells import stretches
from karat.doubt.prevalence.joint_areas import AreaBatch, JointAreas, left_out
from karat.doubt.prevalence.resampled_items import IntArray
from karat.doubt.prevalence.unseen_items import Unseen, extremes, unseen
from karat.errors import OptionError
from karat.measure.prevalence.pr_curve import areas, roc
from karat.measure.prevalence.precision_at import check_prevalence
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Counts
from karat.tally.scores.paired_scores import Blocks, PairedBlocks

Resample = tuple[Counts, Counts]
"""One system's positives and negatives in each bin."""
CELLS = 10_000_000
"""How many numbers of one system are held at a time: 80 MB."""
FEWEST_BLOCKS = 20
"""Blocks; with fewer, resamples show little."""


def joint_blocks(
    found: PairedBlocks,
    pi: npt.ArrayLike,
    *,
    ends: npt.ArrayLike = (),
    draws: int = DRAWS,
    seed: int = 0,
) -> JointAreas:
    """How do systems compare at each prevalence on resamples of blocks of items, where items are too many to draw?

    As many blocks as there are, drawn with replacement, each with all its items and all systems' scores of them; the
    numbers of positives and negatives vary with them. Bins are cells of tied scores. Assumes that items were put into
    blocks by chance, not by likeness; or that blocks are clusters of like items, and all clusters were drawn by chance.
    Draws without both kinds of items are left out, and `method` says how many.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 8.
    >>> from karat.tally.scores.paired_scores import Blocks
    >>> blocks = Blocks(np.arange(40) // 2, np.arange(40) % 2, np.arange(40) % 2 + 1, np.full(40, 2))
    >>> found = joint_blocks(PairedBlocks(20, {"a": blocks, "b": blocks}), [0.5], draws=9)
    >>> found.pair("a", "b").better.tolist()
    [0.5]
    """
    prevalences = check_prevalence("the prevalence", pi).ravel()
    at_ends = check_prevalence("the prevalence", ends).ravel()
    number = found.number
    if number < FEWEST_BLOCKS and found.what != "clusters":
        raise OptionError(
            f"there are {number} blocks; at least {FEWEST_BLOCKS} are needed to resample them"
        )
    check_draws(draws)
    random = np.random.default_rng(seed)
    times_drawn = random.multinomial(number, np.full(number, 1 / number), draws)
    drawn, low, high = [], [], []
    for resamples in block_resamples(found, times_drawn):
        areas_here = _areas_of(resamples, unseen(random), prevalences, at_ends)
        if areas_here is not None:
            drawn.append(areas_here.drawn)
            low.append(areas_here.low)
            high.append(areas_here.high)
    if not drawn:
        raise OptionError(
            f"in none of {draws} draws of {found.what} were there both kinds of items; there are too few"
        )
    rocs = {name: roc(blocks.curve()) for name, blocks in found.systems.items()}
    how = f"(draws={draws}{left_out(draws, len(drawn))}, seed={seed})"
    method = f"paired bootstrap over {number} {found.what} {how}"
    return JointAreas(prevalences, rocs, np.array(drawn), np.array(low), np.array(high), method)


def block_resamples(found: PairedBlocks, times_drawn: IntArray) -> Iterator[list[Resample]]:
    """Yield the systems' counts in each draw of blocks; several draws are one product of matrices."""
    each = list(found.systems.values())
    widest = max(int(blocks.bin.max()) + 1 for blocks in each)
    at_once = max(1, CELLS // widest)
    for begin in range(0, len(times_drawn), at_once):
        times = times_drawn[begin : begin + at_once]
        resampled = []
        for blocks in each:
            positive = _resampled(blocks, blocks.positive, times)
            negative = _resampled(blocks, blocks.negative, times)
            resampled.append((positive, negative))
        for draw in range(len(times)):
            yield [(positive[draw], negative[draw]) for positive, negative in resampled]


def _resampled(blocks: Blocks, counts: Counts, times: IntArray) -> Counts:
    """Return the counts in the bins, a row a draw, where each block is there so many times."""
    from scipy.sparse import csr_array  # noqa: PLC0415 (few questions draw blocks)

    shape = (times.shape[1], int(blocks.bin.max()) + 1)
    by_block = csr_array((counts, (blocks.block, blocks.bin)), shape=shape)
    return np.asarray(times @ by_block)


def _areas_of(
    resamples: Sequence[Resample], more: Unseen, pi: FloatArray, ends: FloatArray
) -> AreaBatch | None:
    """Return the systems' areas in one resample of blocks; None where it has items of one kind only."""
    drawn = np.empty((len(resamples), len(pi)))
    low = np.empty((len(resamples), len(ends)))
    high = np.empty((len(resamples), len(ends)))
    for system, (positive, negative) in enumerate(resamples):
        if not (positive.any() and negative.any()):
            return None
        drawn[system] = areas(stretches(positive, negative), pi)
        if len(ends):
            both = extremes(positive, negative, more)
            low[system] = areas_of_cells(both.low, ends)
            high[system] = areas_of_cells(both.high, ends)
    return AreaBatch(drawn, low, high)
