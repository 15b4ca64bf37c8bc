"""SIGKILL at any moment: a file is as before or whole, and what is left over is swept by the next run.

`bench/robustness/killed_writers.py` kills each command at fifty moments.
"""

import sys

import pytest

from karat.cli import COMMANDS
from support.kills import WRITERS, Writer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
NO_FILE = {"cite", "schema", "sources"}
"""Commands that only print."""


def test_every_writing_command_is_killed():
    names = {name.partition(" --")[0].replace(" ", "-") for name in WRITERS}
    assert names | NO_FILE == set(COMMANDS.built_in)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("name", WRITERS)
def test_a_killed_run_leaves_the_old_file_or_the_new_one(tmp_path, name):
    writer = Writer(name, tmp_path)
    # Files are written towards the end of a run.
    killed = [writer.killed_after(share * writer.seconds) for share in (0.7, 0.95)]
    killed.append(writer.killed_while_writing())
    for found in killed:
        assert found.whole
        assert not found.left_over
