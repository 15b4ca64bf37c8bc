"""How two systems compare at each class balance where items are too many to resample: blocks of them are drawn anew."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import FloatArray
from karat.doubt.skew_bootstrap import DRAWS, PairedAreas, stretches
from karat.errors import OptionError, UnknownNameError
from karat.measure.pr_curve import areas, roc
from karat.measure.skew import check_skew
from karat.tally.paired_scores import Blocks, PairedBlocks

IntArray = npt.NDArray[np.int64]
FEWEST = 20
"""Blocks; of fewer, resamples say little."""


def block_areas(
    found: PairedBlocks, first: str, second: str, pi: npt.ArrayLike, *, draws: int = DRAWS, seed: int = 0
) -> PairedAreas:
    """How do two systems compare at each skew on resamples of blocks of the items that both have scored?

    As many blocks as there are, drawn with replacement, each with all its items and both systems' scores of them; the
    numbers of positives and negatives vary with them. Bins are cells of tied scores. Assumes that blocks are alike:
    chance, not likeness, put items together.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 8.
    >>> blocks = Blocks(np.arange(40) // 2, np.arange(40) % 2, np.arange(40) % 2 + 1, np.full(40, 2))
    >>> block_areas(PairedBlocks(20, {"a": blocks, "b": blocks}), "a", "b", [0.5], draws=9).better.tolist()
    [0.5]
    """
    share = check_skew("the skew", pi).ravel()
    if found.number < FEWEST:
        raise OptionError(f"there are {found.number} blocks; at least {FEWEST} are needed to draw them anew")
    if draws < 1:
        raise OptionError(f"draws is {draws}; draw at least once, better a thousand times")
    for name in (first, second):
        if name not in found.systems:
            raise UnknownNameError("system", name, list(found.systems))
    both = [found.systems[name] for name in (first, second)]
    random = np.random.default_rng(seed)
    times = random.multinomial(found.number, np.full(found.number, 1 / found.number), draws)
    drawn = [np.array([_area(part, row, share) for row in times]) for part in map(_counts, both)]
    curves = [roc(each.curve()) for each in both]
    method = f"paired bootstrap over {found.number} blocks of items (draws={draws}, seed={seed})"
    return PairedAreas(share, curves[0], curves[1], drawn[0], drawn[1], method)


Counts = Callable[[IntArray], tuple[IntArray, IntArray]]


def _counts(blocks: Blocks) -> Counts:
    """Return how the counts in the bins follow from how often each block was drawn."""
    length = int(blocks.bin.max()) + 1

    def counts(times: IntArray) -> tuple[IntArray, IntArray]:
        often = times[blocks.block]
        kinds = (np.bincount(blocks.bin, often * part, minlength=length) for part in (blocks.positive, blocks.negative))
        positive, negative = (kind.astype(np.int64) for kind in kinds)
        return positive, negative

    return counts


def _area(counts: Counts, times: IntArray, pi: FloatArray) -> FloatArray:
    positive, negative = counts(times)
    if not (positive.any() and negative.any()):
        raise OptionError("a resample of blocks has only one kind of items; there are too few for this")
    return areas(stretches(positive, negative), pi)
