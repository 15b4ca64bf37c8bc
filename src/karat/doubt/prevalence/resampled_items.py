"""Which items a resample holds: positives and negatives resampled, labels flipped, or both."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from karat.doubt.prevalence.unseen_items import Unseen, unseen
from karat.numeric.arrays import FloatArray
from karat.numeric.sparse_successes import successes

IntArray = npt.NDArray[np.int64]
Doubt = Literal["labels", "items", "both"]


@dataclass(frozen=True, slots=True, eq=False)
class ItemsByKind:
    """The places of the positive and of the negative items among all items."""

    positive: IntArray
    negative: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class ItemResample:
    """The items of one resample; for the ends of intervals, if wanted, all items with weights and what was not seen."""

    items: ItemsByKind
    weighted: ItemsByKind
    """All items, each once: their weights are what varies, so that nothing is resampled twice."""
    positive_weights: FloatArray
    negative_weights: FloatArray
    more: Unseen


@dataclass(frozen=True, slots=True)
class FlipRates:
    """P(truly positive | given negative) and P(truly negative | given positive)."""

    of_negatives: float
    of_positives: float

    def __bool__(self) -> bool:
        """Return whether any label may be wrong."""
        return bool(self.of_negatives or self.of_positives)


def resampled_items(
    given: ItemsByKind,
    errors: FlipRates,
    doubt: Doubt,
    random: np.random.Generator,
    *,
    draws: int,
    weighted: bool,
) -> Iterator[ItemResample]:
    """Yield resamples that hold items of both kinds; some of the draws may not."""
    nobody = ItemsByKind(np.empty(0, np.int64), np.empty(0, np.int64))
    for _ in range(draws):
        items = _flipped(_drawn(given, doubt, random), errors, random)
        of_ends = _flipped(given, errors, random) if weighted else nobody
        if not _both_kinds(items) or (weighted and not _both_kinds(of_ends)):
            continue
        positive_weights = random.exponential(size=len(of_ends.positive))
        negative_weights = random.exponential(size=len(of_ends.negative))
        yield ItemResample(items, of_ends, positive_weights, negative_weights, unseen(random))


def _both_kinds(items: ItemsByKind) -> bool:
    return bool(len(items.positive) and len(items.negative))


def _drawn(given: ItemsByKind, doubt: Doubt, random: np.random.Generator) -> ItemsByKind:
    """Return as many items of each kind as are given, drawn with replacement."""
    if doubt == "labels":
        return given
    positives = len(given.positive)
    negatives = len(given.negative)
    positive = given.positive[random.integers(0, positives, positives)]
    negative = given.negative[random.integers(0, negatives, negatives)]
    return ItemsByKind(positive, negative)


def _flipped(items: ItemsByKind, errors: FlipRates, random: np.random.Generator) -> ItemsByKind:
    """Return the items by their true labels, where given ones are wrong at random."""
    if not errors:
        return items
    lost = successes(random, len(items.positive), errors.of_positives)
    won = successes(random, len(items.negative), errors.of_negatives)
    positive = np.concatenate([np.delete(items.positive, lost), items.negative[won]])
    negative = np.concatenate([np.delete(items.negative, won), items.positive[lost]])
    return ItemsByKind(positive, negative)
