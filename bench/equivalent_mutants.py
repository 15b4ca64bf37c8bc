"""Mutants that change nothing that can be seen, each with the reason, found by reading."""

import re

SAME_END = "the limit is crossed by rounding only"
IN_BLOCKS = "how much is computed at once"
NEVER_SO_SMALL = "a precision is 0, or 1 / a variance that is far below 1"
SIZE_OF_BLOCKS = re.compile(r"(at_once|step|size|parts) = .*AT_ONCE.*")
"""Lines that say how much is computed at once and nothing else; `tests/golden/test_in_blocks.py` varies it."""
DRAWN_IN_BLOCKS = ("simulated_labels", "counted_resamples", "uncertain_truth", "score_bins")
"""Files in which blocks of another size would make other draws."""
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
        "src/karat/tally/votes/edits.py",
        "_tokenised",
        "Compare: unit == 'bag'",
        'if unit == "bag":',
    ): "a letter for each word is quicker to compare than the words; edits and bags are the same",
    (
        "src/karat/verdict/audit/lists.py",
        "_check_chance",
        "Compare: abs(row.chance - expected) <= CLOSE * expected",
        "is_right = 0 < row.chance <= 1 and abs(row.chance - expected) <= CLOSE * expected",
    ): SAME_END,
    (
        "src/karat/doubt/consensus/correlated_systems.py",
        "_gains",
        "Constant: 0",
        "left_out = (precision > 0) & (without == 0)",
    ): NEVER_SO_SMALL,
    (
        "src/karat/doubt/label_noise/precision_recall_order.py",
        "_sides",
        "Constant: 1.0",
        "root = np.where(slope == 0, 0.0, -low / slope).clip(-1.0, size)",
    ): "a root before the first number is before all of them, however far",
    (
        "src/karat/doubt/label_noise/few_kinds.py",
        "lead_at",
        "BinOp: chances[..., 2] - chances[..., 0]",
        "lead = chances[..., 2] - chances[..., 0]",
    ): "how near to the rate its search begins; it ends at the same one",
}
"""By path, function, changed node and the line of code it stands on."""
