"""How frequent positives are in the field, from scores without labels, and what that means for a deployed threshold.

All of it assumes that in the field positives score as the labelled positives do, and negatives as the labelled
negatives: only their shares differ.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import tails
from karat.errors import OptionError
from karat.measure.prevalence.precision_at import check_prevalence, precision_at
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Curve

DRAWS = 2000
_BINS = 8
_HALVINGS = 50


@dataclass(frozen=True, slots=True)
class Bounded:
    """A number and where it lies; None is undefined."""

    value: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Deployed:
    """What a threshold does in the field: its rates, precision, and what 1,000 items bring."""

    threshold: float
    balance: Bounded
    tpr: Bounded
    fpr: Bounded
    precision: Bounded
    alarms: Bounded
    misses: Bounded
    level: float
    method: str


def adjusted_count(
    curve: Curve,
    field: npt.ArrayLike,
    *,
    threshold: float,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Bounded:
    """How frequent are positives in the field, judging from how many items reach a threshold?

    (q - FPR) / (TPR - FPR), clipped to [0, 1], q the share of the field's scores at or above the threshold. The
    interval: quantiles with each share drawn from its Jeffreys posterior; where a draw has TPR <= FPR any balance is
    possible. None, and [0, 1], if the rates are equal.
    Reference: Forman, Data Mining and Knowledge Discovery 17, 2008. doi:10.1007/s10618-008-0097-y
    >>> curve = Curve(np.array([1.0, 0.0]), np.array([80, 20]), np.array([20, 80]))
    >>> round(adjusted_count(curve, [1.0] * 26 + [0.0] * 74, threshold=0.5).value, 3)
    0.1
    """
    scores, random = _scores(field), np.random.default_rng(seed)
    (hits, false), (positives, negatives) = _above(curve, threshold), _sizes(curve)
    reached = int((scores >= threshold).sum())
    shares = [hits / positives, false / negatives, reached / len(scores)]
    drawn = [
        random.beta(k + 0.5, n - k + 0.5, draws)
        for k, n in ((hits, positives), (false, negatives), (reached, len(scores)))
    ]
    value = (
        float(np.clip((shares[2] - shares[1]) / (shares[0] - shares[1]), 0, 1))
        if shares[0] != shares[1]
        else None
    )
    apart = drawn[0] - drawn[1]
    found = np.clip((drawn[2] - drawn[1]) / np.where(apart > 0, apart, 1.0), 0, 1)
    return _bounded(value, np.where(apart > 0, found, random.random(draws)), level)


def likeliest_balance(
    curve: Curve, field: npt.ArrayLike, *, level: float = 0.95, draws: int = DRAWS, seed: int = 0
) -> Bounded:
    """How frequent are positives in the field, judging from all of its scores?

    The pi under which the field's scores are likeliest, that is where expectation-maximisation of the prior ends: the
    zero of sum f (P - N) / (pi P + (1 - pi) N) over up to 8 bins of scores, P and N the shares of the labelled
    positives and negatives in a bin, f that of the field. The interval: over Dirichlet draws of all three the quantiles
    of (f g - N g) / (P g - N g), clipped, g the bins' terms (P - N) / (pi P + (1 - pi) N) as estimated: held fixed,
    since chance in new terms would pull rare positives up.
    Reference: Saerens, Latinne, Decaestecker, Neural Computation 14, 2002. doi:10.1162/089976602753284446
    >>> curve = Curve(np.array([1.0, 0.0]), np.array([800, 200]), np.array([200, 800]))
    >>> round(likeliest_balance(curve, [1.0] * 260 + [0.0] * 740).value, 2)
    0.1
    """
    counts = _binned(curve, _scores(field), _edges(curve))
    value = _likeliest(*(_smoothed(part) for part in counts))
    return _bounded(value, _balances(value, counts, _dirichlet(counts, draws, seed)), level)


def deployed(
    curve: Curve,
    *,
    threshold: float,
    pi: float,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Deployed:
    """What does a threshold do where a share pi of the items, known exactly, is positive?

    Precision pi TPR / (pi TPR + (1 - pi) FPR), 1000 (pi TPR + (1 - pi) FPR) alarms and 1000 pi (1 - TPR) misses; the
    intervals: quantiles with both rates drawn from their Jeffreys posteriors, so that no false positive seen does not
    mean that there are none.
    Reference: Brown, Cai, DasGupta, Statistical Science 16, 2001. doi:10.1214/ss/1009213286
    >>> found = deployed(Curve(np.array([1.0, 0.0]), np.array([80, 20]), np.array([20, 80])), threshold=0.5, pi=0.1)
    >>> round(found.precision.value, 4), round(found.alarms.value), round(found.misses.value)
    (0.3077, 260, 20)
    """
    check_prevalence("the prevalence", pi)
    random = np.random.default_rng(seed)
    counts = list(zip(_above(curve, threshold), _sizes(curve), strict=True))
    rates = [random.beta(k + 0.5, n - k + 0.5, draws) for k, n in counts]
    method = f"Jeffreys draws at skew {pi:g} (draws={draws}, seed={seed})"
    drawn = np.full(draws, pi), rates[0], rates[1]
    return _carried(threshold, (pi, *(k / n for k, n in counts)), drawn, level, method)


def deployed_in_field(
    curve: Curve,
    field: npt.ArrayLike,
    *,
    threshold: float,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Deployed:
    """What does a threshold do in the field that these unlabelled scores come from?

    The balance from all scores (`likeliest_balance`), with the threshold as one edge of the bins, and its doubt carried
    on together with that of both rates; alarms are those among the field's scores.
    Reference: Saerens, Latinne, Decaestecker, Neural Computation 14, 2002. doi:10.1162/089976602753284446
    >>> curve = Curve(np.array([1.0, 0.0]), np.array([800, 200]), np.array([200, 800]))
    >>> found = deployed_in_field(curve, [1.0] * 260 + [0.0] * 740, threshold=0.5)
    >>> found.precision.low < 0.3077 < found.precision.high
    True
    """
    edges = np.unique(np.append(_edges(curve), threshold))
    counts = _binned(curve, _scores(field), edges)
    drawn = _dirichlet(counts, draws, seed)
    value = _likeliest(*(_smoothed(part) for part in counts))
    first = (
        int(np.searchsorted(edges, threshold)) + 1
    )  # bins from here on lie at or above the threshold
    hits, false, reached = (part[:, first:].sum(axis=1) for part in drawn)
    rates = (k / n for k, n in zip(_above(curve, threshold), _sizes(curve), strict=True))
    method = (
        f"likeliest balance of {len(np.ravel(field)):,} field scores (draws={draws}, seed={seed})"
    )
    found = _carried(
        threshold, (value, *rates), (_balances(value, counts, drawn), hits, false), level, method
    )
    return replace(
        found,
        alarms=_bounded(1000 * counts[2][first:].sum() / counts[2].sum(), 1000 * reached, level),
    )


def _carried(
    threshold: float,
    values: tuple[float, ...],
    drawn: tuple[FloatArray, ...],
    level: float,
    method: str,
) -> Deployed:
    known, drawn_all = _outcomes(*(np.array([value]) for value in values)), _outcomes(*drawn)
    numbers = [None if np.isnan(each[0]) else float(each[0]) for each in known]
    pi, tpr, fpr, precision, alarms, misses = (
        _bounded(number, each, level) for number, each in zip(numbers, drawn_all, strict=True)
    )
    return Deployed(threshold, pi, tpr, fpr, precision, alarms, misses, level, method)


def _outcomes(pi: FloatArray, tpr: FloatArray, fpr: FloatArray) -> list[FloatArray]:
    tpr, fpr = np.clip(tpr, 0, 1), np.clip(fpr, 0, 1)  # sums of shares may pass 1 by rounding
    alarms, misses = 1000 * (pi * tpr + (1 - pi) * fpr), 1000 * pi * (1 - tpr)
    return [pi, tpr, fpr, precision_at(tpr, fpr, pi=pi), alarms, misses]


def _likeliest(positive: FloatArray, negative: FloatArray, field: FloatArray) -> float:
    """Return the likeliest balance, by halving: the slope of the log likelihood falls with pi."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        pi = (low + high) / 2
        slope = float((field * _terms(pi, positive, negative)).sum())
        low, high = (pi, high) if slope > 0 else (low, pi)
    return (low + high) / 2


