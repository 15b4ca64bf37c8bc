"""Outputs drawn beside their truth, to be found by what is wrong in them."""

from collections.abc import Mapping
from html import escape
from typing import Any

from karat.graphs.draw.drawing import sketches
from karat.graphs.errors.browser import Example, GraphBrowser
from karat.graphs.errors.subgraph_counts import PartConfusion, Subgraphs
from karat.report.findings import Findings
from karat.report.page.markup import folded, named, number, table
from karat.report.panels.panel import Panel
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
    small = [one for one in browser.examples if _size(one) <= MOST_OBJECTS]
    places = {(one.system, one.file): place for place, one in enumerate(small)}
    ordered = browser.tally.ordered()
    kept = set(sorted(ordered, key=lambda key: -browser.tally.number(key))[:MOST_CONFUSIONS])
    confusions = [_confusion(browser.tally, key, places) for key in ordered if key in kept]
    notes = [
        f"{counted(len(small), 'output')} with errors, each above its truth; choose one by what is wrong in it."
    ]
    if left := browser.left_out + len(browser.examples) - len(small):
        notes.append(
            f"{counted(left, 'more output')} with errors not drawn here: examples of every confusion come first. "
            "karat graph --draw DIR draws all, karat show one."
        )
    if len(ordered) > len(kept):
        notes.append(
            f"{len(ordered) - len(kept):,} of {len(ordered):,} confusions are left out, the rarest."
        )
    files = [_file(one, systems) for one in small]
    return {
        "systems": systems,
        "sizes": list(browser.tally.sizes),
        "files": files,
        "confusions": confusions,
    }, notes


def _size(one: Example) -> int:
    return max(len(one.output.primitives()), len(one.truth.primitives()))


def _file(one: Example, systems: list[str]) -> dict[str, Any]:
    """Return an output and its truth as shapes."""
    drawn = [sketch.plain() for sketch in sketches(one.output, one.truth)]
    return {"system": systems.index(one.system), "file": one.file, "drawn": drawn}


def _confusion(
    tally: Subgraphs, key: PartConfusion, places: Mapping[tuple[str, str], int]
) -> list[Any]:
    """Return a confusion: size, system, truth, output, how often, in how many files, and those that are drawn."""
    system, size, truth, output = key
    files = tally.found[key]
    drawn = [places[system, file] for file in sorted(files) if (system, file) in places]
    return [
        size,
        tally.systems.index(system),
        truth.words(),
        output.words(),
        tally.number(key),
        len(files),
        drawn,
    ]
