"""Whether a ranking of structured outputs is robust to errors in the truth, which take whole objects with them."""

from karat.report.findings import Findings
from karat.report.page.markup import named, number, paragraphs, table
from karat.report.panels.panel import Panel

COLUMNS = {
    "critical_label_error": ("robust up to (errors by chance)", "rough"),
    "safe_errors": ("worst-case flips tolerated", "count"),
    "kept": ("order kept", "chance"),
    "tie": ("tie", "chance"),
    "reversed": ("order reversed", "chance"),
}
"""The head of each column, and how its numbers are printed."""


def panel(findings: Findings) -> Panel | None:
    """Return how robust the order of neighbours and the whole ranking are to errors of whole objects."""
    result = findings.wrong_objects
    if result is None:
        return None
    rows = []
    for pair in result.pairs:
        cells = [number(getattr(pair, name), form) for name, (_, form) in COLUMNS.items()]
        rows.append([named(pair.better), named(pair.worse), *cells])
    heads = ["better", "worse", *(head for head, _ in COLUMNS.values())]
    caption = (
        "How robust the order of neighbours is, and the probabilities at the assumed share of wrong "
        f"{result.things}"
    )
    notes = result.notes()
    said = paragraphs(notes)
    return Panel(
        name="graph-truth",
        title=f"Is the ranking robust to wrong {result.things} in the truth?",
        html=table("table-graph-truth", caption, heads, rows, words=2) + said,
        text=list(notes),
        tables=result.parts(),
    )
