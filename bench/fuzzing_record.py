"""What fuzzing has shown: of one parser in a run, and of all of them over all runs, as a page of the documentation."""

import json
import platform
import re
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "fuzzing.md"
RECORD = "record.json"
FINDING = "finding: "


@dataclass
class Fuzzed:
    """What fuzzing one parser has shown."""

    cases: int = 0
    paths: int = 0
    """Inputs that reached what none before them did."""
    covered: int = 0
    """Edges between pieces of code that were reached."""
    seconds: float = 0.0
    processes: int = 0
    findings: list[str] = field(default_factory=list)
    inputs: Path | None = None
    """Where those are that were findings."""

    def take(self, output: str) -> None:
        """Add what one process printed."""
        self.processes += 1
        self.cases += _last(r"number_of_executed_units: *(\d+)", output) or _last(
            r"^#(\d+)", output
        )
        self.paths += _last(r"new_units_added: *(\d+)", output)
        self.covered = max(self.covered, _last(r"cov: (\d+)", output))
        for line in output.splitlines():
            if line.startswith(FINDING):
                self.findings.append(line.removeprefix(FINDING))


def _last(pattern: str, text: str) -> int:
    found = re.findall(pattern, text, re.MULTILINE)
    return int(found[-1]) if found else 0


class Record:
    """How many cases each parser has had, over all runs that kept their inputs in a folder."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.parsers: dict[str, dict[str, float]] = {}
        if folder and (folder / RECORD).exists():
            self.parsers = json.loads((folder / RECORD).read_text(encoding="utf-8"))

    def so_far(self, name: str, what: str) -> int:
        """Return how many cases a parser has had, or how many processes: each begins with another seed."""
        return int(self.parsers.get(name, {}).get(what, 0))

    def add(self, name: str, one: Fuzzed) -> None:
        """Add what a run has shown, and write it down."""
        total = self.parsers.setdefault(name, {})
        numbers = {
            "cases": one.cases,
            "seconds": one.seconds,
            "processes": one.processes,
            "paths": one.paths,
            "findings": len(one.findings),
        }
        for what, number in numbers.items():
            total[what] = total.get(what, 0) + number
        if self.folder:
            text = json.dumps(self.parsers, indent=1, sort_keys=True)
            written = self.folder / f"{RECORD}.new"
            written.write_text(text, encoding="utf-8")
            written.replace(self.folder / RECORD)


INTRODUCTION = """\
# What was fuzzed

`make fuzz` gives each parser of karat's own, and the command line, inputs that Atheris (libFuzzer) changes so that they
reach code that no other input reached. A *finding* is anything that is no error in words, takes more than ten seconds,
or needs more than 4 GiB. [What is trusted](trust.md) says what was found, and that it is mended.

`python bench/robustness/fuzzed_parsers.py --keep FOLDER --write` makes this page of all runs with that folder: karat
{karat}, Atheris {atheris}, Python {python}. In all {cases:,} cases and {findings} findings, in {hours:.1f} hours of a
core.

| parser | cases | a second | new paths | findings |
|---|--:|--:|--:|--:|"""


def page(record: Record) -> str:
    """Return the page of the documentation."""
    every = record.parsers.values()
    introduction = INTRODUCTION.format(
        karat=version("karat"),
        atheris=version("atheris"),
        python=platform.python_version(),
        cases=round(sum(one["cases"] for one in every)),
        findings=round(sum(one["findings"] for one in every)),
        hours=sum(one["seconds"] for one in every) / 3600,
    )
    lines = []
    for name, one in record.parsers.items():
        rate = one["cases"] / max(one["seconds"], 1)
        numbers = (one["cases"], rate, one["paths"], one["findings"])
        lines.append(f"| {name} | {' | '.join(f'{number:,.0f}' for number in numbers)} |")
    return "\n".join([introduction, *lines]) + "\n"
