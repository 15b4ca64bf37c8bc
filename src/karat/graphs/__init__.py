"""Label graphs behind one door: what the rest of karat, and its users, need of structured outputs.

Inside, each room imports only rooms before it:
model -> formats -> draw, convert -> compare -> errors -> panels, questions -> bench, tasks.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from karat.graphs.bench import GraphBench, read_graphs
    from karat.graphs.compare import GRAPH_MEASURES
    from karat.graphs.compare.distance import distance, distances
    from karat.graphs.compare.rules import Rules
    from karat.graphs.compare.search import GraphSearch
    from karat.graphs.convert import GRAPH_FORMS
    from karat.graphs.formats import GRAPH_FORMATS
    from karat.graphs.formats.label_graph import read_lg
    from karat.graphs.formats.label_graph_text import to_lg
    from karat.graphs.formats.lgeval_metrics import read_metrics
    from karat.graphs.model.structure import LabelGraph, Object, Relation
    from karat.graphs.options import GraphOptions, RuleOptions
    from karat.graphs.tasks import (
        check_graphs,
        convert_graphs,
        find_graphs,
        merge_graphs,
        show_graph,
    )

__all__ = [
    "GRAPH_FORMATS",
    "GRAPH_FORMS",
    "GRAPH_MEASURES",
    "GraphBench",
    "GraphOptions",
    "GraphSearch",
    "LabelGraph",
    "Object",
    "Relation",
    "RuleOptions",
    "Rules",
    "check_graphs",
    "convert_graphs",
    "distance",
    "distances",
    "find_graphs",
    "merge_graphs",
    "read_graphs",
    "read_lg",
    "read_metrics",
    "show_graph",
    "to_lg",
]

_HOMES = {
    "GRAPH_FORMATS": "formats",
    "GRAPH_FORMS": "convert",
    "GRAPH_MEASURES": "compare",
    "GraphBench": "bench",
    "GraphOptions": "options",
    "LabelGraph": "model.structure",
    "Object": "model.structure",
    "Relation": "model.structure",
    "RuleOptions": "options",
    "Rules": "compare.rules",
    "GraphSearch": "compare.search",
    "check_graphs": "tasks",
    "convert_graphs": "tasks",
    "distance": "compare.distance",
    "distances": "compare.distance",
    "find_graphs": "tasks",
    "merge_graphs": "tasks",
    "read_graphs": "bench",
    "read_lg": "formats.label_graph",
    "read_metrics": "formats.lgeval_metrics",
    "show_graph": "tasks",
    "to_lg": "formats.label_graph_text",
}


def __getattr__(name: str) -> Any:
    """Load a name only when it is used, so that a table of answers never loads the graphs."""
    if name in _HOMES:
        return getattr(import_module(f"karat.graphs.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'karat.graphs' has no attribute {name!r}")
