"""Would the ranking survive errors in the truth, where labels err together? Pair by pair, and as a whole."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from karat.doubt.label_noise.correlated_errors import (
    Lots,
    disputed,
    drawn_lots,
    kept_lots,
    ranking_of_lots,
    safe_lots,
)
from karat.doubt.label_noise.critical_error import critical
from karat.doubt.label_noise.error_model import ErrorModel, check_model
from karat.doubt.label_noise.error_rate import kept_believed
from karat.doubt.label_noise.pair_order import Kept
from karat.doubt.label_noise.ranking_order import FaultyRanking, survival
from karat.errors import OptionError
from karat.measure import usual
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.tally.votes.pairs import pairs_of
from karat.tally.votes.patterns import Patterns
from karat.verdict.compare.compared import value_of
from karat.verdict.ranking import ranking
from karat.verdict.stability.faults import Faults, asked_pairs
from karat.verdict.stability.result import KeptCurve, PairStability, WholeStability
from karat.verdict.stability.stability import POINTS

ACCURACY = Quantity(usual.RIGHT_ANSWERS)


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """What errs together, and of which labels one is true where the given one is wrong."""

    lots: Lots
    possible: Collection[str]
    things: str
    """What a wrong one is called."""
    classes: int
    draws: int = 10_000
    seed: int = 0

    def matrix(self, model: ErrorModel) -> FloatArray:
        """Return P(true | given): never a label that is only a sign of something missing."""
        labels = self.lots.labels
        found = model.matrix(labels)[:, : len(labels)]
        foreign = np.array([text not in self.possible for text in labels], bool)
        found[:, foreign] = np.where(
            np.eye(len(labels), dtype=bool)[:, foreign], found[:, foreign], 0.0
        )
        return found

    def comparable(self, better: str, worse: str) -> bool:
        """Return whether two systems are judged by as many items, so that who has more right is better."""
        one, other = (self.lots.systems.index(name) for name in (better, worse))
        return bool(self.lots.trials[one] == self.lots.trials[other])

    def kept(self, better: str, worse: str, model: ErrorModel) -> Kept:
        """Return the law of a pair: exact where both are judged by as many items, simulated otherwise."""
        if self.comparable(better, worse):
            return kept_lots(self.lots, better, worse, self.matrix(model))
        one, other = (self.lots.systems.index(name) for name in (better, worse))
        drawn = drawn_lots(self.lots, self.matrix(model), draws=self.draws, seed=self.seed)
        gap = drawn[:, one] - drawn[:, other]
        method = f"simulation (draws={self.draws}, seed={self.seed})"
        return Kept(
            float((gap > 0).mean()), float((gap == 0).mean()), float((gap < 0).mean()), method
        )

    def critical(self, better: str, worse: str, level: float) -> float | None:
        """Return up to which share of wrong labels the order is kept; None where only a simulation would tell."""
        if not self.comparable(better, worse):
            return None
        places = [self.lots.systems.index(name) for name in (better, worse)]
        case, _, _, times = self.lots.factors
        labels = int(times[disputed(self.lots, places)[self.lots.owner][case]].sum())
        return critical(
            lambda rate: self.kept(better, worse, ErrorModel(rate, self.classes)).kept,
            items=max(1, labels), classes=self.classes, level=level,
        )  # fmt: skip

    def ranking(self, model: ErrorModel) -> FaultyRanking:
        """Return the law of the whole order."""
        if len(self.lots.systems) == 2 and self.lots.alike:
            return self._of_two(model)
        return ranking_of_lots(self.lots, self.matrix(model), draws=self.draws, seed=self.seed)

    def _of_two(self, model: ErrorModel) -> FaultyRanking:
        given, names = self.lots.total, self.lots.systems
        sign = 1 if given[0] >= given[1] else -1
        better, worse = names[::sign]
        law = self.kept(better, worse, model)
        chances = np.array([1 - law.tie - law.reversed, law.tie, law.reversed])
        cases = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])[:, ::sign]
        return survival(given, [(cases, chances)], method=law.method)


def together(
    patterns: Patterns, law: Together, faults: Faults
) -> tuple[list[PairStability], list[WholeStability]]:
    """Return what each pair and the whole ranking by accuracy survive; `patterns` are the items that are ranked by."""
    if faults.few or faults.wrong is not None:
        raise OptionError(
            f"{law.things} err each by itself, by a share: say --label-error, without --few and --wrong"
        )
    said = faults.said
    models = [ErrorModel(rate, law.classes) for rate in said.rates]
    models += (
        [ErrorModel(said.by_label, law.classes, said.moves, said.rest)] if said.by_label else []
    )
    for model in models or [ErrorModel(0.0, law.classes)]:
        check_model(model, law.lots.labels, len(law.possible))
    values = {system: value_of(patterns, system, ACCURACY) for system in patterns.systems}
    places = ranking(values)
    pairs = []
    for better, worse in asked_pairs(tuple(places), faults):
        found = _found(patterns, law, better, worse, faults)
        tied = values[better] == values[worse]
        pairs += [_modelled(found, law, model, faults, tied=tied) for model in models] or [found]
    wholes = [
        WholeStability(patterns.systems, places, model.rate, law.ranking(model), things=law.things)
        for model in models
        if faults.pair is None
    ]
    return pairs, wholes


def curves_together(law: Together, asked: Sequence[PairStability]) -> tuple[KeptCurve, ...]:
    """Return the curves of pairs that have an order to keep, up to the share at which labels say nothing."""
    rates = tuple(np.linspace(0, 1 - 1 / law.classes, POINTS).tolist())
    curves = []
    for better, worse in dict.fromkeys(
        (one.better, one.worse) for one in asked if one.only_better != one.only_worse
    ):
        kept = tuple(law.kept(better, worse, ErrorModel(rate, law.classes)).kept for rate in rates)
        curves.append(KeptCurve(better, worse, rates, kept))
    return tuple(curves)


def _found(
    patterns: Patterns, law: Together, better: str, worse: str, faults: Faults
) -> PairStability:
    _, only_better, only_worse, _ = pairs_of(patterns, better, worse).counts()
    return PairStability(
        worse=worse,
        better=better,
        only_worse=only_worse,
        only_better=only_better,
        label_error=None,
        model="uniform",
        kept=None,
        tie=None,
        reversed=None,
        critical_label_error=law.critical(better, worse, faults.level),
        safe_errors=safe_lots(law.lots, better, worse) if law.comparable(better, worse) else None,
        method="exact",
    )


def _modelled(
    found: PairStability, law: Together, model: ErrorModel, faults: Faults, *, tied: bool
) -> PairStability:
    """Return a pair with its law under one model of the errors, or averaged over what is believed of it."""

    def kept(rate: float | Mapping[str, float]) -> Kept:
        return law.kept(found.better, found.worse, replace(model, rate=rate))

    about = faults.said.about
    one = kept(model.rate) if about is None else kept_believed(kept, about)
    return replace(
        found,
        label_error=model.rate,
        model=model.name,
        kept=None if tied or math.isnan(one.kept) else one.kept,
        tie=one.tie,
        reversed=one.reversed,
        method=one.method,
    )
