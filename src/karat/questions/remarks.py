"""What several questions have to say of the table beside their answer."""

from karat.table.kinds import score
from karat.tally.facts import Facts
from karat.tally.votes.patterns import Patterns
from karat.verdict.oddities import odd_warnings, of_patterns

MOST_WITHOUT_TRUTH = (
    "Most items have no truth: --judge majority uses the answers to them, too (accuracy)."
)
TRUTH_AS_IT_STANDS = "The truth is taken as it stands: areas and comparisons do not take --error."


def truth_as_it_stands(facts: Facts) -> tuple[str, ...]:
    """Return a remark where the table has errors by item that the question does not look at."""
    if "e" in facts.keys:
        return (TRUTH_AS_IT_STANDS,)
    return ()


def unused_answers(facts: Facts) -> tuple[str, ...]:
    """Return a remark where most items have no truth, and a judge could look at them."""
    counts = facts.counts
    few = facts.has_truth and 2 * counts.without_truth >= counts.items
    counted_once = not {"c", "w", "e"} & set(facts.keys)
    if few and counted_once and facts.kind != score and len(facts.systems) > 2:
        return (MOST_WITHOUT_TRUTH,)
    return ()


def unusual_labels(facts: Facts, patterns: Patterns) -> tuple[str, ...]:
    """Return warnings about labels that look like missing values or like spellings of each other."""
    return odd_warnings(facts, [of_patterns(patterns)])
