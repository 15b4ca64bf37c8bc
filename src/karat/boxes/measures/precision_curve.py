"""Average precision of ranked boxes by COCO's 101 recalls, and what each box adds to it."""

from dataclasses import dataclass

import numpy as np

from karat.boxes.matching.detections import HIT, MISS, Outcomes
from karat.numeric.arrays import FloatArray

RECALLS = np.linspace(0.0, 1.0, 101)


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionCurve:
    """Precision and recall down to each box of a class, the surest first: a row for each overlap."""

    hit: FloatArray
    """What each box adds to the hits: 1, or the weight of its image; 0 if it is not a hit."""
    miss: FloatArray
    hits: FloatArray
    """The sum of hits down to each box."""
    misses: FloatArray
    precision: FloatArray
    best: FloatArray
    """The best precision from each box on."""
    wanted: float
    """What is to be found."""


def precision_curve(
    outcomes: Outcomes, wanted: float, weight: FloatArray | None = None
) -> PrecisionCurve:
    """Return the curves of boxes in the order of their scores; each may have the weight of its image."""
    # Row by row in memory: a sum over boxes is then added up in the same order, however many overlaps there are.
    hit = (outcomes == HIT).astype(float, order="C")
    miss = (outcomes == MISS).astype(float, order="C")
    if weight is not None:
        hit *= weight
        miss *= weight
    hits = hit.cumsum(axis=1)
    misses = miss.cumsum(axis=1)
    retrieved = hits + misses
    precision = np.divide(hits, retrieved, out=np.zeros(hits.shape), where=retrieved > 0)
    best = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    return PrecisionCurve(hit, miss, hits, misses, precision, best, wanted)


def averages_of_recalls(curve: PrecisionCurve) -> FloatArray:
    """Average precision at 101 recalls: the best precision at that recall or a higher one, 0 where none reaches it.

    Reference: Lin et al., Microsoft COCO, ECCV 2014; as pycocotools 2.0 evaluates. doi:10.1007/978-3-319-10602-1_48
    >>> found = np.array([[1, 0, 1], [1, 1, 0]], np.int8)
    >>> averages_of_recalls(precision_curve(found, 2.0)).round(4)
    array([0.835, 1.   ])
    """
    averages = []
    for recall, best in zip(curve.hits / curve.wanted, curve.best, strict=True):
        first = np.searchsorted(recall, RECALLS, side="left")
        reached = first < len(recall)
        averages.append(best[first[reached]].sum() / len(RECALLS))
    return np.array(averages)


def averages_of_hits(curve: PrecisionCurve) -> FloatArray:
    """Average precision over all hits: the best precision from each one on, 0 for what is not found.

    It differs from `averages_of_recalls` by the grid of recalls alone, and has none of its steps.
    >>> found = np.array([[1, 0, 1], [1, 1, 0]], np.int8)
    >>> averages_of_hits(precision_curve(found, 2.0)).round(4)
    array([0.8333, 1.    ])
    """
    return np.asarray((curve.hit * curve.best).sum(axis=1) / curve.wanted)


def influence_of_boxes(curve: PrecisionCurve) -> tuple[FloatArray, FloatArray]:
    """Return what each found box, and each true one, adds to the average precision: its derivative by their weight.

    Of the average over all hits, Σ h b / W, h the weight of a hit, b the best precision from there on, W what is to be
    found: at 101 recalls it is a step function, whose steps come from the grid alone. A hit adds its own term, and
    raises each later precision; a miss lowers it; a true box adds to W.
    """
    overlaps, number = curve.hit.shape
    if not number:
        return np.zeros((overlaps, 0)), np.zeros(overlaps)
    # Where the best precision from each box on is reached.
    reached = np.where(curve.precision >= curve.best, np.arange(number), number)
    reached = np.minimum.accumulate(reached[:, ::-1], axis=1)[:, ::-1]
    places = reached + number * np.arange(overlaps)[:, None]
    gathered = np.bincount(places.ravel(), curve.hit.ravel(), minlength=places.size)
    retrieved = curve.hits + curve.misses
    # Before the first box that counts nothing is retrieved, and nothing gathered.
    share = np.divide(
        gathered.reshape(overlaps, number),
        retrieved**2,
        out=np.zeros((overlaps, number)),
        where=retrieved > 0,
    )
    gain = share * curve.misses
    loss = share * curve.hits
    gain_from_here = gain[:, ::-1].cumsum(axis=1)[:, ::-1]
    loss_from_here = loss[:, ::-1].cumsum(axis=1)[:, ::-1]
    of_hit = (curve.best + gain_from_here) / curve.wanted
    of_miss = -loss_from_here / curve.wanted
    of_found = np.where(curve.hit > 0, of_hit, 0.0) + np.where(curve.miss > 0, of_miss, 0.0)
    return of_found, -averages_of_hits(curve) / curve.wanted
