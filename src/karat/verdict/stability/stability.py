"""Would the ranking survive the errors in the truth? Pair by pair, and as a whole."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from karat.ask.label_errors import SaidErrors
from karat.doubt.interval import check_chance, check_level
from karat.doubt.label_noise.error_model import (
    ErrorModel,
    check_model,
    critical_rate,
    kept_by_item,
    kept_pair,
)
from karat.doubt.label_noise.error_rate import kept_believed
from karat.doubt.label_noise.pair_order import Kept, kept_at_most, kept_exactly, safe_errors
from karat.doubt.label_noise.precision_recall_order import faulty_prf
from karat.doubt.label_noise.ranking_order import FaultyRanking, faulty_ranking, survival
from karat.doubt.label_noise.simulated_scores import faulty_classes, faulty_order, few_and_faulty
from karat.doubt.resampling.joint import Joint
from karat.errors import OptionError, UnknownNameError
from karat.measure.paired import sides
from karat.measure.quantity import Quantity
from karat.tally.codes import MISSING
from karat.tally.votes.pairs import Pairs, pairs_of
from karat.tally.votes.patterns import Patterns
from karat.verdict.compare.compare import value_of
from karat.verdict.ranking import ranking
from karat.verdict.stability.result import KeptCurve, PairStability, WholeStability

POINTS = 61
"""How many shares of wrong labels a curve is drawn through."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """What is asked about errors in the truth."""

    said: SaidErrors = field(default_factory=SaidErrors)
    wrong: int | None = None
    """How many labels are wrong, in place of a share."""
    at_most: bool = False
    """Whether it is at most so many, every such labelling equally likely."""
    classes: int | None = None
    pair: tuple[str, str] | None = None
    all_pairs: bool = False
    few: bool = False
    """Whether the items, too, are drawn anew: both doubts in one number."""
    level: float = 0.95
    draws: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        check_level(self.level)
        check_chance(draws=self.draws, seed=self.seed)
        if self.wrong is not None and (self.said.rates or self.said.by_label or self.few):
            raise OptionError(
                "--wrong is a number of labels, --label-error and --few speak of shares; say one"
            )
        if self.at_most and self.wrong is None:
            raise OptionError("--at-most goes with --wrong M")


def kept_curves(
    patterns: Patterns, asked: Sequence[PairStability], classes: int
) -> tuple[KeptCurve, ...]:
    """Return the curves of pairs that have an order to keep, up to the share at which labels say nothing."""
    patterns = patterns.filled()
    rates = tuple(np.linspace(0, 1 - 1 / classes, POINTS).tolist())
    curves = []
    for pair in {
        (one.better, one.worse): one for one in asked if one.only_better != one.only_worse
    }.values():
        tally = pairs_of(patterns, pair.better, pair.worse)
        kept = tuple(kept_pair(tally, ErrorModel(rate, classes)).kept for rate in rates)
        curves.append(KeptCurve(pair.better, pair.worse, rates, kept))
    return tuple(curves)


def stability(
    patterns: Patterns, quantity: Quantity, faults: Faults
) -> tuple[list[PairStability], list[WholeStability]]:
    """Return what each pair and the whole ranking survive."""
    if patterns.meaning.truth_sep is not None:
        raise OptionError(
            "a truth that is a set of labels has no single label that could be wrong; name one truth"
        )
    if patterns.meaning.missing == "skip":
        raise OptionError(
            "systems that are judged on different items have no common law; leave --missing skip out"
        )
    patterns = patterns.filled()
    values = {system: value_of(patterns, system, quantity) for system in patterns.systems}
    places = ranking(values, lower_is_better=quantity.lower_is_better)
    order = tuple(places)
    classes = faults.classes or classes_of(patterns)
    models = [ErrorModel(rate, classes) for rate in faults.said.rates]
    said = faults.said
    models += [ErrorModel(said.by_label, classes, said.moves, said.rest)] if said.by_label else []
    for model in models:
        check_model(model, patterns.labels, _known(patterns))
    asked = asked_pairs(order, faults)
    quantity = Quantity("accuracy") if quantity.measure == "error-rate" else quantity
    if quantity.measure == "accuracy" and sides(patterns, quantity) is None:
        raise OptionError(
            "rows whose truth and answer are both nothing count for some systems alone; name --measure"
        )
    exact = quantity.measure == "accuracy" and not faults.few
    _check(models, exact=exact, by_item="e" in patterns.keys, faults=faults)
    joints = [None if exact else _drawn(patterns, quantity, model, faults) for model in models]
    pairs = [
        one
        for better, worse in asked
        for one in _pairs(
            patterns, better, worse, quantity, list(zip(models, joints, strict=True)), classes, faults,
            tied=values[better] == values[worse],
        )
    ]  # fmt: skip
    wholes = [
        WholeStability(
            patterns.systems, places, model.rate, _whole(patterns, quantity, model, joint, faults)
        )
        for model, joint in zip(models, joints, strict=True)
        if faults.pair is None
    ]
    return pairs, wholes


def _check(models: Sequence[ErrorModel], *, exact: bool, by_item: bool, faults: Faults) -> None:
    """Refuse what has no answer."""
    if by_item and (models or faults.wrong is not None or not exact):
        raise OptionError(
            "--error gives each item its own probability, for accuracy; leave other errors and --few out"
        )
    if not models and not exact:
        raise OptionError(
            "only accuracy has a share of wrong labels that it survives; say one with --label-error"
        )
    if faults.said.about and not exact:
        raise OptionError(
            "a check such as 3/100 is averaged over for accuracy alone; say a share with --label-error"
        )
    if faults.said.by_label and faults.classes:
        raise OptionError("shares by label move within the labels that occur; leave --classes out")


def classes_of(patterns: Patterns) -> int:
    """Return how many classes there are, if nobody says: as many as labels occur, and at least two."""
    return max(2, _known(patterns))


def _known(patterns: Patterns) -> int:
    """Return how many labels occur in the truth and the answers."""
    patterns = patterns.filled()
    used = np.union1d(patterns.truth, patterns.answers)
    return int((used >= 0).sum())


def asked_pairs(order: Sequence[str], faults: Faults) -> list[tuple[str, str]]:
    """Return the pairs that are asked about, the better one first."""
    if faults.pair:
        if faults.pair[0] == faults.pair[1]:
            raise OptionError(f"--pair names {faults.pair[0]!r} twice; a pair is two systems")
        for name in faults.pair:
            if name not in order:
                raise UnknownNameError("system", name, order)
        one, other = sorted(faults.pair, key=order.index)
        return [(one, other)]
    return list(combinations(order, 2)) if faults.all_pairs else list(pairwise(order))


def _drawn(patterns: Patterns, quantity: Quantity, model: ErrorModel, faults: Faults) -> Joint:
    simulate = few_and_faulty if faults.few else faulty_classes
    return simulate(
        patterns,
        quantity,
        _errors(patterns, model),
        classes=model.classes,
        draws=faults.draws,
        seed=faults.seed,
    )


def _errors(patterns: Patterns, model: ErrorModel) -> Any:
    """Return one rate, or the matrix P(true | given)."""
    return model.matrix(patterns.labels) if isinstance(model.rate, Mapping) else model.rate


def _whole(
    patterns: Patterns, quantity: Quantity, model: ErrorModel, joint: Joint | None, faults: Faults
) -> FaultyRanking:
    found = sides(patterns, quantity)
    answered = bool((patterns.answers[patterns.truth != MISSING] >= 0).all())
    plain = (
        model.classes == 2
        and not isinstance(model.rate, Mapping)
        and found is not None
        and answered
    )
    if joint is None and plain and found is not None:
        number = patterns.number[patterns.truth != MISSING]
        return faulty_ranking(found[0], number, model.rate, draws=faults.draws, seed=faults.seed)  # type: ignore[arg-type]
    if joint is None and len(patterns.systems) == 2:
        return _of_two(patterns, model)
    drawn = joint if joint is not None else _drawn(patterns, quantity, model, faults)
    return faulty_order(patterns, quantity, drawn)


def _of_two(patterns: Patterns, model: ErrorModel) -> FaultyRanking:
    """Return the ranking of two systems by the law of the pair."""
    one, other = patterns.systems
    _, first, second, _ = pairs_of(patterns, one, other).counts()
    better, worse, order = (one, other, 1) if first >= second else (other, one, -1)
    law = kept_pair(pairs_of(patterns, better, worse), model)
    chances = np.array([1 - law.tie - law.reversed, law.tie, law.reversed])
    cases = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])[:, ::order]
    return survival(np.array([float(first), float(second)]), [(cases, chances)], method=law.method)


def _pairs(
    patterns: Patterns,
    better: str,
    worse: str,
    quantity: Quantity,
    models: Sequence[tuple[ErrorModel, Joint | None]],
    classes: int,
    faults: Faults,
    *,
    tied: bool,
) -> list[PairStability]:
    """Return what a pair survives: once for everything that is said about errors."""
    tally = pairs_of(patterns, better, worse)
    _, only_better, only_worse, _ = tally.counts()
    accuracy = quantity.measure == "accuracy"
    found = PairStability(
        worse=worse,
        better=better,
        only_worse=only_worse if accuracy else None,
        only_better=only_better if accuracy else None,
        label_error=None,
        model="uniform",
        kept=None,
        tie=None,
        reversed=None,
        critical_label_error=critical_rate(tally, classes, level=faults.level)
        if accuracy
        else None,
        safe_errors=safe_errors(only_worse, only_better) if accuracy else None,
        method="exact",
    )
    if "e" in patterns.keys:
        return [_with(found, kept_by_item(patterns, better, worse, classes), "per-item")]
    if not models:
        return [
            found if faults.wrong is None else _counted(found, tally, classes, quantity, faults)
        ]
    two = len(patterns.systems) == 2
    return [
        _modelled(found, tally, quantity, model, joint, faults, two=two, tied=tied)
        for model, joint in models
    ]


def _modelled(
    found: PairStability,
    tally: Pairs,
    quantity: Quantity,
    model: ErrorModel,
    joint: Joint | None,
    faults: Faults,
    *,
    two: bool,
    tied: bool,
) -> PairStability:
    """Return a pair with its law under one model of the errors."""
    if joint is not None and two and _is_binary(quantity, model, faults):
        kept, tie, reverse, method = _by_cells(tally, quantity, model, faults)
    elif joint is not None:
        kept, tie, reverse, method = _shares(joint, found.better, found.worse, quantity)
    else:
        law = _law(tally, model, faults)
        kept, tie, reverse, method = law.kept, law.tie, law.reversed, law.method
    return replace(
        found,
        label_error=model.rate,
        model=model.name,
        kept=None if tied or math.isnan(kept) else kept,
        tie=tie,
        reversed=reverse,
        method=method,
    )


def _counted(
    found: PairStability, tally: Pairs, classes: int, quantity: Quantity, faults: Faults
) -> PairStability:
    """Return a pair with its law for a number of wrong labels among all the items."""
    if classes != 2 or quantity.measure != "accuracy":
        raise OptionError(
            "a number of wrong labels has a law for two classes and accuracy; use --label-error"
        )
    _, only_better, only_worse, _ = tally.counts()
    law = (kept_at_most if faults.at_most else kept_exactly)(
        only_worse, only_better, int(tally.number.sum()), faults.wrong or 0
    )
    return _with(found, law, f"{'at most' if faults.at_most else 'exactly'} {faults.wrong:,} wrong")


def _with(found: PairStability, law: Kept, model: str) -> PairStability:
    kept = None if math.isnan(law.kept) else law.kept
    return replace(
        found, model=model, kept=kept, tie=law.tie, reversed=law.reversed, method=law.method
    )


def _is_binary(quantity: Quantity, model: ErrorModel, faults: Faults) -> bool:
    """Return whether two systems have an exact law: precision, recall or F of one of two classes."""
    return (
        model.classes == 2
        and not model.moves
        and quantity.measure in {"precision", "recall", "f"}
        and bool(quantity.label)
        and not faults.few
    )


def _by_cells(
    tally: Pairs, quantity: Quantity, model: ErrorModel, faults: Faults
) -> tuple[float, float, float, str]:
    """Return the law of a pair from its counts of answer x answer x truth."""
    label = tally.labels.index(quantity.label) if quantity.label in tally.labels else MISSING - 2
    cells = np.zeros((2, 2, 2), np.int64)
    yes = [
        (side == label).astype(np.int64)
        for side in (tally.answers[:, 0], tally.answers[:, 1], tally.truth)
    ]
    np.add.at(cells, tuple(yes), tally.number)
    rates = dict(zip(tally.labels, model.rates(tally.labels), strict=True))
    other = [rate for text, rate in rates.items() if text != quantity.label]
    errors = (float(other[0]) if other else 0.0, float(rates.get(quantity.label or "", 0.0)))
    measure: Any = quantity.measure
    law = faulty_prf(
        cells, errors, measure=measure, beta=quantity.beta, draws=faults.draws, seed=faults.seed
    )
    return float(law.before[0, 1]), law.tied(0, 1), float(law.before[1, 0]), law.method


def _law(tally: Pairs, model: ErrorModel, faults: Faults) -> Kept:
    """Return the law at one share of wrong labels, or averaged over what is believed of it."""
    if faults.said.about is None:
        return kept_pair(tally, model)
    return kept_believed(
        lambda rate: kept_pair(tally, replace(model, rate=rate)), faults.said.about
    )


def _shares(
    joint: Joint, better: str, worse: str, quantity: Quantity
) -> tuple[float, float, float, str]:
    first, second = (joint.drawn[:, joint.systems.index(name)] for name in (better, worse))
    if quantity.lower_is_better:
        first, second = second, first
    return (
        float((first > second).mean()),
        float((first == second).mean()),
        float((first < second).mean()),
        joint.method,
    )
