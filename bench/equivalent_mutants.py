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
    (
        "src/karat/measure/quantity.py",
        "evaluate",
        "BinOp: Share | Cells | FloatArray",
        "result: Share | Cells | FloatArray = quantity.traits(totals, **quantity.arguments)",
    ): "Python never evaluates the type of a local variable",
    (
        "src/karat/doubt/consensus/correlated_systems.py",
        "_candidates",
        "Compare: weight > 0",
        "size = np.where(weight > 0, above / np.sqrt(np.maximum(weight * pairs, 1e-12)), -np.inf)",
    ): "without a weight there is no residual, and only those above 0 are candidates",
    (
        "src/karat/verdict/prevalence/words.py",
        "_rate",
        "BoolOp: low is None or high is None",
        "if low is None or high is None:",
    ): "an interval has both ends or none",
    (
        "src/karat/doubt/tests/boschloo.py",
        "_p_value",
        "Constant: 1.0",
        "return min(1.0, float(result.pvalue))",
    ): SAME_END,
    (
        "src/karat/doubt/group_mean.py",
        "mean_of_these_groups",
        "Constant: 1.0",
        "share = np.clip((mean - low) / (high - low), 0.0, 1.0)",
    ): SAME_END,
    (
        "src/karat/doubt/bounds/query_mean.py",
        "query_mean",
        "BinOp: high - low",
        "if np.ptp(values) <= ROUNDING * (high - low):",
    ): SAME_END,
    (
        "src/karat/doubt/tests/two_samples.py",
        "first_where",
        "Constant: 2",
        "middle = guesses.pop() if guesses else np.floor((low + end) / 2)",
    ): "a search that cuts elsewhere ends at the same number",
    (
        "src/karat/tally/facts.py",
        "holds_rankings",
        "Return: return False",
        "return False",
    ): "only its truth is asked for, and None is false",
    (
        "src/karat/tally/item_names.py",
        "items",
        "Constant: 0",
        'columns.insert(0, "t")',
    ): "columns are found by their names",
    (
        "src/karat/measure/consensus/spectral.py",
        "_factor",
        "Constant: 0.0",
        "covariance = np.where(items > 0, sums / items, 0.0)",
    ): "where a search begins that ends at the least squares",
    (
        "src/karat/doubt/audit/forecast.py",
        "errors_seen",
        "BinOp: 1.0 - up",
        "return Errors(up, np.clip(down, 0.0, 1.0 - up))",
    ): "errors upwards and downwards are together 1 at most, whatever was seen",
}
"""By path, function, changed node and the line of code it stands on."""
