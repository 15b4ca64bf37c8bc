"""A report in the form that the name of its file requests."""

import json as plain
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from karat.errors import OptionError
from karat.report.findings import Findings
from karat.report.page.build import origin_of, page, panels_of
from karat.result import Result  # noqa: TC001
from karat.result.layout import grid
from karat.result.plain import escaped, json_text, markdown_tables
from karat.scratch import scratch_folder
from karat.version import VERSION

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)
WITHOUT_ISOLATES = dict.fromkeys((0x2068, 0x2069))
"""What keeps names apart from the text around them on a page; Markdown escapes names instead."""
LISTED = re.compile(r" *(\d+\.|-) ")
"""What begins a line of a list."""
PATIENCE = 120
"""Seconds that a browser may take to print a page."""


def html(findings: Findings) -> str:
    """Return the page."""
    return page(findings)


def md(findings: Findings) -> str:
    """Return the report for a pull request or a wiki: sentences and tables."""
    parts = []
    for panel in panels_of(findings):
        mark = "#" if panel.name == "summary" else "##"
        title = panel.title
        if panel.name == "summary" and findings.title is not None:
            title = findings.title
        parts.append(f"{mark} {escaped(title)}")
        if panel.name == "summary" and findings.date is not None:
            parts.append(escaped(findings.date))
        parts += _paragraphs([text.translate(WITHOUT_ISOLATES) for text in panel.text])
        parts += markdown_tables({head: grid(rows) for head, rows in panel.tables.items()})
    origin = origin_of(findings.facts.origin)
    parts.append(f"karat {VERSION}: {escaped(origin)}")
    return "\n\n".join(parts) + "\n"


def _paragraphs(sentences: Sequence[str]) -> list[str]:
    """Return paragraphs; the lines of a list stay together."""
    paragraphs: list[str] = []
    in_list = False
    for text in sentences:
        mark = LISTED.match(text)
        if mark is None:
            paragraphs.append(escaped(text))
        else:
            line = mark[0] + escaped(text.removeprefix(mark[0]))
            if in_list:
                paragraphs[-1] += f"\n{line}"
            else:
                paragraphs.append(line)
        in_list = mark is not None
    return paragraphs


def json(findings: Findings) -> str:
    """Return every answer as one JSON object, each as its own command gives it."""
    results: dict[str, Result | None] = {
        "score": findings.scores,
        "compare": findings.comparisons,
        "stability": findings.stability,
        "audit": findings.audit,
        "consensus": findings.consensus,
        "skew": findings.at_prevalences,
        "groups": findings.groups,
        "graph": findings.graphs,
        "wrong_objects": findings.wrong_objects,
    }
    if findings.little_truth is not None:
        results["little_truth_score"] = findings.little_truth.scores
        results["little_truth_compare"] = findings.little_truth.comparisons
    if findings.boxes is not None:
        results["boxes"] = findings.boxes.errors
    whole = {
        "karat": VERSION,
        "command": "report",
        "input": findings.facts.about(),
        "measure": findings.measure,
        "order": list(findings.order),
        "unasked": list(findings.unasked),
    }
    if findings.title is not None:
        whole["title"] = findings.title
    if findings.date is not None:
        whole["date"] = findings.date
    if findings.change is not None:
        whole["change"] = findings.change.plain()
    for name, result in results.items():
        if result is not None:
            whole[name] = plain.loads(result.to_json())
    return json_text(whole) + "\n"


def pdf(findings: Findings) -> bytes:
    """Return the page as a browser prints it."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise OptionError(
            "a PDF is printed by a browser, and none of Chromium, Chrome and Edge is here; write .html"
        )
    with tempfile.TemporaryDirectory(dir=scratch_folder()) as folder:
        source = Path(folder) / "page.html"
        target = Path(folder) / "page.pdf"
        source.write_text(page(findings), encoding="utf-8")
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-pdf-header-footer",
            f"--user-data-dir={folder}/profile",
        ]
        command = [browser, *options, f"--print-to-pdf={target}", source.as_uri()]
        try:
            subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE)  # noqa: S603
            return target.read_bytes()
        except (subprocess.SubprocessError, OSError) as error:
            raise OptionError(
                f"{browser} could not print the page ({error}); write .html and print it yourself"
            ) from None
