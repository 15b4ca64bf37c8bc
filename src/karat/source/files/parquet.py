"""Parquet."""

from collections.abc import Sequence
from pathlib import Path

from karat.source.origin import Source, files, shown


def parquet(patterns: str | Path | Sequence[str | Path]) -> Source:
    """Columns as they are stored; read a part at a time, so that the file may be of any size."""
    paths = files(patterns)
    return Source(origin=shown(paths), reader="parquet", paths=paths)
