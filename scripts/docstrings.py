"""Docstrings for mkdocstrings: as Markdown, with the keywords as a list that has their types and defaults.

The docstrings of karat are written for `help()`: a question, then prose, lines of `keyword: what it is`, a reference
and examples. A class of options has a table of its fields instead of the list: their help stands in their types.
"""

import importlib
import re
from dataclasses import fields, is_dataclass
from typing import Any

import griffe

KEYWORDS = re.compile(r"(\w+(?:, \w+)*): (.*)")
DOI = re.compile(r"\bdoi:(\S+[^\s.,;)])")
VARIADIC = griffe.ParameterKind.var_positional
NAMED_DEFAULTS = {"()": "none", "{}": "none", "None": "none"}


class Rendered(griffe.Extension):
    """Turns each docstring into Markdown before it is rendered."""

    def on_function_instance(self, *, func: griffe.Function, **_: Any) -> None:
        """List the keywords of a function with their types."""
        if func.docstring:
            func.docstring.value = as_markdown(func.docstring.value, func.parameters)

    def on_class_instance(self, *, cls: griffe.Class, **_: Any) -> None:
        """Show the fields of options as a table."""
        if cls.docstring:
            table = table_of_options(cls) if cls.name.endswith("Options") else ""
            text = as_markdown(cls.docstring.value, griffe.Parameters())
            cls.docstring.value = f"{text}\n\n{table}".rstrip()

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Escape what is no markup."""
        if attr.docstring:
            attr.docstring.value = as_markdown(attr.docstring.value, griffe.Parameters())


def as_markdown(text: str, parameters: griffe.Parameters) -> str:
    """Return a docstring as Markdown: prose, a list of keywords, references, examples."""
    lines: list[str] = []
    example = in_list = False
    for line in text.splitlines():
        keyword = KEYWORDS.fullmatch(line)
        if line.startswith(">>> ") and not example:
            example = True
            lines += ["", "```python"]
        elif example and not line.strip():
            example = False
            lines.append("```")
        if example:
            lines.append(line)
        elif keyword and all(name in parameters for name in keyword[1].split(", ")):
            if not in_list:
                lines.append("")
            in_list = True
            lines.append(listed(keyword[1].split(", "), keyword[2], parameters))
        else:
            if in_list and not line.startswith("    "):
                in_list = False
                lines.append("")
            lines.append(prose(line))
    if example:
        lines.append("```")
    return "\n".join(lines)


def listed(names: list[str], meaning: str, parameters: griffe.Parameters) -> str:
    """Return keywords that are explained together as an item of a list."""
    shown = []
    for name in names:
        parameter = parameters[name]
        kind = str(parameter.annotation or "").replace("'", "").replace('"', "")
        optional = parameter.default is not None and parameter.kind is not VARIADIC
        default = f" = {parameter.default}" if optional else ""
        shown.append(f"**{name}** `{kind}{default}`" if kind else f"**{name}**")
    return f"- {', '.join(shown)}: {prose(meaning)}"


def prose(line: str) -> str:
    """Return a line whose signs of arithmetic are no markup; what stands in backticks stays."""
    if line.startswith("Reference: "):
        line = DOI.sub(r"[doi:\1](https://doi.org/\1)", f"\n{line}")
    parts = line.split("`")
    for place in range(0, len(parts), 2):
        parts[place] = re.sub(r"(?<![\w/.])([*_#])|([*_])(?![\w/])", r"\\\1\2", parts[place])
        parts[place] = parts[place].replace("<", "&lt;")
    return "`".join(parts)


def table_of_options(cls: griffe.Class) -> str:
    """Return the options that a class holds as a table, with what `--help` says of each."""
    from karat.cli.help import with_names  # noqa: PLC0415 (only where options are shown)
    from karat.table.option_help import default_of, flag, helps  # noqa: PLC0415

    options = getattr(importlib.import_module(cls.module.path), cls.name)
    if not is_dataclass(options):
        return ""
    described = helps(options)
    lines = ["| keyword | default | on the command line | meaning |", "| --- | --- | --- | --- |"]
    for field in fields(options):
        if field.name in described:
            help_of = described[field.name]
            default = str(default_of(field))
            default = NAMED_DEFAULTS.get(default, f"`{default}`")
            value = "" if help_of.metavar is None else f" {help_of.metavar}"
            command = f"{flag(options, field.name)}{value}".replace("|", "&#124;")
            meaning = prose(with_names(help_of.text)).replace("|", "\\|")
            lines.append(f"| `{field.name}` | {default} | <code>{command}</code> | {meaning} |")
    return "\n".join(lines)
