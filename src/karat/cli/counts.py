"""Counts in place of a table: 42/100."""

import re

from karat.cli.options import ReadingOptions
from karat.errors import OptionError


def counts_of(words: list[str], reading: ReadingOptions) -> list[tuple[int, int]]:
    """Return successes and trials, if all the words are such; none otherwise. Counts have nothing to be read."""
    matches = [re.fullmatch(r"(\d+)/(\d+)", word) for word in words]
    if any(matches) and not all(matches):
        raise OptionError(
            "counts and tables cannot be mixed; give either files, or counts such as 40/50 92/100"
        )
    if not all(matches):
        return []
    if said := reading.changed():
        raise OptionError(
            f"--{min(said).replace('_', '-')} is for tables; counts such as {words[0]} are all there is"
        )
    counts = [(int(match[1]), int(match[2])) for match in matches if match]
    for successes, trials in counts:
        if successes > trials:
            raise OptionError(
                f"{successes}/{trials} has more successes than trials; write SUCCESSES/TRIALS"
            )
    return counts
