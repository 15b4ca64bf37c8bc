"""Two shares of which only the counts are known."""

from itertools import combinations

from karat.doubt.tests import TESTS
from karat.doubt.tests.significance_test import as_test
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.verdict.compare.compare import verdicts
from karat.verdict.compare.contest import ComparisonOptions
from karat.verdict.compare.evidence import samples
from karat.verdict.compare.result import Comparison

Counts = tuple[int, int]


def compare_counts(
    counts: list[Counts], names: list[str], contest: ComparisonOptions
) -> list[Comparison]:
    """Return the verdicts on all pairs of shares, as samples of different items, by the exact test."""
    test = "exact" if contest.test == "auto" else contest.test
    if as_test(TESTS[test]).needs_items:
        raise OptionError(
            f"counts do not tell which system was right on which item, as {test} needs; use --test exact"
        )
    if len(counts) < 2:
        raise OptionError(
            "one share has nothing to be compared with; give two, such as 40/50 92/100"
        )
    share = Quantity("share")
    pairs = list(combinations(range(len(counts)), 2))
    shares = []
    known: list[float | None] = []
    for successes, trials in counts:
        shares.append((float(successes), float(trials)))
        known.append(successes / trials if trials else None)
    evidence = samples(shares, share, pairs, test, contest)
    return verdicts(names, pairs, share, known, evidence, contest)
