"""The documentation runs: what a page says a command prints is what it prints.

In README.md, CONTRIBUTING.md and every page under docs/, the blocks of one page run in order, in a folder that holds
the demo data as digits.csv and is_eight.csv:

- ```console: `$ karat ...` is run and its standard output compared with the lines below it, or its message on standard
  error if it fails; `$ cat FILE` writes that file; other commands are for people.
- ```python with `>>>`: run as a doctest. In CONTRIBUTING.md a block that begins with `# src/...` is a new file, and
  `NAME = Index(..., entry)  # src/...` adds an entry to an index; both go into a copy of the package.

`python tests/docs/test_docs.py [PAGE...]` writes into the pages what is printed now; look at the difference afterwards.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import pytest

from karat.cli import COMMANDS, main
from karat.doubt.bounds import BOUNDS
from karat.doubt.tests import TESTS
from karat.measure import MEASURES
from karat.source import SOURCES

ROOT = Path(__file__).resolve().parents[2]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCED = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TERMINAL = {"COLUMNS": "100", "LINES": "50", "NO_COLOR": "1", "TERM": "xterm"}
CHANGED = {"FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS"}


@dataclass(frozen=True)
class Block:
    """A fenced block and where it stands."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def spark(self) -> bool:
        return "spark" in self.text.lower()

    @property
    def runs(self) -> bool:
        """Whether what draws pictures is there, if this draws one, and what reads XML, if it is read."""
        needs = {
            ".svg": "matplotlib",
            ".inkml": "lxml",
            ".mml": "lxml",
            ".pgm": "PIL",
            "from sklearn": "sklearn",
        }
        return all(
            find_spec(package) is not None
            for ending, package in needs.items()
            if ending in self.text
        )


@dataclass(frozen=True)
class Step:
    """A command of a console block and what follows it."""

    command: str
    printed: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text[: found.start()].count("\n") + 2, found[1], found[2])
        for found in FENCED.finditer(text)
    ]


def steps(text: str) -> list[Step]:
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    return [
        Step(command, printed) for command, _, printed in (part.partition("\n") for part in parts)
    ]


def plain(text: str) -> str:
    """Without the spaces that fill a terminal's lines, and without empty lines at the end."""
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip()


