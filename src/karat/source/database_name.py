"""How a table of a database is named: FILE.db:TABLE."""

from pathlib import Path

ENDINGS = (".db", ".sqlite", ".sqlite3")


def database_and_table(word: str) -> tuple[str, str]:
    """Return the file and the table that a word names; the table is empty if it names none.

    >>> database_and_table("runs.db:answers"), database_and_table("runs.db")
    (('runs.db', 'answers'), ('runs.db', ''))
    """
    path, colon, table = word.rpartition(":")
    if colon and path.lower().endswith(ENDINGS) and not Path(word).exists():
        return path, table
    return word, ""
