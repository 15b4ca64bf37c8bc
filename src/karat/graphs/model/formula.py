"""A formula as it is laid out: rows of symbols, and at each symbol the rows above, below, inside and at its corners."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from karat.errors import InputError
from karat.graphs.model.grid_levels import CELL, NEXT_CELL, NEXT_ROW, ROW, without_levels
from karat.graphs.model.labelling import by_star
from karat.graphs.model.layout import layout
from karat.graphs.model.legality import why_no_tree
from karat.graphs.model.segments import Group, segments
from karat.graphs.model.structure import LabelGraph, Object, Relation
from karat.words import listing

RIGHT = "Right"
ABOVE = "Above"
BELOW = "Below"
INSIDE = "Inside"
SUB = "Sub"
SUP = "Sup"
REGIONS = (ABOVE, BELOW, INSIDE, SUB, SUP)
DEEPEST = 100
"""How deep rows may be nested: what people write ends below ten."""
LONGEST = 5_000
"""How many symbols a formula may have."""
LONG = {
    "R": RIGHT, "A": ABOVE, "B": BELOW, "I": INSIDE, "HOR": RIGHT, "CONTAINS": INSIDE, "SUP": SUP, "SUB": SUB,
    "ABOVE": ABOVE, "BELOW": BELOW,
}  # fmt: skip
"""The names of the years up to 2013."""
SHORT = {RIGHT: "R", ABOVE: "A", BELOW: "B", INSIDE: "I"}
BESIDE = {ROW: NEXT_ROW, CELL: NEXT_CELL}
"""How the next in a row is related to a row or a cell of a matrix; to all other symbols it is Right."""


@dataclass(slots=True, eq=False)
class Symbol:
    """A symbol, and its rows by their relation."""

    label: str
    id: str = ""
    primitives: tuple[str, ...] = ()
    regions: dict[str, list["Symbol"]] = field(default_factory=dict)
    line: int = 0


Row = list[Symbol]


class Step(NamedTuple):
    """A symbol, its parent, their relation, and its path from the first symbol."""

    symbol: Symbol
    parent: Symbol | None
    relation: str
    path: str


def walk(row: Row) -> Iterator[Step]:
    """Give every symbol after its parent, the rows at a symbol before what is right of it.

    The path is that of symLG files: O, and then for each relation R, Sub, Sup, Above, Below or Inside; within a matrix
    also Nrow and NcellR.
    """
    todo: list[tuple[Row, int, Symbol | None, str, str]] = [(row, 0, None, "", "O")] if row else []
    while todo:
        line, place, parent, relation, path = todo.pop()
        symbol = line[place]
        yield Step(symbol, parent, relation, path)
        if place + 1 < len(line):
            beside = BESIDE.get(symbol.label, RIGHT)
            todo.append((line, place + 1, symbol, beside, path + SHORT.get(beside, beside)))
        for name, part in reversed(symbol.regions.items()):
            if part:
                todo.append((part, 0, symbol, name, path + name))


def too_long(row: Row) -> str | None:
    """Return the error for a formula of too many symbols: each would be named by the whole path that leads to it."""
    number = 0
    todo = [row]
    while todo:
        line = todo.pop()
        number += len(line)
        for symbol in line:
            todo += symbol.regions.values()
    if number <= LONGEST:
        return None
    return f"the formula has {number:,} symbols; up to {LONGEST:,} are read"


def graph_of(row: Row, name: str = "", *, comments: tuple[str, ...] = ()) -> LabelGraph:
    """Return the tree of a formula; a symbol without primitives has its path for one, as in symLG files."""
    steps = list(walk(row))
    ids = _ids([step.symbol for step in steps])
    objects = []
    relations = []
    for step in steps:
        primitives = step.symbol.primitives or (step.path,)
        objects.append(Object(ids[step.symbol], step.symbol.label, 1.0, primitives))
        if step.parent is not None:
            relations.append(Relation(ids[step.parent], ids[step.symbol], step.relation, 1.0))
    return LabelGraph(name, objects=tuple(objects), relations=tuple(relations), comments=comments)


def _ids(symbols: list[Symbol]) -> dict[Symbol, str]:
    """Return the id of every symbol; one without gets its label and a number."""
    taken = {one.id for one in symbols if one.id}
    number: Counter[str] = Counter()
    ids = {}
    for one in symbols:
        name = one.id
        while not name:
            number[one.label] += 1
            trial = f"{one.label}_{number[one.label]}"
            name = "" if trial in taken else trial
        taken.add(name)
        ids[one] = name
    return ids


def formula_of(graph: LabelGraph) -> Row:
    """Return the rows of symbols that the relations of a graph lay out; inherited relations are left out."""
    graph = without_levels(graph)
    written = segments(by_star(graph))
    tree = layout(written)
    where = graph.name or "the graph"
    if tree is None:
        raise InputError(
            f"{where}: its relations do not form a tree, so it is not a formula: {why_no_tree(written)}; "
            "`karat check` says where"
        )
    roots = tree.children.get(None, [])
    if len(roots) > 1:
        named = listing(_named(graph, roots), most=4)
        raise InputError(
            f"{where}: {len(roots)} of its objects have no parent, {named}; a formula begins with one"
        )
    order = {name: place for place, name in enumerate(graph.primitives())}
    symbols = {
        group: _symbol(group, labels, order, where) for group, labels in tree.classes.items()
    }
    ids = {frozenset(one.primitives): one.id for one in graph.objects}
    follows: dict[Symbol, dict[str, Symbol]] = {}
    for group, symbol in symbols.items():
        symbol.id = ids.get(group, "")
        for child in tree.children.get(group, ()):
            relation = _relation(tree.mark[child], symbol, where)
            known = follows.setdefault(symbol, {})
            if relation in known:
                raise InputError(
                    f"{where}: '{symbol.label}' has two parts {relation}, '{known[relation].label}' and "
                    f"'{symbols[child].label}'; in a formula they would be one row"
                )
            known[relation] = symbols[child]
    if not roots:
        return []
    return _row(symbols[roots[0]], follows)


def _named(graph: LabelGraph, groups: list[Group]) -> list[str]:
    ids = {frozenset(one.primitives): one.id for one in graph.objects}
    return sorted(ids.get(group, min(group)) for group in groups)


def _symbol(group: Group, marks: frozenset[str], order: Mapping[str, int], where: str) -> Symbol:
    if len(marks) != 1:
        raise InputError(
            f"{where}: the object of {listing(sorted(group), most=4)} has {len(marks)} classes "
            f"({', '.join(sorted(marks)) or 'none'}); a symbol has one"
        )
    (label,) = marks
    return Symbol(label, primitives=tuple(sorted(group, key=order.__getitem__)))


def _relation(marks: frozenset[str], symbol: Symbol, where: str) -> str:
    if len(marks) != 1:
        raise InputError(
            f"{where}: a relation of '{symbol.label}' has the labels {listing(sorted(marks))}; give it one"
        )
    (label,) = marks
    return LONG.get(label, label)


def _row(first: Symbol, follows: Mapping[Symbol, Mapping[str, Symbol]]) -> Row:
    """Return the row that begins with a symbol, with the rows at its symbols in it."""
    whole: Row = []
    todo: list[tuple[Symbol, Row]] = [(first, whole)]
    while todo:
        symbol, row = todo.pop()
        row.append(symbol)
        known = follows.get(symbol, {})
        beside = BESIDE.get(symbol.label, RIGHT)
        for name in (*REGIONS, *sorted(known.keys() - {beside, *REGIONS})):
            if name in known:
                symbol.regions[name] = []
                todo.append((known[name], symbol.regions[name]))
        if beside in known:
            todo.append((known[beside], row))
    return whole
