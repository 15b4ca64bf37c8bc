"""What the rest of karat, and its users, need of label graphs is reached through karat.graphs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import karat
from karat import graphs

SOURCE = Path(karat.__file__).parent


@pytest.mark.parametrize("name", graphs.__all__)
def test_every_name_is_there(name):
    assert getattr(graphs, name) is not None


def test_another_name_is_an_error():
    with pytest.raises(AttributeError, match="has no attribute 'read_graph'"):
        graphs.read_graph  # noqa: B018


def test_the_door_loads_no_room():
    code = "import sys, karat.graphs\nprint(*[name for name in sys.modules if name.startswith('karat.graphs.')])"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_reading_graphs_loads_neither_drawings_nor_errors_nor_panels():
    code = "import sys, karat\nkarat.read_graphs({}, {'a': {}})\nprint(*sys.modules)"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    rooms = {name.split(".")[2] for name in done.stdout.split() if name.startswith("karat.graphs.")}
    assert rooms <= {"bench", "compare", "formats", "model", "options"}


def test_the_command_line_knows_the_door_only():
    inner = {}
    for file in sorted((SOURCE / "cli").glob("*.py")):
        inner[file.name] = re.findall(r"(?:from|import) (karat\.graphs\.[\w.]+)", file.read_text())
    assert not any(inner.values())
