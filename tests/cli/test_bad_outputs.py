"""A place where nothing can be written is refused first: before the table is read, even if there is none."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import typer

from karat.cli import COMMANDS
from karat.cli.output_paths import EITHER, FILES, FOLDERS
from support.user import IS_ROOT

MISSING = "no-such-table.csv"
FILE_COMMANDS = {
    "read": [MISSING],
    "score": [MISSING],
    "compare": [MISSING],
    "stability": [MISSING, "--label-error", "0.03"],
    "stability-truths": [MISSING, "--truths", "a,b"],
    "consensus": [MISSING],
    "skew": [MISSING],
    "skew-published": ["--precision", "0.7", "--from", "0.5", "--to", "0.1"],
    "skew-agreement": [MISSING, "--annotators", "a,b", "--systems", "c"],
    "retrieval": [MISSING],
    "report": [MISSING],
    "plot": ["scores", MISSING],
    "tally": [MISSING],
    "graph": ["truth", "system"],
    "graph-find": ["query.lg", "folder"],
    "check": ["folder"],
    "show": ["graph.lg"],
    "convert": ["graph.lg", "--to", "latex"],
    "plan": ["--estimate", "0.9", "--trials", "100"],
    "demo": [],
    "audit": [MISSING, "--claim", "best"],
    "boxes": [MISSING, "--truth", "no-such-truth.json"],
}
ENDINGS = {"report": "html", "plot": "svg", "tally": "tally", "show": "svg", "convert": "tex"}
FOLDER_OPTIONS = [
    ("graph-merge", ["a", "b"], "-o"),
    ("graph", ["truth", "system"], "--metrics"),
    ("graph", ["truth", "system"], "--draw"),
    ("convert", ["graph.lg", "--to", "latex"], "-o"),
    ("demo", [], "--files"),
    ("boxes", [MISSING, "--truth", "no-such-truth.json"], "--draw"),
]


def written(command):
    return command.split("-")


def test_every_command_that_writes_is_here():
    writing = set()
    known = {*FILES, *FOLDERS, *EITHER}
    for name in COMMANDS:
        program = typer.Typer()
        program.command(name)(COMMANDS[name])
        parameters = typer.main.get_command(program).params
        options = {parameter.name: set(parameter.opts) for parameter in parameters}
        for parameter, flags in options.items():
            if flags & {"-o", "--output", "--metrics", "--draw", "--files"}:
                assert parameter in known, f"{name} {flags}"
                writing.add(name)
    assert writing == {*FILE_COMMANDS, "graph-merge", "repeat"}


@pytest.mark.parametrize("command", FILE_COMMANDS)
@pytest.mark.parametrize("place", ["missing/out", "file/out", "file/deeper/out"])
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_read(
    run, tmp_path, monkeypatch, command, place
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    output = f"{place}.{ENDINGS.get(command, 'json')}"
    done = run(*written(command), *FILE_COMMANDS[command], "-o", output)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"karat: {output} cannot be written: ")
    assert done.err.endswith("name another file with -o\n")
    assert {path.name for path in tmp_path.iterdir()} == {"file"}


@pytest.mark.parametrize("command", [name for name in FILE_COMMANDS if name != "convert"])
def test_a_folder_is_no_file(run, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    output = f"out.{ENDINGS.get(command, 'json')}"
    (tmp_path / output).mkdir()
    done = run(*written(command), *FILE_COMMANDS[command], "-o", output)
    assert (done.code, done.out) == (2, "")
    assert "it is a folder; name another file with -o" in done.err


@pytest.mark.parametrize(("command", "arguments", "option"), FOLDER_OPTIONS)
def test_a_folder_that_cannot_be_made_is_refused_before_anything_is_read(
    run, tmp_path, monkeypatch, command, arguments, option
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    done = run(*written(command), *arguments, option, "file/folder")
    assert (done.code, done.out) == (2, "")
    assert "the folder file/folder cannot be made: " in done.err
    assert f"is no folder; name another with {option}" in done.err


def test_the_page_of_the_demo_is_refused_first_and_only_where_there_is_one(run, tmp_path):
    page = tmp_path / "missing" / "page.html"
    done = run("demo", "--page", page)
    assert (done.code, done.out) == (2, "")
    assert "name another file with --page" in done.err
    assert run("demo", "--page", page, "--json").code == 0


@pytest.fixture
def open_folder():
    """A folder that every user may enter, unlike those of tests."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.skipif(not IS_ROOT, reason="only root may become another")
@pytest.mark.parametrize("protected", ["folder", "file"])
def test_what_is_write_protected_is_refused(open_folder, protected):
    if protected == "folder":
        open_folder.chmod(0o755)
    else:
        (open_folder / "out.json").write_text("{}")
    code = (
        "import os\nfrom karat.cli.output_paths import check_file\n"
        f"os.chdir({str(open_folder)!r})\nos.setuid(65534)\n"
        "try:\n    check_file('out.json', '-o')\nexcept Exception as error:\n    print(error)\n"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("out.json cannot be written: ")
    assert "is write-protected; name another file with -o" in done.stdout
