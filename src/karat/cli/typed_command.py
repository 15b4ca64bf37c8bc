"""A command as it was typed: its options as words, which the signature of its result carries.

What names files stays out, since the data may lie elsewhere when the result is repeated; so do the form of the output
and the engine, which change no number.
"""

import shlex
from typing import Any

from karat.cli.help import OUTPUT
from karat.cli.output_paths import EITHER, FILES, FOLDERS

SILENT = {*FILES, *FOLDERS, *EITHER}
SILENT |= {"engine", "master", "duplicate_check", "require", "serve", "help"}
"""Options that change no number of a result, besides those of the output."""


def typed_command(context: Any) -> str:
    """Return a command and the options that were given to it, as one could type them."""
    words = context.info_name.split()
    for parameter in context.command.params:
        if _counts(parameter) and _is_given(context, parameter.name):
            words += _words(parameter, context.params[parameter.name])
    return shlex.join(words)


def _counts(parameter: Any) -> bool:
    """Return whether a parameter is an option that may change a result."""
    if parameter.param_type_name != "option" or parameter.name in SILENT:
        return False
    return bool(getattr(parameter, "rich_help_panel", None) != OUTPUT)


def _is_given(context: Any, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _words(option: Any, value: Any) -> list[str]:
    """Return an option as it is typed."""
    name = max(option.opts, key=len)
    if value is True:
        return [name]
    if value is False:
        return [option.secondary_opts[0]]
    several = value if isinstance(value, list | tuple) else [value]
    words = []
    for one in several:
        words += [name, str(one)]
    return words
