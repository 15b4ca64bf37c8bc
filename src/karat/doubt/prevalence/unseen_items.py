"""One more item of each kind, which the data do not show: so that an interval allows for what is yet to come.

Plain resamples know only the scores they have. A perfect system stays perfect in each of them, and where positives are
far rarer than in the data, the precision hangs on negatives with high scores of which the data may hold none. So every
resample gets one more positive and one more negative: for the low end of an interval where they do harm, for the high
end where they do none.

The unseen negative is tied with all positives that are above every negative, the unseen positive with all negatives
that are below every positive: it may be anywhere among them. A single place drawn at random would leave positives
before it at a precision of 1, of which there is none where positives are rare and the detector is weak.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Counts


@dataclass(frozen=True, slots=True)
class Unseen:
    """The weights of one more positive and one more negative, of unknown scores: a number each, or one per resample."""

    positive: npt.ArrayLike
    negative: npt.ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class WeightedCells:
    """The weights of positives and of negatives in cells, from the highest scores down."""

    positive: FloatArray
    negative: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Extremes:
    """The cells with the unseen items where they do harm, and where they do none."""

    low: WeightedCells
    high: WeightedCells


def unseen(random: np.random.Generator) -> Unseen:
    """Draw what was not seen."""
    return Unseen(*random.exponential(size=2).tolist())


def extremes(positive: Counts, negative: Counts, more: Unseen) -> Extremes:
    """Return the counts with one more item of each kind: where it does harm, and where it does none.

    The next negative may stand among the positives that are above every negative, the next positive among the negatives
    that are below every positive; or the one below all, and the other above all. The last axis runs over the cells.
    >>> found = extremes(np.array([2.0, 0.0]), np.array([0.0, 3.0]), Unseen(1.0, 1.0))
    >>> found.low.positive.tolist(), found.low.negative.tolist()
    ([2.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 3.0])
    >>> found.high.positive.tolist(), found.high.negative.tolist()
    ([1.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, 1.0])
    """
    return Extremes(_harm(positive, negative, more), _no_harm(positive, negative, more))


def _harm(positive: Counts, negative: Counts, more: Unseen) -> WeightedCells:
    """Return the cells between a new one in front and one behind.

    In front: the positives above every negative, tied with the unseen negative. Behind: the negatives below every
    positive, tied with the unseen positive.
    """
    size = positive.shape[-1]
    cell = np.arange(size)
    first_negative = (negative > 0).argmax(axis=-1)[..., None]
    after_last_positive = size - (positive > 0)[..., ::-1].argmax(axis=-1)[..., None]
    leading = np.where(cell < first_negative, positive, 0.0)
    trailing = np.where(cell >= after_last_positive, negative, 0.0)
    top = leading.sum(axis=-1)
    bottom = trailing.sum(axis=-1)
    zero = 0.0 * top
    positives = [_columns(top), positive - leading, _columns(np.add(more.positive, zero))]
    negatives = [_columns(np.add(more.negative, zero)), negative - trailing, _columns(bottom)]
    return WeightedCells(_joined(positives), _joined(negatives))


def _no_harm(positive: Counts, negative: Counts, more: Unseen) -> WeightedCells:
    """Return the cells with the unseen positive above all and the unseen negative below all."""
    zero = np.zeros(positive.shape[:-1])
    positives = [_columns(np.add(more.positive, zero)), positive, _columns(zero)]
    negatives = [_columns(zero), negative, _columns(np.add(more.negative, zero))]
    return WeightedCells(_joined(positives), _joined(negatives))


def _columns(*values: npt.ArrayLike) -> FloatArray:
    """Return cells with these weights, for every resample."""
    return np.stack(np.broadcast_arrays(*values), axis=-1)


def _joined(parts: list[FloatArray] | list[Counts]) -> FloatArray:
    return np.asarray(np.concatenate(parts, axis=-1), np.float64)
