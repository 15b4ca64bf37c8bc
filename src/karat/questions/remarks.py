"""Remarks on the table that several questions add to their answer."""

from karat.table.kinds import score
from karat.table.usual_names import looks_like_cluster
from karat.tally.facts import Facts
from karat.tally.votes.patterns import Patterns
from karat.verdict.unusual_labels import of_patterns, unusual_label_warnings

MOST_WITHOUT_TRUTH = (
    "Most items have no truth: --judge majority uses the answers to them, too (accuracy)."
)
ALL_GROUPS = "All groups together; --per group scores each of them."
REPEATED = 0.9
"""A column with so many different values, as a share of the items, names single items; distinct values are counted
roughly."""
TRUTH_AS_IT_STANDS = "The truth is taken as it stands: areas and comparisons do not take --error."


def truth_as_it_stands(facts: Facts) -> tuple[str, ...]:
    """Return a remark where the table has error probabilities by item that the question does not use."""
    if "e" in facts.keys:
        return (TRUTH_AS_IT_STANDS,)
    return ()


def unused_answers(facts: Facts) -> tuple[str, ...]:
    """Return a remark where most items have no truth, and --judge could use the answers to them."""
    counts = facts.counts
    few = facts.has_truth and 2 * counts.without_truth >= counts.items
    counted_once = not {"c", "w", "e"} & set(facts.keys)
    if few and counted_once and facts.kind != score and len(facts.systems) > 2:
        return (MOST_WITHOUT_TRUTH,)
    return ()


def groups_together(facts: Facts) -> tuple[str, ...]:
    """Return a remark where the user named groups, and the answer is over all of them."""
    were_named = "group" in facts.options and "source" not in facts.options
    return (ALL_GROUPS,) if were_named else ()


def unnamed_clusters(facts: Facts, *, per_group: bool = False) -> tuple[str, ...]:
    """Return a remark on a column that looks like clusters of items, where none was named."""
    name = unnamed_cluster(facts, per_group=per_group)
    if name is None:
        return ()
    remark = (
        f"Items that share a value of {name!r} may be correlated, and intervals then be too narrow; "
        f"--cluster {name} allows for that."
    )
    return (remark,)


def unnamed_cluster(facts: Facts, *, per_group: bool = False) -> str | None:
    """Return the first column that looks like clusters of items, where none was named."""
    if "c" in facts.keys:
        return None
    roles = {"left out", "item"} if per_group else {"left out", "item", "group"}
    for use in facts.uses:
        several_items_each = 1 < (use.distinct or 0) < REPEATED * facts.counts.items
        if use.role in roles and several_items_each and looks_like_cluster(use.column):
            return use.column
    return None


def unusual_labels(facts: Facts, patterns: Patterns) -> tuple[str, ...]:
    """Return warnings about labels that look like missing values or like spellings of each other."""
    return unusual_label_warnings(facts, [of_patterns(patterns)])
