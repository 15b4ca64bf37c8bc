"""Too little memory ends in an answer or in words: never in a traceback, and never in a false reason."""

import subprocess
import sys

import duckdb
import pytest

from karat.cli import main
from karat.engine.duckdb_errors import explained
from karat.errors import InputError, NotEnoughMemoryError

resource = pytest.importorskip("resource", reason="Windows has no such limits")
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, ({limit}, {limit}))
sys.argv = ["karat", *{words!r}]
from karat.__main__ import start
start()
"""


def limited(limit, *words):
    code = LIMITED.format(limit=limit, words=[str(word) for word in words])
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A table of which each question needs some hundred megabytes: 300,000 items, rows mostly different."""
    path = tmp_path_factory.mktemp("memory") / "table.parquet"
    answers = ", ".join(f"hash(i * 31 + {k}) % 7 as s{k}" for k in range(12))
    with duckdb.connect() as connection:
        connection.execute(
            f"copy (select hash(i) % 7 as truth, {answers} from range(300000) t(i)) to '{path}'"
        )
    return path


@pytest.mark.slow
@pytest.mark.parametrize("megabytes", [300, 450, 2000])
def test_a_limit_ends_in_an_answer_or_in_words(table, megabytes):
    done = limited(megabytes << 20, "compare", table, "--kind", "label", "--draws", "100")
    assert "Traceback" not in done.stderr
    assert "readable" not in done.stderr
    if done.returncode == 0:
        assert "300,000 items" in done.stdout
    else:
        assert done.returncode == 2
        assert "there is not enough memory to" in done.stderr


def test_an_engine_knows_the_limit():
    code = (
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))\n"
        "from karat.engine.memory import memory_for_counting\n"
        "print(memory_for_counting())"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert int(done.stdout) == int(0.4 * (1 << 30))


@pytest.mark.parametrize(
    "error",
    [
        duckdb.OutOfMemoryException("Out of Memory Error: failed to pin block"),
        duckdb.IOException("Failed to allocate 262144 bytes"),
        duckdb.Error("std::bad_alloc"),
    ],
)
def test_an_engine_without_memory_blames_no_file(error):
    found = explained(error, "table.parquet")
    assert isinstance(found, NotEnoughMemoryError)
    assert "not enough memory to count table.parquet" in found.message
    assert "--systems" in found.message


def test_a_damaged_file_is_blamed_as_before():
    assert isinstance(explained(duckdb.IOException("No magic bytes"), "a.parquet"), InputError)


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        ImportError("numpy.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
    ],
)
def test_memory_that_is_lacking_in_python_is_said(monkeypatch, capsys, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("karat.cli.app.app", lambda: fail)
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert "karat: there is not enough memory to answer this" in capsys.readouterr().err


def test_other_faults_are_raised(monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("another fault")

    monkeypatch.setattr("karat.cli.app.app", lambda: fail)
    with pytest.raises(RuntimeError, match="another fault"):
        main()
