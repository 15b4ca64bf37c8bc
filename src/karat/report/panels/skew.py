"""What happens at another class balance: curves, areas and ranks that follow a slider."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any

from karat.measure.prevalence.pr_curve import Rises, areas
from karat.report.findings import Findings
from karat.report.page.markup import chart, folded, named, number, slider, table
from karat.report.page.prevalence import at_balance, ends, few_points, place_of
from karat.report.page.words import (
    FIRM,
    OPEN,
    PARTLY,
    TEMPLATES,
    Said,
    balance_said,
    isolated,
    rough,
)
from karat.report.panels.panel import Panel
from karat.result.base import Row
from karat.verdict.prevalence.result import Skewed, Stretch
from karat.verdict.prevalence.words import LEADS, PLACES

COLOURS = 8
"""So many systems have a line of their own; the others are grey."""
MOST_LEADERS = 4
WORDS = (
    "The same systems and scores, where positives are rarer or more frequent than in the data. Positives and negatives "
    "are each taken to be what they are here; only their mix changes."
)
CURVES = (
    "Precision against recall. No system can reach the shaded region; scores given at random lie on "
    "the dotted line."
)
AREAS = (
    "The area under the precision-recall curve against the class balance. The heavy line is the balance chosen, the "
    "thin one that of the data; circles mark where two systems change places. No area lies in the shaded region."
)


def panel(findings: Findings) -> Panel | None:
    """Return every system's curve and area at the class balance of a slider, and who leads where."""
    result = findings.skewed
    if result is None:
        return None
    curves = few_points(result)
    found = at_balance(curves, result.own)
    names = tuple(curves)
    keys = _keys(result, names)
    sentence = balance_said(names, found)
    body = f"<p>{WORDS}</p>{_control(result)}"
    body += (
        f'<p class="headline" data-said="balance"><span class="words">{escape(sentence)}</span></p>'
    )
    body += (
        f'<div class="pair">{chart("balance-curves", CURVES)}{chart("balance-areas", AREAS)}</div>'
    )
    body += _legend(names, keys) + _areas(result, names, keys, found)
    parts = result.parts()
    told = {head: rows for head, rows in parts.items() if head.startswith((LEADS, PLACES))}
    body += "".join(_plain(place, head, rows) for place, (head, rows) in enumerate(told.items(), 1))
    body += folded("Neighbours, in the data", _neighbours(result, names)) if result.gaps else ""
    body += "".join(f"<p>{escape(note)}</p>" for note in _notes(result, findings.facts.remarks()))
    return Panel(
        name="skew",
        title="What happens at another class balance?",
        html=body,
        text=[sentence, *result.notes()],
        tables=parts,
        data=_data(result, curves, keys),
    )


def _notes(result: Skewed, known: Sequence[str]) -> list[str]:
    """Return what a reader of the page must know, but for columns that it does not have."""
    said = [
        note for note in result.notes() if note not in known and not note.startswith("normalised:")
    ]
    said = [
        note.replace("ask for them with --draws", "ask karat skew for them, with --draws")
        for note in said
    ]
    return ["Normalised: the share won of the area that can be won.", *said]


def _control(result: Skewed) -> str:
    return (
        '<div class="sliders balance">'
        + slider(
            "balance", "Share of positives", rough(result.own), 0, 100, place_of(result.own), 0.1
        )
        + '<button type="button" id="balance-reset">As in the data</button></div>'
    )


def _keys(result: Skewed, names: Sequence[str]) -> list[int | None]:
    """Return the line of each system: one of its own for those that lead somewhere, then for the best in the data."""
    leaders = [one.order[0] for one in result.stretches]
    chosen = list(dict.fromkeys([*leaders, *names]))[:COLOURS]
    own = [name for name in names if name in chosen]
    return [own.index(name) if name in chosen else None for name in names]


def _swatch(key: int | None) -> str:
    kind = "line rest" if key is None else f"line line-{key}"
    return (
        '<svg class="swatch" width="28" height="10" aria-hidden="true">'
        f'<line class="{kind}" x1="0" x2="28" y1="5" y2="5"></line></svg>'
    )


def _legend(names: Sequence[str], keys: Sequence[int | None]) -> str:
    lines = [
        f"<li>{_swatch(key)}{named(name)}</li>"
        for name, key in zip(names, keys, strict=True)
        if key is not None
    ]
    rest = keys.count(None)
    lines += [f"<li>{_swatch(None)}{rest:,} more</li>"] if rest else []
    return f'<ul class="keys">{"".join(lines)}</ul>'


