"""Is the ranking robust to correlated errors in the truth? Pair by pair, and as a whole."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from karat.doubt.label_noise.correlated_errors import (
    ErrorClusters,
    clusters_tolerated,
    disputed,
    kept_clusters,
    ranking_of_clusters,
    simulated_clusters,
)
from karat.doubt.label_noise.critical_error import critical
from karat.doubt.label_noise.error_model import ErrorModel, check_model
from karat.doubt.label_noise.error_rate import kept_believed
from karat.doubt.label_noise.pair_order import OrderKept
from karat.doubt.label_noise.ranking_order import RankingUnderNoise
from karat.errors import OptionError
from karat.measure import usual
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.tally.votes.pairs import pairs_of
from karat.tally.votes.patterns import Patterns
from karat.verdict.compare.compared import values_of
from karat.verdict.ranking import ranking
from karat.verdict.stability.noise_options import NoiseOptions, requested_pairs
from karat.verdict.stability.orders import INFORMED, PairStability, RankingStability
from karat.verdict.stability.result import KeptCurve
from karat.verdict.stability.stability import curve_rates, ordered_pairs, ranking_of_two

ACCURACY = Quantity(usual.RIGHT_ANSWERS)


@dataclass(frozen=True, slots=True, eq=False)
class ErrorsOfClusters:
    """Which items are wrong together, and which labels may be true where the given one is wrong."""

    clusters: ErrorClusters
    possible: Collection[str]
    things: str
    """What is wrong, in the plural: labels, objects, ..."""
    classes: int
    draws: int = 10_000
    seed: int = 0

    def matrix(self, model: ErrorModel) -> FloatArray:
        """Return P(true | given); a label that only marks something missing is never true of another item."""
        labels = self.clusters.labels
        matrix = model.matrix(labels)[:, : len(labels)]
        impossible = np.array([text not in self.possible for text in labels], bool)
        unchanged = np.eye(len(labels), dtype=bool)
        matrix[:, impossible] = np.where(unchanged[:, impossible], matrix[:, impossible], 0.0)
        return matrix

    def places(self, better: str, worse: str) -> list[int]:
        """Return the columns of two systems."""
        return [self.clusters.systems.index(better), self.clusters.systems.index(worse)]

    def comparable(self, better: str, worse: str) -> bool:
        """Return whether two systems are judged by as many items, so that the one with more right is better."""
        one, other = self.places(better, worse)
        return bool(self.clusters.trials[one] == self.clusters.trials[other])

    def kept(self, better: str, worse: str, model: ErrorModel) -> OrderKept:
        """Return the distribution of a pair: exact where both are judged by as many items, simulated otherwise."""
        if self.comparable(better, worse):
            return kept_clusters(self.clusters, better, worse, self.matrix(model))
        one, other = self.places(better, worse)
        scores = simulated_clusters(
            self.clusters, self.matrix(model), draws=self.draws, seed=self.seed
        )
        lead = scores[:, one] - scores[:, other]
        kept = float((lead > 0).mean())
        tie = float((lead == 0).mean())
        reverse = float((lead < 0).mean())
        return OrderKept(kept, tie, reverse, f"simulation (draws={self.draws}, seed={self.seed})")

    def critical(self, better: str, worse: str, level: float) -> float | None:
        """Return up to which share of wrong labels the order is kept; None where it could only be simulated."""
        if not self.comparable(better, worse):
            return None
        clusters = self.clusters
        case, _, _, times = clusters.factors
        is_disputed = disputed(clusters, self.places(better, worse))
        # A factor belongs to a case, and a case to its owner.
        labels = int(times[is_disputed[clusters.owner][case]].sum())

        def kept(rate: float) -> float:
            return self.kept(better, worse, ErrorModel(rate, self.classes)).kept

        return critical(kept, items=max(1, labels), classes=self.classes, level=level)

    def ranking(self, model: ErrorModel) -> RankingUnderNoise:
        """Return the distribution of the whole order."""
        if len(self.clusters.systems) == 2 and self.clusters.same_trials:
            return self._of_two(model)
        return ranking_of_clusters(
            self.clusters, self.matrix(model), draws=self.draws, seed=self.seed
        )

    def _of_two(self, model: ErrorModel) -> RankingUnderNoise:
        given = self.clusters.total
        one, other = self.clusters.systems
        first_leads = given[0] >= given[1]
        better, worse = (one, other) if first_leads else (other, one)
        return ranking_of_two(given, self.kept(better, worse, model))


def stability_of_correlated_errors(
    patterns: Patterns, errors: ErrorsOfClusters, noise_options: NoiseOptions
) -> tuple[list[PairStability], list[RankingStability]]:
    """Return how robust each pair and the whole ranking by accuracy are; `patterns` are the items of the ranking."""
    if noise_options.model == INFORMED:
        raise OptionError(f"--model informed is of single labels; {errors.things} are none")
    if noise_options.few or noise_options.wrong is not None:
        raise OptionError(
            f"{errors.things} are wrong independently, by a share: "
            "give --label-error, without --few and --wrong"
        )
    models = noise_options.models(errors.classes)
    for model in models or [ErrorModel(0.0, errors.classes)]:
        check_model(model, errors.clusters.labels, len(errors.possible))
    values = values_of(patterns, ACCURACY)
    places = ranking(values)
    pairs = []
    for better, worse in requested_pairs(tuple(places), noise_options):
        pair = _without_model(patterns, errors, better, worse, noise_options)
        if not models:
            pairs.append(pair)
        tied = values[better] == values[worse]
        pairs += [_modelled(pair, errors, model, noise_options, tied=tied) for model in models]
    rankings: list[RankingStability] = []
    if noise_options.pair is not None:
        return pairs, rankings
    for model in models:
        order = errors.ranking(model)
        whole = RankingStability(patterns.systems, places, model.rate, order, things=errors.things)
        rankings.append(whole)
    return pairs, rankings


def curves_of_correlated_errors(
    errors: ErrorsOfClusters, pairs: Sequence[PairStability]
) -> tuple[KeptCurve, ...]:
    """Return the curves of pairs that have an order to keep, up to the share at which labels carry no information."""
    rates = curve_rates(errors.classes)
    models = [ErrorModel(rate, errors.classes) for rate in rates]
    curves = []
    for better, worse in ordered_pairs(pairs):
        kept = tuple(errors.kept(better, worse, model).kept for model in models)
        curves.append(KeptCurve(better, worse, rates, kept))
    return tuple(curves)


def _without_model(
    patterns: Patterns,
    errors: ErrorsOfClusters,
    better: str,
    worse: str,
    noise_options: NoiseOptions,
) -> PairStability:
    """Return what is known of a pair whatever the errors are."""
    _, only_better, only_worse, _ = pairs_of(patterns, better, worse).counts()
    tolerated = None
    if errors.comparable(better, worse):
        tolerated = clusters_tolerated(errors.clusters, better, worse)
    return PairStability(
        worse=worse,
        better=better,
        only_worse=only_worse,
        only_better=only_better,
        critical_label_error=errors.critical(better, worse, noise_options.level),
        safe_errors=tolerated,
    )


def _modelled(
    pair: PairStability,
    errors: ErrorsOfClusters,
    model: ErrorModel,
    noise_options: NoiseOptions,
    *,
    tied: bool,
) -> PairStability:
    """Return a pair with its distribution under one model of the errors, or averaged over beliefs about the share."""

    def kept(rate: float | Mapping[str, float]) -> OrderKept:
        return errors.kept(pair.better, pair.worse, replace(model, rate=rate))

    about = noise_options.label_errors.about
    order = kept(model.rate) if about is None else kept_believed(kept, about)
    unordered = tied or math.isnan(order.kept)
    return replace(
        pair,
        label_error=model.rate,
        model=model.name,
        kept=None if unordered else order.kept,
        tie=order.tie,
        reversed=order.reversed,
        method=order.method,
    )
