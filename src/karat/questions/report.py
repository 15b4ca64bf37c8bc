"""The whole report: the findings, what changed since an earlier one, and the file they are written to."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from karat.questions.change import change_since, earlier_report
from karat.report import DOCUMENTS
from karat.report.findings import Findings
from karat.report.notebook_page import ReportPage
from karat.report.writing import write


def report_page(
    ask: Callable[[], Findings],
    path: str | Path | None,
    *,
    title: str | None = None,
    date: str | None = None,
    against: str | Path | None = None,
) -> ReportPage:
    """Return the page of findings; written to a file too, in the form that its name requests, if one is named."""
    form = None
    if path is not None:
        form = DOCUMENTS[str(path).rpartition(".")[2].lower()]
    old = None if against is None else earlier_report(against)
    findings = replace(ask(), title=title, date=date)
    if old is not None and against is not None:
        findings = replace(findings, change=change_since(findings, old, against))
    if path is not None and form is not None:
        write(path, form(findings))
    return ReportPage(findings)
