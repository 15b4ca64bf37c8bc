"""What happens at another prevalence: curves, areas and ranks that follow a slider."""

from collections.abc import Sequence
from html import escape
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
from karat.report.page.number_forms import area as area_form
from karat.report.page.number_forms import count, rough, signed
from karat.report.page.words import (
    FIRM,
    OPEN,
    PARTLY,
    TEMPLATES,
    Statement,
    at_prevalence,
    isolated,
)
from karat.report.panels.panel import Panel
from karat.result.base import Row
from karat.verdict.prevalence.leaders import (
    is_surely_first,
    lead_of,
    leading_stretches,
    settled_neighbours,
    settled_pairs,
    stretch_of,
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
ROC = "Recall against the false positive rate: the same at every prevalence. Random scores lie on the dotted line."
THRESHOLD_FORMS = {
    "threshold": "score",
    "precision": "short",
    "precision_low": "short",
    "precision_high": "short",
    "recall": "short",
    "alarms": "short",
    "alarms_low": "short",
    "alarms_high": "short",
    "misses": "short",
    "misses_low": "short",
    "misses_high": "short",
}
THRESHOLD_HEADS = (
    "system",
    "threshold",
    "precision",
    "from",
    "to",
    "recall",
    "alarms",
    "from",
    "to",
    "misses",
    "from",
    "to",
)
SAID_OTHERWISE = ("normalised:", "No intervals:", "warning: at a prevalence")
"""How notes begin that are of columns the page has not, or that it says in its own words."""
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
    numbers = prevalence.at(prevalence.start)
    sentence = at_prevalence(names, numbers)
    warning = numbers["warning"]
    charts = chart("prevalence-curves", CURVES) + chart("prevalence-areas", AREAS)
    body = f"<p>{INTRODUCTION}</p>{_control(prevalence)}{headline(sentence, 'prevalence')}"
    body += (
        f'<p class="rarity" data-sentence="rarity"><span class="words">{escape(warning)}</span></p>'
    )
    body += f'<div class="pair">{charts}</div>'
    body += _legend(names, keys) + _areas(prevalence, keys) + _thresholds(prevalence, keys)
    body += folded("ROC curves", chart("roc", ROC))
    parts = result.parts()
    orders = {head: rows for head, rows in parts.items() if head.startswith((LEADS, PLACES))}
    for place, (head, rows) in enumerate(orders.items(), 1):
        body += _plain(place, head, rows)
    if result.differences:
        body += folded("Neighbours, in the data", _neighbours(result, names))
    body += paragraphs(_notes(result, findings.facts.remarks()))
    return Panel(
        name="skew",
        title="What happens at another prevalence?",
        html=body,
        text=[text for text in (sentence, warning, *result.notes()) if text],
        tables=parts,
        data=_data(prevalence, keys),
    )


def _notes(result: PrevalenceResult, elsewhere: Sequence[str]) -> list[str]:
    """Return what a reader of the page must know, except what is said elsewhere or of columns it does not have."""
    notes = ["Normalised: the share won of the area that can be won."]
    said = [*elsewhere, *(note for note in result.notes() if note.startswith(SAID_OTHERWISE))]
    return [*notes, *(note for note in result.notes() if note not in said)]


def _control(prevalence: PrevalenceSlider) -> str:
    scale = Scale(low=0, high=STEPS, value=prevalence.position, step=1)
    at = float(prevalence.prevalences[prevalence.start])
    control = slider("prevalence", "Share of positives", rough(at), scale)
    reset = '<button type="button" id="prevalence-reset">As in the data</button>'
    return f'<div class="sliders prevalence">{control}{reset}</div>'


def _keys(result: PrevalenceResult, names: Sequence[str]) -> Keys:
    """Return the line of each system: one of its own for those that lead somewhere, then for the best in the data."""
    leaders = [stretch.order[0] for stretch in result.orders]
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


def _areas(prevalence: PrevalenceSlider, keys: Keys) -> str:
    """Return the table of areas that follows the slider, with their intervals at the prevalence chosen."""
    start = prevalence.at(prevalence.start)["systems"]
    in_data = prevalence.at(OWN)["systems"]
    bounded = any(system.get("low") is not None for system in start)
    rows = []
    for place, name in enumerate(prevalence.systems):
        path = f"skew.systems.{place}"
        row = [_swatch(keys[place]) + named(name)]
        row.append(number(start[place]["rank"], "count", f"{path}.rank"))
        row.append(number(start[place]["area"], "area", f"{path}.area"))
        if bounded:
            row.append(number(start[place]["low"], "area", f"{path}.low"))
            row.append(number(start[place]["high"], "area", f"{path}.high"))
        row.append(number(start[place]["normalised"], "area", f"{path}.normalised"))
        row.append(number(in_data[place]["area"], "area"))
        rows.append(row)
    heads = ["system", "rank", "area", *(["from", "to"] if bounded else []), "normalised"]
    caption = "The area under the precision-recall curve at the prevalence chosen"
    if bounded and prevalence.known is not None:
        caption += f", with its interval there ({prevalence.known.draws:,} resamples of the items)"
    caption += "; on the right as it is in the data"
    return table("table-skew", caption, [*heads, "area in the data"], rows)


def _thresholds(prevalence: PrevalenceSlider, keys: Keys) -> str:
    """Return what a threshold does at the prevalence chosen: precision, alarms and misses."""
    known = prevalence.known
    if known is None or not known.thresholds:
        return ""
    start = prevalence.at(prevalence.start)["systems"]
    rows = []
    for place, name in enumerate(prevalence.systems):
        cells = [_swatch(keys[place]) + named(name)]
        for field, form in THRESHOLD_FORMS.items():
            path = f"skew.systems.{place}.{field}"
            cells.append(number(start[place][field], form, path))
        rows.append(cells)
    which = (
        "Each system at the threshold that is best there by F1, as if it had been chosen beforehand"
    )
    if known.threshold is not None:
        which = f"At the threshold {known.threshold:g}"
    caption = f"{which}, at the prevalence chosen; alarms and misses are per 1,000 items, intervals exact or melded"
    return table("table-thresholds", caption, THRESHOLD_HEADS, rows)


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
    heads = ("first", "second", "difference", "from", "to", "first ahead in")
    return table("table-skew-neighbours", caption, heads, rows, words=2)


def few_by_area(result: PrevalenceResult) -> Statement:
    """Return whether the first two by area are significantly different, and of how many pairs that holds."""
    ranked = sorted(result.areas, key=lambda area: area.rank)
    first, second = ranked[0].system, ranked[1].system
    gap = lead_of(result, first, second)
    text = TEMPLATES["few by area"].format(
        verdict="Holds" if gap.low > 0 else "Open",
        prevalence=rough(result.own),
        first=isolated(first),
        second=isolated(second),
        difference=area_form(gap.difference),
        low=signed(gap.low),
        high=signed(gap.high),
        level=f"{result.level:g}",
    )
    if len(ranked) > 2:
        in_all = TEMPLATES["settled by area"].format(
            all=count(settled_pairs(result)),
            pairs=count(len(result.differences)),
            settled=count(settled_neighbours(result)),
            neighbours=count(len(ranked) - 1),
        )
        text += f" {in_all}"
    return FIRM if gap.low > 0 else OPEN, text


def prevalence_in_all(result: PrevalenceResult) -> Statement:
    """Return over which prevalences the first by area in the data leads."""
    leaders = leading_stretches(result.orders)
    first = leaders[0].order[0]
    counts = {
        "changing": sum(bool(turn.skews) for turn in result.pair_orders),
        "pairs": len(result.pair_orders),
    }
    if not counts["changing"]:
        # The curves alone say that the order is the same; only resamples tell whether other items would say so too.
        text = TEMPLATES["same order"].format(first=isolated(first))
        return FIRM if is_surely_first(result, leaders[0].order) else PARTLY, text
    if len(leaders) == 1:
        return PARTLY, TEMPLATES["one leads"].format(first=isolated(first), **counts)
    own = stretch_of(leaders, result.own)
    text = TEMPLATES["leads where"].format(
        first=isolated(own.order[0]), where=_where(own, leaders), spans=_spans(leaders), **counts
    )
    return OPEN, text


def _where(own: OrderStretch, leaders: Sequence[OrderStretch]) -> str:
    """Return a stretch of prevalences in words."""
    if own.low == leaders[0].low:
        return f"up to {rough(own.high)}"
    if own.high == leaders[-1].high:
        return f"from {rough(own.low)} on"
    return f"from {rough(own.low)} to {rough(own.high)}"


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
    known = _known(prevalence)
    return {
        **known,
        "own": prevalence.own,
        "steps": STEPS,
        "start": prevalence.start % len(prevalence.prevalences),
        "ownPlace": prevalence.own_position,
        "systems": list(prevalence.systems),
        "keys": list(keys),
        "prevalences": prevalence.prevalences.tolist(),
        "least": prevalence.least.tolist(),
        "room": prevalence.room.tolist(),
        "areas": prevalence.areas.tolist(),
        "curves": curves,
        "turns": [list(turn) for turn in prevalence.turns],
    }


def _known(prevalence: PrevalenceSlider) -> dict[str, Any]:
    """Return the intervals, the thresholds and the warnings of every prevalence, in the order of their fields."""
    known = prevalence.known
    if known is None:
        return {"fields": [], "known": None, "warnings": []}
    fields = ["low", "high"]
    if known.thresholds:
        fields += THRESHOLD_FORMS
    by_system = []
    for place in range(len(prevalence.systems)):
        by_place = []
        for k in range(len(prevalence.prevalences)):
            system = prevalence.at(k)["systems"][place]
            by_place.append([system[field] for field in fields])
        by_system.append(by_place)
    return {"fields": fields, "known": by_system, "warnings": list(known.warnings)}
