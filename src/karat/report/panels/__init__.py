"""The panels of the page: one file and one line here for each, in the order in which they are read."""

from karat.index import Index

PANELS = Index(
    "report.panels",
    "panel",
    "panels",
    summary="summary:panel",
    change="change:panel",
    little_truth="little_truth:panel",
    ranking="ranking:panel",
    scores="scores:panel",
    comparisons="comparisons:panel",
    stability="stability:panel",
    audit="audit:panel",
    consensus="consensus:panel",
    skew="skew:panel",
    groups="groups:panel",
    errors="errors:panel",
    images="images:panel",
    disputed="disputed:panel",
    graph_truth="karat.graphs.panels.graph_truth:panel",
    graphs="karat.graphs.panels.graphs:panel",
    graph_browser="karat.graphs.panels.graph_browser:panel",
    boxes="karat.boxes.panels.boxes:panel",
    repeat="repeat:panel",
)
