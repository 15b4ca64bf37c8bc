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
from karat.report.page.markup import slider
from karat.report.page.words import SIGNS, TEMPLATES, count, rough
from karat.report.panels import PANELS
from karat.report.panels.panel import Panel
from karat.version import VERSION

SCRIPTS = (
    "special.js",
    "bounds.js",
    "differences.js",
    "planning.js",
    "tilted.js",
    "label_errors.js",
    "whatif.js",
    "skew.js",
    "words.js",
    "draw.js",
    "charts.js",
    "balance.js",
    "graphs.js",
    "live.js",
)
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
MOST_ERROR = 0.5
"""The share of wrong labels at the end of its slider, which is finer where the shares are small."""


def page(findings: Findings) -> str:
    """Return the page: all in one file, with a policy that lets nothing else in."""
    panels = panels_of(findings)
    style, script = _asset("page.css"), "\n".join(_asset(name) for name in SCRIPTS)
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    origin = escape(_subject(findings))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="karat {VERSION}">
<title>{origin}: how far can this ranking be trusted? · karat</title>
<style>{style}</style>
</head>
<body>
<header>
<p class="brand">karat {VERSION}</p>
<p class="origin"><bdi>{origin}</bdi></p>
</header>
<main>
{"".join(_section(panel, findings) for panel in panels)}
</main>
<script type="application/json" id="data">{_json(_data(findings, panels))}</script>
<script>{script}</script>
</body>
</html>
"""


def origin_of(text: str) -> str:
    """Return where the data comes from, without the folders of the machine that read it."""
    return re.sub(r"\S*/", "", text)


def _subject(findings: Findings) -> str:
    """Return what the page is about."""
    origin, unit = origin_of(findings.facts.origin), findings.facts.options.get("unit")
    return f"{unit}s of the label graphs in {origin}" if unit else origin


def panels_of(findings: Findings) -> list[Panel]:
    """Return the panels that the data allows."""
    found = (PANELS[name](findings) for name in PANELS)
    return [panel for panel in found if panel is not None]


def _section(panel: Panel, findings: Findings) -> str:
    first = panel.name == "summary"
    head = f"<h1>{escape(panel.title)}</h1>" if first else f"<h2>{escape(panel.title)}</h2>"
    controls = _controls(findings) if first and findings.state else ""
    opening = f'<section id="{panel.name}" aria-label="{escape(panel.title)}">'
    return f"{opening}\n{head}\n{panel.html}\n</section>\n{controls}"


def _controls(findings: Findings) -> str:
    """Return the sliders: what is supposed, and what else might be."""
    state = findings.state
    if state is None:
        return ""
    levels = _levels(findings)
    sliders = (
        slider(
            "error",
            "Share of wrong labels",
            rough(state.error),
            0,
            100,
            100 * (state.error / MOST_ERROR) ** 0.5,
            0.5,
        ),
        slider(
            "level", "Level", str(state.level), 0, len(levels) - 1, levels.index(state.level), 1
        ),
        slider("items", "Number of items", count(state.items), -100, 200, 0, 1),
    )
    return (
        '<section id="controls" aria-label="What if?"><h2>What if?</h2>'
        '<p class="hint">The numbers on this page follow these three, but for what is simulated or as counted, which '
        "says so.</p>"
        '<button type="button" id="reset">As it was</button>'
        f'<div class="sliders">{"".join(sliders)}</div></section>'
    )


def _levels(findings: Findings) -> list[float]:
    return sorted({*LEVELS, findings.level})


def _data(findings: Findings, panels: Sequence[Panel]) -> dict[str, Any]:
    tallies, state = findings.tallies, findings.state
    return {
        "tallies": tallies and tallies.plain(),
        "state": state and asdict(state),
        "levels": _levels(findings),
        "mostError": MOST_ERROR,
        "templates": TEMPLATES,
        "signs": SIGNS,
        "measure": findings.measure,
        "range": findings.range,
        "systems": list(findings.order),
        "found": findings.live,
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
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _asset(name: str) -> str:
    return (files("karat.report.page") / name).read_text(encoding="utf-8")
