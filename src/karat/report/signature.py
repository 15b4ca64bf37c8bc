"""One line from which a result can be repeated."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from karat.report.signature_parts import HASH, SEPARATOR
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
    given = [f"{name}={value!r}" for name, value in options.items()]
    parts = [f"karat {VERSION}", command, ",".join(measures), _method(how), " ".join(given)]
    if tallies:
        parts.append(f"{HASH}{digest(sorted(tallies))}")
    return SEPARATOR.join(part for part in parts if part)


def _method(how: Any) -> str:
    """Return the options of a method that are set, without nested ones."""
    if how is None:
        return ""
    settings = []
    for name, value in asdict(how).items():
        if value is not None and value is not False and not isinstance(value, dict):
            settings.append(f"{name}={value}")
    return " ".join(settings)


def about(
    command: str,
    measures: Iterable[str],
    how: Any,
    options: Mapping[str, str],
    tallies: Sequence[str],
    facts: "Facts | None" = None,
) -> dict[str, Any]:
    """Return what every result holds beside its rows: the version, the command, the signature and the input."""
    line = signature(command, measures, how, options, tallies)
    whole: dict[str, Any] = {"karat": VERSION, "command": command, "signature": line}
    if facts is not None:
        whole["input"] = facts.about()
    return whole
