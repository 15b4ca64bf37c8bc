"""Bands of the precision-recall curve, at each recall and as a whole."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.few_clusters import allowance, stretched
from karat.doubt.interval import tails
from karat.doubt.prevalence.area_bootstrap import DRAWS
from karat.doubt.prevalence.curve_cells import stretches
from karat.doubt.prevalence.curve_resamples import CurveResamples, of_items
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

    At each recall the curve lies between low and high with `level`, at all of them between the others.
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
    resamples: CurveResamples | None = None,
    recall: npt.ArrayLike = RECALL,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> CurveBand:
    """Where do the precision at each recall and the curve as a whole lie?

    The mean precision over the prevalences (`single` for one), on Davis and Goadrich's interpolation, of resamples with
    one unseen positive and one unseen negative (`unseen_items`); `resamples` are of clusters or of items with weights.
    Point by point the quantiles. For the whole curve the ranks: a resample is as extreme as its most
    extreme point, and the band runs through the innermost order statistics that hold a share `level` of all
    resamples at every recall. With clusters deviations from the median are multiplied, on log odds, by
    t / z √(k/(k-1)), t Student's quantile with k - 1 degrees of freedom, k the clusters of equal size that these are
    worth. Approximate; docs/coverage.md shows how far it was seen to hold.
    Reference: Rubin, Annals of Statistics 9, 1981, doi:10.1214/aos/1176345338; Davison, Hinkley, Bootstrap Methods and
    their Application, Cambridge 1997, section 4.2.4.
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
    if resamples is None:
        resamples = of_items(curve, draws=draws, seed=seed)
    ends = _ends(resamples, points, prevalences, level)
    below, above = tails(level, "both")
    # The curve itself lies inside, also where it is above, or below, nearly all resamples.
    low = np.minimum(np.quantile(ends.low, below, axis=0), precision)
    high = np.maximum(np.quantile(ends.high, 1 - above, axis=0), precision)
    lowest, highest = envelope(ends.low, ends.high, level)
    method = f"bootstrap over {resamples.what}, {prevalences.name} (draws={draws}, seed={seed})"
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


@dataclass(frozen=True, slots=True, eq=False)
class BandEnds:
    """The precision at each recall in each resample, for the low and for the high end: a row a resample."""

    low: FloatArray
    high: FloatArray


def _ends(
    resamples: CurveResamples,
    recall: FloatArray,
    prevalences: PrevalenceDistribution,
    level: float,
) -> BandEnds:
    low = []
    high = []
    for both in resamples.ends:
        parts = (stretches(end.positive, end.negative) for end in (both.low, both.high))
        worst, best = (_precision(rising, recall, prevalences) for rising in parts)
        low.append(worst)
        high.append(best)
    if not low:
        raise OptionError(
            f"in no draw of {resamples.what} were there both kinds of items; there are too few"
        )
    if resamples.units is None:
        return BandEnds(np.array(low), np.array(high))
    wider = allowance(resamples.units, level)
    return BandEnds(stretched(np.array(low), wider), stretched(np.array(high), wider))


def _precision(
    rising: RocStretches, recall: FloatArray, prevalences: PrevalenceDistribution
) -> FloatArray:
    """Return the mean precision of a curve at each recall."""
    return precision_over(recall, fall_out_along(rising, recall), prevalences)


def envelope(low: FloatArray, high: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Return the innermost pair of order statistics, column by column, that holds a share `level` of the whole rows.

    A row is held if it is nowhere below the first in `low`, and nowhere above the second in `high`.
    >>> drawn = np.array([[0.0, 9.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 0.0]])
    >>> low, high = envelope(drawn, drawn, 0.6)
    >>> low.tolist(), high.tolist()
    ([1.0, 1.0], [3.0, 3.0])
    """
    number = len(low)
    from_least = np.sort(low, axis=0)
    from_most = np.sort(high, axis=0)
    # How many resamples lie at least as far out at the most extreme point of a row, on the nearer side: 1 for the
    # outermost row; ties are as deep as the deepest of them.
    depth = np.full(number, number)
    for column in range(low.shape[1]):
        from_below = np.searchsorted(from_least[:, column], low[:, column], side="right")
        from_above = number - np.searchsorted(from_most[:, column], high[:, column])
        depth = np.minimum(depth, np.minimum(from_below, from_above))
    wanted = int(np.ceil(level * number - 1e-9))
    deepest_first = np.sort(depth)[::-1]
    inside = max(1, int(deepest_first[wanted - 1]))
    return from_least[inside - 1], from_most[number - inside]
