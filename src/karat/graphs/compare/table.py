"""Graphs as a table of answers: rows are expressions, objects, primitives or pairs; columns the truth and systems."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, get_args

from karat.errors import ChoiceError, InputError
from karat.graphs.compare.difference import ABSENT
from karat.graphs.compare.rules import Prepared, Rules, prepare, prepared
from karat.graphs.formats.folder import GraphSet, extra, paired
from karat.graphs.formats.folder_warnings import doubts
from karat.graphs.model.labelling import NOTHING, Labels
from karat.graphs.options import Unit
from karat.words import counted, listing

UNITS = get_args(Unit)
NO_OBJECT = "∅"
"""The answer of a system that has no object of these primitives, or not this primitive."""
ITEM, TRUTH, FILE, NUMBER, OWNER = "(item)", "(truth)", "(file)", "(number)", "(errs with)"
"""Columns that no system is called like."""


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


Graphs = Sequence[Prepared]
"""One expression: the truth's graph first, if there is one, and then each system's."""
There = tuple[bool, ...]
"""Which graphs have a primitive."""
Row = tuple[str, list[str | None], int, tuple[str, ...]]
"""The item, its labels (None where a system is not asked), how many such rows there are, and the primitives of one."""


def graph_table(
    truth: GraphSet | None, systems: Sequence[GraphSet], unit: str, rules: Rules
) -> GraphTable:
    """Return the answers of graphs, one row a unit."""
    if unit not in UNITS:
        raise ChoiceError("--unit", unit, UNITS)
    names = _told_apart(systems)
    rows: list[tuple[str, Row]] = []
    surplus = dict.fromkeys(names, 0)
    told = truth is not None
    for file, graphs in expressions(truth, systems, rules):
        rows += ((file, row) for row in ROWS[unit](file, graphs, rules, told))
        if unit == "object" and told:
            for name, graph in zip(names, graphs[1:], strict=True):
                surplus[name] += len(
                    graph.segments.objects.keys() - graphs[0].segments.objects.keys()
                )
    if not rows:
        raise InputError(f"no graph has {_AN[unit]}; there is nothing to judge")
    columns: dict[str, list[Any]] = {
        ITEM: [row[0] for _, row in rows],
        FILE: [file for file, _ in rows],
        NUMBER: [row[2] for _, row in rows],
    }
    for place, name in enumerate((TRUTH, *names) if told else names):
        columns[name] = [row[1][place] for _, row in rows]
    origin = " and ".join([truth.origin] if truth else [one.origin for one in systems])
    said = (*_absent(truth, systems), *_extra_objects(surplus))
    return GraphTable(unit, names, columns, told, origin, said)  # type: ignore[arg-type]


def _told_apart(systems: Sequence[GraphSet]) -> tuple[str, ...]:
    """Return the names of systems, which are no other columns' and each one's own."""
    names = tuple(one.name for one in systems)
    if taken := {ITEM, TRUTH, FILE, NUMBER, OWNER}.intersection(names):
        raise InputError(
            f"a system is called {min(taken)!r}, which has a meaning of its own; name it otherwise"
        )
    if len(set(names)) < len(names):
        raise InputError(
            f"two systems are called {max(names, key=names.count)!r}; name them as NAME=DIR"
        )
    return names


def _absent(truth: GraphSet | None, systems: Sequence[GraphSet]) -> Iterator[str]:
    """Say which files are answered by nothing, or count for nothing."""
    every = dict.fromkeys(name for one in systems for name in one.graphs)
    yield from truth.left_out() if truth else ()
    for one in systems:
        names = [*paired(truth, one).values()] if truth else list(every)
        states = Counter(state for name in names if (state := one.state(name)))
        for state, number in states.items():
            yield f"{one.name}: {counted(number, 'file')} {state}, taken as a graph without primitives."
        yield from doubts(truth, one) if truth else ()
        if truth and (others := extra(truth, one)):
            yield f"{one.name}: {counted(len(others), 'file')} without a truth left out: {listing(others, most=3)}."
        yield from one.left_out()


def _extra_objects(number: Mapping[str, int]) -> Iterator[str]:
    """Say how many objects the truth does not have: they are no rows."""
    if any(number.values()):
        told = ", ".join(f"{name} {many:,}" for name, many in number.items() if many)
        yield f"Objects that the truth does not have, which are no rows: {told}."


def expressions(
    truth: GraphSet | None, systems: Sequence[GraphSet], rules: Rules
) -> Iterator[tuple[str, list[Prepared]]]:
    """Give the graphs of each expression, ready to be compared."""
    if truth is None:
        for name in sorted({name for one in systems for name in one.graphs}):
            yield name, [prepare(one.graph(name), rules) for one in systems]
        return
    pairs = [paired(truth, one) for one in systems]
    for name, graph in truth.graphs.items():
        wanted = prepare(graph, rules)
        others = [one.graph(pair[name]) for one, pair in zip(systems, pairs, strict=True)]
        yield name, [wanted, *(prepared(each, wanted, rules) for each in others)]


def _expression(file: str, graphs: Graphs, _: Rules, __: bool) -> Iterator[Row]:
    """Give one row; graphs that are the same have the same label, which says nothing of other expressions."""
    keys = [
        (frozenset(one.labels.nodes.items()), frozenset(one.labels.edges.items())) for one in graphs
    ]
    kinds = sorted(
        set(keys),
        key=lambda key: (
            sorted((a, *sorted(b)) for a, b in key[0]),
            sorted((*a, *sorted(b)) for a, b in key[1]),
        ),
    )
    place = {key: f"reading {number}" for number, key in enumerate(kinds, 1)}
    yield file, [place[key] for key in keys], 1, ()


def _object(file: str, graphs: Graphs, _: Rules, told: bool) -> Iterator[Row]:
    """Give a row for every object of the truth, or of any system where there is no truth."""
    wanted = graphs[:1] if told else graphs
    groups = dict.fromkeys(group for one in wanted for group in one.segments.objects)
    for group in groups:
        found = [one.segments.objects.get(group) for one in graphs]
        yield (
            _name(file, sorted(group)),
            [NO_OBJECT if each is None else text(each) for each in found],
            1,
            (*group,),
        )


def _primitive(file: str, graphs: Graphs, _: Rules, __: bool) -> Iterator[Row]:
    """Give a row for every primitive of any graph."""
    for name in dict.fromkeys(name for one in graphs for name in one.labels.nodes):
        found = [one.labels.nodes.get(name) for one in graphs]
        yield (
            _name(file, [name]),
            [NO_OBJECT if each is None else text(each) for each in found],
            1,
            (name,),
        )


def _pair(file: str, graphs: Graphs, rules: Rules, told: bool) -> Iterator[Row]:
    """Give a row for every labelled pair, and one for all others that are alike.

    A system answers for the pairs of its own primitives and those of the truth: others, which only further systems
    have, are nothing it was asked about.
    """
    there = {
        name: tuple(name in one.labels.nodes for one in graphs)
        for one in graphs
        for name in one.labels.nodes
    }
    rest = _possible(Counter(there.values()), undirected=rules.undirected)
    for a, b in dict.fromkeys(pair for one in graphs for pair in one.labels.edges):
        ends = there[a], there[b]
        rest[ends if ends in rest else ends[::-1]] -= 1
        marks = [one.labels.edges.get((a, b), NOTHING) for one in graphs]
        yield _name(file, [a, b], " > "), _marks(*ends, marks, rules, told=told), 1, (a, b)
    alike: Counter[tuple[str | None, ...]] = Counter()
    for ends, number in rest.items():
        alike[tuple(_marks(*ends, [NOTHING] * len(graphs), rules, told=told))] += number
    for labels, number in alike.items():
        if number:
            signs = "".join(
                "." if mark is None else "-" if mark == text(ABSENT) else "+" for mark in labels
            )
            yield f"{file}: pairs without a label, {signs}", list(labels), number, ()


def _possible(number: Mapping[There, int], *, undirected: bool) -> dict[tuple[There, There], int]:
    """Return how many pairs there are of primitives that these and those graphs have."""
    if undirected:
        found = {
            (one, other): number[one] * number[other] for one, other in combinations(number, 2)
        }
        return found | {(one, one): many * (many - 1) // 2 for one, many in number.items()}
    return {
        (one, two): number[one] * (number[two] - (one == two)) for one in number for two in number
    }


def _marks(
    first: There, second: There, labels: Sequence[Labels], rules: Rules, *, told: bool
) -> list[str | None]:
    """Return what each graph says of a pair; None of a system that, with the truth, lacks an end of it."""
    found: list[str | None] = []
    for place, marks in enumerate(labels):
        own = [end[place] for end in ((first, second) if rules.undirected else (first,))]
        if told and place and not all(end[place] or end[0] for end in (first, second)):
            found.append(None)
        else:
            found.append(text(marks if all(own) or not rules.marks_absent else ABSENT))
    return found


def text(labels: Labels) -> str:
    """Return a set of labels as one."""
    if len(labels) == 1:
        (label,) = labels
        return label
    return " | ".join(sorted(labels)) or NO_OBJECT


def _name(file: str, parts: Sequence[str], between: str = " ") -> str:
    return f"{file}: {between.join(parts)}"


ROWS: Mapping[str, Callable[[str, Graphs, Rules, bool], Iterator[Row]]] = {
    "expression": _expression,
    "object": _object,
    "primitive": _primitive,
    "pair": _pair,
}
_AN = {
    "expression": "an expression",
    "object": "an object",
    "primitive": "a primitive",
    "pair": "a pair",
}
