"""Two shares of which only the counts are known."""

from karat.doubt.tests import TESTS
from karat.doubt.tests.significance_test import as_test
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.verdict.compare.compare import verdicts
from karat.verdict.compare.contest import Contest
from karat.verdict.compare.evidence import samples
from karat.verdict.compare.result import Comparison

Counts = tuple[int, int]


def compare_counts(counts: list[Counts], contest: Contest) -> list[Comparison]:
    """Is the first share larger than the second? Two samples of different items, by the paper's exact test."""
    test = "exact" if contest.test == "auto" else contest.test
    if as_test(TESTS[test]).needs_items:
        raise OptionError(
            f"counts alone do not say who was right on which item, as {test} needs; use --test exact"
        )
    if len(counts) < 2:
        raise OptionError(
            "one share has nothing to be compared with; give two, such as 40/50 92/100"
        )
    share = Quantity("share")
    pairs = [(one, other) for one in range(len(counts)) for other in range(one + 1, len(counts))]
    shares = [(float(successes), float(trials)) for successes, trials in counts]
    names = [f"{successes}/{trials}" for successes, trials in counts]
    known = [successes / trials if trials else None for successes, trials in counts]
    return verdicts(
        names, pairs, share, known, samples(shares, share, pairs, test, contest), contest
    )
