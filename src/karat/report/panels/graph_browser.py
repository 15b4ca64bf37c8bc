"""Outputs drawn beside their truth, to be found by what is wrong in them."""

from html import escape
from typing import Any

from karat.report.findings import Findings
from karat.report.graph_drawing import sketches
from karat.report.page.markup import folded, named, number, table
from karat.report.panels.panel import Panel
from karat.verdict.graph_browser import GraphBrowser
from karat.words import counted

MOST_OBJECTS = 300
"""Larger graphs are not drawn on the page."""
MOST_CONFUSIONS = 1500
"""So many confusions the page knows; the rest are rarer."""


def panel(findings: Findings) -> Panel | None:
    """Return the confusions of small parts, and the outputs in which they occur, drawn."""
    browser = findings.browser
    if browser is None or not browser.tally.found:
        return None
    data, notes = _data(browser)
    body = "".join(f"<p>{escape(note)}</p>" for note in notes)
    body += '<div id="graph-drawn" hidden></div>' + _tables(browser)
    return Panel(
        name="graph-browser",
        title="Where did it go wrong?",
        html=body,
        text=[*notes, *browser.notes()],
        tables=browser.parts(),
        data=data,
    )


def _tables(browser: GraphBrowser) -> str:
    """Return the confusions as tables, for those who read or print."""
    body = ""
    for place, (head, rows) in enumerate(browser.parts().items()):
        cells = [
            [
                named(row["given"]),
                named(row["read"]),
                named(row["system"]),
                named(row["in"]),
                number(row["number"], "count"),
            ]
            for row in rows
        ]
        heads = ("truth", "read as", "system", "in", "number")
        body += table(f"table-parts-{place}", f"Most frequent: {head}", heads, cells, words=4)
    return folded("Which parts are read as which, as a table", body)


def _data(browser: GraphBrowser) -> tuple[dict[str, Any], list[str]]:
    """Return the drawings and confusions as plain values, and what is left out."""
    systems = list(browser.tally.systems)
    files: list[dict[str, Any]] = []
    places: dict[tuple[str, str], int] = {}
    large = 0
    for one in browser.examples:
        if max(len(one.output.primitives()), len(one.truth.primitives())) > MOST_OBJECTS:
            large += 1
            continue
        places[one.system, one.file] = len(files)
        output, truth = sketches(one.output, one.truth)
        files.append({"system": systems.index(one.system), "file": one.file, "drawn": [output.plain(), truth.plain()]})
    ordered = browser.tally.ordered()
    kept = sorted(ordered, key=lambda key: -browser.tally.number(key))[:MOST_CONFUSIONS]
    chosen = set(kept)
    confusions = [
        [
            key[1],
            systems.index(key[0]),
            key[2].words(),
            key[3].words(),
            browser.tally.number(key),
            len(browser.tally.found[key]),
            [places[key[0], file] for file in sorted(browser.tally.found[key]) if (key[0], file) in places],
        ]
        for key in ordered
        if key in chosen
    ]
    notes = [f"{counted(len(files), 'output')} with errors, each above its truth; choose one by what is wrong in it."]
    if browser.left_out + large:
        notes.append(
            f"{counted(browser.left_out + large, 'more output')} with errors not drawn here: examples of every "
            "confusion come first. karat graph --draw DIR draws all, karat show one."
        )
    if len(ordered) > len(kept):
        notes.append(f"{len(ordered) - len(kept):,} of {len(ordered):,} confusions are left out, the rarest.")
    return {"systems": systems, "sizes": list(browser.tally.sizes), "files": files, "confusions": confusions}, notes
