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
    "truths",
}
"""Options that Python has no keyword for: there is a function, or nothing to say."""
WITH_WORD = {
    "error",
    "estimator",
    "format",
    "kind",
    "leave-out",
    "measure",
    "missing",
    "per",
    "repeats",
    "test",
    "unit",
}
"""Options whose value is a word, where one follows in a message."""
NO_VALUES = {"alone", "and", "for", "has", "is", "leaves", "names", "or", "out", "takes", "where"}
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
    if found["command"]:
        return found[0]
    name, value, part = found["name"], found["value"] or "", found["part"]
    rest = found[0].removeprefix(f"--{name}")
    if name in COMMAND_LINE_ONLY:
        return found[0]
    if name in SWITCHES:
        return SWITCHES[name] + rest
    keyword = RENAMED.get(name, name.replace("-", "_"))
    if name == "using" and value and part is None:
        return f"using={{{value!r}: ...}}"
    if part is not None:
        return f"{keyword}={{{value!r}: {part!r}}}"
    if value and (value.isupper() or value[0].isdigit()):
        return f"{keyword}={value}"
    if name in WITH_WORD and value and value not in NO_VALUES:
        return f"{keyword}={value!r}"
    return f"{keyword}={rest}"