def _areas(
    result: Skewed, names: Sequence[str], keys: Sequence[int | None], found: Mapping[str, Any]
) -> str:
    known = {one.system: one for one in result.areas}
    rows = []
    for place, name in enumerate(names):
        path, live, one = f"skew.systems.{place}", found["systems"][place], known[name]
        cells = [
            number(live["rank"], "count", f"{path}.rank"),
            number(live["area"], "area", f"{path}.area"),
        ]
        cells += [
            number(live["normalised"], "area", f"{path}.normalised"),
            number(one.found.area, "area"),
        ]
        cells += [] if one.low is None else [number(one.low, "area"), number(one.high, "area")]
        rows.append([_swatch(keys[place]) + named(name), *cells])
    heads = ["system", "rank", "area", "normalised", "area in the data"]
    heads += ["at least", "at most"] if len(rows[0]) > len(heads) else []
    caption = "The area under the precision-recall curve at the class balance chosen; on the right as it is in the data"
    return table("table-skew", caption, heads, rows)


def _plain(place: int, head: str, rows: Sequence[Row]) -> str:
    """Return rows of words as they are."""
    cells = [[named(str(value)) for value in row.values()] for row in rows]
    body = table(f"table-skew-{place}", head.capitalize(), list(rows[0]), cells, words=len(rows[0]))
    return body if place == 1 else folded(head.capitalize(), body)


def _neighbours(result: Skewed, names: Sequence[str]) -> str:
    rows = []
    for first, second in pairwise(names):
        gap = gap_of(result, first, second)
        cells = [number(gap[key], "signed") for key in ("difference", "low", "high")]
        rows.append([named(first), named(second), *cells, number(gap["better"], "chance")])
    caption = (
        f"The difference of neighbours' areas, by resampling the items, level {result.level:g}"
    )
    heads = ("first", "second", "difference", "from", "to", "P(first is better)")
    return table("table-skew-neighbours", caption, heads, rows, words=2)


def gap_of(result: Skewed, first: str, second: str) -> dict[str, float]:
    """Return by how much the first of two systems is ahead in the data, whichever of them was named first."""
    for one in result.gaps:
        if (one.first, one.second) == (first, second):
            return {
                "difference": one.difference,
                "low": one.low,
                "high": one.high,
                "better": one.better,
            }
        if (one.second, one.first) == (first, second):
            return {
                "difference": -one.difference,
                "low": -one.high,
                "high": -one.low,
                "better": 1 - one.better,
            }
    raise KeyError(first, second)


def few_by_area(result: Skewed) -> Said:
    """Return how many neighbouring orders by area are settled in the data."""
    names = [one.system for one in sorted(result.areas, key=lambda one: one.rank)]
    gaps = [gap_of(result, *pair) for pair in pairwise(names)]
    settled = sum(gap["low"] > 0 or gap["high"] < 0 for gap in gaps)
    text = TEMPLATES["few by area"].format(
        settled=settled, pairs=len(gaps), level=f"{result.level:g}"
    )
    return FIRM if settled == len(gaps) else PARTLY if settled else OPEN, text


def balance_in_all(result: Skewed) -> Said:
    """Return whether the ranking by area depends on the class balance."""
    leaders = [result.stretches[0]]
    for one in result.stretches[1:]:
        last = leaders[-1]
        if one.order[0] == last.order[0]:
            leaders[-1] = Stretch(last.low, one.high, last.order)
        else:
            leaders.append(one)
    changing, first = sum(bool(one.skews) for one in result.turns), isolated(leaders[0].order[0])
    if not changing:
        # The curves as they are say so; that other items would, only resamples could.
        sure = result.gaps and all(
            _ahead(result, leaders[0].order[0], name) for name in leaders[0].order[1:]
        )
        return FIRM if sure else PARTLY, TEMPLATES["no balance"].format(first=first)
    if len(leaders) == 1:
        return PARTLY, TEMPLATES["one leads"].format(
            first=first, changing=changing, pairs=len(result.turns)
        )
    spans = [
        f"{isolated(one.order[0])} up to {rough(one.high)}" for one in leaders[:-1][:MOST_LEADERS]
    ]
    more = len(leaders) - len(spans) - 1
    end = f"{isolated(leaders[-1].order[0])} from {rough(leaders[-1].low)} on"
    spans = [*spans, *([f"{more} more"] if more > 0 else []), end]
    return OPEN, TEMPLATES["leaders"].format(
        spans=", ".join(spans), changing=changing, pairs=len(result.turns)
    )


def _ahead(result: Skewed, first: str, second: str) -> bool:
    """Return whether the first is ahead of the second in the data, by the resamples too."""
    return gap_of(result, first, second)["low"] > 0


def _data(
    result: Skewed, curves: Mapping[str, Rises], keys: Sequence[int | None]
) -> dict[str, Any]:
    low, high = ends(result.own)
    points = [
        (skew, turn.first) for turn in result.turns for skew in turn.skews if low <= skew <= high
    ]
    return {
        "own": result.own,
        "low": low,
        "high": high,
        "systems": list(curves),
        "keys": list(keys),
        "curves": [
            {"r": [0.0, *parts.r1.tolist()], "f0": parts.f0.tolist(), "f1": parts.f1.tolist()}
            for parts in curves.values()
        ],
        "turns": [[skew, round(float(areas(curves[name], skew)), 5)] for skew, name in points],
    }
