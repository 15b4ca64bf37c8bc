"""One line from which a result can be repeated."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from karat.tally.digest import digest
from karat.tally.facts import Facts
from karat.version import VERSION


def signature(
    command: str,
    measures: Iterable[str],
    how: Any,
    options: Mapping[str, str],
    tallies: Sequence[str],
) -> str:
    """Return version, measure, method, options and a hash of the counts, as one line."""
    plain = (
        {}
        if how is None
        else {name: value for name, value in asdict(how).items() if not isinstance(value, dict)}
    )
    method = " ".join(
        f"{name}={value}"
        for name, value in plain.items()
        if value is not None and value is not False
    )
    said = " ".join(f"{name}={value!r}" for name, value in options.items())
    parts = [
        f"karat {VERSION}",
        command,
        ",".join(measures),
        method,
        said,
        f"tally={digest(sorted(tallies))}" if tallies else "",
    ]
    return " | ".join(part for part in parts if part)


def about(
    command: str,
    measures: Iterable[str],
    how: Any,
    options: Mapping[str, str],
    tallies: Sequence[str],
    facts: Facts | None = None,
) -> dict[str, Any]:
    """Return what every result carries beside its rows: the version, the command, the signature and the input."""
    line = signature(command, measures, how, options, tallies)
    found: dict[str, Any] = {"karat": VERSION, "command": command, "signature": line}
    return found if facts is None else {**found, "input": facts.about()}
