"""A text file, whole."""

from pathlib import Path

from karat.errors import InputError, NoFileError
from karat.source.lines import BOM, content
from karat.source.paths import is_a_file


def read_text(path: str | Path) -> str:
    """Return what a file holds as UTF-8, maybe compressed."""
    if not is_a_file(path):
        raise NoFileError(path)
    try:
        return content(path).removeprefix(BOM).decode()
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text; save it as UTF-8") from None
