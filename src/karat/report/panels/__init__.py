"""The panels of the page: one file and one line here for each, in the order in which they are read."""

from karat.index import Index

PANELS = Index(
    "report.panels",
    "panel",
    summary="summary:panel",
    ranking="ranking:panel",
    scores="scores:panel",
    comparisons="comparisons:panel",
    stability="stability:panel",
    consensus="consensus:panel",
    skew="skew:panel",
    groups="groups:panel",
    graph_truth="graph_truth:panel",
    graphs="graphs:panel",
    graph_browser="graph_browser:panel",
    repeat="repeat:panel",
)
