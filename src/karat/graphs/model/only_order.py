"""The only possible order of things of which it is known that some come before others."""

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter

from karat.errors import InputError


def only_order(
    number: int, before: Iterable[tuple[int, int]], *, where: str, what: str
) -> list[int]:
    """Return the places 0, ..., number - 1 in the one order that `before` allows; several, or none, are an error.

    >>> only_order(3, [(2, 0), (0, 1)], where="the graph", what="rows")
    [2, 0, 1]
    """
    sorter: TopologicalSorter[int] = TopologicalSorter(dict.fromkeys(range(number), ()))
    for first, second in before:
        if first != second:
            sorter.add(second, first)
    try:
        sorter.prepare()
    except CycleError:
        raise InputError(f"{where}: the {what} follow each other in a ring") from None
    order: list[int] = []
    while sorter.is_active():
        ready = sorter.get_ready()
        if len(ready) > 1:
            raise InputError(f"{where}: nothing says in which order the {what} are")
        order += ready
        sorter.done(*ready)
    return order
