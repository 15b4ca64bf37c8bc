"""How frequent positives are in a deployment, from scores without labels, and what that means for a threshold there.

All of it assumes that in the deployment positives score as the labelled positives do, and negatives as the labelled
negatives: only their shares differ.
"""

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from karat.doubt.few_clusters import allowance, stretched
from karat.doubt.interval import tails
from karat.doubt.prevalence.deployment import (
    BoundedNumber,
    DeployedThreshold,
    reaching,
    sizes,
)
from karat.doubt.prevalence.score_bins import (
    INDEPENDENT,
    ScoreBins,
    ScoreUnits,
    binned,
    drawn_shares,
    edges_of,
    smoothed,
)
from karat.errors import OptionError
from karat.measure.prevalence.precision_at import precision_at
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve

DRAWS = 2000
_HALVINGS = 50
PER_THOUSAND = {"alarms", "misses"}


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
    curve: Curve,
    field: npt.ArrayLike,
    *,
    units: ScoreUnits = INDEPENDENT,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> BoundedNumber:
    """How frequent are positives in a deployment, judging from all of its scores?

    The pi under which its scores are likeliest, that is where expectation-maximisation of the prior ends: the zero of
    sum f (P - N) / (pi P + (1 - pi) N) over up to 8 bins of scores, P and N the shares of the labelled positives and
    negatives in a bin, f that of the unlabelled scores. The interval: over Dirichlet draws of all three the quantiles
    of (f g - N g) / (P g - N g), clipped, g the bins' terms (P - N) / (pi P + (1 - pi) N) as estimated: held fixed,
    since chance in new terms would pull rare positives up. Clusters are drawn as wholes (`score_bins`), and few of
    them widen the interval (`few_clusters`).
    Reference: Saerens, Latinne, Decaestecker, Neural Computation 14, 2002. doi:10.1162/089976602753284446
    >>> curve = Curve(np.array([1.0, 0.0]), np.array([800, 200]), np.array([200, 800]))
    >>> round(likeliest_prevalence(curve, [1.0] * 260 + [0.0] * 740).value, 2)
    0.1
    """
    scores = _scores(field)
    edges = edges_of(curve)
    counts = binned(curve, scores, edges)
    value = _likeliest(counts)
    shares = drawn_shares(counts, scores, edges, units, draws=draws, seed=seed)
    drawn = _prevalences(value, counts, shares)
    return _bounded(value, drawn, level, by=allowance(units.clusters, level))


def deployed_by_unlabelled_scores(
    curve: Curve,
    field: npt.ArrayLike,
    *,
    threshold: float,
    units: ScoreUnits = INDEPENDENT,
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
    edges = np.unique(np.append(edges_of(curve), threshold))
    scores = _scores(field)
    counts = binned(curve, scores, edges)
    shares = drawn_shares(counts, scores, edges, units, draws=draws, seed=seed)
    # Bins from here on lie at or above the threshold.
    first = int(np.searchsorted(edges, threshold)) + 1
    tpr_drawn = shares.positive[:, first:].sum(axis=1)
    fpr_drawn = shares.negative[:, first:].sum(axis=1)
    reached_drawn = shares.unlabelled[:, first:].sum(axis=1)
    hits, false = reaching(curve, threshold)
    positives, negatives = sizes(curve)
    value = _likeliest(counts)
    reached = counts.unlabelled[first:].sum() / counts.unlabelled.sum()
    each = (value, hits / positives, false / negatives, reached)
    known = _outcomes(*(np.array([one]) for one in each))
    prevalences = _prevalences(value, counts, shares)
    drawn = _outcomes(prevalences, tpr_drawn, fpr_drawn, reached_drawn)
    number = len(np.ravel(field))
    method = f"likeliest prevalence of {number:,} unlabelled scores (draws={draws}, seed={seed})"
    by = allowance(units.clusters, level)
    return _with_intervals(threshold, known, drawn, level, method, by)


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdOutcomes:
    """What a threshold does, as it is or in each draw."""

    balance: FloatArray
    tpr: FloatArray
    fpr: FloatArray
    precision: FloatArray
    alarms: FloatArray
    misses: FloatArray


def _outcomes(
    pi: FloatArray, tpr: FloatArray, fpr: FloatArray, reached: FloatArray
) -> ThresholdOutcomes:
    hits = np.clip(tpr, 0, 1)  # sums of shares may pass 1 by rounding
    false = np.clip(fpr, 0, 1)
    return ThresholdOutcomes(
        balance=pi,
        tpr=hits,
        fpr=false,
        precision=precision_at(hits, false, pi=pi),
        alarms=1000 * reached,
        misses=1000 * pi * (1 - hits),
    )


def _with_intervals(
    threshold: float,
    known: ThresholdOutcomes,
    drawn: ThresholdOutcomes,
    level: float,
    method: str,
    by: float,
) -> DeployedThreshold:
    bounded = {}
    for each in fields(ThresholdOutcomes):
        value = float(getattr(known, each.name)[0])
        defined = None if np.isnan(value) else value
        most = 1000 if each.name in PER_THOUSAND else 1
        bounded[each.name] = _bounded(defined, getattr(drawn, each.name), level, by=by, most=most)
    return DeployedThreshold(threshold=threshold, level=level, method=method, **bounded)


def _likeliest(counts: ScoreBins) -> float:
    """Return the likeliest prevalence, by halving: the slope of the log likelihood falls with pi."""
    unlabelled = smoothed(counts.unlabelled)
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
    positive = smoothed(counts.positive)
    negative = smoothed(counts.negative)
    return np.asarray((positive - negative) / (pi * positive + (1 - pi) * negative))


def _prevalences(pi: float, counts: ScoreBins, drawn: ScoreBins) -> FloatArray:
    """Return the prevalence of each draw: where the mean unlabelled term lies between those of both kinds."""
    terms = _terms(pi, counts)
    positive = (drawn.positive * terms).sum(axis=1)
    negative = (drawn.negative * terms).sum(axis=1)
    unlabelled = (drawn.unlabelled * terms).sum(axis=1)
    apart = np.where(positive > negative, positive - negative, np.inf)
    return np.asarray(np.clip((unlabelled - negative) / apart, 0, 1))


def _bounded(
    value: float | None, drawn: FloatArray, level: float, *, by: float = 1.0, most: int = 1
) -> BoundedNumber:
    """Return a number from 0 to `most` with the quantiles of its draws; it is always between the ends."""
    if value is None:
        return BoundedNumber(None, 0.0, float(most))
    below, above = tails(level, "both")
    if by > 1:
        drawn = most * stretched(drawn / most, by)
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
