"""Counts in place of a table: 42/100."""

import re

from karat.errors import OptionError


def counts_of(words: list[str]) -> list[tuple[int, int]]:
    """Return successes and trials, if all the words are such; none otherwise."""
    matches = [re.fullmatch(r"(\d+)/(\d+)", word) for word in words]
    if not all(matches):
        return []
    counts = [(int(match[1]), int(match[2])) for match in matches if match]
    for successes, trials in counts:
        if successes > trials:
            raise OptionError(f"{successes}/{trials} has more successes than trials; write SUCCESSES/TRIALS")
    return counts
