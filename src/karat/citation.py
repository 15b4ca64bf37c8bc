"""The references, read from the docstrings of the methods themselves."""

import inspect
import re
import sys
from typing import Any

from karat.doubt import DOUBTS
from karat.doubt.bounds import BOUNDS
from karat.errors import OptionError, UnknownNameError
from karat.graphs import GRAPH_MEASURES
from karat.measure import MEASURES
from karat.measure.consensus import ESTIMATORS


def citations(name: str | None = None) -> dict[str, str]:
    """Return the reference of one method, or of all that have one.

    >>> citations("exact")
    {'exact': 'Clopper & Pearson, Biometrika 26, 1934. doi:10.1093/biomet/26.4.404'}
    """
    indexes = (MEASURES, GRAPH_MEASURES, ESTIMATORS, BOUNDS, DOUBTS)
    names = [method for index in indexes for method in index]
    if name is not None and name not in names:
        raise UnknownNameError("method", name, names)
    references: dict[str, str] = {}
    for index in indexes:
        for method in index:
            # Two indexes may have an entry of the same name: the first that has a reference counts.
            if method in references or name not in {None, method}:
                continue
            reference = _reference(index[method])
            if reference is not None:
                references[method] = reference
    if name is not None and not references:
        raise OptionError(f"{name} needs no citation")
    return references


def _reference(method: Any) -> str | None:
    """Return what follows `Reference:` in a method's docstring, or in that of its file."""
    for text in (inspect.getdoc(method), sys.modules[method.__module__].__doc__):
        if match := re.search(r"Reference: (.+?)(?=\n\s*\n|\n>>>|\Z)", text or "", re.DOTALL):
            return " ".join(match[1].split())
    return None
