"""A JSON file, whole."""

import json
from pathlib import Path
from typing import Any

from karat.errors import InputError, NoFileError
from karat.source.lines import BOM
from karat.source.paths import is_a_file
from karat.source.unpacking import opened

START = 1 << 16
"""How many bytes of a file show its format."""


def read_json(path: str | Path) -> Any:
    """Return what a JSON file holds, maybe compressed; one that is cut or no JSON is an error with its line."""
    if not is_a_file(path):
        raise NoFileError(path)
    with opened(Path(path)) as file:
        data = file.read().removeprefix(BOM)
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}, line {error.lineno}, column {error.colno}: not valid JSON: {error.msg}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not valid JSON: {error}") from None


def start_of(path: Path) -> bytes:
    """Return the first bytes of a file, maybe compressed, without white space before them."""
    with opened(path) as file:
        return file.read(START).removeprefix(BOM).lstrip()
