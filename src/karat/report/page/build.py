"""From findings to one HTML file."""

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from karat.report.findings import Findings
from karat.report.page.markup import Scale, slider
from karat.report.page.number_forms import count, rough
from karat.report.page.words import SIGNS, TEMPLATES
from karat.report.panels import PANELS
from karat.report.panels.panel import Panel
from karat.verdict.whatif import Sliders
from karat.version import VERSION

SCRIPTS = (
    "binomial.js",
    "differences.js",
    "label_errors.js",
    "whatif.js",
    "words.js",
    "draw.js",
    "heat.js",
    "charts.js",
    "prevalence.js",
    "graphs.js",
    "lists.js",
    "live.js",
)
NOT_OF_LABELS = {
    "graph-truth": "wrong_objects",
    "graphs": "graphs",
    "graph-browser": "browser",
    "boxes": "boxes",
}
"""Panels that stand on one finding, and are not loaded without it: they load how graphs and boxes are drawn."""
MOST_ERROR = 0.5
"""The share of wrong labels at the end of its slider, which is finer where the shares are small."""


def page(findings: Findings) -> str:
    """Return the page: all in one file, with a policy that lets nothing else in."""
    panels = panels_of(findings)
    style = _asset("page.css")
    script = "\n".join(_asset(name) for name in SCRIPTS)
    pictures = "img-src data:; " if findings.images else ""
    policy = (
        f"default-src 'none'; {pictures}style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    origin = escape(_subject(findings))
    contents = _contents(panels)
    sections = "".join(_section(panel, findings, contents) for panel in panels)
    title = f"{origin}: how far can this ranking be trusted?"
    if findings.title is not None:
        title = escape(findings.title)
    date = ""
    if findings.date is not None:
        date = f'\n<p class="date"><bdi>{escape(findings.date)}</bdi></p>'
    data = _json(_data(findings, panels))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="karat {VERSION}">
<title>{title} · karat</title>
<style>{style}</style>
</head>
<body>
<header>
<p class="brand">karat {VERSION}</p>
<p class="origin"><bdi>{origin}</bdi></p>{date}
</header>
<main>
{sections}
</main>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def origin_of(text: str) -> str:
    """Return where the data comes from, without the folders of the machine that read it."""
    return re.sub(r"\S*/", "", text)


def _subject(findings: Findings) -> str:
    """Return what the page is about."""
    origin = origin_of(findings.facts.origin)
    unit = findings.facts.options.get("unit")
    return f"{unit}s of the label graphs in {origin}" if unit else origin


def panels_of(findings: Findings) -> list[Panel]:
    """Return the panels that the data allows."""
    panels = []
    for name in PANELS:
        finding = NOT_OF_LABELS.get(name)
        if finding is None or getattr(findings, finding) is not None:
            panels.append(PANELS[name](findings))
    return [panel for panel in panels if panel is not None]


def _contents(panels: Sequence[Panel]) -> str:
    """Return links to the sections after the first."""
    links = [f'<li><a href="#{panel.name}">{escape(panel.title)}</a></li>' for panel in panels[1:]]
    return f'<nav class="contents" aria-label="Contents"><ul>{"".join(links)}</ul></nav>'


def _section(panel: Panel, findings: Findings, contents: str) -> str:
    title = escape(panel.title)
    heading = f"<h2>{title}</h2>"
    controls = ""
    if panel.name == "summary":
        heading = f"<h1>{title}</h1>"
        if findings.title is not None:
            heading = f'<h1><bdi>{escape(findings.title)}</bdi></h1><p class="question">{title}</p>'
        controls = contents
        if findings.sliders is not None:
            controls += _controls(findings.sliders)
    opening = f'<section id="{panel.name}" aria-label="{title}">'
    return f"{opening}\n{heading}\n{panel.html}\n</section>\n{controls}"


def _controls(sliders: Sliders) -> str:
    """Return the sliders: the assumptions behind the numbers, to be changed."""
    state = sliders.state
    levels = [level.level for level in sliders.levels]
    place_of_error = 100 * (state.error / MOST_ERROR) ** 0.5
    error = Scale(low=0, high=100, value=place_of_error, step=0.5)
    level = Scale(low=0, high=len(levels) - 1, value=levels.index(state.level), step=1)
    items = Scale(low=-100, high=200, value=0, step=1)
    controls = (
        slider("error", "Share of wrong labels", rough(state.error), error),
        slider("level", "Level", str(state.level), level),
        slider("items", "Number of items", count(state.items), items),
    )
    return (
        '<section id="controls" aria-label="What if?"><h2>What if?</h2>'
        '<p class="hint">The numbers on this page follow these sliders, except those marked as simulated or '
        "as counted.</p>"
        '<button type="button" id="reset">As it was</button>'
        f'<div class="sliders">{"".join(controls)}</div></section>'
    )


def _data(findings: Findings, panels: Sequence[Panel]) -> dict[str, Any]:
    """Return what the page's script needs, as plain values."""
    sliders = findings.sliders
    return {
        "tallies": None if sliders is None else sliders.plain(),
        "state": None if sliders is None else asdict(sliders.state),
        "mostError": MOST_ERROR,
        "templates": TEMPLATES,
        "signs": SIGNS,
        "measure": findings.measure,
        "form": findings.forms.value,
        "range": findings.range,
        "systems": list(findings.order),
        "numbers": findings.numbers,
        "panels": {panel.name: panel.data for panel in panels if panel.data},
    }


def _json(data: dict[str, Any]) -> str:
    """Return JSON that no name can break out of."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return (
        text.replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )


def _hash(text: str) -> str:
    digest = sha256(text.encode()).digest()
    return f"'sha256-{b64encode(digest).decode()}'"


def _asset(name: str) -> str:
    return (files("karat.report.page") / name).read_text(encoding="utf-8")
