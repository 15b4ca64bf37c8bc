"""What several questions have to say of the table beside their answer."""

from karat.tally.facts import Facts
from karat.tally.votes.patterns import Patterns
from karat.verdict.oddities import odd_warnings, of_patterns

TRUTH_AS_IT_STANDS = "The truth is taken as it stands: areas and comparisons do not take --error."


def truth_as_it_stands(facts: Facts) -> tuple[str, ...]:
    """Return a remark where the table has errors by item that the question does not look at."""
    if "e" in facts.keys:
        return (TRUTH_AS_IT_STANDS,)
    return ()


def unusual_labels(facts: Facts, patterns: Patterns) -> tuple[str, ...]:
    """Return warnings about labels that look like missing values or like spellings of each other."""
    return odd_warnings(facts, [of_patterns(patterns)])
