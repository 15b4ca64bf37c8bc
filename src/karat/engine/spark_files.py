"""Files as Spark takes them: by literal names, in their order, all values as text."""

import re
from collections.abc import Iterable
from functools import reduce
from pathlib import Path
from typing import Any

from karat.errors import InputError


def names(columns: Iterable[str]) -> list[str]:
    """Return what columns are called in SQL."""
    return [f"c{number}" for number, _ in enumerate(columns)]


def texts(columns: Iterable[str]) -> Any:
    """Return the schema of a file whose values are all read as text."""
    from pyspark.sql.types import StringType, StructField, StructType  # noqa: PLC0415 (optional)

    return StructType([StructField(name, StringType()) for name in columns])


def union(parts: list[Any]) -> Any:
    """Return the rows of several files in the order of the files; Spark itself begins with the largest."""
    return reduce(lambda above, below: above.unionAll(below), parts)


def uri(path: str) -> str:
    """Return a file's place as Spark takes it literally."""
    place = str(Path(path).absolute())
    if Path(path).name.startswith(("_", ".")) or ":" in place:
        raise InputError(
            f"Spark cannot read {path}: no name may begin with _ or . or hold a colon; rename the file"
        )
    return "file://" + re.sub(r"([\\*?\[\]{}])", r"\\\1", place)
