"""Standard output that is closed or full: words and an exit code, no traceback."""

import subprocess
import sys

import pytest

from karat.cli import NOT_WRITTEN


@pytest.mark.parametrize(
    ("where", "words"),
    [(">&-", "standard output is closed"), ("> /dev/full", "cannot be written: No space left")],
)
@pytest.mark.parametrize("arguments", ["score 42/100", "score 42/100 --json", "score 42/100 --csv"])
def test_output_that_cannot_be_written_is_one_message(where, words, arguments):
    command = f"{sys.executable} -m karat {arguments} {where}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)  # noqa: S603, S607
    assert done.returncode == NOT_WRITTEN
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_leaves_early_is_no_fault():
    command = f"{sys.executable} -m karat score 42/100 | head -c 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)  # noqa: S603, S607
    assert (done.returncode, done.stderr) == (0, "")
