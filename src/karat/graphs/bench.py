"""The questions of label graphs: what went wrong inside, and every question of a table."""

from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from karat.ask.label_errors import said_errors
from karat.ask.preconditions import Per
from karat.bench import Bench, read
from karat.doubt.label_noise.correlated_errors import every_label, shared_label
from karat.errors import InputError, OptionError
from karat.graphs.compare.counts import Graphs, graphs, graphs_by_level
from karat.graphs.compare.distance import Distance
from karat.graphs.compare.distances import Distances, set_distances
from karat.graphs.compare.metrics_files import metrics_files
from karat.graphs.compare.result import GraphScores
from karat.graphs.compare.rules import Rules
from karat.graphs.compare.table import (
    FILE,
    ITEM,
    NO_OBJECT,
    NUMBER,
    OWNER,
    TRUTH,
    GraphTable,
    graph_table,
)
from karat.graphs.draw.drawing import drawing
from karat.graphs.errors.browser import GraphBrowser, examples
from karat.graphs.errors.correlated_truth import FIRM, erring
from karat.graphs.errors.error_counts import KINDS, GraphErrors, graph_errors
from karat.graphs.errors.result import CommonErrors, Confusions
from karat.graphs.errors.subgraph_counts import SIZES, subgraphs
from karat.graphs.formats.folder import (
    GraphSet,
    aligned,
    called,
    checked_truth,
    of_graphs,
    paired,
    read_set,
)
from karat.graphs.formats.folder_warnings import doubts
from karat.graphs.model.structure import LabelGraph
from karat.measure.quantity import Quantity
from karat.questions.page import NO_SLIDERS, Say, Wish, inquire, unheard
from karat.questions.plot import Picture, drawn
from karat.report.findings import Findings
from karat.report.signature import about
from karat.report.writing import folder, write
from karat.table.layout import UNASKED
from karat.tally.counter import Counter, from_table
from karat.verdict.compare.result import Comparisons
from karat.verdict.consensus.item_labels import ItemTruth
from karat.verdict.consensus.parts import Parted
from karat.verdict.consensus.result import Standing
from karat.verdict.score.scores import FOREIGN, Scores
from karat.verdict.stability.correlated_errors import Together, curves_together, together
from karat.verdict.stability.result import Stability
from karat.verdict.stability.stability import Faults
from karat.verdict.whatif import ANY_NUMBER_OF_CLASSES, sliders

ERR = {
    "expression": (
        "objects",
        "An object that is wrong in the truth has another class there, and its strokes and relations as given.",
    ),
    "primitive": (
        "objects",
        "An object that is wrong in the truth has another class, in all its strokes at once.",
    ),
    "pair": (
        "relations",
        "A relation that is wrong in the truth is another one, or none, in all pairs of its strokes at once.",
    ),
}
"""What is wrong of a truth by which units are ranked, and what that means."""
NO_SUCH = "An object whose class is wrong in the truth stays an object: who has none there does not become right."
GraphsFrom = str | Path | Mapping[str, LabelGraph]
"""A folder or file of label graphs, or graphs by name."""


def read_graphs(
    truth: GraphsFrom | None,
    systems: Mapping[str, GraphsFrom] | Sequence[str | Path],
    *,
    unit: str = "expression",
    lenient: bool = False,
    **rules: Any,
) -> "GraphBench":
    """Read folders of label graphs: of the truth, or None where there is none, and of each system by name.

    The rules are those of `karat.graphs.compare.rules.Rules`: semantics, inherit, absent_edges, undirected, labels.
    `unit` is what the questions of a table are asked of: expression, object, primitive or pair.
    """
    named = systems if isinstance(systems, Mapping) else called(systems)
    answers = [_graphs(one, name, lenient=lenient) for name, one in named.items()]
    judge = None if truth is None else checked_truth(_graphs(truth, "truth", lenient=lenient))
    return GraphBench(
        judge,
        aligned(judge, answers),
        unit,
        Rules(**rules),
    )


