"""How a stored column is read, the same on every engine."""

from karat.engine import Stored


def cell(number: int, stored: Stored, *, text: str | None = None) -> str:
    """Return SQL for a column: numbers as they are, everything else as text, an empty text as missing."""
    match stored:
        case "whole" | "boolean":
            return f"c{number}"
        case "fraction":
            return f"cast(c{number} as double) as c{number}"
        case "nested":
            return f"cast(null as string) as c{number}"
    return f"nullif({text or f'cast(c{number} as string)'}, '') as c{number}"
