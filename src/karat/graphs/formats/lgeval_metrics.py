"""Files of metrics that LgEval wrote, of any version since 2012.

For people who move here from LgEval and want their old numbers beside the new ones; no other file needs it.
"""

from pathlib import Path
from typing import NamedTuple

from karat.errors import InputError
from karat.graphs.formats.label_graph import text_of

OLD_NAMES = {"D_B(%)": "D_Bn(%)", "D_E(sqrt)": "D_E(%)"}
"""What versions of 2012 called what later ones have under another name."""


class Metrics(NamedTuple):
    """The metrics of one comparison; the two files are named in batch files only."""

    output: str | None
    target: str | None
    values: dict[str, float]


def read_metrics(path: str | Path) -> list[Metrics]:
    """Return every comparison of a .m or .csv file: lines `name,value,...`, maybe each after `*M,output,target`."""
    comparisons: list[Metrics] = []
    output: str | None = None
    target: str | None = None
    for number, line in enumerate(text_of(path).splitlines(), 1):
        fields = [field.strip() for field in line.split(",")]
        if fields[0] == "*M" and len(fields) == 3:
            _, output, target = fields
        elif line.strip():
            values = _values(fields, f"{path}, line {number}")
            comparisons.append(Metrics(output, target, values))
            output = None
            target = None
    return comparisons


def _values(fields: list[str], place: str) -> dict[str, float]:
    if len(fields) % 2:
        raise InputError(
            f"{place}: metrics come in pairs of a name and a value; there are {len(fields)} fields"
        )
    values: dict[str, float] = {}
    for name, value in zip(fields[::2], fields[1::2], strict=True):
        try:
            values[OLD_NAMES.get(name, name)] = float(value)
        except ValueError as error:
            raise InputError(f"{place}: {error}; a metric is a number") from None
    return values
