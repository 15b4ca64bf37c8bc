"""What happens at another prevalence: curves, areas and ranks that follow a slider."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from karat.report.findings import Findings
from karat.report.page.markup import (
    Scale,
    chart,
    folded,
    headline,
    named,
    number,
    paragraphs,
    slider,
    table,
)
from karat.report.page.number_forms import rough
from karat.report.page.words import (
    FIRM,
    OPEN,
    PARTLY,
    TEMPLATES,
    Statement,
    at_prevalence,
    firmness,
    isolated,
)
from karat.report.panels.panel import Panel
from karat.result.base import Row
from karat.verdict.prevalence.leaders import (
    is_surely_first,
    lead_of,
    leading_stretches,
    settled_neighbours,
)
from karat.verdict.prevalence.result import OrderStretch, PrevalenceResult
from karat.verdict.prevalence.slider import STEPS, PrevalenceSlider
from karat.verdict.prevalence.words import LEADS, PLACES

COLOURS = 8
"""So many systems have a line of their own; the others are grey."""
MOST_LEADERS = 4
OWN = -1
"""Where among the prevalences that of the data is."""
INTRODUCTION = (
    "The same systems and scores, where positives are rarer or more frequent than in the data. Positives and negatives "
    "are each assumed to be as they are here; only their mix changes."
)
CURVES = (
    "Precision against recall. No system can reach the shaded region; random scores lie on "
    "the dotted line."
)
AREAS = (
    "The area under the precision-recall curve against the prevalence. The heavy line is the prevalence chosen, the "
    "thin one that of the data; circles mark where two systems change places. No area lies in the shaded region."
)
Keys = Sequence[int | None]
"""The line of each system; None for those in grey."""


def panel(findings: Findings) -> Panel | None:
    """Return every system's curve and area at the prevalence of a slider, and which system leads where."""
    result = findings.at_prevalences
    prevalence = findings.prevalence
    if result is None or prevalence is None:
        return None
    names = prevalence.systems
    keys = _keys(result, names)
    sentence = at_prevalence(names, prevalence.at(OWN))
    charts = chart("prevalence-curves", CURVES) + chart("prevalence-areas", AREAS)
    body = f"<p>{INTRODUCTION}</p>{_control(prevalence)}{headline(sentence, 'prevalence')}"
    body += f'<div class="pair">{charts}</div>'
    body += _legend(names, keys) + _areas(result, prevalence, keys)
    parts = result.parts()
    orders = {head: rows for head, rows in parts.items() if head.startswith((LEADS, PLACES))}
    for place, (head, rows) in enumerate(orders.items(), 1):
        body += _plain(place, head, rows)
    if result.gaps:
        body += folded("Neighbours, in the data", _neighbours(result, names))
    body += paragraphs(_notes(result, findings.facts.remarks()))
    return Panel(
        name="skew",
        title="What happens at another prevalence?",
        html=body,
        text=[sentence, *result.notes()],
        tables=parts,
        data=_data(prevalence, keys),
    )


def _notes(result: PrevalenceResult, elsewhere: Sequence[str]) -> list[str]:
    """Return what a reader of the page must know, except what is said elsewhere or of columns it does not have."""
    notes = ["Normalised: the share won of the area that can be won."]
    for note in result.notes():
        if note not in elsewhere and not note.startswith("normalised:"):
            hint = "ask for them with --draws"
            notes.append(note.replace(hint, "ask karat skew for them, with --draws"))
    return notes


def _control(prevalence: PrevalenceSlider) -> str:
    scale = Scale(low=0, high=STEPS, value=prevalence.position, step=1)
    control = slider("prevalence", "Share of positives", rough(prevalence.own), scale)
    reset = '<button type="button" id="prevalence-reset">As in the data</button>'
    return f'<div class="sliders prevalence">{control}{reset}</div>'


def _keys(result: PrevalenceResult, names: Sequence[str]) -> Keys:
    """Return the line of each system: one of its own for those that lead somewhere, then for the best in the data."""
    leaders = [stretch.order[0] for stretch in result.stretches]
    chosen = list(dict.fromkeys([*leaders, *names]))[:COLOURS]
    in_order = [name for name in names if name in chosen]
    return [in_order.index(name) if name in chosen else None for name in names]


def _swatch(key: int | None) -> str:
    kind = "line rest" if key is None else f"line line-{key}"
    return (
        '<svg class="swatch" width="28" height="10" aria-hidden="true">'
        f'<line class="{kind}" x1="0" x2="28" y1="5" y2="5"></line></svg>'
    )


def _legend(names: Sequence[str], keys: Keys) -> str:
    lines = []
    for name, key in zip(names, keys, strict=True):
        if key is not None:
            lines.append(f"<li>{_swatch(key)}{named(name)}</li>")
    in_grey = len(names) - len(lines)
    if in_grey:
        lines.append(f"<li>{_swatch(None)}{in_grey:,} more</li>")
    return f'<ul class="keys">{"".join(lines)}</ul>'


