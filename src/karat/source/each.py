"""Who reads many files: this process, one after another, or the workers of a cluster."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

Each = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]
"""Calls a function for each of several things, here or on workers, and gives the results in order."""


def in_turn(function: Callable[[Any], Any], things: Iterable[Any]) -> Iterator[Any]:
    """Call a function for one thing after another, here."""
    return map(function, things)