def _terms(pi: float, positive: FloatArray, negative: FloatArray) -> FloatArray:
    return np.asarray((positive - negative) / (pi * positive + (1 - pi) * negative))


def _balances(pi: float, counts: list[FloatArray], drawn: list[FloatArray]) -> FloatArray:
    """Return the balance of each draw: where the mean of the field's terms lies between those of both kinds."""
    terms = _terms(pi, _smoothed(counts[0]), _smoothed(counts[1]))
    positive, negative, field = ((part * terms).sum(axis=1) for part in drawn)
    apart = np.where(positive > negative, positive - negative, np.inf)
    return np.asarray(np.clip((field - negative) / apart, 0, 1))


def _edges(curve: Curve) -> FloatArray:
    """Return the lower edges of bins that hold equal shares of positives and negatives taken together."""
    positives, negatives = _sizes(curve)
    bins = int(np.clip(np.sqrt(min(positives, negatives)), 2, _BINS))
    share = (curve.positive / positives + curve.negative / negatives).cumsum() / 2
    place = np.searchsorted(share, np.arange(1, bins) / bins)
    return np.unique(curve.score[np.minimum(place, len(share) - 1)])


def _binned(curve: Curve, field: FloatArray, edges: FloatArray) -> list[FloatArray]:
    place = np.searchsorted(edges, curve.score, side="right")
    parts = [
        np.bincount(place, weights=part, minlength=len(edges) + 1)
        for part in (curve.positive, curve.negative)
    ]
    return [
        *parts,
        np.bincount(np.searchsorted(edges, field, side="right"), minlength=len(edges) + 1).astype(
            float
        ),
    ]


