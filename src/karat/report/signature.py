"""One line from which a result can be repeated."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from karat.tally.digest import digest
from karat.version import VERSION

if TYPE_CHECKING:
    from karat.tally.facts import Facts


def signature(
    command: str,
    measures: Iterable[str],
    how: Any,
    options: Mapping[str, str],
    tallies: Sequence[str],
) -> str:
    """Return version, measure, method, options and a hash of the counts, as one line."""
    method = []
    if how is not None:
        for name, value in asdict(how).items():
            if value is not None and value is not False and not isinstance(value, dict):
                method.append(f"{name}={value}")
    given = [f"{name}={value!r}" for name, value in options.items()]
    parts = [
        f"karat {VERSION}",
        command,
        ",".join(measures),
        " ".join(method),
        " ".join(given),
    ]
    if tallies:
        parts.append(f"tally={digest(sorted(tallies))}")
    return " | ".join(part for part in parts if part)


def about(
    command: str,
    measures: Iterable[str],
    how: Any,
    options: Mapping[str, str],
    tallies: Sequence[str],
    facts: "Facts | None" = None,
) -> dict[str, Any]:
    """Return what every result carries beside its rows: the version, the command, the signature and the input."""
    line = signature(command, measures, how, options, tallies)
    beside: dict[str, Any] = {"karat": VERSION, "command": command, "signature": line}
    if facts is not None:
        beside["input"] = facts.about()
    return beside
