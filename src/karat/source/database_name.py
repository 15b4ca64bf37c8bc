"""How a table of a database is named: FILE.db:TABLE."""

from karat.source.origin import file_and_column

ENDINGS = (".db", ".sqlite", ".sqlite3")


def database_and_table(word: str) -> tuple[str, str]:
    """Return the file and the table that a word names; the table is empty if it names none.

    >>> database_and_table("runs.db:answers"), database_and_table("runs.db")
    (('runs.db', 'answers'), ('runs.db', ''))
    """
    path, table = file_and_column(word)
    if table is not None and path.lower().endswith(ENDINGS):
        return path, table
    return word, ""
