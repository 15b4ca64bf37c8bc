"""Counts in place of a table: 42/100."""

import re

from karat.errors import OptionError


def counts_of(words: list[str]) -> list[tuple[int, int]]:
    """Return successes and trials, if all the words are such; none otherwise."""
    matches = [re.fullmatch(r"(\d+)/(\d+)", word) for word in words]
    if any(matches) and not all(matches):
        raise OptionError("counts and tables cannot be mixed; give either files, or counts such as 40/50 92/100")
    if not all(matches):
        return []
    counts = [(int(match[1]), int(match[2])) for match in matches if match]
    for successes, trials in counts:
        if successes > trials:
            raise OptionError(f"{successes}/{trials} has more successes than trials; write SUCCESSES/TRIALS")
    return counts
