"""One line from which a result can be repeated."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from karat.doubt.estimate import How
from karat.tally.codes import digest
from karat.version import VERSION


def signature(
    command: str, measures: Iterable[str], how: How, options: Mapping[str, str], tallies: Sequence[str]
) -> str:
    """Return version, measure, method, options and a hash of the counts, as one line."""
    method = " ".join(f"{name}={value}" for name, value in asdict(how).items())
    said = " ".join(f"{name}={value!r}" for name, value in options.items())
    parts = [
        f"karat {VERSION}",
        command,
        ",".join(measures),
        method,
        said,
        f"tally={digest(sorted(tallies))}",
    ]
    return " | ".join(part for part in parts if part)
