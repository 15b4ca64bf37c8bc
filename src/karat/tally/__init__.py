"""What an engine counted: small exact numbers, one file per tally, each with its SQL and how two of them add."""

from karat.index import Index

TALLIES = Index(
    "tally",
    "tally",
    "tallies",
    confusions="votes.confusion",
    pairs="votes.pairs",
    patterns="votes.patterns",
    edits="votes.edits",
    samples="votes.samples",
    span_matches="votes.span_matches",
    group_curves="scores.curve",
    curves="scores.curve",
    binned="scores.binned_curve",
    binned_groups="scores.binned_curve",
    confidences="votes.confidences",
    paired_scores="scores.paired_scores",
    paired_groups="scores.paired_scores",
    paired_blocks="scores.paired_scores",
    sampled_scores="scores.sampled_scores",
    covotes="votes.covotes",
    covotes_by_block="votes.covotes",
    marks="scores.annotator_marks",
    rankings="scores.rankings",
    query_units="scores.query_units",
    depths="scores.depths",
)
