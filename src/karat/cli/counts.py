"""Counts in place of a table: 42/100."""

import re

from karat.cli.options import InputOptions
from karat.errors import OptionError
from karat.table.option_help import flags_given


def counts_of(words: list[str], inputs: InputOptions) -> list[tuple[int, int]]:
    """Return successes and trials, if all words are such; none otherwise. Counts take no options of reading."""
    matches = [re.fullmatch(r"(\d+)/(\d+)", word) for word in words]
    if not any(matches):
        return []
    if not all(matches):
        raise OptionError(
            "counts and tables cannot be mixed; give either files, or counts such as 40/50 92/100"
        )
    flags = flags_given(inputs)
    if flags:
        raise OptionError(
            f"{flags[0]} is for tables; counts such as {words[0]} take no such option"
        )
    return [_count(int(match[1]), int(match[2])) for match in matches if match]


def _count(successes: int, trials: int) -> tuple[int, int]:
    if successes > trials:
        raise OptionError(
            f"{successes}/{trials} has more successes than trials; write SUCCESSES/TRIALS"
        )
    return successes, trials
