"""Estimates of one system's scores and distributions, by the method that fits the measure."""

from typing import Any

import numpy as np

from karat.doubt.bounds import BOUNDS
from karat.doubt.bounds.areas import delong, resampled
from karat.doubt.bounds.average_precision_interval import average_precision_interval
from karat.doubt.bounds.binormal_score import binormal_score
from karat.doubt.bounds.item_mean import item_mean
from karat.doubt.estimates import Estimates, IntervalOptions
from karat.doubt.interval import Interval
from karat.measure.item_mean import ItemMean
from karat.measure.quantity import Quantity
from karat.measure.share import Share
from karat.tally.scores.curve import Curve
from karat.tally.votes.confidences import Confidences


def of_curve(quantity: Quantity, curve: Curve, how: IntervalOptions) -> Estimates:
    """Return a number of a curve with its interval."""
    measured = quantity.traits(curve, **quantity.arguments)
    if isinstance(measured, ItemMean):
        return _of_item_mean(quantity, measured, how)
    interval = _of_area(quantity, curve, how)
    return Estimates.of(quantity, (None,), np.array([measured]), interval)


def _of_area(quantity: Quantity, curve: Curve, how: IntervalOptions) -> Interval:
    chance: dict[str, Any] = {"level": how.level, "side": how.side}
    if quantity.traits.bounded_by == "delong":
        if how.bound == "delong":
            return delong(curve, **chance)
        return binormal_score(curve, **chance)
    if quantity.traits.bounded_by == "steps":
        return average_precision_interval(curve, **chance)
    chance |= {"draws": how.draws, "seed": how.seed}

    def value(drawn: Curve) -> float:
        return float(quantity.traits(drawn, **quantity.arguments))

    return resampled(value, curve, low=quantity.low, high=quantity.high, **chance)


def of_confidences(
    quantity: Quantity, tally: Confidences, system: str, how: IntervalOptions
) -> Estimates:
    """Return a number of one system's distributions with its interval: a share where items are right or wrong."""
    each = quantity.traits(tally, **quantity.arguments)[:, tally.systems.index(system)]
    if each.dtype != bool:
        return _of_item_mean(quantity, ItemMean(each, tally.number), how)
    right = float(tally.number[each].sum())
    share = Share(np.array([right]), np.array([float(tally.number.sum())]))
    interval: Interval = BOUNDS[how.bound](
        share.successes, share.trials, level=how.level, side=how.side
    )
    return Estimates.of(quantity, (None,), share.values, interval, share)


def _of_item_mean(quantity: Quantity, mean: ItemMean, how: IntervalOptions) -> Estimates:
    interval = item_mean(mean, low=quantity.low, high=quantity.high, level=how.level, side=how.side)
    return Estimates.of(quantity, (None,), mean.values, interval)
