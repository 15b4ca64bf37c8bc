"""A table of an SQLite database is what the same table is as CSV."""

import sqlite3
from contextlib import closing

import pytest

import karat
from karat.errors import InputError
from support.tables import right

ROWS = [(1, "x", "x", 0.5), (2, "y", None, 0.25), (3, 'x, "y"\n', 'x, "y"\n', 1.0)]


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "runs 1.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table answers (id integer, truth text, a text, note real)")
        connection.executemany("insert into answers values (?, ?, ?, ?)", ROWS)
        connection.commit()
    return path


def add(path, *statements):
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_a_table_of_a_database_is_read(database):
    before = database.read_bytes()
    assert right(str(database), systems="a") == {"a": (2, 3)}
    assert right(f"{database}:answers", systems="a") == {"a": (2, 3)}
    assert karat.read(f"{database}:answers").facts.counts.missing["a"] == 1
    assert database.read_bytes() == before
    assert [path.name for path in database.parent.iterdir()] == [database.name]


def test_one_table_of_several_must_be_named(database):
    add(database, 'create view "odd ""name" as select id, truth, a from answers')
    with pytest.raises(InputError, match=r"has the tables 'answers', .* name one as"):
        karat.read(str(database))
    assert right(f'{database}:odd "name') == {"a": (2, 3)}
    with pytest.raises(InputError, match="has no table 'nothing'; it has 'answers'"):
        karat.read(f"{database}:nothing")


def test_what_cannot_be_read_is_told(database, tmp_path):
    add(database, "create table e (id, truth, a)", "create table b (id, truth, a)")
    add(database, "insert into b values (1, 'x', x'00ff')")
    with pytest.raises(InputError, match=r":e is empty"):
        karat.read(f"{database}:e")
    with pytest.raises(InputError, match=r":b, row 1: 'a' holds bytes"):
        karat.read(f"{database}:b")
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"no database at all, but long enough to be looked at" * 20)
    with pytest.raises(InputError, match="cannot be read as an SQLite database"):
        karat.read(str(damaged))
    with pytest.raises(InputError, match="cannot be read together"):
        karat.read([f"{database}:answers", f"{database}:b"])
    with pytest.raises(InputError, match="there is no file"):
        karat.read(str(tmp_path / "absent.db"), format="sqlite")
