"""The page of a report in the place where it was asked for: in a notebook."""

from dataclasses import dataclass
from html import escape

from karat.report.findings import Findings
from karat.report.page.build import page

HEIGHT = 720
"""How high the page is in a notebook, in pixels; it scrolls."""


@dataclass(frozen=True, slots=True, eq=False)
class ReportPage:
    """All that can be said of a table; a notebook shows the page in a frame of its own."""

    findings: Findings

    def __repr__(self) -> str:
        """Say what it is about: a terminal has no place for a page."""
        systems = len(self.findings.order)
        return f"report of {self.findings.facts.origin}: {systems:,} systems, by {self.findings.measure}"

    def _repr_html_(self) -> str:
        """Return a frame: what the page does and how it looks stay inside it."""
        return (
            f'<iframe srcdoc="{escape(page(self.findings))}" title="karat report" loading="lazy" '
            f'sandbox="allow-scripts allow-downloads" width="100%" height="{HEIGHT}" '
            'style="border: 1px solid #bbb"></iframe>'
        )
