"""Boxes in images, and spans in text, behind one door: what the rest of karat, and its users, need of them.

Inside, each room imports only rooms before it:
model -> formats, matching -> measures -> doubt -> draw -> errors -> panels, questions -> bench.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from karat.boxes.bench import BoxBench, read_boxes
    from karat.boxes.door import hold_boxes
    from karat.boxes.options import BOX_FORMATS, BoxOptions

__all__ = ["BOX_FORMATS", "BoxBench", "BoxOptions", "hold_boxes", "read_boxes"]

_HOMES = {
    "BOX_FORMATS": "options",
    "BoxBench": "bench",
    "BoxOptions": "options",
    "hold_boxes": "door",
    "read_boxes": "bench",
}


def __getattr__(name: str) -> Any:
    """Load a name only when it is used, so that a table of answers never loads the boxes."""
    if name in _HOMES:
        return getattr(import_module(f"karat.boxes.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'karat.boxes' has no attribute {name!r}")