def _smoothed(counts: FloatArray) -> FloatArray:
    return np.asarray((counts + 0.5) / (counts + 0.5).sum())


def _dirichlet(counts: list[FloatArray], draws: int, seed: int) -> list[FloatArray]:
    random = np.random.default_rng(seed)
    return [random.dirichlet(part + 0.5, draws) for part in counts]


def _bounded(value: float | None, drawn: FloatArray, level: float) -> Bounded:
    below, above = tails(level, "both")
    low, high = np.quantile(drawn, [below, 1 - above])
    if value is None:
        return Bounded(None, 0.0, 1.0)
    return Bounded(
        value, min(float(low), value), max(float(high), value)
    )  # an end that was seen is possible


def _above(curve: Curve, threshold: float) -> tuple[int, int]:
    reached = curve.score >= threshold
    return int(curve.positive[reached].sum()), int(curve.negative[reached].sum())


def _sizes(curve: Curve) -> tuple[int, int]:
    sizes = int(curve.positive.sum()), int(curve.negative.sum())
    if not all(sizes):
        raise OptionError(
            f"the labelled items are {sizes[0]} positives and {sizes[1]} negatives; both are needed"
        )
    return sizes


def _scores(field: npt.ArrayLike) -> FloatArray:
    scores = np.ravel(np.asarray(field, np.float64))
    if not len(scores) or np.isnan(scores).any():
        found = f"{int(np.isnan(scores).sum())} of {len(scores)} field scores are missing"
        raise OptionError(f"{found}; the balance is read from one score or more, each a number")
    return scores
