"""Standard output in an encoding that lacks characters: ASCII forms of our signs, escapes for names, no traceback."""

import csv
import io
import json
import os
import subprocess
import sys
from importlib.resources import files

import pytest

from karat.cli import COMMANDS

DEMO = str(files("karat.demo") / "digits.csv")
ENCODINGS = ["cp1252", "ascii", "latin-1"]
RUNS = {
    "read": [DEMO],
    "score": [DEMO],
    "compare": [DEMO],
    "stability": [DEMO, "--label-error", "0.03", "--draws", "100"],
    "consensus": [DEMO, "--draws", "0"],
    "cite": [],
    "sources": [],
    "plan": ["--estimate", "0.9", "--trials", "100"],
}


def run_in(encoding, *arguments, cwd=None):
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "karat", *map(str, arguments)],
        capture_output=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "200"},
    )


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_help_of_every_command_is_shown(encoding):
    code = (
        "import sys\nfrom karat.cli import COMMANDS, main\n"
        "for name in ['', *COMMANDS]:\n"
        "    sys.argv = ['karat', *([name] if name else []), '--help']\n"
        "    try:\n        main()\n    except SystemExit as end:\n        assert not end.code\n"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode(encoding).count("Usage: ") == len(COMMANDS) + 1
    if encoding == "ascii":
        assert b"mean +/- 3 sd" in b" ".join(done.stdout.split())


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("command", RUNS)
def test_a_result_is_shown(encoding, command):
    done = run_in(encoding, command, *RUNS[command])
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    text = done.stdout.decode(encoding)
    assert text
    if command == "score":
        assert "|-o|" in text.replace("--", "-")


@pytest.fixture
def named(tmp_path):
    path = tmp_path / "naïve 日本.csv"
    path.write_text("item,truth,日é\n1,→,→\n2,≤,→\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("form", [[], ["--md"], ["--latex"]])
def test_names_are_written_out(encoding, named, form):
    done = run_in(encoding, "score", named, "--measure", "accuracy", *form)
    assert done.returncode == 0
    shown = done.stdout.decode(encoding)
    assert "u65e5" in shown
    assert ("xe9" if encoding == "ascii" else "é") in shown


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_and_csv_hold_the_labels_and_not_the_ascii_forms_of_signs(encoding, named):
    command = ["score", named, "--measure", "recall", "--per", "class"]
    rows = json.loads(run_in(encoding, *command, "--json").stdout.decode(encoding))["rows"]
    assert {(row["system"], row["label"]) for row in rows} == {("日é", "→"), ("日é", "≤")}
    text = run_in(encoding, *command, "--csv").stdout.decode(encoding)
    assert {row["label"] for row in csv.DictReader(io.StringIO(text))} == {"\\u2192", "\\u2264"}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_refusal_is_shown(encoding, named):
    done = run_in(encoding, "score", named, "--truth", "日")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"u65e5" in done.stderr


def test_a_closed_standard_error_is_no_fault():
    command = f"{sys.executable} -m karat score {DEMO} --json 2>&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)  # noqa: S603, S607
    assert done.returncode == 0
    assert json.loads(done.stdout)["rows"]
