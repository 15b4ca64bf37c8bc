"""A graph as any other text, by a map that says what each symbol and each relation becomes."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from karat.errors import InputError
from karat.graphs.formats.label_graph import text_of
from karat.graphs.model.formula import BESIDE, DEEPEST, LONG, RIGHT, Row, Symbol, formula_of
from karat.graphs.model.structure import LabelGraph

ARROW, ANY = "->", "ANY"
SECTIONS = ("SYMBOLS", "STRUCTURE")
DEFAULTS = {"OBJ_DEFAULT": "SYMBOLS", "REL_DEFAULT": "STRUCTURE"}


class Rule(NamedTuple):
    """What a symbol with certain relations becomes."""

    label: str
    relations: tuple[str, ...]
    parts: tuple[str, ...]


NEXT_TO = Rule("REL_DEFAULT", (RIGHT,), ("PARENT", "CHILD"))


@dataclass(slots=True)
class Translation:
    """The rules of a map: for symbols by label, for structures in the order of the file."""

    symbols: dict[str, Rule] = field(default_factory=dict)
    structures: list[Rule] = field(default_factory=list)
    default: Rule = NEXT_TO

    def structure(self, symbol: Symbol, left: Mapping[str, Row]) -> Rule | None:
        """Return the rule that takes most of the relations that are left, the symbol's own before those for any."""
        fitting = [
            rule
            for rule in self.structures
            if rule.label in {symbol.label, ANY} and set(rule.relations) <= left.keys()
        ]
        return max(fitting, key=lambda rule: (rule.label != ANY, len(rule.relations)), default=None)

    def beside(self, symbol: Symbol) -> Rule:
        """Return the rule for a symbol and what is right of it."""
        beside = BESIDE.get(symbol.label, RIGHT)
        fitting = [
            rule
            for rule in self.structures
            if rule.relations == (beside,) and rule.label in {symbol.label, ANY}
        ]
        return max(fitting, key=lambda rule: rule.label != ANY, default=self.default)


def read_map(path: str | Path) -> Translation:
    """Return the rules of a file: sections SYMBOLS and STRUCTURE, and lines LABEL[, RELATION...], ->, PARTS."""
    return parse_map(text_of(path), str(path))


def parse_map(text: str, file: str = "the map") -> Translation:
    r"""Return the rules of a map.

    >>> rules = parse_map('SYMBOLS\n\\times,->," times "\nSTRUCTURE\nANY,Sup,->,PARENT,^(,Sup,)')
    >>> rules.structures
    [Rule(label='ANY', relations=('Sup',), parts=('PARENT', '^(', 'Sup', ')'))]
    """
    found = Translation()
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        fields = next(csv.reader([line], skipinitialspace=True))
        where = f"{file}, line {number}"
        if len(fields) == 1 and fields[0].strip() in SECTIONS:
            section = fields[0].strip()
            continue
        _add(found, _rule(fields, where), section, where)
    return found


def _rule(fields: list[str], where: str) -> Rule:
    marks = [field.strip() for field in fields]
    if ARROW not in marks or marks[0] in {"", ARROW}:
        raise InputError(
            f"{where}: a rule is LABEL[, RELATION...], ->, PARTS; found {', '.join(fields)!r}"
        )
    arrow = marks.index(ARROW)
    relations = tuple(LONG.get(mark, mark) for mark in marks[1:arrow])
    parts = tuple(
        LONG.get(part.strip(), part) if part.strip() in marks[1:arrow] else part
        for part in fields[arrow + 1 :]
    )
    return Rule(
        marks[0],
        relations,
        tuple(part.strip() if part.strip() in {"PARENT", "CHILD"} else part for part in parts),
    )


def _add(found: Translation, rule: Rule, section: str, where: str) -> None:
    section = DEFAULTS.get(rule.label, section)
    if not section:
        raise InputError(
            f"{where}: a rule stands in a section; begin with a line {' or '.join(SECTIONS)}"
        )
    if rule.label == "REL_DEFAULT":
        found.default = NEXT_TO._replace(parts=rule.parts)
    elif section == "SYMBOLS":
        found.symbols[rule.label] = rule
    elif rule.relations:
        found.structures.append(rule)
    else:
        raise InputError(
            f"{where}: a rule of structure names relations between its label and the arrow"
        )


def text(graph: LabelGraph, *, rules: Translation) -> str:
    r"""Return the formula of a graph as the rules say.

    A symbol becomes the parts of its rule, of OBJ_DEFAULT, or its label; `_L_` is its label, `_I_` its primitives. A
    structure's parts may be PARENT (the symbol as far as it is translated), CHILD (its only relation's row), or a
    relation's name for its row. What is right of a symbol follows by ANY,Right or REL_DEFAULT, or else at once.

    >>> from karat.graphs.formats.latex import parse_latex
    >>> rules = parse_map("STRUCTURE\nANY,Sup,->,PARENT,' to the ',Sup\n-,Above,Below,->,(,Above,) over (,Below,)")
    >>> text(parse_latex(r"\frac{x^2}{y}").graph, rules=rules)
    "(x' to the '2) over (y)"
    """
    return _Writer(rules, graph.name or "the graph").row(formula_of(graph))


class _Writer:
    def __init__(self, rules: Translation, where: str) -> None:
        self.rules = rules
        self.where = where
        self.depth = 0

    def row(self, row: Row) -> str:
        """Return a row, from its end: what is right of a symbol is a part of its rule."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise InputError(f"{self.where}: more than {DEEPEST} rows lie in each other")
        found: str | None = None
        for symbol in reversed(row):
            own = self.symbol(symbol)
            rule = self.rules.beside(symbol)
            slots = (
                {"PARENT": own, "CHILD": found, rule.relations[0]: found}
                if found is not None
                else {}
            )
            found = _filled(rule.parts, slots, symbol) if slots else own
        self.depth -= 1
        return found or ""

    def symbol(self, symbol: Symbol) -> str:
        """Return a symbol with all that hangs on it."""
        rule = self.rules.symbols.get(symbol.label) or self.rules.symbols.get("OBJ_DEFAULT")
        found = _filled(rule.parts if rule else ("_L_",), {}, symbol)
        left = dict(symbol.regions)
        while left:
            chosen = self.rules.structure(symbol, left)
            if chosen is None:
                raise InputError(
                    f"{self.where}: no rule of the map says what '{symbol.label}' with {', '.join(left)} becomes; "
                    f"add a line ANY,{next(iter(left))},->,... under STRUCTURE"
                )
            parts = {name: self.row(left.pop(name)) for name in chosen.relations}
            child = {"CHILD": parts[chosen.relations[0]]} if len(parts) == 1 else {}
            found = _filled(chosen.parts, {"PARENT": found, **parts, **child}, symbol)
        return found


def _filled(parts: tuple[str, ...], slots: Mapping[str, str], symbol: Symbol) -> str:
    primitives = '"' + "".join(f"{name}:" for name in symbol.primitives) + '"'
    return "".join(
        slots[part]
        if part in slots
        else part.replace("_I_", primitives).replace("_L_", symbol.label)
        for part in parts
    )
