"""karat tells how far a benchmark's ranking can be trusted when its gold standard is not pure gold."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from karat.version import VERSION as __version__  # noqa: N811

if TYPE_CHECKING:
    from karat.errors import KaratError
    from karat.flow import Bench, read, read_graphs

__all__ = ["Bench", "KaratError", "__version__", "read", "read_graphs"]

_HOMES = {"Bench": "karat.flow", "read": "karat.flow", "read_graphs": "karat.flow", "KaratError": "karat.errors"}


def __getattr__(name: str) -> Any:
    """Load what is asked for only then, so that importing karat costs next to nothing."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'karat' has no attribute {name!r}")
