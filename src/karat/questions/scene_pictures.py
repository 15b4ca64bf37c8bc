"""One image, drawn for one system: what annotators marked, the scores, and hits, misses and false alarms."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.report.pixel_pictures import (
    ALARM,
    HIT,
    MISS,
    UNCOUNTED,
    PixelPicture,
    outcomes,
    smaller,
    smaller_outcome,
)
from karat.source.pixels.counting import check_whole
from karat.source.pixels.scenes import ImageScene
from karat.source.pixels.values import TOPS, Mask

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureOptions:
    """How an image is drawn."""

    at_least: int
    """How many annotators must have marked a pixel."""
    side: int
    """The longest side of the picture in pixels; larger images are made smaller."""
    threshold: float | None = None
    """From which score on a pixel is marked; where F1 is best unless given."""
    chosen: str = ""
    """How the threshold was chosen, in words."""


def picture_of(
    scene: ImageScene, place: int, system: str, how: PictureOptions, *, photo: Any = None
) -> PixelPicture:
    """Return the picture of an image for the system at a place; pixels that do not count are in no number."""
    check_whole(scene)
    band = scene.whole()
    assert band.level is not None  # noqa: S101 (there is a truth)
    level = band.level.astype(np.int64)
    counts = band.counts if band.counts is not None else np.ones(scene.shape, bool)
    scores = band.systems[place].astype(np.float64)
    truth = scene.reached(level, how.at_least)
    threshold, chosen = how.threshold, how.chosen
    mark = _mark(scores[counts])
    is_mask = mark is not None and threshold is None
    if is_mask:
        threshold = mark
    elif threshold is None:
        threshold = _best(truth[counts], scores[counts])
        chosen = ", where F1 is best"
    assert threshold is not None  # noqa: S101 (given, or chosen just now)
    outcome = np.where(counts, outcomes(truth, scores >= threshold), UNCOUNTED)
    number = np.bincount(outcome.ravel(), minlength=5)
    times = -(-max(truth.shape) // how.side)
    return PixelPicture(
        name=scene.files.name,
        system=system,
        photo=photo,
        agreement=smaller(level / scene.looked, times),
        annotators=scene.looked,
        scores=smaller(scores, times),
        is_mask=is_mask,
        outcome=smaller_outcome(outcome, times),
        threshold=float(threshold),
        chosen=chosen,
        at_least=how.at_least,
        hits=int(number[HIT]),
        misses=int(number[MISS]),
        alarms=int(number[ALARM]),
    )


def _mark(scores: Values) -> float | None:
    """Return what marked pixels of a mask hold; None if these are scores."""
    marked = set(np.unique(scores).tolist()) - {0.0}
    if len(marked) <= 1 and marked <= set(TOPS):
        return float(max(marked, default=1.0))
    return None


def _best(truth: Mask, scores: Values) -> float:
    """Return the threshold at which F1 is best; of several the highest."""
    values, place = np.unique(scores, return_inverse=True)
    found = np.bincount(place.ravel(), truth.ravel(), len(values))
    answered = np.bincount(place.ravel(), minlength=len(values))
    return best_threshold(values, found, answered - found)


def best_threshold(values: Values, positive: npt.NDArray[Any], negative: npt.NDArray[Any]) -> float:
    """Return the score from which on F1 is best, of several the highest; scores rise.

    >>> best_threshold(np.array([1.0, 2.0, 3.0]), np.array([0, 2, 2]), np.array([9, 1, 0]))
    2.0
    """
    found = positive[::-1].cumsum()
    answered = found + negative[::-1].cumsum()
    f1 = 2 * found / np.maximum(positive.sum() + answered, 1)
    return float(values[::-1][f1.argmax()])
