"""What `--help` shows: a command's own options, the form of the output, the data, and two examples.

How data is read is the same for every command and has many options. So `karat read --help` explains them all; the
other commands explain those that are needed often, and name the rest.
"""

import re
from importlib import import_module
from textwrap import wrap
from typing import Any

from typer.core import TyperCommand

from karat.cli.plain_values import PlainValues
from karat.words import any_of

WORDED_DEFAULT = re.compile(r"\[default: \((.*?)\)\]")
"""How Typer writes a default that is given as a text: in parentheses, which say nothing."""
NAMES = {int: "N", float: "NUMBER"}
"""What a value is called where its option does not name it."""

OWN = "Options"
DATA = "The data"
GRAPHS = "Label graphs"
OUTPUT = "Output"
OFTEN = ("truth", "systems", "group", "positive", "kinds", "missing", "format", "graphs")
"""The options of the data that every command explains, if they mean something for it."""
EXPLAINS_DATA = "read"
"""The command that explains all of them."""
MORE = "Also, explained by karat read --help: "
LAST = (OUTPUT, DATA, GRAPHS)
"""The sections that stand last, since many commands have them."""
EXAMPLES = "For example:"
"""What begins the examples in the docstring of a command."""

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
IN_PYTHON = ("arrays", "frame", "predictions")
"""Sources that are handed over in Python: no file has such a format."""


class Grouped(PlainValues, TyperCommand):
    """A command whose help has a section for each group of options."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what stands behind the command's name."""
        parameters = self.get_params(ctx)
        arguments = [each for each in parameters if each.param_type_name == "argument"]
        return ["[OPTIONS]", *(_argument(argument) for argument in arguments)]

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return the options that a shell offers, each with the first sentence of its help.

        A shell is shown no brackets: Typer would take them for markup.
        """
        offered: list[Any] = super().shell_complete(ctx, incomplete)
        for item in offered:
            sentence = with_names(item.help or "").partition(". ")[0]
            item.help = sentence.replace("[", "(").replace("]", ")")
        return offered

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options, section by section."""
        parameters: list[Any] = self.get_params(ctx)
        arguments = [each for each in parameters if each.param_type_name == "argument"]
        options = [each for each in parameters if each.param_type_name != "argument"]
        if arguments:
            rows = [(_argument(each), with_names(each.help or "")) for each in arguments]
            with formatter.section("Arguments"):
                formatter.write_dl(rows)
        folds = self.name != EXPLAINS_DATA
        for section, shown in _sections(options, folds=folds).items():
            with formatter.section(section):
                _write_options(ctx, formatter, shown, folds=folds)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples as they stand, so that they can be copied."""
        del ctx
        if self.epilog:
            formatter.write(f"\n{EXAMPLES}\n")
            for line in self.epilog.splitlines():
                formatter.write(f"  {line.strip()}\n")


def _sections(options: list[Any], *, folds: bool) -> dict[str, list[Any]]:
    """Return the options that are shown by section: the command's own first, those of the data last.

    Folded, the options of graphs are among those of the data.
    """
    sections: dict[str, list[Any]] = {OWN: []}
    for option in options:
        if option.hidden:
            continue
        name = getattr(option, "rich_help_panel", None) or OWN
        if folds and name == GRAPHS:
            name = DATA
        sections.setdefault(name, []).append(option)
    for name in LAST:
        if name in sections:
            sections[name] = sections.pop(name)
    return sections


def _write_options(ctx: Any, formatter: Any, options: list[Any], *, folds: bool) -> None:
    """Write a section; folded, options of the data that are seldom needed are only named."""
    seldom = []
    rows = []
    for option in options:
        if folds and _is_seldom_needed(option):
            seldom.append(option.opts[0])
        else:
            option.help = with_names(option.help or "")
            names, text = _with_metavar(option).get_help_record(ctx)
            rows.append((names, WORDED_DEFAULT.sub(r"[default: \1]", text)))
    formatter.write_dl(rows)
    if seldom:
        formatter.write_paragraph()
        formatter.write(_paragraph(MORE + ", ".join(seldom) + ".", formatter))


def _is_seldom_needed(option: Any) -> bool:
    is_data = getattr(option, "rich_help_panel", None) in {DATA, GRAPHS}
    return is_data and option.name not in OFTEN


def _paragraph(text: str, formatter: Any) -> str:
    """Return a text in lines that do not end within the name of an option."""
    indent = " " * formatter.current_indent
    lines = wrap(
        text,
        width=formatter.width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
    return "\n".join(lines) + "\n"


def with_examples(docstring: str) -> tuple[str, str]:
    r"""Return what a docstring says of a command, and the examples at its end.

    >>> with_examples("Count.\n\nFor example:\n  karat count a.csv")
    ('Count.', '  karat count a.csv')
    """
    text, _, examples = docstring.partition(EXAMPLES)
    return text.rstrip(), examples.strip("\n")


def with_names(text: str) -> str:
    """Return a text of help with what the indexes hold in the place of their names.

    >>> with_names("The bound: {bounds}.")
    'The bound: exact, wilson or jeffreys.'
    """
    return re.sub(r"\{(\w+)\}", lambda match: _listed(match[1]), text)


def _listed(name: str) -> str:
    """Return what an index holds, or how its entries are written, as a part of a sentence."""
    listed = _index(name)
    if callable(listed):
        return str(listed())
    return any_of(entries(name))


def entries(name: str) -> list[str]:
    """Return the names in an index that can be written on the command line; none where there are only forms."""
    listed = _index(name)
    if callable(listed):
        return []
    return [entry for entry in listed if entry not in IN_PYTHON]


def _index(name: str) -> Any:
    module, _, attribute = INDEXES[name].partition(":")
    return getattr(import_module(module), attribute)


def _argument(argument: Any) -> str:
    if argument.metavar:
        return str(argument.metavar)
    name = str(argument.name).upper()
    return name if argument.required else f"[{name}]"


def _with_metavar(option: Any) -> Any:
    if option.metavar is None and not option.is_flag:
        option.metavar = NAMES.get(_type_of(option), "TEXT")
    return option


def _type_of(option: Any) -> Any:
    """Return the type of an option's value; older versions of Typer only have its name."""
    if hasattr(option, "type_descriptor"):
        return option.type_descriptor.annotation
    return {"integer": int, "float": float}.get(option.type.name)
