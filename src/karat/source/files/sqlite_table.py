"""A table of an SQLite database, FILE.db:TABLE, read by Python's own module."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from karat.errors import InputError
from karat.source.database_name import database_and_table
from karat.source.origin import Source, files
from karat.source.spill import FEW, SpilledRows
from karat.words import listing


def sqlite(paths: Sequence[str]) -> Source:
    """A table of an SQLite database, FILE.db:TABLE; the table may be left out where there is only one."""
    if len(paths) > 1:
        raise InputError(
            f"{paths[0]} and {paths[1]} cannot be read together; name one table of one database"
        )
    path, table = database_and_table(paths[0])
    files(path)
    try:
        with closing(_connected(path)) as connection:
            return _read(connection, path, table)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as an SQLite database: {error}") from None


def _connected(path: str) -> sqlite3.Connection:
    """Open the database so that nothing can be written to it, not even a file beside it."""
    return sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)


def _read(connection: sqlite3.Connection, path: str, wanted: str) -> Source:
    query = "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'"
    tables = [str(name) for (name,) in connection.execute(f"{query} order by name")]
    if not wanted and len(tables) != 1:
        raise InputError(f"{path} has the tables {listing(tables)}; name one as {path}:TABLE")
    table = wanted or tables[0]
    if table not in tables:
        raise InputError(f"{path} has no table {table!r}; it has {listing(tables)}")
    quoted = table.replace('"', '""')
    cursor = connection.execute(f'select * from "{quoted}"')
    columns = [str(column) for column, *_ in cursor.description]
    origin = f"{path}:{table}"
    spilled = SpilledRows(columns)
    for rows in _many(cursor, columns, origin):
        spilled.write(rows)
    if not spilled.is_begun:
        raise InputError(f"{origin} is empty; karat needs at least one row")
    return spilled.source(origin, {})


def _many(
    cursor: sqlite3.Cursor, columns: Sequence[str], origin: str
) -> Iterator[list[Sequence[object]]]:
    """Yield the rows, many at a time."""
    number = 0
    while rows := cursor.fetchmany(FEW):
        for row in rows:
            number += 1
            for column, value in zip(columns, row, strict=True):
                if isinstance(value, bytes):
                    raise InputError(
                        f"{origin}, row {number:,}: {column!r} holds bytes; karat needs text or a number"
                    )
        yield rows
