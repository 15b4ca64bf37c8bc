"""Whether a ranking of structured outputs survives errors in the truth, which take whole objects with them."""

from html import escape

from karat.report.findings import Findings
from karat.report.page.markup import named, number, table
from karat.report.panels.panel import Panel

FORMS = {"critical_label_error": "rough", "safe_errors": "count", "kept": "chance", "tie": "chance"}
FORMS |= {"reversed": "chance"}


def panel(findings: Findings) -> Panel | None:
    """Return what the order of neighbours and the whole ranking survive, where errors are drawn per object."""
    found = findings.erring
    if found is None:
        return None
    rows = [
        [
            named(pair.better),
            named(pair.worse),
            *(number(getattr(pair, name), form) for name, form in FORMS.items()),
        ]
        for pair in found.pairs
    ]
    heads = ("better", "worse", "survives", "safe errors", "kept", "tie", "reversed")
    caption = (
        "What the order of neighbours survives, and the probabilities at the share of wrong "
        f"{found.things} supposed"
    )
    notes = found.notes()
    return Panel(
        name="graph-truth",
        title=f"Would the ranking survive wrong {found.things} in the truth?",
        html=table("table-graph-truth", caption, heads, rows, words=2)
        + "".join(f"<p>{escape(note)}</p>" for note in notes),
        text=list(notes),
        tables=found.parts(),
    )
