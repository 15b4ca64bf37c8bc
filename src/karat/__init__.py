"""karat tells how far a benchmark's ranking can be trusted when its gold standard is not pure gold."""

# Nothing is imported here, not even typing: a program that is interrupted before its first line shows a traceback.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from karat.bench import Bench, from_predictions, read
    from karat.errors import KaratError
    from karat.graphs import read_graphs
    from karat.scorers import scorer
    from karat.version import __version__

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
    "__version__": "karat.version",
    "from_predictions": "karat.bench",
    "read": "karat.bench",
    "read_graphs": "karat.graphs",
    "scorer": "karat.scorers",
}


def __getattr__(name: str) -> object:
    """Load what is asked for only then, so that importing karat costs next to nothing."""
    if name in _HOMES:
        from importlib import import_module  # noqa: PLC0415

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'karat' has no attribute {name!r}")
