"""The same data give the same bytes: from every format, wide or long, shuffled, on every number of threads.

Each command answers from the table as it was made, and from each of its other forms; but for the names of the files, no
byte differs. `test_spark_cluster.py` asks the same of Spark, and `bench/robustness/same_bytes.py` prints it all as one
matrix.
"""

import pytest

from karat.engine import duckdb as engine
from support import many_rows
from support.same_bytes import (
    COMMANDS,
    FORMS,
    IN_THE_ORDER_OF_THE_FILE,
    OF_THE_FORM,
    THREADS,
    as_csv,
    compared,
)


@pytest.fixture
def answered(run, tmp_path, monkeypatch):
    """Write a table in some form, run a command on it; return what it wrote, without the names of files."""

    def answer(command, form, *, data):
        folder = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        monkeypatch.chdir(folder)
        name = form(folder, data)
        done = run(*command.format(name).split())
        assert done.code == 0, done.err
        return compared(folder, done.out, name)

    return answer


@pytest.mark.parametrize("command", [one for one in COMMANDS if one not in OF_THE_FORM])
def test_every_form_of_a_table_gives_the_same_bytes(answered, monkeypatch, command):
    data, words = COMMANDS[command]
    expected = answered(words, as_csv, data=data)
    for name, form in FORMS.items():
        if name == "shuffled" and command in IN_THE_ORDER_OF_THE_FILE:
            continue
        if name in THREADS:
            monkeypatch.setitem(engine.CLOSED, "threads", THREADS[name])
        assert answered(words, form, data=data) == expected, name


@pytest.mark.slow
@pytest.mark.parametrize("command", many_rows.SUMS)
def test_sums_of_fractions_do_not_depend_on_who_added_what(run, tmp_path, monkeypatch, command):
    """Threads take turns, and rows come in another order; no sum comes out otherwise in its last digit."""
    words = many_rows.COMMANDS[command]
    monkeypatch.chdir(tmp_path)
    found = []
    for form, threads in ((many_rows.as_parquet, 1), (many_rows.shuffled, 6)):
        monkeypatch.setitem(engine.CLOSED, "threads", threads)
        done = run(*words.format(form(tmp_path)).split())
        assert done.code == 0, done.err
        found.append(compared(tmp_path, done.out, "table.parquet"))
    assert found[0] == found[1]
