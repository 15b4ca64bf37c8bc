"""Differences of graphs: counts, rates, distances, scores."""

from karat.index import Index

GRAPH_MEASURES = Index(
    "graphs.compare",
    "measure of graphs",
    "graph_measures",
    label_error="rates",
    expression_error="rates",
    competition="rates",
    graph_distance="distance:distance",
    graph_distances="distance:distances",
)
"""Distances of label graphs from the truth and from each other."""
