"""Ctrl-C at any moment: no traceback, the exit code of an interrupted program, and no temporary files."""

import os
import signal
import subprocess
import sys
from importlib.resources import files

import pytest

DEMO = str(files("karat.demo") / "digits.csv")
AT_IMPORT_OF = """
import os, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {number})

sys.meta_path.insert(0, Interrupt())
sys.argv = ["karat", *{arguments!r}]
from karat.__main__ import start
start()
"""
"""A run that is interrupted exactly when it begins to load a module."""


LOADED = ["karat.cli", "karat.index", "karat.errors", "karat.cli.app", "typer", "karat.bench"]
LOADED += ["numpy", "duckdb", "karat.questions.score", "scipy", "rich.console"]


def interrupted(tmp_path, code):
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )


def left_in(folder):
    """What is left of runs, but for the empty folder that holds them all."""
    return [path for path in folder.rglob("*") if path != folder / f"karat-{os.getuid()}"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("module", LOADED)
def test_an_interrupt_while_something_is_loaded_is_no_traceback(tmp_path, module, number):
    code = AT_IMPORT_OF.format(module=module, number=int(number), arguments=["score", DEMO])
    done = interrupted(tmp_path, code)
    assert done.returncode == -number  # a shell shows 128 + number
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert done.stdout == ""
    assert left_in(tmp_path) == []


def test_a_shell_sees_130(tmp_path):
    code = AT_IMPORT_OF.format(module="karat.cli.app", number=2, arguments=["--help"])
    command = 'ulimit -c 0; "$0" -c "$1"; echo $?'
    done = subprocess.run(  # noqa: S603
        ["sh", "-c", command, sys.executable, code],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.stdout == "130\n"


def test_interrupts_that_are_ignored_stay_ignored(tmp_path):
    code = AT_IMPORT_OF.format(module="karat.cli.app", number=2, arguments=["score", "42/100"])
    done = interrupted(
        tmp_path, f"import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n{code}"
    )
    assert (done.returncode, "0.4200" in done.stdout) == (0, True)


def test_an_interrupted_query_ends_soon_and_leaves_nothing(tmp_path):
    code = (
        "import threading, os, sys\n"
        "from karat.cli.interrupts import tidy_up_when_interrupted\n"
        "from karat.engine.duckdb import DuckDB\n"
        "import signal; signal.signal(signal.SIGINT, signal.SIG_DFL)\n"
        "tidy_up_when_interrupted()\n"
        "engine = DuckDB([])\n"
        "threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()\n"
        "engine.query('select sum(a.range * b.range) as n from range(10000000) a, range(1000000) b')\n"
    )
    done = interrupted(tmp_path, code)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")
    assert left_in(tmp_path) == []