class GraphBench(Bench):
    """Graphs of systems and maybe of the truth: what went wrong inside, and the questions of every table."""

    def __init__(
        self, truth: GraphSet | None, systems: Sequence[GraphSet], unit: str, rules: Rules
    ) -> None:
        self.truth, self.systems, self.unit, self.rules = truth, systems, unit, rules

    def sets(self) -> tuple[GraphSet, ...]:
        """Return the truth's graphs, if there are such, and the systems'."""
        return (*([self.truth] if self.truth else []), *self.systems)

    @cached_property
    def answers(self) -> GraphTable:
        """The graphs as rows of the unit."""
        if self.rules.labels == "expected":
            raise OptionError(
                "an expected distance has no rows that are right or wrong; say --labels best or top:K"
            )
        return graph_table(self.truth, self.systems, self.unit, self.rules)

    @cached_property
    def counter(self) -> Counter:  # type: ignore[override]
        """Who counts the rows; what is of one expression hangs together, where a truth is to score by."""
        together = self.unit != "expression" and self.truth is not None
        return self._counted(cluster=FILE if together else None)

    def score(
        self, *, measure: str | Sequence[str] | None = None, per: Per = "total", **options: Any
    ) -> Scores:
        """How good is each system, and how sure is that? Whole expressions have no classes, only right and wrong."""
        self._judge()
        if self.unit == "expression":
            if per == "class":
                raise OptionError(
                    "an expression is right or wrong and has no class; ask with --unit object"
                )
            measure = measure or "accuracy"
        found = super().score(measure=measure, per=per, **options)
        # What is strange about graphs is told by their folders.
        return replace(
            found, remarks=tuple(said for said in found.remarks if not said.endswith(FOREIGN))
        )

    def _counted(
        self, beside: Mapping[str, Sequence[Any]] | None = None, **roles: str | None
    ) -> Counter:
        """Return who counts the rows, with columns for these roles."""
        answers, columns = self.answers, {**self.answers.columns, **(beside or {})}
        roles |= {"truth": TRUTH} if answers.has_truth else {}
        roles |= {"count": NUMBER} if self.unit == "pair" else {}
        used = {ITEM, *answers.systems, *roles.values()}
        columns = {
            name: _asked(values) if self.unit == "pair" else values
            for name, values in columns.items()
            if name in used
        }
        said: dict[str, Any] = {
            "systems": answers.systems,
            "item": ITEM,
            "kinds": {"": "label"},
            **roles,
        }
        table = read(columns, **said).counter.table  # type: ignore[attr-defined]
        notes = (f"{self.unit}s of {answers.origin}.", *answers.remarks)
        found = from_table(replace(table, origin=answers.origin, notes=notes))
        options = {"unit": self.unit, **self.rules.options(), **found.facts.options}
        return replace(found, facts=replace(found.facts, options=options))

    def compare(self, **options: Any) -> Comparisons:
        """Is one system really better than another?"""
        self._judge()
        return super().compare(**options)

    def graph(
        self,
        *,
        per_file: bool = False,
        distinct: bool = False,
        levels: Mapping[str, Sequence[str]] | None = None,
    ) -> GraphScores:
        """What went wrong inside: labels of primitives and pairs, objects, relations, expressions.

        `distinct` counts the errors of REL-k as in 2012; `levels` names the labels of further levels of structure.
        """
        truth = self._judge()
        tally = graphs_by_level(truth, self.systems, self.rules, levels) if levels else self.tally
        said = {name: ",".join(labels) for name, labels in (levels or {}).items()}
        beside = self._about(said, [tally.digest()])
        unread = (
            *truth.left_out(),
            *(what for one in self.systems for what in (*one.unread, *doubts(truth, one))),
        )
        return GraphScores(
            tally=tally, per_file=per_file, distinct=distinct, about=beside, unread=unread
        )

    @cached_property
    def tally(self) -> Graphs:
        """What is counted of each system and expression."""
        return graphs(self._judge(), self.systems, self.rules)

    @cached_property
    def errors(self) -> GraphErrors:
        """What is counted of wrong labels."""
        return graph_errors(self._judge(), self.systems, self.rules)

    def confusions(self, *kinds: str) -> Confusions:
        """Which labels stand for which? Of primitives, pairs and objects."""
        return Confusions(
            errors=self.errors, about=self._about({}, [self.tally.digest()]), kinds=kinds or KINDS
        )

    def common_errors(self) -> CommonErrors:
        """Which errors do systems share, and which are one's own?"""
        return CommonErrors(errors=self.errors, about=self._about({}, [self.tally.digest()]))

    def distances(self, measure: Distance = "dB") -> Distances:
        """How far are the systems, and the truth, from each other?"""
        clash = any(self.truth and one.name == self.truth.name for one in self.systems)
        sets = [
            replace(one, name="(truth)") if one is self.truth and clash else one
            for one in self.sets()
        ]
        return replace(
            set_distances(sets, measure, self.rules), about=self._about({"distance": measure}, [])
        )

    def write_metrics(self, into: str | Path) -> int:
        """Write a file of metrics and one of differences per graph, as LgEval does; return how many graphs."""
        places = self._places(into)
        for one in self.systems:
            for name, (line, lines) in metrics_files(self._judge(), one, self.rules):
                place = places[one.name, name]
                write(f"{place}.csv", line)
                Path(f"{place}.diff").unlink(missing_ok=True)
                if lines:
                    write(f"{place}.diff", lines)
        return len(self._judge().graphs) * len(self.systems)

    def _places(self, into: str | Path) -> dict[tuple[str, str], Path]:
        """Return where files about a system's graph go, without their endings: all of them inside the folder."""
        found: dict[tuple[str, str], Path] = {}
        for one in self.systems:
            place = folder(Path(into) / _plain(one.name) if len(self.systems) > 1 else into)
            found |= {(one.name, name): place / _plain(name) for name in self._judge().graphs}
        if twice := [place for place, number in Tally(found.values()).items() if number > 1]:
            raise InputError(
                f"two graphs would be written to {twice[0]}; slashes become _, so name them otherwise"
            )
        return found

    def _judge(self) -> GraphSet:
        """Return the truth's graphs."""
        if self.truth is None:
            raise OptionError(
                "there is no truth to compare with; name its folder first, or ask consensus"
            )
        if not self.truth.graphs:
            raise InputError(f"{self.truth.origin} holds no expression to compare with")
        return self.truth

    def _about(self, options: Mapping[str, str], digests: Sequence[str]) -> dict[str, Any]:
        """Return what stands beside every result about graphs."""
        where = {"truth": self.truth.origin if self.truth else None}
        systems = {one.name: one.origin for one in self.systems}
        said = about("graph", [], None, {**self.rules.options(), **options}, digests)
        return {**said, "input": {**where, "systems": systems}}

    def findings(
        self, *, threshold: float | None = None, say: Say = unheard, **wish: Any
    ) -> Findings:
        """What can be said of these graphs? Every question of a table, and what went wrong inside."""
        if threshold is not None:
            raise OptionError("graphs hold labels, no scores; leave --threshold out")
        asked = Wish(**wish)
        found = inquire(_ByRow(self.truth, self.systems, self.unit, self.rules), asked, say=say)
        if self.unit == "expression" and found.sliders is not None:
            tally = replace(found.sliders.tallies, classes=ANY_NUMBER_OF_CLASSES)
            found = replace(found, sliders=sliders(tally, found.sliders.state))
        if self.truth is None:
            return found
        if len(self.systems) > 1:
            say("Do wrong objects in the truth matter?")
            options = {"level": asked.level, "draws": asked.draws, "seed": asked.seed}
            erring_truth = self.stability(label_error=asked.label_error, **options)
            rest = tuple(one for one in found.unasked if one != NO_SLIDERS)
            found = replace(found, erring=erring_truth, unasked=rest)
        say("What went wrong inside?")
        common = self.common_errors() if len(self.systems) > 1 else None
        found = replace(found, graphs=self.graph(), confusions=self.confusions(), common=common)
        return replace(found, browser=self.browse())

    def browse(self, *, sizes: Sequence[int] = SIZES) -> GraphBrowser:
        """Which small parts are read as what, and in which files? With outputs to look at."""
        tally = subgraphs(self._judge(), self.systems, self.rules, sizes=sizes)
        chosen, rest = examples(tally, self._judge(), self.systems)
        said = self._about({"sizes": ",".join(map(str, sizes))}, [self.tally.digest()])
        return GraphBrowser(tally=tally, examples=chosen, left_out=rest, about=said)

    def draw(self, into: str | Path) -> int:
        """Write a drawing of every output and its truth, one SVG a file, in a folder; return how many."""
        places = self._places(into)
        for one in self.systems:
            for name, other in paired(self._judge(), one).items():
                output = one.graph(other).named(f"{other}.lg")
                write(f"{places[one.name, name]}.svg", drawing(output, self._judge().graphs[name]))
        return len(self._judge().graphs) * len(self.systems)

    def plot(self, name: str, **options: Any) -> Picture:
        """Draw one picture: of graphs, or of what can be asked of a table."""
        if options.pop("threshold", None) is not None:
            raise OptionError("graphs hold labels, no scores; leave --threshold out")
        return drawn(name, self, **options)

    def stability(self, **options: Any) -> Stability:
        """Would the ranking survive errors in the truth? Errors are drawn per object or relation, never per stroke."""
        self._judge()
        if self.unit == "object":
            found = Bench(self._counted(self._claims())).stability(**options)
            wholes = tuple(replace(whole, things="objects") for whole in found.wholes)
            return replace(
                found, wholes=wholes, things="objects", remarks=(*found.remarks, NO_SUCH)
            )
        return self._together(**options)

    def _together(
        self,
        *,
        label_error: Any = None,
        measure: str = "accuracy",
        threshold: float | None = None,
        curves: bool = False,
        level: float = 0.95,
        **options: Any,
    ) -> Stability:
        """Return what a ranking of expressions, primitives or pairs survives: what errs is an object or a relation."""
        if measure not in {"accuracy", "error-rate"} or threshold is not None:
            raise OptionError(
                "what errs together has a law for accuracy; other measures go with --unit object"
            )
        counter, rows = self._counted(), erring(self._judge(), self.systems, self.unit, self.rules)
        facts, owned = (
            counter.facts,
            self._counted(rows.columns, cluster=OWNER, count=NUMBER).patterns(keys="c"),
        )
        lots = (every_label if self.unit == "expression" else shared_label)(owned, FIRM)
        said = said_errors(label_error, level=level).among(facts.meaning.label)
        faults, (things, remark) = Faults(said=said, level=level, **options), ERR[self.unit]
        classes = faults.classes or max(2, len(rows.labels))
        law = Together(lots, rows.labels, things, classes, faults.draws, faults.seed)
        patterns = counter.patterns()
        pairs, wholes = together(patterns, law, faults)
        told = dict(facts.options) | (
            {} if label_error is None else {"label_error": str(label_error)}
        )
        beside = about(
            "stability", [measure], faults, told, [patterns.digest(), owned.digest()], facts
        )
        remarks = (*said.words, remark, *facts.remarks())
        drawn = curves_together(law, pairs) if curves else ()
        return Stability(
            Quantity(measure), tuple(pairs), tuple(wholes), beside, remarks, level, drawn, things
        )

    def _claims(self) -> dict[str, list[Any]]:
        """Return what systems say of the objects of the truth; who has no such object says none of their classes."""
        columns = self.answers.columns
        return {
            name: [None if each == NO_OBJECT else each for each in columns[name]]
            for name in self.answers.systems
        }

    def consensus(self, **options: Any) -> Standing:
        """Who is best when there is no truth? Every row has one vote, whatever hangs together."""
        return Bench(self._counted()).consensus(**options)

    def consensus_parts(self, **options: Any) -> Parted:
        """What does the vote say of each class or family alone?"""
        return Bench(self._counted()).consensus_parts(**options)

    def consensus_items(self, **options: Any) -> ItemTruth:
        """What do all say of each expression, object, primitive or pair?"""
        return Bench(self._counted()).consensus_items(**options)


class _ByRow(GraphBench):
    """The questions of a page, whose sliders are of rows: a share of wrong labels is one of wrong expressions."""

    def stability(self, **options: Any) -> Stability:
        """Would the ranking survive wrong rows in the truth?"""
        return Bench.stability(self, **{"classes": ANY_NUMBER_OF_CLASSES, **options})


def _asked(values: Sequence[Any]) -> list[Any]:
    """Return a column with the mark of rows that a system was not asked about."""
    return [UNASKED if each is None else each for each in values]


def _plain(name: str) -> str:
    """Return a name as that of a file, which names no other folder."""
    return name.replace("/", "_").replace("\\", "_")


def _graphs(data: GraphsFrom, name: str, *, lenient: bool) -> GraphSet:
    """Return graphs from a folder, or as they are given."""
    return (
        of_graphs(name, data)
        if isinstance(data, Mapping)
        else read_set(data, name=name, lenient=lenient)
    )
