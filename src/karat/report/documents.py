"""A report in the form that its file's name asks for."""

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
from karat.result.plain import markdown_tables, safe
from karat.version import VERSION

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)
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
        first = panel.name == "summary"
        tables = markdown_tables({head: grid(rows) for head, rows in panel.tables.items()})
        parts += [f"{'#' if first else '##'} {safe(panel.title)}", *_joined(panel.text), *tables]
    return (
        "\n\n".join([*parts, f"karat {VERSION}: {safe(origin_of(findings.facts.origin))}"]) + "\n"
    )


def _joined(sentences: Sequence[str]) -> list[str]:
    """Return paragraphs; the lines of a list stay together."""
    parts: list[str] = []
    for text in sentences:
        mark, line = LISTED.match(text), safe(text)
        if mark:
            line = mark[0] + safe(text.removeprefix(mark[0]))
            if parts and LISTED.match(parts[-1].rpartition("\n")[2]):
                parts[-1] += f"\n{line}"
                continue
        parts.append(line)
    return parts


def json(findings: Findings) -> str:
    """Return every answer as one JSON object, each as its own command gives it."""
    results: dict[str, Result | None] = {
        "score": findings.scores,
        "compare": findings.comparisons,
        "stability": findings.stability,
        "consensus": findings.standing,
        "skew": findings.skewed,
        "groups": findings.groups,
        "graph": findings.graphs,
        "wrong_objects": findings.erring,
    }
    parts = {
        name: plain.loads(result.to_json())
        for name, result in results.items()
        if result is not None
    }
    head = {
        "karat": VERSION,
        "command": "report",
        "input": findings.facts.about(),
        "measure": findings.measure,
    }
    whole = {**head, "order": list(findings.order), "unasked": list(findings.unasked), **parts}
    return plain.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def pdf(findings: Findings) -> bytes:
    """Return the page as a browser prints it."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise OptionError(
            "a PDF is printed by a browser, and none of Chromium, Chrome and Edge is here; write .html"
        )
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "page.html", Path(folder) / "page.pdf"
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
