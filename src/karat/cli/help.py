"""What `--help` shows: a command's own options first, then those that many commands share, group by group."""

import re
from importlib import import_module
from typing import Any

from typer.core import TyperCommand

from karat.cli.plain_values import PlainValues
from karat.words import any_of

NAMES = {int: "N", float: "NUMBER"}
"""What a value is called where its option does not name it."""

INDEXES = {
    "bounds": "karat.doubt.bounds:BOUNDS",
    "documents": "karat.report:DOCUMENTS",
    "engines": "karat.engine:ENGINES",
    "estimators": "karat.measure.consensus:ESTIMATORS",
    "graph_formats": "karat.graphs:GRAPH_FORMATS",
    "graph_forms": "karat.graphs:GRAPH_FORMS",
    "kinds": "karat.table:KINDS",
    "measures": "karat.measure:MEASURES",
    "plots": "karat.questions:PLOTS",
    "prior_forms": "karat.ask.prevalence_forms:prior_forms",
    "sources": "karat.source:SOURCES",
    "tests": "karat.doubt.tests:TESTS",
    "trajectory_forms": "karat.ask.prevalence_forms:trajectory_forms",
}
"""What a name in braces stands for in a text of help, such as {tests}.

An index is read only when help is shown: it looks for what other packages add, which takes time.
"""


class Grouped(PlainValues, TyperCommand):
    """A command whose help has a section for each group of options."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what stands behind the command's name."""
        parameters = self.get_params(ctx)
        arguments = [each for each in parameters if each.param_type_name == "argument"]
        return ["[OPTIONS]", *(_argument(argument) for argument in arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, those without a group first."""
        sections: dict[str, list[Any]] = {"Arguments": [], "Options": []}
        parameters: list[Any] = self.get_params(ctx)
        for parameter in parameters:
            parameter.help = with_names(parameter.help or "")
            if parameter.param_type_name == "argument":
                sections["Arguments"].append((_argument(parameter), parameter.help))
            else:
                section = getattr(parameter, "rich_help_panel", None) or "Options"
                record = _with_metavar(parameter).get_help_record(ctx)
                sections.setdefault(section, []).append(record)
        for section, records in sections.items():
            if records:
                with formatter.section(section):
                    formatter.write_dl(records)


def with_names(text: str) -> str:
    """Return a text of help with what the indexes hold in the place of their names.

    >>> with_names("The bound: {bounds}.")
    'The bound: exact, wilson or jeffreys.'
    """
    return re.sub(r"\{(\w+)\}", lambda match: _listed(match[1]), text)


def _listed(name: str) -> str:
    """Return what an index holds, or how its entries are written, as a part of a sentence."""
    module, _, attribute = INDEXES[name].partition(":")
    listed = getattr(import_module(module), attribute)
    if callable(listed):
        return str(listed())
    return any_of(listed)


def _argument(argument: Any) -> str:
    if argument.metavar:
        return str(argument.metavar)
    name = str(argument.name).upper()
    return name if argument.required else f"[{name}]"


def _with_metavar(option: Any) -> Any:
    if option.metavar is None and not option.is_flag:
        option.metavar = NAMES.get(option.type_descriptor.annotation, "TEXT")
    return option
