"""Outputs drawn beside their truth, to be chosen by what is wrong in them."""

from collections.abc import Mapping, Sequence
from typing import Any

from karat.graphs.draw.drawing import sketches
from karat.graphs.errors.browser import Example, GraphBrowser
from karat.graphs.errors.subgraph_counts import PartConfusion, Subgraphs
from karat.report.findings import Findings
from karat.report.page.markup import folded, named, number, paragraphs, table
from karat.report.panels.panel import Panel
from karat.result.base import Row
from karat.words import counted

MOST_OBJECTS = 300
"""Larger graphs are not drawn on the page."""
MOST_CONFUSIONS = 1500
"""The page has at most so many confusions; the rest are rarer."""


def panel(findings: Findings) -> Panel | None:
    """Return the confusions of small parts, and the outputs in which they occur, drawn."""
    browser = findings.browser
    if browser is None or not browser.tally.found:
        return None
    examples = [one for one in browser.examples if _size(one) <= MOST_OBJECTS]
    confusions = _shown_confusions(browser.tally)
    notes = _notes(browser, len(examples), len(confusions))
    body = paragraphs(notes)
    body += '<div id="graph-drawn" hidden></div>'
    body += _tables(browser)
    return Panel(
        name="graph-browser",
        title="Where did it go wrong?",
        html=body,
        text=[*notes, *browser.notes()],
        tables=browser.parts(),
        data=_data(browser, examples, confusions),
    )


def _tables(browser: GraphBrowser) -> str:
    """Return the confusions as tables, for those who read or print."""
    heads = ("truth", "read as", "system", "in", "number")
    body = ""
    for place, (head, rows) in enumerate(browser.parts().items()):
        cells = [_cells(row) for row in rows]
        body += table(f"table-parts-{place}", f"Most frequent: {head}", heads, cells, words=4)
    return folded("Which parts are read as which, as a table", body)


def _cells(row: Row) -> list[str]:
    words = [named(row[name]) for name in ("given", "read", "system", "in")]
    return [*words, number(row["number"], "count")]


def _shown_confusions(tally: Subgraphs) -> list[PartConfusion]:
    """Return the most frequent confusions, in the order of the tally."""
    ordered = tally.ordered()
    by_number = sorted(ordered, key=lambda key: -tally.number(key))
    frequent = set(by_number[:MOST_CONFUSIONS])
    return [key for key in ordered if key in frequent]


def _notes(browser: GraphBrowser, drawn: int, confusions: int) -> list[str]:
    """Return how many outputs are drawn, and what is left out."""
    notes = [
        f"{counted(drawn, 'output')} with errors, each above its truth; choose one by what is wrong in it."
    ]
    not_drawn = browser.left_out + len(browser.examples) - drawn
    if not_drawn:
        notes.append(
            f"{counted(not_drawn, 'more output')} with errors not drawn here: examples of every confusion come first. "
            "karat graph --draw DIR draws all, karat show one."
        )
    number_of_confusions = len(browser.tally.found)
    if number_of_confusions > confusions:
        rest = number_of_confusions - confusions
        notes.append(f"{rest:,} of {number_of_confusions:,} confusions are left out, the rarest.")
    return notes


def _data(
    browser: GraphBrowser, examples: Sequence[Example], confusions: Sequence[PartConfusion]
) -> dict[str, Any]:
    """Return the drawings and confusions as plain values, for the page."""
    tally = browser.tally
    systems = list(tally.systems)
    places = {(one.system, one.file): place for place, one in enumerate(examples)}
    return {
        "systems": systems,
        "sizes": list(tally.sizes),
        "files": [_file(one, systems, undirected=browser.undirected) for one in examples],
        "confusions": [_confusion(tally, key, places) for key in confusions],
    }


def _size(one: Example) -> int:
    return max(len(one.output.primitives()), len(one.truth.primitives()))


def _file(one: Example, systems: list[str], *, undirected: bool) -> dict[str, Any]:
    """Return an output and its truth as shapes."""
    drawn = [sketch.plain() for sketch in sketches(one.output, one.truth, undirected=undirected)]
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
