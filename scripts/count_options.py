"""How long is the help of each command? Options that it explains, options that it only names, and lines at 80 columns.

python scripts/count_options.py                      the karat that is installed
python scripts/count_options.py BEFORE_SRC AFTER_SRC two of them, side by side, by their folders src
"""

import os
import re
import subprocess
import sys

LIST = "from karat.cli import COMMANDS; print('\\n'.join(COMMANDS))"
EXPLAINED = re.compile(r"^  (?:-\w, )?--[a-z]", re.MULTILINE)
NAMED = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
MORE = "explained by karat read --help:"
HEADS = ("explained", "named", "lines")


def run(source: str | None, *arguments: str) -> str:
    """Return what a fresh Python prints, with karat from this folder."""
    environment = {**os.environ, "COLUMNS": "80"}
    if source:
        environment["PYTHONPATH"] = source
    done = subprocess.run(  # noqa: S603
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def counts(help_text: str) -> tuple[int, int, int]:
    """Return how many options are explained, how many only named, and how many lines there are."""
    explained = len(EXPLAINED.findall(help_text)) - 1  # --help itself
    more = help_text.partition(MORE)[2].partition("\n\n")[0]
    return explained, len(NAMED.findall(more)), len(help_text.splitlines())


def table(source: str | None) -> dict[str, tuple[int, int, int]]:
    """Return the counts of each command."""
    found = {}
    for command in run(source, "-c", LIST).split():
        words = command.split("-")
        found[" ".join(words)] = counts(run(source, "-m", "karat", *words, "--help"))
    return found


def main(sources: list[str | None]) -> None:
    """Print the counts of each command, side by side."""
    tables = [table(source) for source in sources]
    heads = "".join(f"{head:>11}" for head in HEADS)
    print(f"{'command':<18}" + heads * len(tables))
    for command in dict.fromkeys(name for one in tables for name in one):
        line = f"{command:<18}"
        for one in tables:
            numbers = one.get(command, ("-",) * len(HEADS))
            line += "".join(f"{number:>11}" for number in numbers)
        print(line.rstrip())


if __name__ == "__main__":
    main(list(sys.argv[1:]) or [None])
