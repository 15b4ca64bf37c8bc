"""LgEval's Summary of a system in one table: labels, objects, relations, files, and how many errors."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.graphs.compare.counts import Graphs
from karat.graphs.compare.rates import edges, pairs, share, total
from karat.graphs.compare.score_warnings import system_warnings
from karat.graphs.compare.summary import whole
from karat.result import Result
from karat.result.base import Row

HISTOGRAM = 5
"""Numbers of wrong labels up to this are counted each by itself."""
Number = float | int
COLUMNS = "Wrong pairs: SegErr, merged in one graph only; ClErr, merged in both, of another class; RelErr, others."
FOUND = "... of found: of those whose place is right, how many have the right label too."


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSummary(Result):
    """Rates of primitives, pairs, objects, relations and expressions of every system, each with its counts."""

    tally: Graphs
    about: Mapping[str, Any] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    section = "system"

    def rows(self) -> list[dict[str, Any]]:
        """Return the lines of the summary, system by system."""
        rows: list[dict[str, Any]] = []
        for system in self.tally.systems:
            rows += ({"system": system, **line} for line in _lines(self.tally.of(system)))
        return rows

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what the columns are, and what was scored as absent."""
        notes = [f"warning: {what}" for what in self.unread]
        for name in self.tally.systems:
            notes += (f"warning: {name}: {what}" for what in system_warnings(self.tally.of(name)))
        return (*notes, COLUMNS, FOUND)


def _lines(tally: Graphs) -> Iterator[Row]:
    yield from _labels(tally)
    yield from _undirected(tally)
    yield from _found(tally, "objects", "right_objects", "right_classes", "classes")
    yield from _found(tally, "relations", "right_places", "right_relations", "labels")
    yield from _expressions(tally)
    yield from _histogram(tally)


def _line(part: str, what: str, of: Number, wrong: Number, **more: Number | None) -> dict[str, Any]:
    right = of - wrong
    line = {
        "part": part,
        "what": what,
        "value": share(right, of),
        "of": whole(of),
        "right": whole(right),
        "wrong": whole(wrong),
    }
    for name in ("SegErr", "ClErr", "RelErr"):
        value = more.get(name)
        line[name] = None if value is None else whole(value)
    return line


def _sum(tally: Graphs, name: str) -> float:
    return float(tally[name].sum())


def _labels(tally: Graphs) -> Iterator[Row]:
    """Give primitives, ordered pairs, and both."""
    number = _sum(tally, "n")
    possible = float(pairs(tally).sum())
    wrong_nodes = _sum(tally, "dC")
    wrong_pairs = float(edges(tally).sum())
    merges = _sum(tally, "dS")
    classes = _sum(tally, "merge_class") if tally.rules.semantics == "lgeval" else 0.0
    others = wrong_pairs - merges - classes
    yield _line("labels", "primitives", number, wrong_nodes)
    yield _line(
        "labels", "pairs", possible, wrong_pairs, SegErr=merges, ClErr=classes, RelErr=others
    )
    yield _line("labels", "all", number + possible, wrong_nodes + wrong_pairs)


def _undirected(tally: Graphs) -> Iterator[Row]:
    """Give pairs whichever way round, and all labels with these."""
    number = _sum(tally, "n")
    ordered = float(pairs(tally).sum())
    possible = ordered if tally.rules.undirected else ordered / 2
    wrong_nodes = _sum(tally, "dC")
    wrong = _sum(tally, "pairs")
    merges = _sum(tally, "merge_pairs")
    classes = _sum(tally, "merge_class_pairs") if tally.rules.semantics == "lgeval" else 0.0
    others = wrong - merges - classes
    yield _line("undirected", "pairs", possible, wrong, SegErr=merges, ClErr=classes, RelErr=others)
    yield _line("undirected", "all", number + possible, wrong_nodes + wrong)


def _found(tally: Graphs, part: str, places: str, labelled: str, labels: str) -> Iterator[Row]:
    """Give recall and precision of detection, of detection with label, and of the labels of what was found."""
    in_truth = _sum(tally, part)
    in_output = _sum(tally, f"found_{part}")
    right = _sum(tally, places)
    with_label = _sum(tally, labelled)
    yield _line(part, "recall", in_truth, in_truth - right)
    yield _line(part, "precision", in_output, in_output - right)
    yield _line(part, f"recall + {labels}", in_truth, in_truth - with_label)
    yield _line(part, f"precision + {labels}", in_output, in_output - with_label)
    yield _line(part, f"{labels} of found", right, right - with_label)


def _expressions(tally: Graphs) -> Iterator[Row]:
    """Give the expressions with all objects, relations and labels right."""
    number = len(tally)
    objects = tally["all_objects"] > 0
    places = tally["all_places"] > 0
    structure = objects & places
    right = total(tally) == 0
    steps = (
        ("objects", objects, tally["all_classes"] > 0, "classes"),
        ("relations", places, tally["all_relations"] > 0, "labels"),
        ("structure", structure, right, "all labels"),
    )
    for what, found, labelled, labels in steps:
        yield _line("expressions", what, number, number - int(found.sum()))
        yield _line("expressions", f"{what} + {labels}", number, number - int(labelled.sum()))
        both = int((found & labelled).sum())
        yield _line("expressions", f"{labels} of found", int(found.sum()), int(found.sum()) - both)


def _histogram(tally: Graphs) -> Iterator[Row]:
    """Give how many expressions have so many wrong labels, and at most so many."""
    number = len(tally)
    wrong = total(tally)
    for most in range(HISTOGRAM + 1):
        yield _line("wrong labels", f"= {most}", number, number - int((wrong == most).sum()))
    yield _line("wrong labels", f"> {HISTOGRAM}", number, int((wrong <= HISTOGRAM).sum()))
    for most in range(HISTOGRAM + 1):
        yield _line("wrong labels", f"<= {most}", number, number - int((wrong <= most).sum()))
