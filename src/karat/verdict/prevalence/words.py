"""Systems at other class balances, as a person reads of them: tables and sentences."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from karat.ask.prevalence import Field, percent
from karat.doubt.prevalence.deployment import Bounded
from karat.doubt.prevalence.inversion_interval import InversionInterval
from karat.doubt.prevalence.inversions import HIGH, LOW
from karat.result.base import Row
from karat.verdict.prevalence.published import reach
from karat.verdict.prevalence.result import IN_FIELD, Chosen, Placed, Skewed, Turn
from karat.words import counted

SURE, LEADS = "how sure is each order", "who leads at which class balance"
PLACES = "where two systems change places"
SHOWN = 12
"""So many orders and changes are shown to a reader; JSON has all."""
SHORT = 4
"""Of so many systems the whole order is shown, of more the best."""


def parts(found: Skewed) -> Mapping[str, Sequence[Row]]:
    """Return a table per field, then what a threshold does there, who leads where, and what changes."""
    tables: dict[str, Sequence[Row]] = {}
    for one in found.fields:
        tables[f"area under the precision-recall curve, {one.name}"] = _areas(found, one)
    for name in dict.fromkeys(each.field for each in found.placed):
        head = f"precision from a score of {found.threshold:g} on, {name}; alarms and misses per 1,000 items"
        tables[head] = [_placed(each, found.level) for each in found.placed if each.field == name]
    for name in dict.fromkeys(each.field for each in found.chosen):
        head = f"the best threshold for {found.chosen[0].aim}, {name}"
        tables[head] = [_chosen(each) for each in found.chosen if each.field == name]
    for one in found.fields:
        if rows := _neighbours(found, one):
            tables[f"{SURE}, {one.name}"] = rows
    if found.turns:
        tables[LEADS] = _leaders(found)
    if changes := _all_changes(found):
        shown = f", {SHOWN} of {len(changes):,}" if len(changes) > SHOWN else ""
        tables[f"{PLACES}{shown}"] = changes[:SHOWN]
    return tables


def _areas(found: Skewed, where: Field) -> Sequence[Row]:
    rows = []
    for one in found.areas:
        if one.field != where.name:
            continue
        row: dict[str, Any] = {"rank": one.rank, "system": one.system, "value": one.found.area}
        row |= {"low": one.low, "high": one.high} if one.low is not None else {}
        row |= {"true labels": _three(one.expected)} if one.expected is not None else {}
        row |= {"normalised": _three(one.found.normalised)}
        if one.found.low < one.found.high:
            row |= {"at rarest": _three(one.found.at_low), "at most": _three(one.found.at_high)}
        row |= {"steps": _three(one.average_precision)}
        rows.append(
            {**row, "level": found.level, "method": one.method} if one.low is not None else row
        )
    return rows


def _three(value: float | None) -> str:
    return "undefined" if value is None or np.isnan(value) else f"{value:.3f}"


def _placed(one: Placed, level: float) -> Row:
    found = one.deployed
    row: dict[str, Any] = {"system": one.system, "value": found.precision.value}
    row |= {"low": found.precision.low, "high": found.precision.high}
    row |= (
        {"positive": percent(found.balance.value or 0.0, digits=2)} if IN_FIELD in one.field else {}
    )
    row |= {
        "recall": found.tpr.value,
        "alarms": _range(found.alarms),
        "misses": _range(found.misses),
    }
    return {**row, "level": level, "method": found.method.partition(" (")[0]}


def _range(one: Bounded) -> str:
    return (
        "undefined"
        if one.value is None
        else f"{_few(one.value)} [{_few(one.low)}, {_few(one.high)}]"
    )


def _few(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _chosen(one: Chosen) -> Row:
    threshold = (
        "none" if one.threshold is None else repr(one.threshold + 0.0)
    )  # all digits: rounded it may miss the aim
    row: dict[str, Any] = {
        "rank": one.rank,
        "system": one.system,
        "threshold": threshold,
        "value": one.value,
    }
    return row | {"precision": one.precision, "recall": one.recall}


def _neighbours(found: Skewed, where: Field) -> Sequence[Row]:
    """Return how surely each system is ahead of the next."""
    order = [one.system for one in found.areas if one.field == where.name]
    known = {(one.first, one.second): one for one in found.gaps if one.field == where.name}
    rows = []
    for better, worse in pairwise(order[: SHOWN + 1] if known else []):
        one = known.get((better, worse)) or known[worse, better]
        sign, chance = (1, one.better) if one.first == better else (-1, 1 - one.better)
        low, high = sorted((sign * one.low, sign * one.high))
        row = {
            "better": better,
            "worse": worse,
            "value": sign * one.difference,
            "low": low,
            "high": high,
        }
        rows.append({**row, "P(better)": f"{chance:.2f}" if chance < 0.99 else f"{chance:.3f}"})
    return rows


def _leaders(found: Skewed) -> Sequence[Row]:
    """Return who is best from where to where; the whole orders where they are short."""
    key = "order" if len(found.curves) <= SHORT else "best"
    told = {skew: _told(skew, known) for one in found.turns for skew, known in one.changes()}
    rows: list[dict[str, Any]] = []
    for one in found.stretches:
        order = " > ".join(one.order if key == "order" else one.order[:1])
        if rows and rows[-1][key] == order:
            rows[-1]["to"] = told.get(one.high, "100 %")
        else:
            rows.append(
                {"from": told.get(one.low, "0 %"), "to": told.get(one.high, "100 %"), key: order}
            )
    return rows


def _all_changes(found: Skewed) -> list[Row]:
    """Return where two systems change places: those of the leaders first, then those seen most often."""
    leaders = {one.order[0] for one in found.stretches}
    rows = []
    for one in found.turns:
        pair = {one.first, one.second}
        for (_, known), row in zip(one.changes(), _changes(one), strict=True):
            rows.append(
                (not pair <= leaders, not pair & leaders, -(known.seen if known else 1.0), row)
            )
    return [row for *_, row in sorted(rows, key=lambda each: each[:3])]


def _changes(one: Turn) -> Sequence[Row]:
    rows = []
    for place, (skew, known) in enumerate(one.changes()):
        below, above = (one.first, one.second) if one.leads[place] > 0 else (one.second, one.first)
        row = {"positives": _told(skew, known), "ahead below": below, "ahead above": above}
        if known is not None:
            row |= {
                "between": f"{_end(known.low)} to {_end(known.high)} %",
                "seen in": f"{100 * known.seen:.0f} %",
            }
        rows.append(row)
    return rows


def _told(skew: float, known: InversionInterval | None) -> str:
    """Return a class balance to no more digits than its interval supports, and to two at least."""
    if known is None:
        return percent(skew)
    wide = max(known.high - known.low, 1e-12)
    digits = 1 + int(np.floor(np.log10(skew / wide))) if skew > wide else 1
    return percent(skew, digits=min(3, max(2, digits)))


def _end(share: float) -> str:
    """Return an end of an interval in per cent; beyond the limits of the search it has no end."""
    if share <= LOW or share >= HIGH:
        return "0" if share <= LOW else "100"
    return f"{100 * share:.0f}" if share >= 0.1 else f"{100 * share:.2g}"


def notes(found: Skewed) -> Sequence[str]:
    """Return what a reader must know."""
    checks = [reach(one.field, one.found) for one in found.checks]
    return (
        *_own(found),
        *_columns(found),
        *_turned(found),
        *checks,
        *_estimated(found),
        *found.remarks,
    )


def _own(found: Skewed) -> list[str]:
    said = []
    for name, (yes, no) in found.sides.items():
        table = name if len(found.sides) > 1 else "the data"
        said.append(
            f"In {table} {percent(yes / (yes + no))} are positive ({yes:,} of {yes + no:,} items)."
        )
    return said


def _columns(found: Skewed) -> list[str]:
    said = ["normalised: how much was won of the area that can be won; steps: average precision."]
    if any(found.label_error):
        given = "Values are by the labels as given; intervals, orders and true labels by labels of which some are wrong"
        said.append(f"{given}, whatever the scores: by them every system is worse.")
        if found.placed or found.chosen or found.bands:
            said.append(
                "What a threshold does, and where a curve lies, is told by the labels as given."
            )
    if found.chosen:
        said.append(
            "A threshold is chosen and judged on the same items, so its value is somewhat too good."
        )
    if any(one.intervals for one in found.turns):
        said.append("seen in: how many resamples of the items have that change near there.")
    return said


def _turned(found: Skewed) -> list[str]:
    if not found.turns:
        return []
    changing = [one for one in found.turns if one.skews]
    if not changing:
        pairs = counted(len(found.turns), "pair")
        return [
            f"In these data the order of no two systems changes with the class balance ({pairs} looked at)."
        ]
    pairs = f"{counted(len(changing), 'pair')} of {len(found.turns):,}"
    seen = [known.seen for one in changing for known in one.intervals]
    sure = sum(each >= found.level for each in seen)
    most = (
        f"; {sure:,} of {counted(len(seen), 'change')} in {100 * found.level:g} % of the resamples"
        if seen
        else ""
    )
    return [f"In these data the order of {pairs} changes with the class balance{most}."]


def _estimated(found: Skewed) -> list[str]:
    said = [
        f"By the field's scores of {name} {percent(one.value, digits=2)} are positive there "
        f"({percent(one.low, digits=2)} to {percent(one.high, digits=2)})."
        for name, one in found.balances.items()
        if one.value is not None
    ]
    return [*said, "The narrowest of these is the balance above."] if len(said) > 1 else said
