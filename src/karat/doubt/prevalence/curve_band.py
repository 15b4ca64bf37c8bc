"""Where the precision-recall curve lies, at each recall and as a whole."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import tails
from karat.doubt.prevalence.area_bootstrap import DRAWS, resampled_stretches
from karat.errors import OptionError
from karat.measure.prevalence.distribution import PrevalenceDistribution, precision_over
from karat.measure.prevalence.pr_curve import RocStretches, fall_out_along, rises, roc
from karat.measure.prevalence.precision_at import check_rate
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve

RECALL = np.linspace(0.01, 1, 100)


@dataclass(frozen=True, slots=True, eq=False)
class CurveBand:
    """The precision at each recall, where it lies there (low, high), and where the whole curve lies (lowest, highest).

    Each point lies between low and high in a share `level` of the resamples, the whole curve between the others.
    """

    recall: FloatArray
    precision: FloatArray
    low: FloatArray
    high: FloatArray
    lowest: FloatArray
    highest: FloatArray
    level: float
    method: str


def curve_band(
    curve: Curve,
    prevalences: PrevalenceDistribution,
    *,
    recall: npt.ArrayLike = RECALL,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> CurveBand:
    """Where do the precision at each recall and the curve as a whole lie, if the items were resampled?

    The mean precision over the prevalences (`single` for one), on Davis and Goadrich's interpolation, of resamples of
    the positives and of the negatives. Point by point the quantiles of the resamples. For the whole curve
    the ranks: a resample is as extreme as its most extreme point, and the band runs through the innermost order
    statistics that hold a share `level` of all resamples at every recall. Approximate; where every positive stands
    before every negative no resample differs and the band has no width.
    Reference: Davison, Hinkley, Bootstrap Methods and their Application, Cambridge 1997, section 4.2.4.
    >>> from karat.measure.prevalence.distribution import single
    >>> curve = Curve(np.arange(3.0)[::-1], np.array([5, 3, 2]), np.array([1, 3, 6]))
    >>> found = curve_band(curve, single(0.5), recall=[0.5, 1.0], draws=200)
    >>> found.precision.round(4).tolist(), bool(np.all(found.lowest <= found.low))
    ([0.8333, 0.5], True)
    """
    points = check_rate("the recall", recall).ravel()
    if not len(points) or points.min() <= 0:
        raise OptionError("the recall of a band begins above 0; at recall 0 nothing is retrieved")
    if draws < 2:
        raise OptionError(f"draws is {draws}; a band needs at least two, better a thousand")
    precision = _precision(rises(roc(curve)), points, prevalences)
    resamples = resampled_stretches(curve, draws=draws, seed=seed)
    drawn = np.array([_precision(rising, points, prevalences) for rising in resamples])
    below, above = tails(level, "both")
    low, high = np.quantile(drawn, [below, 1 - above], axis=0)
    lowest, highest = envelope(drawn, level)
    where = prevalences.name
    method = f"bootstrap within positives and negatives, {where} (draws={draws}, seed={seed})"
    return CurveBand(
        recall=points,
        precision=precision,
        low=low,
        high=high,
        lowest=np.minimum(lowest, low),
        highest=np.maximum(highest, high),
        level=level,
        method=method,
    )


def _precision(
    rising: RocStretches, recall: FloatArray, prevalences: PrevalenceDistribution
) -> FloatArray:
    """Return the mean precision of a curve at each recall."""
    return precision_over(recall, fall_out_along(rising, recall), prevalences)


def envelope(drawn: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Return the innermost pair of order statistics, column by column, that holds a share `level` of the whole rows.

    >>> low, high = envelope(np.array([[0.0, 9.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 0.0]]), 0.6)
    >>> low.tolist(), high.tolist()
    ([1.0, 1.0], [3.0, 3.0])
    """
    number = len(drawn)
    ordered = np.sort(drawn, axis=0)
    # How many resamples lie at least as far out at the most extreme point of a row, on the nearer side: 1 for the
    # outermost row; ties are as deep as the deepest of them.
    depth = np.full(number, number)
    for column, values in zip(ordered.T, drawn.T, strict=True):
        from_below = np.searchsorted(column, values, side="right")
        from_above = number - np.searchsorted(column, values)
        depth = np.minimum(depth, np.minimum(from_below, from_above))
    wanted = int(np.ceil(level * number - 1e-9))
    deepest_first = np.sort(depth)[::-1]
    inside = max(1, int(deepest_first[wanted - 1]))
    return ordered[inside - 1], ordered[number - inside]
