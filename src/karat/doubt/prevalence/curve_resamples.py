"""Resamples of a curve with one unseen item of each kind: of independent items, of clusters, of items with weights."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from karat.doubt.few_clusters import worth
from karat.doubt.prevalence.curve_cells import cells
from karat.doubt.prevalence.joint_blocks import block_resamples
from karat.doubt.prevalence.unseen_items import Extremes, Unseen, extremes, unseen
from karat.tally.scores.curve import Curve
from karat.tally.scores.paired_scores import Blocks, PairedBlocks, PairedScores


@dataclass(frozen=True, slots=True)
class CurveResamples:
    """Resamples, each with the unseen items where they do harm and where they do none."""

    ends: Iterator[Extremes]
    what: str
    units: float | None = None
    """How many clusters of equal size these are worth; None where items are independent."""


def of_items(curve: Curve, *, draws: int, seed: int) -> CurveResamples:
    """Give every independent item an exponential weight."""
    counts = cells(curve)

    def ends() -> Iterator[Extremes]:
        random = np.random.default_rng(seed)
        for _ in range(draws):
            positive = random.standard_gamma(counts.positive)
            negative = random.standard_gamma(counts.negative)
            yield extremes(positive, negative, unseen(random))

    return CurveResamples(ends(), "positives and negatives")


def of_clusters(found: PairedBlocks, blocks: Blocks, *, draws: int, seed: int) -> CurveResamples:
    """Draw as many clusters as there are, each with all its items; draws of one kind of items are left out."""
    alone = PairedBlocks(found.number, {"": blocks}, found.what)

    def ends() -> Iterator[Extremes]:
        random = np.random.default_rng(seed)
        times = random.multinomial(found.number, np.full(found.number, 1 / found.number), draws)
        for ((positive, negative),) in block_resamples(alone, times):
            if positive.any() and negative.any():
                yield extremes(positive, negative, unseen(random))

    kinds = (blocks.positive, blocks.negative)
    units = min(worth(np.bincount(blocks.block, kind)) for kind in kinds)
    return CurveResamples(ends(), f"{found.number:,} {found.what}", units)


def of_weights(items: PairedScores, system: str, *, draws: int, seed: int) -> CurveResamples:
    """Give every item an exponential weight times its own; what was not seen is as heavy as the mean item."""
    falling, place = np.unique(-items.of(system), return_inverse=True)
    positive = np.where(items.positive, items.amount, 0.0)
    negative = np.where(items.positive, 0.0, items.amount)
    each = items.amount / items.number
    positives, negatives = items.sides

    def ends() -> Iterator[Extremes]:
        random = np.random.default_rng(seed)
        for _ in range(draws):
            drawn = random.standard_gamma(items.number) * each
            more = unseen(random)
            as_heavy = Unseen(
                np.multiply(more.positive, positive.sum() / positives),
                np.multiply(more.negative, negative.sum() / negatives),
            )
            yield extremes(
                np.bincount(place, drawn * items.positive, len(falling)),
                np.bincount(place, drawn * ~items.positive, len(falling)),
                as_heavy,
            )

    return CurveResamples(ends(), "weighted positives and negatives")
