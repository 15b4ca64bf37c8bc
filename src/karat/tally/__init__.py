"""What an engine counted: small exact numbers, one file per tally, each with its SQL and how two of them add."""

from karat.index import Index

TALLIES = Index(
    "tally",
    confusion="confusion",
    pairs="pairs",
    patterns="patterns",
    curve="curve",
    curves="curve",
    binned="binned",
    binned_groups="binned",
    confidences="confidences",
    paired_scores="paired_scores",
    paired_groups="paired_scores",
    paired_blocks="paired_scores",
    covotes="covotes",
    covotes_by_block="covotes",
    marks="marks",
    graphs="graphs",
    graph_errors="graph_errors",
    rankings="rankings",
    depths="depths",
)
