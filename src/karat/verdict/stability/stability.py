"""Is the order of systems robust to wrong labels in the truth? Pair by pair, and as a whole."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from karat.doubt.label_noise.error_model import ErrorModel, check_model, kept_pair
from karat.doubt.label_noise.normal_ranking import normal_ranking
from karat.doubt.label_noise.pair_order import OrderKept
from karat.doubt.label_noise.ranking_order import (
    RankingUnderNoise,
    ranking_from_cases,
    ranking_under_label_noise,
)
from karat.doubt.label_noise.simulated_scores import LabelNoise, order_under_label_noise
from karat.doubt.resampling.joint import Joint
from karat.errors import OptionError
from karat.measure import usual
from karat.measure.outcomes import of_right_answers
from karat.measure.paired import sides
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray
from karat.tally.codes import MISSING
from karat.tally.votes.pairs import pairs_of
from karat.tally.votes.patterns import Patterns
from karat.verdict.compare.compared import values_of
from karat.verdict.ranking import ranking_by
from karat.verdict.stability.noise_options import NoiseOptions, requested_pairs
from karat.verdict.stability.orders import INFORMED, PairStability, RankingStability
from karat.verdict.stability.pair_stability import Modelled, pair_stability
from karat.verdict.stability.result import KeptCurve

__all__ = ["NoiseOptions", "classes_of", "kept_curves", "stability"]

POINTS = 61
"""How many shares of wrong labels a curve is drawn through."""


def kept_curves(
    patterns: Patterns, pairs: Sequence[PairStability], classes: int
) -> tuple[KeptCurve, ...]:
    """Return the curves of pairs that have an order to keep, up to the share at which labels carry no information."""
    patterns = patterns.filled()
    rates = curve_rates(classes)
    models = [ErrorModel(rate, classes) for rate in rates]
    curves = []
    for better, worse in ordered_pairs(pairs):
        tally = pairs_of(patterns, better, worse)
        kept = tuple(kept_pair(tally, model).kept for model in models)
        curves.append(KeptCurve(better, worse, rates, kept))
    return tuple(curves)


def curve_rates(classes: int) -> tuple[float, ...]:
    """Return the shares of wrong labels that a curve is drawn through, up to that at which labels tell nothing."""
    return tuple(np.linspace(0, 1 - 1 / classes, POINTS).tolist())


def ordered_pairs(pairs: Sequence[PairStability]) -> list[tuple[str, str]]:
    """Return each pair that is not tied, the better system first, once."""
    ordered = [(one.better, one.worse) for one in pairs if one.only_better != one.only_worse]
    return list(dict.fromkeys(ordered))


def stability(
    patterns: Patterns, quantity: Quantity, noise_options: NoiseOptions
) -> tuple[list[PairStability], list[RankingStability]]:
    """Return to which errors each pair and the whole ranking are robust."""
    _check_table(patterns)
    patterns = patterns.filled()
    values = values_of(patterns, quantity)
    places = ranking_by(quantity, values)
    classes = noise_options.classes or classes_of(patterns)
    models = noise_options.models(classes)
    known = _known(patterns)
    for model in models:
        check_model(model, patterns.labels, known)
    requested = requested_pairs(tuple(places), noise_options)
    by_right_answers = of_right_answers(quantity)
    if by_right_answers:
        # The error rate orders systems as accuracy does, and has the same distributions.
        quantity = Quantity(usual.RIGHT_ANSWERS)
    if by_right_answers and sides(patterns, quantity) is None:
        raise OptionError(
            "rows whose truth and answer are both nothing count for some systems only; name a --measure"
        )
    exact = by_right_answers and not noise_options.few
    _check(models, exact=exact, by_item="e" in patterns.keys, noise_options=noise_options)
    noise = LabelNoise(patterns, quantity)
    modelled = []
    for model in models:
        joint = None if exact else _simulated(noise, patterns, model, noise_options)
        modelled.append(Modelled(model, joint))
    pairs: list[PairStability] = []
    for better, worse in requested:
        tied = values[better] == values[worse]
        pairs += pair_stability(
            patterns, better, worse, quantity, modelled, classes, noise_options, tied=tied
        )
    rankings: list[RankingStability] = []
    if noise_options.pair is None and noise_options.model != INFORMED:
        for one in modelled:
            order = _whole(noise, patterns, quantity, one, noise_options)
            rankings.append(RankingStability(patterns.systems, places, one.model.rate, order))
    return pairs, rankings


def _check_table(patterns: Patterns) -> None:
    """Refuse tables whose labels cannot be wrong one by one."""
    if patterns.meaning.truth_sep is not None:
        raise OptionError(
            "a truth that is a set of labels has no single label that could be wrong; name one truth"
        )
    if patterns.meaning.missing == "skip":
        raise OptionError(
            "systems that are judged on different items have no common distribution; leave --missing skip out"
        )


def _check(
    models: Sequence[ErrorModel], *, exact: bool, by_item: bool, noise_options: NoiseOptions
) -> None:
    """Refuse combinations of options for which there is no distribution."""
    if by_item and (models or noise_options.wrong is not None or not exact):
        raise OptionError(
            "--error gives each item its own probability, for accuracy; leave other errors and --few out"
        )
    if not models and not exact:
        raise OptionError(
            "only accuracy has a critical share of wrong labels; give a share with --label-error"
        )
    if noise_options.label_errors.about and not exact:
        raise OptionError(
            "a check such as 3/100 is averaged over for accuracy only; give a share with --label-error"
        )
    if noise_options.label_errors.by_label and noise_options.classes:
        raise OptionError("shares by label move within the labels that occur; leave --classes out")


def classes_of(patterns: Patterns) -> int:
    """Return the default number of classes: as many as labels occur, and at least two."""
    return max(2, _known(patterns))


def _known(patterns: Patterns) -> int:
    """Return how many labels occur in the truth and the answers."""
    patterns = patterns.filled()
    used = np.zeros(len(patterns.labels), bool)
    for codes in (patterns.truth, patterns.answers):
        used[codes[codes >= 0]] = True
    return int(used.sum())


def _simulated(
    noise: LabelNoise, patterns: Patterns, model: ErrorModel, noise_options: NoiseOptions
) -> Joint:
    """Return every system's values under simulated errors, and for few items of resampled ones."""
    errors: Any = model.rate
    if isinstance(model.rate, Mapping):
        errors = model.matrix(patterns.labels)
    return noise.joint(
        errors,
        model.classes,
        draws=noise_options.draws,
        seed=noise_options.seed,
        few=noise_options.few,
    )


