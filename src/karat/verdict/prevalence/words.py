"""Systems at other prevalences, as a person reads of them: tables and sentences."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from karat.ask.prevalence import DeploymentPrevalence, percent
from karat.doubt.prevalence.deployment import BoundedNumber
from karat.doubt.prevalence.inversion_interval import InversionInterval
from karat.doubt.prevalence.inversions import HIGH, LOW
from karat.result.base import Row
from karat.verdict.prevalence.published import reach
from karat.verdict.prevalence.result import (
    IN_FIELD,
    AreaComparison,
    ChosenThreshold,
    DeployedSystem,
    PairOrder,
    PrevalenceResult,
    SystemArea,
)
from karat.words import counted

SURE = "how certain is each order"
LEADS = "who leads at which prevalence"
PLACES = "where two systems change places"
AHEAD = "ahead in"
AHEAD_MEANS = (
    f"{AHEAD}: the share of resamples in which it was ahead (of clusters and samples: one less the one-sided p-value); "
    "not the probability that it is better: in simulations of two detectors that differ little, one ahead in 0.99 of "
    "the resamples was the better one in 0.84 of the cases."
)
SHOWN = 12
"""So many orders and changes are shown to a reader; JSON has all."""
SHORT = 4
"""Of so many systems the whole order is shown, of more the best."""


def parts(result: PrevalenceResult) -> Mapping[str, Sequence[Row]]:
    """Return a table per deployment prevalence, what a threshold does there, who leads where, and what changes."""
    tables: dict[str, Sequence[Row]] = {}
    for deployment in result.deployments:
        title = f"area under the precision-recall curve, {deployment.name}"
        tables[title] = [_area(area, result.level) for area in _of_field(result.areas, deployment)]
    tables |= _deployed_tables(result)
    tables |= _chosen_tables(result)
    for deployment in result.deployments:
        neighbours = _neighbours(result, deployment)
        if neighbours:
            tables[f"{SURE}, {deployment.name}"] = neighbours
    if result.pair_orders:
        tables[LEADS] = _leaders(result)
    changes = _all_changes(result)
    if len(changes) > SHOWN:
        tables[f"{PLACES}, {SHOWN} of {len(changes):,}"] = changes[:SHOWN]
    elif changes:
        tables[PLACES] = changes
    return tables


def _of_field(areas: Iterable[SystemArea], deployment: DeploymentPrevalence) -> list[SystemArea]:
    return [area for area in areas if area.field == deployment.name]


def _area(area: SystemArea, level: float) -> Row:
    value = area.integrated
    row: dict[str, Any] = {"rank": area.rank, "system": area.system, "value": value.area}
    if area.low is not None:
        row |= {"low": area.low, "high": area.high}
    if area.expected is not None:
        row["true labels"] = _three_digits(area.expected)
    row["normalised"] = _three_digits(value.normalised)
    if value.low < value.high:
        row["at rarest"] = _three_digits(value.at_low)
        row["at most"] = _three_digits(value.at_high)
    row["steps"] = _three_digits(area.average_precision)
    if area.low is not None:
        row |= {"level": level, "method": area.method}
    return row


def _three_digits(value: float | None) -> str:
    if value is None or np.isnan(value):
        return "undefined"
    return f"{value:.3f}"


def _deployed_tables(result: PrevalenceResult) -> dict[str, Sequence[Row]]:
    """Return what the threshold does, a table per deployment prevalence."""
    tables: dict[str, list[Row]] = {}
    for one in result.deployed:
        title = (
            f"precision at a threshold of {result.threshold:g}, {one.field}; "
            "alarms and misses per 1,000 items"
        )
        tables.setdefault(title, []).append(_deployed(one, result.level))
    return dict(tables)


def _deployed(one: DeployedSystem, level: float) -> Row:
    outcome = one.deployed
    row: dict[str, Any] = {
        "system": one.system,
        "value": outcome.precision.value,
        "low": outcome.precision.low,
        "high": outcome.precision.high,
    }
    if IN_FIELD in one.field:
        row["positive"] = percent(outcome.balance.value or 0.0, digits=2)
    return {
        **row,
        "recall": outcome.tpr.value,
        "alarms": _with_interval(outcome.alarms),
        "misses": _with_interval(outcome.misses),
        "level": level,
        "method": outcome.method.partition(" (")[0],
    }


def _with_interval(number: BoundedNumber) -> str:
    if number.value is None:
        return "undefined"
    return f"{_rounded(number.value)} [{_rounded(number.low)}, {_rounded(number.high)}]"


def _rounded(number: float) -> str:
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.3g}"


def _chosen_tables(result: PrevalenceResult) -> dict[str, Sequence[Row]]:
    """Return the best thresholds, a table per deployment prevalence."""
    tables: dict[str, list[Row]] = {}
    for one in result.chosen:
        title = f"the best threshold for {one.aim}, {one.field}"
        tables.setdefault(title, []).append(_chosen(one))
    return dict(tables)


def _chosen(one: ChosenThreshold) -> Row:
    threshold = "none"
    if one.threshold is not None:
        threshold = repr(one.threshold + 0.0)  # all digits: rounded it may miss the aim
    return {
        "rank": one.rank,
        "system": one.system,
        "threshold": threshold,
        "value": one.value,
        "precision": _rate(one.precision, one.precision_low, one.precision_high),
        "recall": _rate(one.recall, one.recall_low, one.recall_high),
    }


def _rate(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "undefined"
    if low is None or high is None:
        return f"{value:.4f}"
    return f"{value:.4f} [{low:.4f}, {high:.4f}]"


def _neighbours(result: PrevalenceResult, deployment: DeploymentPrevalence) -> Sequence[Row]:
    """Return how surely each system is ahead of the next."""
    gaps = {
        (gap.first, gap.second): gap for gap in result.differences if gap.field == deployment.name
    }
    if not gaps:
        return []
    order = [area.system for area in _of_field(result.areas, deployment)]
    rows = []
    for better, worse in pairwise(order[: SHOWN + 1]):
        if (better, worse) in gaps:
            rows.append(_lead(gaps[better, worse], 1))
        else:
            rows.append(_lead(gaps[worse, better], -1))
    return rows


def _lead(gap: AreaComparison, sign: int) -> Row:
    """Return a difference as a row; with a sign of -1 the second system is the better one."""
    if sign > 0:
        better, worse, chance = gap.first, gap.second, gap.better
    else:
        better, worse, chance = gap.second, gap.first, 1 - gap.better
    low, high = sorted((sign * gap.low, sign * gap.high))
    digits = 2 if chance < 0.99 else 3
    return {
        "better": better,
        "worse": worse,
        "value": sign * gap.difference,
        "low": low,
        "high": high,
        AHEAD: f"{chance:.{digits}f}",
    }


def _leaders(result: PrevalenceResult) -> Sequence[Row]:
    """Return who is best from where to where; the whole orders where they are short."""
    whole_orders = len(result.curves) <= SHORT
    key = "order" if whole_orders else "best"
    written = _written_changes(result)
    rows: list[dict[str, Any]] = []
    for stretch in result.orders:
        shown = stretch.order if whole_orders else stretch.order[:1]
        order = " > ".join(shown)
        start = written.get(stretch.low, "0 %")
        end = written.get(stretch.high, "100 %")
        if rows and rows[-1][key] == order:
            rows[-1]["to"] = end
        else:
            rows.append({"from": start, "to": end, key: order})
    return rows


def _written_changes(result: PrevalenceResult) -> dict[float, str]:
    """Return how the prevalence of each change is written."""
    written = {}
    for pair in result.pair_orders:
        for skew, interval in pair.changes():
            written[skew] = _written(skew, interval)
    return written


def _all_changes(result: PrevalenceResult) -> list[Row]:
    """Return where two systems change places: those of the leaders first, then those seen most often."""
    leaders = {stretch.order[0] for stretch in result.orders}
    keyed = []
    for pair in result.pair_orders:
        number_of_leaders = len({pair.first, pair.second} & leaders)
        for place, (skew, interval) in enumerate(pair.changes()):
            seen = interval.seen if interval else 1.0
            key = (-number_of_leaders, -seen)
            keyed.append((key, _change(pair, place, skew, interval)))
    return [row for _, row in sorted(keyed, key=lambda entry: entry[0])]


def _change(pair: PairOrder, place: int, skew: float, interval: InversionInterval | None) -> Row:
    first_leads_below = pair.leads[place] > 0
    row = {
        "positives": _written(skew, interval),
        "ahead below": pair.first if first_leads_below else pair.second,
        "ahead above": pair.second if first_leads_below else pair.first,
    }
    if interval is not None:
        row["between"] = f"{_end(interval.low)} to {_end(interval.high)} %"
        row["seen in"] = f"{100 * interval.seen:.0f} %"
    return row


def _written(skew: float, interval: InversionInterval | None) -> str:
    """Return a prevalence to no more digits than its interval supports, and to two at least."""
    if interval is None:
        return percent(skew)
    width = max(interval.high - interval.low, 1e-12)
    digits = 1
    if skew > width:
        digits += int(np.floor(np.log10(skew / width)))
    return percent(skew, digits=min(3, max(2, digits)))


def _end(prevalence: float) -> str:
    """Return an end of an interval in per cent; beyond the limits of the search it has no end."""
    if prevalence <= LOW:
        return "0"
    if prevalence >= HIGH:
        return "100"
    if prevalence >= 0.1:
        return f"{100 * prevalence:.0f}"
    return f"{100 * prevalence:.2g}"


def notes(result: PrevalenceResult) -> Sequence[str]:
    """Return what a reader must know."""
    checks = [reach(one.field, one.found) for one in result.checks]
    return (
        *_own_prevalences(result),
        *_meaning_of_columns(result),
        *_number_of_changes(result),
        *checks,
        *_estimates(result),
        *result.remarks,
    )


def _own_prevalences(result: PrevalenceResult) -> list[str]:
    sentences = []
    for name, (positives, negatives) in result.sides.items():
        items = positives + negatives
        table = name if len(result.sides) > 1 else "the data"
        share = percent(positives / items)
        sentences.append(f"In {table} {share} are positive ({positives:,} of {items:,} items).")
    return sentences


def _meaning_of_columns(result: PrevalenceResult) -> list[str]:
    sentences = [
        "normalised: the area rescaled from the least possible (0) to the largest (1); steps: average precision."
    ]
    if any(result.label_error):
        sentences.append(
            "Values are by the labels as given; intervals, orders and true labels by labels of which some are wrong, "
            "whatever the scores: by them every system is worse."
        )
        if result.deployed or result.chosen or result.bands:
            sentences.append(
                "What a threshold does, and where a curve lies, is reported by the labels as given."
            )
    if result.chosen:
        sentences.append(
            "A threshold is chosen and judged on the same items, so its value is somewhat too good."
        )
    if result.differences:
        sentences.append(AHEAD_MEANS)
    if any(pair.intervals for pair in result.pair_orders):
        sentences.append("seen in: the share of resamples that have this change nearby.")
    return sentences


def _number_of_changes(result: PrevalenceResult) -> list[str]:
    if not result.pair_orders:
        return []
    changing = [pair for pair in result.pair_orders if pair.skews]
    if not changing:
        pairs = counted(len(result.pair_orders), "pair")
        return [
            f"In these data the order of no two systems changes with the prevalence ({pairs} looked at)."
        ]
    pairs = f"{counted(len(changing), 'pair')} of {len(result.pair_orders):,}"
    sentence = f"In these data the order of {pairs} changes with the prevalence"
    seen = []
    for pair in changing:
        seen += [interval.seen for interval in pair.intervals]
    if seen:
        sure = sum(share >= result.level for share in seen)
        changes = counted(len(seen), "change")
        sentence += (
            f"; {sure:,} of {changes} occur in at least {100 * result.level:g} % of the resamples"
        )
    return [f"{sentence}."]


def _estimates(result: PrevalenceResult) -> list[str]:
    sentences = []
    for name, estimate in result.estimated_prevalences.items():
        if estimate.value is None:
            continue
        value = percent(estimate.value, digits=2)
        interval = f"{percent(estimate.low, digits=2)} to {percent(estimate.high, digits=2)}"
        sentences.append(
            f"By the unlabelled scores of {name} {value} are positive there ({interval})."
        )
    if len(sentences) > 1:
        sentences.append("The narrowest of these is the prevalence above.")
    return sentences
