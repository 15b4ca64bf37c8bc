"""SIGKILL at any moment: a file is as before or whole, and what is left over is swept by the next run.

`bench/robustness/killed_writers.py` kills each command at fifty moments.
"""

import sys

import pytest

from karat.cli import COMMANDS
from karat.cli.demo import write_files
from support.kills import WRITERS, Writer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
NO_FILE = {"check", "cite", "demo", "graph-find", "plan", "read", "repeat", "retrieval", "schema"}
NO_FILE |= {
    "graph-merge",
    "show",
    "skew-agreement",
    "skew-published",
    "sources",
    "stability-truths",
}
"""They write a result as score does, files into a folder, or nothing."""


def test_every_writing_command_is_killed():
    names = {name.replace(" ", "-") for name in WRITERS}
    assert names | NO_FILE == set(COMMANDS.built_in)


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_a_killed_run_leaves_the_old_file_or_the_new_one(tmp_path, name):
    write_files(tmp_path)
    writer = Writer(name, tmp_path)
    # Most of a run is loading; files are written towards its end.
    for share in (0.7, 0.95):
        found = writer.killed_after(share * writer.seconds)
        assert found.whole
        assert found.swept