def _whole(
    noise: LabelNoise,
    patterns: Patterns,
    quantity: Quantity,
    modelled: Modelled,
    noise_options: NoiseOptions,
) -> RankingUnderNoise:
    """Return how likely the whole order is kept: exactly for two classes or two systems, else by simulation.

    A table that is too large to simulate wrong labels one by one is left to the normal distribution.
    """
    model = modelled.model
    joint = modelled.joint
    if joint is not None:
        return order_under_label_noise(patterns, quantity, joint)
    if isinstance(model.rate, float):
        normal = normal_ranking(
            patterns,
            model.rate,
            classes=model.classes,
            draws=noise_options.draws,
            seed=noise_options.seed,
        )
        if normal is not None:
            return normal
    has_truth = patterns.truth != MISSING
    all_answered = bool((patterns.answers[has_truth] >= 0).all())
    successes = sides(patterns, quantity)
    one_rate = not isinstance(model.rate, Mapping)
    if model.classes == 2 and one_rate and all_answered and successes is not None:
        number = patterns.number[has_truth]
        rate: Any = model.rate
        return ranking_under_label_noise(
            successes[0], number, rate, draws=noise_options.draws, seed=noise_options.seed
        )
    if len(patterns.systems) == 2:
        return _of_two(patterns, model)
    simulated = _simulated(noise, patterns, model, noise_options)
    return order_under_label_noise(patterns, quantity, simulated)


def _of_two(patterns: Patterns, model: ErrorModel) -> RankingUnderNoise:
    """Return the ranking of two systems by the distribution of the pair."""
    one, other = patterns.systems
    _, first, second, _ = pairs_of(patterns, one, other).counts()
    first_leads = first >= second
    better, worse = (one, other) if first_leads else (other, one)
    kept = kept_pair(pairs_of(patterns, better, worse), model)
    return ranking_of_two(np.array([float(first), float(second)]), kept)


def ranking_of_two(given: FloatArray, kept: OrderKept) -> RankingUnderNoise:
    """Return the ranking of two systems by the distribution of their order; `given` are their values."""
    chances = np.array([1 - kept.tie - kept.reversed, kept.tie, kept.reversed])
    cases = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    first_leads = given[0] >= given[1]
    if not first_leads:
        cases = cases[:, ::-1]
    return ranking_from_cases(given, [(cases, chances)], method=kept.method)
