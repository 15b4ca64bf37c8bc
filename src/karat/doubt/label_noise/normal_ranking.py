"""How likely many systems keep their order, where so many labels are wrong that sums of them are normal."""

from dataclasses import dataclass

import numpy as np

from karat.doubt.label_noise.ranking_order import RankingUnderNoise, ranking_from_draws
from karat.measure.near_copies import AT_ONCE, EXACT_SINGLES, shared_errors
from karat.numeric.arrays import FloatArray
from karat.tally.codes import MISSING, UNASKED
from karat.tally.votes.patterns import Patterns

MOST_ANSWERS = 20_000_000
"""Answers, patterns times systems, up to which wrong labels are simulated one by one."""
LEAST_WRONG = 10_000
"""Wrong labels, on average, from which on the scores are taken to be normal."""
LEAST_VARIANCE = 100
"""Variance of the difference of two scores, in items, from which on it is taken to be normal."""
ROUNDING = 1e-6
"""Variance, relative to the scores', that is left of a constant difference by rounding only."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """How many right answers the systems have by the given labels, and by the true ones: mean and covariance."""

    given: FloatArray
    mean: FloatArray
    covariance: FloatArray

    @property
    def are_normal(self) -> bool:
        """Whether the difference of every two systems is constant, or the sum of many wrong labels."""
        variance = np.diag(self.covariance)
        sums = variance[:, None] + variance
        of_difference = sums - 2 * self.covariance
        is_constant = of_difference <= ROUNDING * sums
        return bool((is_constant | (of_difference >= LEAST_VARIANCE)).all())


def normal_ranking(
    patterns: Patterns, error: float, *, classes: int, draws: int = 10_000, seed: int = 0
) -> RankingUnderNoise | None:
    """How likely is the ranking by accuracy kept, if each of very many labels is wrong with this probability?

    The numbers of right answers have the mean and the covariance that wrong labels give them, exactly; their
    distribution is taken to be normal, and draws from it are rounded to whole numbers. The work follows the size of
    the table, not the number of wrong labels. None where the table is small enough to simulate wrong labels one by
    one, or where few of them make the difference of two systems, so that it is not normal.
    """
    systems = len(patterns.systems)
    if len(patterns.number) * systems <= MOST_ANSWERS or {*patterns.keys} & {"c", "w"}:
        return None
    has_truth = patterns.truth != MISSING
    items = int(patterns.number[has_truth].sum())
    is_asked = bool((patterns.answers[has_truth] != UNASKED).all())
    if items * error < LEAST_WRONG or patterns.meaning.nothing in patterns.labels or not is_asked:
        return None
    scores = scores_under_uniform_noise(patterns, error, classes)
    if not scores.are_normal:
        return None
    drawn = _drawn(scores, draws=draws, seed=seed)
    method = f"normal approximation of wrong labels (draws={draws}, seed={seed})"
    return ranking_from_draws(scores.given / items, drawn / items, method=method)


def scores_under_uniform_noise(patterns: Patterns, error: float, classes: int) -> Scores:
    """Return mean and covariance of the numbers of right answers, if each label is wrong with this probability.

    An item's label stays with the probability 1 - e, and is any other of the K classes with q = e / (K - 1). With r
    for who is right by the given label, w for who is wrong, and g_l for who answers l, the item's right answers have
    the mean m = (1 - e) r + q w and the covariance (1 - e) r r' + q sum_l g_l g_l' - m m'; items are independent.
    """
    systems = len(patterns.systems)
    number = np.where(patterns.truth != MISSING, patterns.number, 0)
    precision = np.float32 if number.sum() < EXACT_SINGLES else np.float64
    hits = np.zeros(systems)
    misses = np.zeros(systems)
    both_right = np.zeros((systems, systems))
    right_and_wrong = np.zeros((systems, systems))
    both_wrong = np.zeros((systems, systems))
    for start in range(0, len(number), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        answers = patterns.answers[part]
        is_right = answers == patterns.truth[part, None]
        is_wrong = (answers >= 0) & ~is_right
        right = is_right.astype(precision)
        wrong = is_wrong.astype(precision)
        amount = number[part].astype(precision)
        weighted = amount[:, None] * right
        hits += amount @ right
        misses += amount @ wrong
        both_right += weighted.T @ right
        right_and_wrong += weighted.T @ wrong
        both_wrong += (amount[:, None] * wrong).T @ wrong
    same_wrong = shared_errors(patterns.answers, patterns.truth, number).same
    stays = 1 - error
    each_other = error / (classes - 1)
    mixed = right_and_wrong + right_and_wrong.T
    covariance = stays * error * both_right - stays * each_other * mixed
    covariance += each_other * same_wrong - each_other**2 * both_wrong
    return Scores(hits, stays * hits + each_other * misses, covariance)


def _drawn(scores: Scores, *, draws: int, seed: int) -> FloatArray:
    """Return numbers of right answers, a row a draw."""
    values, vectors = np.linalg.eigh(scores.covariance)
    # Copies make the covariance singular, and rounding some of its eigenvalues negative.
    root = vectors * np.sqrt(np.maximum(values, 0))
    normals = np.random.default_rng(seed).standard_normal((draws, len(values)))
    return np.asarray(np.rint(scores.mean + normals @ root.T))
