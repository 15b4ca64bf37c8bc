"""The options of label graphs: how two of them are compared, and what is judged."""

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from karat.errors import OptionError
from karat.table.option_help import Help
from karat.words import any_of

Semantics = Literal["paper", "lgeval"]
Unit = Literal["expression", "object", "primitive", "pair", "formula"]
LABELS = ("all", "best", "top:K", "expected")
"""What may become of sets of labels."""


@dataclass(frozen=True, kw_only=True)
class RuleOptions:
    """How two graphs are compared; `karat.graphs.compare.rules.Rules` explains each option."""

    semantics: Annotated[
        Semantics,
        Help(
            "NAME",
            f"How differences are counted: {any_of(get_args(Semantics))} (as LgEval 0.3.8 does).",
        ),
    ] = "paper"
    inherit: Annotated[
        bool, Help(None, "Close all graphs by inheritance before they are compared.")
    ] = False
    absent_edges: Annotated[
        bool,
        Help(None, "Pairs that begin at an absent primitive are wrong; else they have no label."),
    ] = True
    undirected: Annotated[bool, Help(None, "Edges have no direction.")] = False
    labels: Annotated[
        str, Help("WHICH", f"Which labels of a set of labels count: {any_of(LABELS)}.")
    ] = "all"


def _whole_number(option: str, text: str) -> int:
    if not text.isdecimal():
        raise OptionError(f"{option} is {text!r}; it takes a whole number from 0 up")
    return int(text)


@dataclass(frozen=True, kw_only=True)
class GraphOptions(RuleOptions):
    """How graphs become a table of answers."""

    unit: Annotated[
        Unit, Help("UNIT", f"What a row of the table is: {any_of(get_args(Unit))}.")
    ] = "expression"
    within: Annotated[
        int,
        Help(
            "K",
            "With --unit formula: a formula is right with up to K wrong tokens of LaTeX.",
            parse=lambda text: _whole_number("--within", text),
        ),
    ] = 0
