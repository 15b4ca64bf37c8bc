"""How sure many systems' areas are together, where items are too many to draw: the curves of all, a sample of items."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.ranking_order import check_draws
from karat.doubt.prevalence.area_bootstrap import DRAWS, ends_of
from karat.doubt.prevalence.area_influences import area_influences
from karat.doubt.prevalence.curve_cells import stretches
from karat.doubt.prevalence.joint_areas import JointAreas
from karat.measure.prevalence.pr_curve import areas, roc
from karat.measure.prevalence.precision_at import check_prevalence
from karat.numeric.arrays import FloatArray
from karat.tally.scores.binned_curve import rebinned
from karat.tally.scores.curve import Curve
from karat.tally.scores.sampled_scores import SampledScores

BINS = 1_024
"""Bins of a curve, inside of which all items are taken to move the area alike."""
GROUPS = 1_000
"""Groups of sampled items whose influences are added up."""


@dataclass(frozen=True, slots=True, eq=False)
class SampledAreas:
    """Areas of all items, and by how much groups of sampled items move them: groups x systems x prevalences.

    The sum of the squares over the groups is the variance.
    """

    pi: FloatArray
    whole: FloatArray
    """Systems x prevalences."""
    moved: FloatArray
    curves: tuple[Curve, ...]
    """The systems' curves in bins."""
    items: int
    """How many items were sampled."""

    def difference(self, first: int, second: int, weight: FloatArray) -> "AreaDifference":
        """Return how sure the difference of two systems' mean areas is; a weight a prevalence.

        V is the sum of the squares v² of the groups, and Student's degrees of freedom are 2 V² / (Σ v⁴ - V² / G), G
        the groups: few where few items make up most of V. One more group stands for what no sampled item has shown:
        as if in one of them the two scores had nothing to do with each other.
        Reference: Satterthwaite, Biometrics Bulletin 2, 1946. doi:10.2307/3002019
        """
        one, other = (self.moved[:, place] @ weight for place in (first, second))
        unseen = ((one**2).sum() + (other**2).sum()) / self.items
        squares = np.append((one - other) ** 2, unseen)
        variance = float(squares.sum())
        if variance == 0:
            return AreaDifference(0.0, np.inf)
        spread = float((squares**2).sum()) - variance**2 / len(squares)
        freedom = len(squares) - 1.0
        if spread > 0:
            freedom = min(freedom, 2 * variance**2 / spread)
        return AreaDifference(float(np.sqrt(variance)), freedom)


@dataclass(frozen=True, slots=True)
class AreaDifference:
    """The standard error of a difference, and its degrees of freedom."""

    error: float
    freedom: float

    def reach(self, level: float) -> float:
        """Return the distance of the ends of an interval to either side."""
        from scipy.special import stdtrit  # noqa: PLC0415 (wanted only here)

        return float(stdtrit(self.freedom, (1 + level) / 2)) * self.error

    def above(self, difference: float) -> float:
        """Return one less the one-sided p-value of a difference above 0; 1/2 where there is none."""
        from scipy.special import stdtr  # noqa: PLC0415 (wanted only here)

        if difference == 0:
            return 0.5
        if self.error == 0:
            return float(difference > 0)
        return float(stdtr(self.freedom, difference / self.error))


def sampled_areas(
    sampled: SampledScores, curves: Mapping[str, Curve], pi: npt.ArrayLike, *, seed: int = 0
) -> SampledAreas:
    """How do systems' areas vary together, if the items were others?

    To first order an area moves by the sum of what each item moves it by (`area_influences`), which follows from the
    curves of all items, in bins. How the systems move together is seen in a sample: each sampled item stands for
    `times` items, with an independent sign. Assumes independent items.
    Reference: DeLong, DeLong, Clarke-Pearson, Biometrics 44, 1988, doi:10.2307/2531595 (for the ROC area); Horvitz,
    Thompson, Journal of the American Statistical Association 47, 1952. doi:10.1080/01621459.1952.10483446
    """
    prevalences = check_prevalence("the prevalence", pi).ravel()
    rows = sampled.rows
    random = np.random.default_rng(seed)
    group = random.integers(0, GROUPS, len(rows.number))
    sign = random.choice([-1.0, 1.0], len(rows.number))
    heavy = sign * np.sqrt(sampled.times * rows.number)
    moved = np.empty((GROUPS, len(curves), len(prevalences)))
    whole = np.empty((len(curves), len(prevalences)))
    in_bins = rebinned(curves, bins=BINS)
    for place, (system, binned) in enumerate(in_bins.items()):
        whole[place] = _areas(curves[system], prevalences)
        influences = area_influences(binned.curve, prevalences)
        cell = binned.places(rows.scores[:, place])
        for column in range(len(prevalences)):
            of_positive = influences.of_positive[cell, column]
            of_negative = influences.of_negative[cell, column]
            each = heavy * np.where(rows.positive, of_positive, of_negative)
            moved[:, place, column] = np.bincount(group, each, minlength=GROUPS)
    binned_curves = tuple(one.curve for one in in_bins.values())
    return SampledAreas(prevalences, whole, moved, binned_curves, sampled.items)


def joint_sample(
    found: SampledAreas,
    curves: Mapping[str, Curve],
    *,
    ends: int = 0,
    draws: int = DRAWS,
    seed: int = 0,
) -> JointAreas:
    """How do systems compare at each prevalence, where items are too many to resample?

    Draws from the normal distribution of the areas by `sampled_areas`. For the first `ends` prevalences also the areas
    for the ends of intervals, from resamples of each curve in bins, set right by what bins move its area.
    Reference: Efron, Tibshirani, An Introduction to the Bootstrap, Chapman and Hall 1993, chapter 13.
    """
    check_draws(draws)
    random = np.random.default_rng(seed)
    normal = random.standard_normal((draws, len(found.moved)))
    drawn = found.whole + np.tensordot(normal, found.moved, axes=1)
    low = np.empty((draws, len(curves), ends))
    high = np.empty((draws, len(curves), ends))
    prevalences = found.pi[:ends]
    for place, curve in enumerate(found.curves):
        if ends:
            off = found.whole[place, :ends] - _areas(curve, prevalences)
            extremes = ends_of(curve, prevalences, draws=draws, seed=seed)
            low[:, place] = np.clip(extremes.low + off, 0, 1)
            high[:, place] = np.clip(extremes.high + off, 0, 1)
    rocs = {name: roc(curve) for name, curve in curves.items()}
    method = (
        f"bootstrap within positives and negatives (draws={draws}, seed={seed}), "
        f"differences by {found.items:,} sampled items"
    )
    return JointAreas(found.pi, rocs, drawn, low, high, method)


def _areas(curve: Curve, pi: FloatArray) -> FloatArray:
    return areas(stretches(curve.positive, curve.negative), pi)
