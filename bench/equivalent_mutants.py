"""Mutants that change nothing that can be seen, each with the reason, found by reading."""

EQUIVALENT: dict[tuple[str, str, str, str], str] = {}
"""By path, function, changed node and the line of code it stands on."""
