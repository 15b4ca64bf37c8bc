"""Graphs as a table of answers: rows are expressions, objects, primitives or pairs; columns the truth and systems."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from karat.errors import ChoiceError, InputError
from karat.graphs.compare.comparison import PreparedGraph, prepare, prepared
from karat.graphs.compare.rules import Rules
from karat.graphs.compare.tokens.formula_rows import formula_rows
from karat.graphs.compare.unit_rows import UNIT_ROWS, UNITS, UnitRow
from karat.graphs.formats.folder import GraphSet
from karat.graphs.formats.folder_warnings import doubts
from karat.graphs.formats.pairing import extra, paired, truths_left_out
from karat.graphs.options import Unit
from karat.words import counted, listing

FORMULA = "formula"
ITEM = "(item)"
TRUTH = "(truth)"
FILE = "(file)"
NUMBER = "(number)"
OWNER = "(errs with)"
COLUMNS = frozenset({ITEM, TRUTH, FILE, NUMBER, OWNER})
"""Names that no system may have."""
_WITH_ARTICLE = {
    "expression": "an expression",
    "object": "an object",
    "primitive": "a primitive",
    "pair": "a pair",
    FORMULA: "a formula",
}


@dataclass(frozen=True, slots=True)
class GraphTable:
    """Columns by name, and how many rows of which kind they leave out."""

    unit: Unit
    systems: tuple[str, ...]
    columns: Mapping[str, list[Any]]
    has_truth: bool
    origin: str
    remarks: tuple[str, ...]
    """What was left out or is absent, in words."""
    within: int = 0
    """How many tokens of a formula may be wrong."""


def graph_table(
    truth: GraphSet | None,
    systems: Sequence[GraphSet],
    unit: str,
    rules: Rules,
    *,
    within: int = 0,
) -> GraphTable:
    """Return the answers of graphs, one row a unit; a formula is right with up to `within` wrong tokens."""
    if unit not in UNITS:
        raise ChoiceError("--unit", unit, UNITS)
    names = _distinct_names(systems)
    remarks: list[str] = []
    if truth is not None:
        remarks += truths_left_out(truth)
    if unit == FORMULA:
        rows = list(formula_rows(truth, systems, within=within))
        files = [row.item for row in rows]
        remarks += _absent_formulas(rows, names)
    else:
        found = _rows_of_graphs(truth, systems, unit, rules)
        rows = found.rows
        files = found.files
        remarks += _unusable_files(truth, systems)
        remarks += _note_on_surplus(dict(zip(names, found.surplus, strict=True)))
    if not rows:
        raise InputError(f"no graph has {_WITH_ARTICLE[unit]}; there is nothing to judge")
    columns: dict[str, list[Any]] = {
        ITEM: [row.item for row in rows],
        FILE: files,
        NUMBER: [row.number for row in rows],
    }
    answering = names if truth is None else (TRUTH, *names)
    for place, name in enumerate(answering):
        columns[name] = [row.labels[place] for row in rows]
    return GraphTable(
        unit=cast("Unit", unit),
        systems=names,
        columns=columns,
        has_truth=truth is not None,
        origin=truth.shown if truth else " and ".join(one.shown for one in systems),
        remarks=tuple(remarks),
        within=within,
    )


@dataclass(frozen=True, slots=True)
class _RowsOfGraphs:
    """The rows of all expressions, the file of each, and how many objects of each system the truth does not have."""

    rows: list[UnitRow]
    files: list[str]
    surplus: list[int]


def _rows_of_graphs(
    truth: GraphSet | None, systems: Sequence[GraphSet], unit: str, rules: Rules
) -> _RowsOfGraphs:
    rows: list[UnitRow] = []
    files: list[str] = []
    surplus = [0] * len(systems)
    for file, graphs in expressions(truth, systems, rules):
        new = list(UNIT_ROWS[unit](file, graphs, rules, truth is not None))
        rows += new
        files += [file] * len(new)
        if unit == "object" and truth is not None:
            true_graph, *outputs = graphs
            true_objects = true_graph.segments.objects.keys()
            for place, output in enumerate(outputs):
                surplus[place] += len(output.segments.objects.keys() - true_objects)
    return _RowsOfGraphs(rows, files, surplus)


def _distinct_names(systems: Sequence[GraphSet]) -> tuple[str, ...]:
    """Return the names of systems, which differ from each other and from the other columns."""
    names = tuple(one.name for one in systems)
    taken = COLUMNS.intersection(names)
    if taken:
        raise InputError(
            f"a system is called {min(taken)!r}, which has a meaning of its own; give the system another name"
        )
    if len(set(names)) < len(names):
        raise InputError(
            f"two systems are called {max(names, key=names.count)!r}; name them as NAME=DIR"
        )
    return names


def _unusable_files(truth: GraphSet | None, systems: Sequence[GraphSet]) -> Iterator[str]:
    """Give a note on each kind of files that are read as graphs without primitives, or left out."""
    if truth is not None:
        yield from truth.left_out()
    every = dict.fromkeys(name for one in systems for name in one.graphs)
    for one in systems:
        names = list(every) if truth is None else list(paired(truth, one).values())
        states = Counter(one.state(name) for name in names)
        del states[""]
        for state, number in states.items():
            yield f"{one.name}: {counted(number, 'file')} {state}, taken as a graph without primitives."
        if truth is not None:
            yield from doubts(truth, one)
            others = extra(truth, one)
            if others:
                many = counted(len(others), "file")
                yield f"{one.name}: {many} without a truth left out: {listing(others, most=3)}."
        yield from one.left_out()


def _absent_formulas(rows: Sequence[UnitRow], names: Sequence[str]) -> Iterator[str]:
    """Give a note on each system that lacks formulas."""
    for place, name in enumerate(names, -len(names)):
        absent = [row.item for row in rows if row.labels[place] is None]
        if absent:
            many = counted(len(absent), "formula")
            yield f"{name}: {many} without an output that is a formula: {listing(absent, most=3)}."


def _note_on_surplus(surplus: Mapping[str, int]) -> Iterator[str]:
    """Give a note on objects that the truth does not have: they are not rows."""
    if any(surplus.values()):
        numbers = ", ".join(f"{name} {many:,}" for name, many in surplus.items() if many)
        yield f"Objects that the truth does not have, which are not rows: {numbers}."


def expressions(
    truth: GraphSet | None, systems: Sequence[GraphSet], rules: Rules
) -> Iterator[tuple[str, list[PreparedGraph]]]:
    """Give the graphs of each expression, ready to be compared: the truth's first, if there is one."""
    if truth is None:
        for name in sorted({name for one in systems for name in one.graphs}):
            yield name, [prepare(one.graph(name), rules) for one in systems]
        return
    partners = [paired(truth, one) for one in systems]
    for name, graph in truth.graphs.items():
        wanted = prepare(graph, rules)
        graphs = [wanted]
        for one, partner in zip(systems, partners, strict=True):
            graphs.append(prepared(one.graph(partner[name]), wanted, rules))
        yield name, graphs