def _areas(result: PrevalenceResult, prevalence: PrevalenceSlider, keys: Keys) -> str:
    """Return the table of areas that follows the slider."""
    in_data = {area.system: area for area in result.areas}
    bounded = any(area.low is not None for area in result.areas)
    systems = prevalence.at(OWN)["systems"]
    rows = []
    for place, name in enumerate(prevalence.systems):
        path = f"skew.systems.{place}"
        row = [
            _swatch(keys[place]) + named(name),
            number(systems[place]["rank"], "count", f"{path}.rank"),
            number(systems[place]["area"], "area", f"{path}.area"),
            number(systems[place]["normalised"], "area", f"{path}.normalised"),
            number(in_data[name].found.area, "area"),
        ]
        if bounded:
            row += [number(in_data[name].low, "area"), number(in_data[name].high, "area")]
        rows.append(row)
    heads = ["system", "rank", "area", "normalised", "area in the data"]
    if bounded:
        heads += ["at least", "at most"]
    caption = "The area under the precision-recall curve at the prevalence chosen; on the right as it is in the data"
    return table("table-skew", caption, heads, rows)


def _plain(place: int, head: str, rows: Sequence[Row]) -> str:
    """Return rows of words as they are; only the first table is open."""
    title = head.capitalize()
    heads = list(rows[0])
    cells = [[named(str(value)) for value in row.values()] for row in rows]
    body = table(f"table-skew-{place}", title, heads, cells, words=len(heads))
    return body if place == 1 else folded(title, body)


def _neighbours(result: PrevalenceResult, names: Sequence[str]) -> str:
    rows = []
    for first, second in pairwise(names):
        gap = lead_of(result, first, second)
        cells = [number(value, "signed") for value in (gap.difference, gap.low, gap.high)]
        rows.append([named(first), named(second), *cells, number(gap.better, "chance")])
    caption = (
        f"The difference of neighbours' areas, by resampling the items, level {result.level:g}"
    )
    heads = ("first", "second", "difference", "from", "to", "P(first is better)")
    return table("table-skew-neighbours", caption, heads, rows, words=2)


def few_by_area(result: PrevalenceResult) -> Statement:
    """Return how many neighbours by area are significantly different in the data."""
    settled = settled_neighbours(result)
    pairs = len(result.areas) - 1
    level = f"{result.level:g}"
    text = TEMPLATES["few by area"].format(settled=settled, pairs=pairs, level=level)
    return firmness(settled, pairs), text


def prevalence_in_all(result: PrevalenceResult) -> Statement:
    """Return whether the ranking by area depends on the prevalence."""
    leaders = leading_stretches(result.stretches)
    first = leaders[0].order[0]
    counts = {
        "changing": sum(bool(turn.skews) for turn in result.turns),
        "pairs": len(result.turns),
    }
    if not counts["changing"]:
        # The curves alone say that the order is the same; only resamples tell whether other items would say so too.
        text = TEMPLATES["same order"].format(first=isolated(first))
        return FIRM if is_surely_first(result, leaders[0].order) else PARTLY, text
    if len(leaders) == 1:
        return PARTLY, TEMPLATES["one leads"].format(first=isolated(first), **counts)
    return OPEN, TEMPLATES["leaders"].format(spans=_spans(leaders), **counts)


def _spans(leaders: Sequence[OrderStretch]) -> str:
    """Return which system leads up to which prevalence, in words."""
    *before, last = leaders
    shown = before[:MOST_LEADERS]
    spans = [f"{isolated(stretch.order[0])} up to {rough(stretch.high)}" for stretch in shown]
    if len(before) > MOST_LEADERS:
        spans.append(f"{len(before) - MOST_LEADERS} more")
    spans.append(f"{isolated(last.order[0])} from {rough(last.low)} on")
    return ", ".join(spans)


def _data(prevalence: PrevalenceSlider, keys: Keys) -> dict[str, Any]:
    """Return what the page draws and shows at every position of its slider."""
    curves = []
    for curve in prevalence.curves:
        recall = [0.0, *curve.r1.tolist()]
        curves.append({"r": recall, "f0": curve.f0.tolist(), "f1": curve.f1.tolist()})
    return {
        "own": prevalence.own,
        "place": prevalence.position,
        "systems": list(prevalence.systems),
        "keys": list(keys),
        "prevalences": prevalence.prevalences.tolist(),
        "least": prevalence.least.tolist(),
        "room": prevalence.room.tolist(),
        "areas": prevalence.areas.tolist(),
        "curves": curves,
        "turns": [list(turn) for turn in prevalence.turns],
    }