def shown(command: str) -> str:
    """What a command prints, in this process: its standard output, or its last message if it fails."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, TERMINAL),
        mock.patch.object(sys, "argv", shlex.split(command)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        for name in CHANGED & os.environ.keys():
            del os.environ[name]
        try:
            main()
        except SystemExit as ended:
            if ended.code:
                said = re.sub(
                    r"(?s)\A.*?^(?=not met: )|\A.*^(?=karat: )",
                    "",
                    err.getvalue(),
                    flags=re.MULTILINE,
                )
                return said or out.getvalue()
    return out.getvalue()


def run_console(block: Block) -> Iterator[tuple[Step, str]]:
    """Each step, and what it prints today."""
    for step in steps(block.text):
        program, *arguments = shlex.split(step.command)
        if program == "karat":
            yield step, shown(step.command)
        elif program == "cat":
            Path(arguments[0]).parent.mkdir(parents=True, exist_ok=True)
            Path(arguments[0]).write_text(step.printed, encoding="utf-8")


def run_python(block: Block, names: dict[str, object]) -> str:
    """What a doctest reports; nothing if all is as the page says."""
    example = doctest.DocTestParser().get_doctest(
        block.text, names, block.page.name, str(block.page), block.line - 1
    )
    report = io.StringIO()
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(
        example, out=report.write, clear_globs=False
    )
    names.update(example.globs)
    return report.getvalue()


def check(page: Path, *, spark: bool) -> None:
    """Run the blocks of a page in the current folder; those that need Spark only if it is there."""
    names: dict[str, object] = {}
    for block in blocks(page):
        if (block.spark and not spark) or not block.runs:
            continue
        if block.language == "python":
            report = run_python(block, names)
            assert not report, report
        if block.language == "console":
            for step, printed in run_console(block):
                where = f"{page.name}, line {block.line}: $ {step.command}"
                assert plain(step.printed) == plain(printed), where


def lay_out(folder: Path) -> None:
    for name in ("digits.csv", "is_eight.csv"):
        shutil.copy(ROOT / "src" / "karat" / "demo" / name, folder / name)


def has_spark() -> bool:
    return find_spec("pyspark") is not None and shutil.which("java") is not None


def needs_spark(page: Path) -> bool:
    return any(block.spark for block in blocks(page))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_shows_what_is_printed(page, tmp_path, monkeypatch):
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    check(page, spark=False)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.skipif(not has_spark(), reason="needs PySpark and a Java runtime")
@pytest.mark.parametrize(
    "page", [page for page in PAGES if needs_spark(page)], ids=lambda page: page.stem
)
def test_a_page_shows_what_is_printed_with_spark(page, tmp_path):
    lay_out(tmp_path)
    elsewhere(page, tmp_path, "--check", "--spark")


def elsewhere(page: Path, folder: Path, *options: str, package: Path = ROOT / "src") -> None:
    """Check a page in a process of its own, with the package as it lies there."""
    command = [sys.executable, __file__, *options, str(page)]
    environment = {**os.environ, "PYTHONPATH": str(package)}
    done = subprocess.run(  # noqa: S603
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stdout + done.stderr


def test_contributing_adds_what_it_says(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    lay_out(folder)
    elsewhere(CONTRIBUTING, folder, "--check", package=contributed(tmp_path))


def contributed(place: Path) -> Path:
    """A copy of the package, to which was done what CONTRIBUTING.md tells a contributor to do."""
    shutil.copytree(ROOT / "src", place / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for block in blocks(CONTRIBUTING):
        if block.text.startswith("# src/"):
            path, _, text = block.text.partition("\n")
            (place / path.removeprefix("# ")).write_text(text, encoding="utf-8")
        entries = re.findall(
            r"^(\w+) = Index\(.*?\.\.\., (.+)\)  # (\S+)$", block.text, re.MULTILINE
        )
        assert len(entries) == block.text.count("= Index("), f"no entry was added: {block.text}"
        for index, entry, path in entries:
            file = place / path
            text, times = re.subn(
                rf"(?ms)^({index} = Index\(.*?),?\s*\)$",
                rf"\1, {entry})",
                file.read_text(),
                count=1,
            )
            assert times, f"{path} has no {index}"
            file.write_text(text)
    return place / "src"


def documentation() -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command):
    assert any(
        f"karat {written}" in documentation() for written in (command, command.replace("-", " "))
    )


@pytest.mark.parametrize("name", [*MEASURES, *BOUNDS, *TESTS, *SOURCES])
def test_every_measure_bound_test_and_format_is_documented(name):
    assert re.search(rf"`[^`\n]*\b{re.escape(name)}\d*\b[^`\n]*`", documentation())


def test_links_between_pages_lead_somewhere():
    texts = {
        page: re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
        for page in (*PAGES, CONTRIBUTING)
    }
    links = [
        (page, link) for page, text in texts.items() for link in re.findall(r"\]\(([^)#]+)", text)
    ]
    local = [(page, link) for page, link in links if "://" not in link]
    assert [(page.name, link) for page, link in local if not (page.parent / link).exists()] == []


def rewrite(page: Path, *, spark: bool) -> None:
    """Write into a page what its commands print now."""
    text = page.read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for block in blocks(page):
        if (block.spark and not spark) or not block.runs:
            continue
        if block.language == "python":
            run_python(block, names)
            continue
        new = block.text
        for step, printed in run_console(block):
            now = "\n".join(filter(None, [f"$ {step.command}", plain(printed)])) + "\n"
            new = new.replace(f"$ {step.command}\n{step.printed}", now, 1)
        text = text.replace(f"```console\n{block.text}```", f"```console\n{new}```", 1)
    page.write_text(text, encoding="utf-8")


def refresh(page: Path) -> None:
    """Write into a page what is printed now, in a folder and a process of its own."""
    with TemporaryDirectory() as place:
        folder = Path(place) / "folder"
        folder.mkdir()
        lay_out(folder)
        package = contributed(Path(place)) if page == CONTRIBUTING else ROOT / "src"
        elsewhere(page, folder, "--write", *["--spark"] * has_spark(), package=package)


if __name__ == "__main__":
    options = {argument for argument in sys.argv[1:] if argument.startswith("--")}
    pages = [Path(argument).resolve() for argument in sys.argv[1:] if argument not in options]
    if {"--check", "--write"} & options:
        (rewrite if "--write" in options else check)(pages[0], spark="--spark" in options)
    else:
        for one in pages or [*PAGES, CONTRIBUTING]:
            refresh(one)
