"""What reaches a threshold in each cluster of items, or of each weighted item, and how many trials that is worth."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from karat.doubt.bounds.log_odds import log_odds_ends
from karat.doubt.interval import tails
from karat.doubt.prevalence.melded import Seen
from karat.doubt.resampling.left_out_curves import variance_without
from karat.numeric.arrays import FloatArray
from karat.tally.scores.curve import Counts
from karat.tally.scores.paired_scores import Blocks, PairedScores

NOTHING = Seen(0, 0)
"""Of nothing nothing is known."""


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdUnits:
    """What reaches a threshold, an entry an independent unit: a cluster of items, or an item with its weight."""

    hits: FloatArray
    positives: FloatArray
    false: FloatArray
    negatives: FloatArray
    what: str
    weighted: bool = False
    """Whether units are items of different weights, and not clusters."""

    @property
    def rates(self) -> tuple[float, float]:
        """The shares of the positives and of the negatives that reach the threshold."""
        tpr = self.hits.sum() / self.positives.sum()
        return float(tpr), float(self.false.sum() / self.negatives.sum())

    def seen(self, *, level: float) -> tuple[Seen, Seen]:
        """Return how many hits of how many positives this is worth, and how many false ones of how many negatives."""
        return self._worth(self.hits, self.positives, level), self._worth(
            self.false, self.negatives, level
        )

    def _worth(self, reached: FloatArray, of: FloatArray, level: float) -> Seen:
        """Return independent trials whose exact bounds hold for a share over clusters, or of weighted items.

        m = p (1-p) / V (z / t)² trials, p the share, V the jackknife's variance of it over the k units that hold any, z
        the normal quantile and t Student's with k - 1 degrees of freedom; at most as many as there are items. Where p
        is 0 or 1 no unit varies, and each is one trial. Of weighted items k is (Σ w)² / Σ w².
        Reference: Korn, Graubard, Survey Methodology 24, 1998.
        """
        from scipy.special import ndtri, stdtrit  # noqa: PLC0415 (wanted only here)

        holds_any = of > 0
        reached = reached[holds_any]
        of = of[holds_any]
        number = len(of)
        if number < 2:
            return NOTHING
        k = float(number)
        if self.weighted:
            k = float(of.sum() ** 2 / (of**2).sum())
        share = reached.sum() / of.sum()
        if share in {0.0, 1.0}:
            return Seen(float(share * k), k)
        without = (reached.sum() - reached) / (of.sum() - of)
        variance = float(variance_without(share, without))
        _, above = tails(level, "both")
        allowance = ndtri(1 - above) / stdtrit(max(1.0, k - 1), 1 - above)
        most = k if self.weighted else float(of.sum())
        if variance == 0:
            return Seen(float(share * most), most)
        trials = min(most, float(share * (1 - share) / variance * allowance**2))
        return Seen(float(share * trials), trials)

    def ends(
        self, function: Callable[[FloatArray, FloatArray], FloatArray], *, level: float
    ) -> tuple[float, float]:
        """Return both ends of a function of the two rates between 0 and 1, by the jackknife over units on log odds.

        Unlike bounds of both rates it sees that a cluster with many hits may have many false positives, too.
        """
        positives = self.positives.sum() - self.positives
        negatives = self.negatives.sum() - self.negatives
        if not (positives.all() and negatives.all()):
            return 0.0, 1.0
        tpr = (self.hits.sum() - self.hits) / positives
        fpr = (self.false.sum() - self.false) / negatives
        without = function(tpr, fpr)
        whole = float(function(*(np.array([rate]) for rate in self.rates))[0])
        variance = float(variance_without(np.array(whole), without))
        both = min(int((self.positives > 0).sum()), int((self.negatives > 0).sum()))
        return log_odds_ends(whole, variance, freedom=max(1, both - 1), units=both, level=level)


def units_at(blocks: Blocks, threshold: float, *, what: str) -> ThresholdUnits:
    """Return what reaches a threshold in each cluster, or block of clusters."""
    assert blocks.score is not None  # noqa: S101 (a threshold is a score; only bins without scores have none)
    reached = blocks.score[blocks.bin] >= threshold

    def total(counts: Counts) -> FloatArray:
        sums = np.bincount(blocks.block, counts)
        return np.asarray(sums, np.float64)

    return ThresholdUnits(
        hits=total(blocks.positive * reached),
        positives=total(blocks.positive),
        false=total(blocks.negative * reached),
        negatives=total(blocks.negative),
        what=what,
    )


def weighted_units_at(items: PairedScores, system: str, threshold: float) -> ThresholdUnits:
    """Return what each item with its weight adds, where items weigh differently."""
    truth, _ = items.items()
    weight = items.item_weights()
    assert weight is not None  # noqa: S101 (the caller looked)
    reached = np.repeat(items.of(system) >= threshold, items.number)
    return ThresholdUnits(
        hits=weight * (truth & reached),
        positives=weight * truth,
        false=weight * (~truth & reached),
        negatives=weight * ~truth,
        what=f"{len(weight):,} weighted items",
        weighted=True,
    )
