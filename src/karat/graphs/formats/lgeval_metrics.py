"""Files of metrics that LgEval wrote, of any version since 2012."""

from pathlib import Path
from typing import NamedTuple

from karat.errors import InputError
from karat.graphs.formats.label_graph import text_of

OLD_NAMES = {"D_B(%)": "D_Bn(%)", "D_E(sqrt)": "D_E(%)"}
"""What versions of 2012 called what later ones have under another name."""


class Metrics(NamedTuple):
    """What a file says of one comparison; the files compared are not named where there is one line a file."""

    output: str | None
    target: str | None
    values: dict[str, float]


def read_metrics(path: str | Path) -> list[Metrics]:
    """Return every comparison of a .m or .csv file: lines `name,value,...`, maybe each after `*M,output,target`."""
    found: list[Metrics] = []
    names: tuple[str | None, str | None] = (None, None)
    for number, line in enumerate(text_of(path).splitlines(), 1):
        fields = [field.strip() for field in line.split(",")]
        if fields[0] == "*M" and len(fields) == 3:
            names = fields[1], fields[2]
        elif line.strip():
            found.append(Metrics(*names, _values(fields, f"{path}, line {number}")))
            names = (None, None)
    return found


def _values(fields: list[str], place: str) -> dict[str, float]:
    if len(fields) % 2:
        raise InputError(
            f"{place}: metrics come in pairs of a name and a value; there are {len(fields)} fields"
        )
    try:
        return {
            OLD_NAMES.get(name, name): float(value)
            for name, value in zip(fields[::2], fields[1::2], strict=True)
        }
    except ValueError as error:
        raise InputError(f"{place}: {error}; a metric is a number") from None
