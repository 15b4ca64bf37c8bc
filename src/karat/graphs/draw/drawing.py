"""A graph, or an output and its truth, as one picture."""

from html import escape

from karat.graphs.draw.sketch import Sketch, sketch
from karat.graphs.draw.svg import svg
from karat.graphs.model.ink_places import Traces
from karat.graphs.model.scene import has_levels, scene
from karat.graphs.model.structure import LabelGraph


def sketches(
    graph: LabelGraph, truth: LabelGraph | None = None, *, traces: Traces | None = None
) -> list[Sketch]:
    """Return a graph; with a truth, the graph and the truth, each with what differs from the other marked."""
    if truth is None:
        return [sketch(graph.name, scene(graph, levels=has_levels(graph)), traces=traces)]
    levels = has_levels(graph) or has_levels(truth)
    ours = scene(graph, levels=levels)
    theirs = scene(truth, levels=levels)
    return [
        sketch(f"output: {graph.name}", ours, theirs, traces=traces),
        sketch(f"truth: {truth.name}", theirs, ours, truth=True, traces=traces),
    ]


def drawing(
    graph: LabelGraph, truth: LabelGraph | None = None, *, traces: Traces | None = None
) -> str:
    """Return the SVG of a graph, with a truth that of both and what differs; with strokes, drawn on these."""
    return svg(sketches(graph, truth, traces=traces), legend=truth is not None)


def wrapped(picture: str, title: str) -> str:
    """Return a page that shows a picture."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)} · karat</title></head>\n'
        f'<body style="margin:1rem;background:#fff">\n{picture}</body></html>\n'
    )
