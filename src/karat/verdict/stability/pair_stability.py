"""Is the order of two systems robust? Exactly where the measure allows it, by simulation elsewhere."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from karat.doubt.label_noise.error_model import (
    ErrorModel,
    kept_by_item,
    kept_pair,
    kept_pair_at,
    pair_rows,
)
from karat.doubt.label_noise.error_rate import kept_believed_at
from karat.doubt.label_noise.few_kinds import FewKinds
from karat.doubt.label_noise.pair_order import (
    EXACT,
    OrderKept,
    kept_at_most,
    kept_exactly,
    safe_errors,
)
from karat.doubt.label_noise.precision_recall_order import precision_recall_under_label_noise
from karat.doubt.resampling.joint import Joint
from karat.errors import OptionError
from karat.measure.outcomes import of_right_answers
from karat.measure.quantity import Quantity
from karat.tally.codes import MISSING
from karat.tally.votes.pairs import Pairs
from karat.tally.votes.patterns import Patterns
from karat.verdict.stability.noise_options import NoiseOptions
from karat.verdict.stability.orders import PairStability

NOWHERE = MISSING - 2
"""The code of a label that neither the truth nor an answer has."""


@dataclass(frozen=True, slots=True, eq=False)
class Modelled:
    """A model of the errors, and every system's values under it where these are simulated."""

    model: ErrorModel
    joint: Joint | None


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The distribution of an order of two systems: as it is, tied, or the other way."""

    kept: float
    tie: float
    reversed: float
    method: str


def pair_stability(
    patterns: Patterns,
    better: str,
    worse: str,
    quantity: Quantity,
    models: Sequence[Modelled],
    classes: int,
    noise_options: NoiseOptions,
    *,
    tied: bool,
) -> list[PairStability]:
    """Return how robust the order of a pair is: one row for each model of the errors."""
    tally = pair_rows(patterns, better, worse)
    kinds = FewKinds.of(tally)
    pair = _without_model(tally, kinds, better, worse, quantity, classes, noise_options)
    if "e" in patterns.keys:
        kept = kept_by_item(patterns, better, worse, classes)
        return [_with(pair, kept, "per-item")]
    if noise_options.wrong is not None and not models:
        return [_counted(pair, tally, classes, quantity, noise_options)]
    if not models:
        return [pair]
    only_two = len(patterns.systems) == 2
    rows = []
    for one in models:
        order = _order(pair, tally, kinds, quantity, one, noise_options, only_two=only_two)
        unordered = tied or math.isnan(order.kept)
        rows.append(
            replace(
                pair,
                label_error=one.model.rate,
                model=one.model.name,
                kept=None if unordered else order.kept,
                tie=order.tie,
                reversed=order.reversed,
                method=order.method,
            )
        )
    return rows


def _without_model(
    tally: Pairs,
    kinds: FewKinds,
    better: str,
    worse: str,
    quantity: Quantity,
    classes: int,
    noise_options: NoiseOptions,
) -> PairStability:
    """Return what is known of a pair whatever the errors are: its discordant items, and how robust its order is."""
    if not of_right_answers(quantity):
        return PairStability(worse=worse, better=better)
    _, only_better, only_worse, _ = tally.counts()
    return PairStability(
        worse=worse,
        better=better,
        only_worse=only_worse,
        only_better=only_better,
        critical_label_error=kinds.critical_rate(classes, level=noise_options.level),
        safe_errors=safe_errors(only_worse, only_better),
    )


def _order(
    pair: PairStability,
    tally: Pairs,
    kinds: FewKinds,
    quantity: Quantity,
    modelled: Modelled,
    noise_options: NoiseOptions,
    *,
    only_two: bool,
) -> Order:
    """Return the distribution of a pair's order under one model of the errors."""
    model = modelled.model
    joint = modelled.joint
    if joint is None:
        kept = _kept(tally, kinds, model, noise_options)
        return Order(kept.kept, kept.tie, kept.reversed, kept.method)
    if only_two and _is_binary(quantity, model, noise_options):
        return _by_cells(tally, quantity, model, noise_options)
    return _simulated(joint, pair.better, pair.worse, quantity)


