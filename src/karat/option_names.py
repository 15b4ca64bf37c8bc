"""What an option is called where it is read about: --draws on the command line, draws= in Python.

Messages name options as the command line does. Whoever asked in Python reads them translated.
"""

import re

RENAMED = {"kind": "kinds", "family": "families", "oracle": "oracles", "from": "old"}
"""Options that Python calls otherwise."""
SWITCHES = {
    "all-pairs": "all_pairs=True",
    "at-most": "at_most=True",
    "bands": "bands=True",
    "few": "few=True",
    "correct": "correct=True",
    "inherit": "inherit=True",
    "lenient": "lenient=True",
    "no-duplicate-check": "duplicate_check=False",
}
"""Options without a value."""
COMMAND_LINE_ONLY = {
    "annotators",
    "as",
    "checked",
    "confusion",
    "csv",
    "draw",
    "equal",
    "graphs",
    "guard-formulas",
    "help",
    "json",
    "log",
    "md",
    "metrics",
    "names",
    "only",
    "output-dir",
    "page",
    "per-item",
    "per-query",
    "require",
    "second",
    "serve",
    "truths",
}
"""Options that Python has no keyword for: there is a function, or nothing to say."""
WITH_WORD = {
    "cluster",
    "estimator",
    "format",
    "kind",
    "leave-out",
    "mean-over",
    "measure",
    "missing",
    "per",
    "repeats",
    "test",
    "unit",
}
"""Options whose value is a word, where one follows in a message."""
NO_VALUES = {
    "alone",
    "and",
    "are",
    "for",
    "has",
    "is",
    "leaves",
    "names",
    "needs",
    "or",
    "out",
    "takes",
    "where",
}
"""Words that go on with a sentence."""
COMMAND = r"(?P<command>\bkarat [a-z]+(?: [^ ;,`]+)* --[a-z][^;,`]*)"
"""A command to be typed, which stays what it is."""
OPTION = re.compile(
    COMMAND
    + r"|--(?P<name>[a-z]+(?:-[a-z]+)*)(?:[ =](?P<value>\w[\w.,@:-]*\w|\w)(?:=(?P<part>[\w.-]+))?)?"
)


def in_python(message: str) -> str:
    """Return a message with the options as Python's keywords.

    >>> in_python("name it with --item COL, or say --kind score")
    "name it with item=COL, or say kinds='score'"
    >>> in_python("--draws is 5; leave --lenient out")
    'draws= is 5; leave lenient=True out'
    >>> in_python("`karat convert --to symlg` makes such graphs")
    '`karat convert --to symlg` makes such graphs'
    >>> in_python("judge all with --using depth=10; --draws 0 is no interval")
    "judge all with using={'depth': '10'}; draws=0 is no interval"
    """
    return OPTION.sub(_keyword, message)


def _keyword(found: re.Match[str]) -> str:
    name = found["name"]
    if found["command"] or name in COMMAND_LINE_ONLY:
        return found[0]
    rest = found[0].removeprefix(f"--{name}")
    if name in SWITCHES:
        return SWITCHES[name] + rest
    keyword = RENAMED.get(name, name.replace("-", "_"))
    value = _value(name, found["value"] or "", found["part"])
    return f"{keyword}={rest if value is None else value}"


def _value(name: str, word: str, part: str | None) -> str | None:
    """Return the value of an option as Python writes it; None if the word after it belongs to the sentence."""
    if name == "using":
        word = word.replace("-", "_")  # an option of a source is a keyword too
    if part is not None:
        return f"{{{word!r}: {part!r}}}"
    if not word or word in NO_VALUES:
        return None
    if name == "using":
        return f"{{{word!r}: ...}}"
    if word.isupper() or word[0].isdigit():
        return word
    return repr(word) if name in WITH_WORD else None
