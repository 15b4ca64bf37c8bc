"""How frequent positives are in a deployment, from scores without labels, and what that means for a threshold there.

All of it assumes that in the deployment positives score as the labelled positives do, and negatives as the labelled
negatives: only their shares differ.
"""

from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import tails
from karat.doubt.prevalence.deployment import (
    BoundedNumber,
    DeployedThreshold,
    reaching,
    sizes,
)
from karat.errors import OptionError
from karat.measure.prevalence.precision_at import precision_at
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve

DRAWS = 2000
_BINS = 8
_HALVINGS = 50


def adjusted_count(
    curve: Curve,
    field: npt.ArrayLike,
    *,
    threshold: float,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> BoundedNumber:
    """How frequent are positives in a deployment, judging from how many items reach a threshold?

    (q - FPR) / (TPR - FPR), clipped to [0, 1], q the share of its scores at or above the threshold. The
    interval: quantiles with each share drawn from its Jeffreys posterior; where a draw has TPR <= FPR any prevalence
    is possible. None, and [0, 1], if the rates are equal.
    Reference: Forman, Data Mining and Knowledge Discovery 17, 2008. doi:10.1007/s10618-008-0097-y
    >>> curve = Curve(np.array([1.0, 0.0]), np.array([80, 20]), np.array([20, 80]))
    >>> round(adjusted_count(curve, [1.0] * 26 + [0.0] * 74, threshold=0.5).value, 3)
    0.1
    """
    scores = _scores(field)
    random = np.random.default_rng(seed)
    hits, false = reaching(curve, threshold)
    positives, negatives = sizes(curve)
    reached = int((scores >= threshold).sum())
    tpr = hits / positives
    fpr = false / negatives
    share = reached / len(scores)
    value = None
    if tpr != fpr:
        value = float(np.clip((share - fpr) / (tpr - fpr), 0, 1))
    tpr_drawn = _jeffreys(random, hits, positives, draws)
    fpr_drawn = _jeffreys(random, false, negatives, draws)
    share_drawn = _jeffreys(random, reached, len(scores), draws)
    apart = tpr_drawn - fpr_drawn
    prevalence = np.clip((share_drawn - fpr_drawn) / np.where(apart > 0, apart, 1.0), 0, 1)
    any_prevalence = random.random(draws)
    return _bounded(value, np.where(apart > 0, prevalence, any_prevalence), level)


def _jeffreys(random: np.random.Generator, k: int, n: int, draws: int) -> FloatArray:
    """Draw a share of which k of n were seen from its Jeffreys posterior."""
    return random.beta(k + 0.5, n - k + 0.5, draws)


def likeliest_prevalence(
    curve: Curve, field: npt.ArrayLike, *, level: float = 0.95, draws: int = DRAWS, seed: int = 0
) -> BoundedNumber:
    """How frequent are positives in a deployment, judging from all of its scores?

    The pi under which its scores are likeliest, that is where expectation-maximisation of the prior ends: the zero of
    sum f (P - N) / (pi P + (1 - pi) N) over up to 8 bins of scores, P and N the shares of the labelled positives and
    negatives in a bin, f that of the unlabelled scores. The interval: over Dirichlet draws of all three the quantiles
    of (f g - N g) / (P g - N g), clipped, g the bins' terms (P - N) / (pi P + (1 - pi) N) as estimated: held fixed,
    since chance in new terms would pull rare positives up.
    Reference: Saerens, Latinne, Decaestecker, Neural Computation 14, 2002. doi:10.1162/089976602753284446
    >>> curve = Curve(np.array([1.0, 0.0]), np.array([800, 200]), np.array([200, 800]))
    >>> round(likeliest_prevalence(curve, [1.0] * 260 + [0.0] * 740).value, 2)
    0.1
    """
    counts = _binned(curve, _scores(field), _edges(curve))
    value = _likeliest(counts)
    drawn = _prevalences(value, counts, _dirichlet(counts, draws, seed))
    return _bounded(value, drawn, level)


def deployed_by_unlabelled_scores(
    curve: Curve,
    field: npt.ArrayLike,
    *,
    threshold: float,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> DeployedThreshold:
    """What does a threshold do in the deployment that these unlabelled scores come from?

    The prevalence from all scores (`likeliest_prevalence`), with the threshold as one edge of the bins, and its doubt
    carried on together with that of both rates; alarms are those among the unlabelled scores.
    Reference: Saerens, Latinne, Decaestecker, Neural Computation 14, 2002. doi:10.1162/089976602753284446
    >>> curve = Curve(np.array([1.0, 0.0]), np.array([800, 200]), np.array([200, 800]))
    >>> found = deployed_by_unlabelled_scores(curve, [1.0] * 260 + [0.0] * 740, threshold=0.5)
    >>> found.precision.low < 0.3077 < found.precision.high
    True
    """
    edges = np.unique(np.append(_edges(curve), threshold))
    counts = _binned(curve, _scores(field), edges)
    shares = _dirichlet(counts, draws, seed)
    # Bins from here on lie at or above the threshold.
    first = int(np.searchsorted(edges, threshold)) + 1
    tpr_drawn = shares.positive[:, first:].sum(axis=1)
    fpr_drawn = shares.negative[:, first:].sum(axis=1)
    reached_drawn = shares.unlabelled[:, first:].sum(axis=1)
    hits, false = reaching(curve, threshold)
    positives, negatives = sizes(curve)
    value = _likeliest(counts)
    known = _outcomes(
        np.array([value]), np.array([hits / positives]), np.array([false / negatives])
    )
    drawn = _outcomes(_prevalences(value, counts, shares), tpr_drawn, fpr_drawn)
    number = len(np.ravel(field))
    method = f"likeliest prevalence of {number:,} unlabelled scores (draws={draws}, seed={seed})"
    outcome = _with_intervals(threshold, known, drawn, level, method)
    alarms = 1000 * counts.unlabelled[first:].sum() / counts.unlabelled.sum()
    return replace(outcome, alarms=_bounded(alarms, 1000 * reached_drawn, level))


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdOutcomes:
    """What a threshold does, as it is or in each draw."""

    balance: FloatArray
    tpr: FloatArray
    fpr: FloatArray
    precision: FloatArray
    alarms: FloatArray
    misses: FloatArray


def _outcomes(pi: FloatArray, tpr: FloatArray, fpr: FloatArray) -> ThresholdOutcomes:
    hits = np.clip(tpr, 0, 1)  # sums of shares may pass 1 by rounding
    false = np.clip(fpr, 0, 1)
    return ThresholdOutcomes(
        balance=pi,
        tpr=hits,
        fpr=false,
        precision=precision_at(hits, false, pi=pi),
        alarms=1000 * (pi * hits + (1 - pi) * false),
        misses=1000 * pi * (1 - hits),
    )


def _with_intervals(
    threshold: float,
    known: ThresholdOutcomes,
    drawn: ThresholdOutcomes,
    level: float,
    method: str,
) -> DeployedThreshold:
    bounded = {}
    for each in fields(ThresholdOutcomes):
        value = float(getattr(known, each.name)[0])
        defined = None if np.isnan(value) else value
        bounded[each.name] = _bounded(defined, getattr(drawn, each.name), level)
    return DeployedThreshold(threshold=threshold, level=level, method=method, **bounded)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreBins:
    """How many labelled positives, labelled negatives and unlabelled items each bin of scores has, or their shares."""

    positive: FloatArray
    negative: FloatArray
    unlabelled: FloatArray


def _likeliest(counts: ScoreBins) -> float:
    """Return the likeliest prevalence, by halving: the slope of the log likelihood falls with pi."""
    unlabelled = _smoothed(counts.unlabelled)
    low = 0.0
    high = 1.0
    for _ in range(_HALVINGS):
        pi = (low + high) / 2
        slope = float((unlabelled * _terms(pi, counts)).sum())
        if slope > 0:
            low = pi
        else:
            high = pi
    return (low + high) / 2


def _terms(pi: float, counts: ScoreBins) -> FloatArray:
    """Return (P - N) / (pi P + (1 - pi) N) of each bin: how its log likelihood changes with pi."""
    positive = _smoothed(counts.positive)
    negative = _smoothed(counts.negative)
    return np.asarray((positive - negative) / (pi * positive + (1 - pi) * negative))


def _prevalences(pi: float, counts: ScoreBins, drawn: ScoreBins) -> FloatArray:
    """Return the prevalence of each draw: where the mean unlabelled term lies between those of both kinds."""
    terms = _terms(pi, counts)
    positive = (drawn.positive * terms).sum(axis=1)
    negative = (drawn.negative * terms).sum(axis=1)
    unlabelled = (drawn.unlabelled * terms).sum(axis=1)
    apart = np.where(positive > negative, positive - negative, np.inf)
    return np.asarray(np.clip((unlabelled - negative) / apart, 0, 1))


def _edges(curve: Curve) -> FloatArray:
    """Return the lower edges of bins that hold equal shares of positives and negatives taken together."""
    positives, negatives = sizes(curve)
    bins = int(np.clip(np.sqrt(min(positives, negatives)), 2, _BINS))
    share = (curve.positive / positives + curve.negative / negatives).cumsum() / 2
    place = np.searchsorted(share, np.arange(1, bins) / bins)
    return np.unique(curve.score[np.minimum(place, len(share) - 1)])


def _binned(curve: Curve, unlabelled: FloatArray, edges: FloatArray) -> ScoreBins:
    bins = len(edges) + 1
    labelled_bin = np.searchsorted(edges, curve.score, side="right")
    unlabelled_bin = np.searchsorted(edges, unlabelled, side="right")
    return ScoreBins(
        positive=np.bincount(labelled_bin, weights=curve.positive, minlength=bins).astype(float),
        negative=np.bincount(labelled_bin, weights=curve.negative, minlength=bins).astype(float),
        unlabelled=np.bincount(unlabelled_bin, minlength=bins).astype(float),
    )


def _smoothed(counts: FloatArray) -> FloatArray:
    """Return shares none of which is 0: half an item more in each bin."""
    return np.asarray((counts + 0.5) / (counts + 0.5).sum())


def _dirichlet(counts: ScoreBins, draws: int, seed: int) -> ScoreBins:
    """Draw the shares of all three kinds of items from their posteriors: a row a draw."""
    random = np.random.default_rng(seed)
    return ScoreBins(
        positive=random.dirichlet(counts.positive + 0.5, draws),
        negative=random.dirichlet(counts.negative + 0.5, draws),
        unlabelled=random.dirichlet(counts.unlabelled + 0.5, draws),
    )


def _bounded(value: float | None, drawn: FloatArray, level: float) -> BoundedNumber:
    """Return a number with the quantiles of its draws; the number itself always lies between the ends."""
    if value is None:
        return BoundedNumber(None, 0.0, 1.0)
    below, above = tails(level, "both")
    low, high = np.quantile(drawn, [below, 1 - above])
    return BoundedNumber(value, min(float(low), value), max(float(high), value))


def _scores(unlabelled: npt.ArrayLike) -> FloatArray:
    scores = np.ravel(np.asarray(unlabelled, np.float64))
    missing = int(np.isnan(scores).sum())
    if not len(scores) or missing:
        raise OptionError(
            f"{missing} of {len(scores)} unlabelled scores are missing; "
            "the prevalence is read from one score or more, each a number"
        )
    return scores
