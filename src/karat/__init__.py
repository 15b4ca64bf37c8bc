"""karat tells how far a benchmark's ranking can be trusted when its gold standard is not pure gold."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from karat.version import VERSION as __version__  # noqa: N811

if TYPE_CHECKING:
    from karat.bench import Bench, from_predictions, read
    from karat.errors import KaratError
    from karat.graphs import read_graphs
    from karat.scorers import scorer

__all__ = [
    "Bench",
    "KaratError",
    "__version__",
    "from_predictions",
    "read",
    "read_graphs",
    "scorer",
]

_HOMES = {
    "Bench": "karat.bench",
    "KaratError": "karat.errors",
    "from_predictions": "karat.bench",
    "read": "karat.bench",
    "read_graphs": "karat.graphs",
    "scorer": "karat.scorers",
}


def __getattr__(name: str) -> Any:
    """Load what is asked for only then, so that importing karat costs next to nothing."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'karat' has no attribute {name!r}")
