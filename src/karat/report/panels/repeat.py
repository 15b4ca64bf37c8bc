"""How the page was made, and how to make it again."""

from collections.abc import Iterable
from html import escape

from karat.report.findings import Findings
from karat.report.panels.panel import Panel


def panel(findings: Findings) -> Panel:
    """Return the signatures of all results."""
    results = (
        findings.scores,
        findings.consensus,
        findings.comparisons,
        findings.stability,
        findings.at_prevalences,
        findings.groups,
    )
    signatures = [str(result.beside()["signature"]) for result in results if result is not None]
    codes = [f"<code>{escape(signature)}</code>" for signature in signatures]
    html = (
        "<p>Each line names the version, the measure, the method, the options, the seed and a hash of the counts; "
        "the same counts give the same line, and <code>karat repeat LINE FILE</code> gives the result again."
        f'</p><ul class="signatures">{_items(codes)}</ul>'
    )
    if findings.unasked:
        reasons = [escape(question) for question in findings.unasked]
        html += f"<p>Questions that could not be asked of this table:</p><ul>{_items(reasons)}</ul>"
    notes = [escape(note) for note in findings.facts.notes]
    if notes:
        html += f"<p>How the table was read:</p><ul>{_items(notes)}</ul>"
    html += (
        f"<p>karat report, level {findings.level:g}, seed {findings.seed}. <code>karat cite NAME</code> names the "
        "paper behind a measure, a bound or a test.</p>"
    )
    return Panel(
        name="repeat",
        title="How can this be repeated?",
        html=html,
        text=[*findings.unasked, *signatures],
    )


def _items(texts: Iterable[str]) -> str:
    return "".join(f"<li>{text}</li>" for text in texts)
