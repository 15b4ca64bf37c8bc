"""How the page was made, and how to make it again."""

from html import escape

from karat.report.findings import Findings
from karat.report.panels.panel import Panel


def panel(findings: Findings) -> Panel:
    """Return the signatures of all results."""
    asked = (findings.scores, findings.standing, findings.comparisons, findings.stability)
    results = (*asked, findings.skewed, findings.groups)
    lines = [str(result.beside()["signature"]) for result in results if result is not None]
    notes = [*findings.facts.notes]
    listed = "".join(f"<li><code>{escape(line)}</code></li>" for line in lines)
    read = "".join(f"<li>{escape(note)}</li>" for note in notes)
    html = (
        "<p>Each line names the version, the measure, the method, the options, the seed and a hash of the counts; "
        f'the same line comes from the same counts.</p><ul class="signatures">{listed}</ul>'
        + (f"<p>How the table was read:</p><ul>{read}</ul>" if notes else "")
        + f"<p>karat report, level {findings.level:g}, seed {findings.seed}. <code>karat cite NAME</code> names the "
        "paper behind a measure, a bound or a test.</p>"
    )
    return Panel(name="repeat", title="How can this be repeated?", html=html, text=lines)
