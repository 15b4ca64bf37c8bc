"""A graph, or an output and its truth, as one picture."""

from dataclasses import replace
from html import escape

from karat.graphs.draw.sketch import Sketch, sketch
from karat.graphs.draw.svg import svg
from karat.graphs.model.labelling import by_star
from karat.graphs.model.scenes.ink_places import Traces
from karat.graphs.model.scenes.scene import Scene, flat_scene, has_levels, scene
from karat.graphs.model.structure import LabelGraph
from karat.graphs.model.undirected import turned_alike
from karat.graphs.model.undirected import undirected as without_directions


def sketches(
    graph: LabelGraph,
    truth: LabelGraph | None = None,
    *,
    traces: Traces | None = None,
    undirected: bool = False,
) -> list[Sketch]:
    """Return a graph; with a truth, the graph and the truth, each with what differs from the other marked."""
    graphs = [graph] if truth is None else [truth, graph]
    levels = any(map(has_levels, graphs))
    scenes = [_scene(one, levels=levels, undirected=undirected) for one in graphs]
    if undirected:
        scenes = turned_alike(scenes)
    if truth is None:
        drawn = [sketch(graph.name, scenes[0], traces=traces)]
    else:
        theirs, ours = scenes
        drawn = [
            sketch(f"output: {graph.name}", ours, theirs, traces=traces),
            sketch(f"truth: {truth.name}", theirs, ours, truth=True, traces=traces),
        ]
    return [replace(one, undirected=undirected) for one in drawn]


def _scene(graph: LabelGraph, *, levels: bool, undirected: bool) -> Scene:
    if undirected and not levels:
        return flat_scene(without_directions(by_star(graph)), one_way=True)
    return scene(graph, levels=levels)


def drawing(
    graph: LabelGraph,
    truth: LabelGraph | None = None,
    *,
    traces: Traces | None = None,
    undirected: bool = False,
) -> str:
    """Return the SVG of a graph, with a truth that of both and what differs; with strokes, drawn on these."""
    drawn = sketches(graph, truth, traces=traces, undirected=undirected)
    return svg(drawn, legend=truth is not None)


def wrapped(picture: str, title: str) -> str:
    """Return a page that shows a picture."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)} · karat</title></head>\n'
        f'<body style="margin:1rem;background:#fff">\n{picture}</body></html>\n'
    )
