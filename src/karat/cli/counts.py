"""Counts in place of a table: 42/100, alpha=42/100, 0.853/5000, or the table of a leaderboard."""

import re

from karat.ask.counts import Count, leaderboard, parse_count
from karat.cli.options import InputOptions
from karat.cli.printing import tell
from karat.errors import OptionError
from karat.source.paths import exists
from karat.table.option_help import flags_given

SHARE = re.compile(r"[01]?\.\d+")


def counts_of(words: list[str], inputs: InputOptions) -> list[Count]:
    """Return the counts, if all words are such; none otherwise. Counts take no options of reading."""
    counts = [parse_count(word) for word in words]
    flags = flags_given(inputs)
    if not any(counts):
        if share := _bare_share(words):
            raise OptionError(
                f"{share} is a share without its number of items; write {share}/5000 if there were 5,000"
            )
        is_leaderboard = len(words) == 1 and not flags
        return leaderboard(words[0]) if is_leaderboard else []
    found = [count for count in counts if count]
    if len(found) < len(words):
        raise OptionError(
            "counts and tables cannot be mixed; give either files, or counts such as 40/50 92/100"
        )
    if flags:
        raise OptionError(
            f"{flags[0]} is for tables; counts such as {words[0]} take no such option"
        )
    return found


def _bare_share(words: list[str]) -> str | None:
    """Return the first word if all are numbers from 0 to 1 and no files: published scores without their items."""
    for word in words:
        if not SHARE.fullmatch(word) or exists(word):
            return None
    return words[0] if words else None


def tell_rounded(counts: list[Count]) -> None:
    """Report which numbers of successes fit a share that was rounded."""
    for count in counts:
        if count.share is not None:
            what = f"{count.name}: {count.least:,} to {count.most:,} of {count.trials:,} are {count.share}"
            tell(f"{what} when rounded; its interval holds those of all of them")
