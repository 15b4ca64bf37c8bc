"""Two shares of which only the counts are known."""

from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.verdict.compare.compare import verdicts
from karat.verdict.compare.contest import Contest
from karat.verdict.compare.evidence import samples
from karat.verdict.compare.result import Comparison

Counts = tuple[int, int]
OF_SHARED_ITEMS = {"mcnemar", "bootstrap", "jackknife"}
"""Tests that need to know which system was right on which item; all others compare two shares."""


def compare_counts(counts: list[Counts], contest: Contest) -> list[Comparison]:
    """Is the first share larger than the second? Two samples of different items, by the paper's exact test."""
    test = "exact" if contest.test == "auto" else contest.test
    if test in OF_SHARED_ITEMS:
        raise OptionError(
            f"counts alone do not say who was right on which item, as {test} needs; use --test exact"
        )
    if len(counts) < 2:
        raise OptionError(
            "one share has nothing to be compared with; give two, such as 40/50 92/100"
        )
    share = Quantity("share")
    pairs = []
    for one in range(len(counts)):
        pairs += [(one, other) for other in range(one + 1, len(counts))]
    names = []
    shares = []
    known: list[float | None] = []
    for successes, trials in counts:
        names.append(f"{successes}/{trials}")
        shares.append((float(successes), float(trials)))
        known.append(successes / trials if trials else None)
    evidence = samples(shares, share, pairs, test, contest)
    return verdicts(names, pairs, share, known, evidence, contest)