def _counted(
    pair: PairStability, tally: Pairs, classes: int, quantity: Quantity, noise_options: NoiseOptions
) -> PairStability:
    """Return a pair with its distribution for a number of wrong labels among all the items."""
    if classes != 2 or not of_right_answers(quantity):
        raise OptionError(
            "a number of wrong labels has a distribution for two classes and accuracy; use --label-error"
        )
    _, only_better, only_worse, _ = tally.counts()
    wrong = noise_options.wrong or 0
    distribution = kept_at_most if noise_options.at_most else kept_exactly
    kept = distribution(only_worse, only_better, int(tally.number.sum()), wrong)
    how_many = "at most" if noise_options.at_most else "exactly"
    return _with(pair, kept, f"{how_many} {wrong:,} wrong")


def _with(pair: PairStability, kept: OrderKept, model: str) -> PairStability:
    return replace(
        pair,
        model=model,
        kept=None if math.isnan(kept.kept) else kept.kept,
        tie=kept.tie,
        reversed=kept.reversed,
        method=kept.method,
    )


def _is_binary(quantity: Quantity, model: ErrorModel, noise_options: NoiseOptions) -> bool:
    """Return whether two systems have an exact distribution: of one of two classes, by an order that has one."""
    if model.classes != 2 or model.moves or not quantity.label:
        return False
    return quantity.traits.order_under_noise is not None and not noise_options.few


def _by_cells(
    tally: Pairs, quantity: Quantity, model: ErrorModel, noise_options: NoiseOptions
) -> Order:
    """Return the distribution of a pair's order from its counts of answer x answer x truth."""
    label = NOWHERE
    if quantity.label in tally.labels:
        label = tally.labels.index(quantity.label)
    sides = (tally.answers[:, 0], tally.answers[:, 1], tally.truth)
    is_label = tuple((side == label).astype(np.int64) for side in sides)
    cells = np.zeros((2, 2, 2), np.int64)
    np.add.at(cells, is_label, tally.number)
    rates = dict(zip(tally.labels, model.rates(tally.labels), strict=True))
    of_label = float(rates.pop(quantity.label or "", 0.0))
    of_other = float(next(iter(rates.values()), 0.0))
    measure: Any = quantity.traits.order_under_noise
    beta = 1.0 if quantity.parameter is None else quantity.parameter
    order = precision_recall_under_label_noise(
        cells,
        (of_other, of_label),
        measure=measure,
        beta=beta,
        draws=noise_options.draws,
        seed=noise_options.seed,
    )
    kept = float(order.before[0, 1])
    reverse = float(order.before[1, 0])
    return Order(kept, order.tied(0, 1), reverse, order.method)


def _kept(
    tally: Pairs, kinds: FewKinds, model: ErrorModel, noise_options: NoiseOptions
) -> OrderKept:
    """Return the distribution at one share of wrong labels, or averaged over beliefs about the share."""
    if noise_options.label_errors.about is None and not isinstance(model.rate, Mapping):
        return kinds.kept(model.rate, model.classes)
    if noise_options.label_errors.about is None:
        return kept_pair(tally, model)
    kept = kept_pair_at(tally, model.classes)
    return kept_believed_at(kept, noise_options.label_errors.about, EXACT)


def _simulated(joint: Joint, better: str, worse: str, quantity: Quantity) -> Order:
    """Return in which share of the draws a pair keeps its order."""
    first = joint.drawn[:, joint.systems.index(better)]
    second = joint.drawn[:, joint.systems.index(worse)]
    if quantity.lower_is_better:
        first, second = second, first
    kept = float((first > second).mean())
    tie = float((first == second).mean())
    reverse = float((first < second).mean())
    return Order(kept, tie, reverse, joint.method)
