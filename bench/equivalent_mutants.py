"""Mutants that change nothing that can be seen, each with the reason, found by reading."""

SAME_END = "the limit is crossed by rounding only"
IN_BLOCKS = "how much is computed at once"
EQUIVALENT = {
    (
        "src/karat/doubt/bounds/query_mean.py",
        "query_mean",
        "Compare: np.ptp(values) <= ROUNDING * (high - low)",
        "if np.ptp(values) <= ROUNDING * (high - low):",
    ): SAME_END,
    (
        "src/karat/doubt/label_noise/informed/logistic_posterior.py",
        "logistic_posterior",
        "Constant: 2",
        "size /= 2",
    ): "a step may be shortened by any factor: the maximum is the same",
    (
        "src/karat/measure/consensus/votes.py",
        "consensus",
        "Constant: 1",
        "blocks = ((Votes.of(given[rows]), amount[rows]) for rows in _blocks(given, 1))",
    ): IN_BLOCKS,
    (
        "src/karat/doubt/label_noise/simulated_labels.py",
        "_of_frequent",
        "Constant: 0",
        "true[:, np.arange(len(rows)), labels] = 0",
    ): "a label that is moved to itself takes the hits that it gives",
    (
        "src/karat/doubt/tests/over_queries.py",
        "randomisation",
        "Constant: 1",
        "at_once = max(1, AT_ONCE // number)",
    ): IN_BLOCKS,
    (
        "src/karat/verdict/compare/compare.py",
        "few_clusters",
        "Constant: 1",
        "needed = 1",
    ): "one cluster decides nothing at any level, so that the search goes on to two",
    (
        "src/karat/measure/prevalence/crossings.py",
        "sign_changes",
        "Compare: np.abs(values) > _NOISE",
        "signs = np.sign(values[np.abs(values) > _NOISE])",
    ): SAME_END,
    (
        "src/karat/doubt/bounds/areas.py",
        "_average_precisions",
        "Constant: 1",
        "at_once = max(1, AT_ONCE // int(number.sum()))",
    ): IN_BLOCKS,
}
"""By path, function, changed node and the line of code it stands on."""
