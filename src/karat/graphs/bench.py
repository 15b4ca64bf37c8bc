"""Label graphs and the questions one can ask of them: what went wrong inside, and every question of a table.

Each method is one question. It loads what it needs only when it is called; longer answers are files of
`karat.graphs.questions`.
"""
# ruff: noqa: PLC0415 (each question loads what it needs)

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from karat.bench import Bench
from karat.engine import Watch, unwatched
from karat.errors import ChoiceError, InputError, OptionError
from karat.keywords import as_in, offers_nearest
from karat.source.each import Each, in_turn
from karat.tally.counter import Counter

if TYPE_CHECKING:
    from karat.ask.preconditions import Per
    from karat.graphs.compare.counts import Graphs
    from karat.graphs.compare.distance import Distance
    from karat.graphs.compare.distances import Distances
    from karat.graphs.compare.lgeval_summary import GraphSummary
    from karat.graphs.compare.result import GraphScores
    from karat.graphs.compare.rules import Rules
    from karat.graphs.compare.table import GraphTable
    from karat.graphs.compare.tokens.token_result import TokenScores
    from karat.graphs.errors.browser import GraphBrowser
    from karat.graphs.errors.error_counts import GraphErrors
    from karat.graphs.errors.result import CommonErrors, Confusions
    from karat.graphs.formats.folder import GraphSet
    from karat.graphs.model.structure import LabelGraph
    from karat.graphs.options import Semantics, Unit
    from karat.graphs.questions.levels import Levels
    from karat.questions.consensus import AnyConsensus
    from karat.questions.plot import Picture
    from karat.report.findings import Findings
    from karat.verdict.compare.result import ComparisonResult
    from karat.verdict.score.result import ScoreResult
    from karat.verdict.stability.result import StabilityResult

    GraphsFrom = str | Path | Mapping[str, LabelGraph]
    """A folder or file of label graphs, or graphs by name."""

HERE = "duckdb"
"""The engine of this process: it reads no graphs, so the process does."""


@offers_nearest
def read_graphs(
    truth: "GraphsFrom | None",
    systems: "Mapping[str, GraphsFrom] | Sequence[str | Path]",
    *,
    unit: "Unit" = "expression",
    within: int = 0,
    lenient: bool = False,
    semantics: "Semantics" = "paper",
    inherit: bool = False,
    absent_edges: bool = True,
    undirected: bool = False,
    labels: str = "all",
    engine: str = HERE,
    master: str | None = None,
    watch: Watch = unwatched,
) -> "GraphBench":
    """Read folders of label graphs: of the truth, or None where there is none, and of each system by name.

    `unit` is what one row is where the graphs are taken as a table: expression, object, primitive or pair; or formula,
    as tokens of LaTeX, of which `within` may be wrong. `lenient` leaves lines out that mean nothing, and lists them.
    How two graphs are compared: `semantics` counts differences as the paper or as lgeval, `inherit` closes all graphs
    by inheritance first, without `absent_edges` pairs that begin at an absent primitive have no label, `undirected`
    edges have no direction, and `labels` of a set count all, best, top:K or expected. With the `engine` spark the files
    are read by the workers of the cluster `master`.
    """
    from karat.ask.opening import readers
    from karat.graphs.compare.rules import Rules
    from karat.graphs.formats.pairing import aligned, called, checked_truth

    rules = Rules(
        semantics=semantics,
        inherit=inherit,
        absent_edges=absent_edges,
        undirected=undirected,
        labels=labels,
    )
    named = systems if isinstance(systems, Mapping) else called(systems)
    each = in_turn if engine == HERE else readers(engine, master, watch)
    outputs = [_graph_set(data, name, each, lenient=lenient) for name, data in named.items()]
    truth_set = None
    if truth is not None:
        truth_set = _graph_set(truth, "truth", each, lenient=lenient)
        truth_set = checked_truth(truth_set, lenient=lenient)
    outputs = aligned(truth_set, outputs)
    return GraphBench(truth_set, outputs, unit, rules, within=within)


def _graph_set(data: "GraphsFrom", name: str, each: Each, *, lenient: bool) -> "GraphSet":
    """Return graphs from a folder, or as they are given."""
    from karat.graphs.formats.folder import of_graphs, read_set

    if isinstance(data, Mapping):
        return of_graphs(name, data)
    return read_set(data, name=name, lenient=lenient, each=each)


class GraphBench(Bench):
    """Graphs of systems and maybe of the truth: what went wrong inside, and the questions of every table."""

    def __init__(
        self,
        truth: "GraphSet | None",
        systems: "Sequence[GraphSet]",
        unit: str,
        rules: "Rules",
        *,
        within: int = 0,
    ) -> None:
        if within < 0 or (within and unit != "formula"):
            raise OptionError(
                f"--within is {within}; it is a number of wrong tokens, for --unit formula"
            )
        self.truth = truth
        self.systems = systems
        self.unit = unit
        self.within = within
        self.rules = rules

    @cached_property
    def _has_levels(self) -> bool:
        """Whether objects hold others over the same primitives."""
        from karat.graphs.questions.levels import has_levels

        return has_levels(self.truth, self.systems)

    def _apart(self, one: "GraphSet") -> "GraphSet":
        """Return a set with every object known by primitives of its own, also one that holds others."""
        from karat.graphs.questions.levels import without_shared

        return without_shared(one) if self._has_levels else one

    def _systems_apart(self) -> "list[GraphSet]":
        return [self._apart(one) for one in self.systems]

    @property
    def _is_whole(self) -> bool:
        """Whether a row is a whole expression or formula, which is right or wrong."""
        return self.unit in {"expression", "formula"}

    def sets(self) -> "tuple[GraphSet, ...]":
        """Return the truth's graphs, if there are any, and the systems'."""
        if self.truth is None:
            return tuple(self.systems)
        return (self.truth, *self.systems)

    # As a table: each row is one expression, object, primitive or pair.

    @cached_property
    def answers(self) -> "GraphTable":
        """The graphs as rows of the unit."""
        from karat.graphs.compare.table import graph_table

        if self.rules.labels == "expected":
            raise OptionError(
                "an expected distance has no rows that are right or wrong; use --labels best or top:K"
            )
        truth = None if self.truth is None else self._apart(self.truth)
        systems = self._systems_apart()
        return graph_table(truth, systems, self.unit, self.rules, within=self.within)

    @cached_property
    def counter(self) -> Counter:  # type: ignore[override]
        """What counts the rows; where there is a truth to score by, those of one expression are clustered."""
        from karat.graphs.compare.table import FILE

        clustered = not self._is_whole and self.truth is not None
        return self._row_counter(cluster=FILE if clustered else None)

    def _row_counter(
        self, replaced: Mapping[str, Sequence[Any]] | None = None, **roles: str | None
    ) -> Counter:
        """Return what counts the rows, with `replaced` columns, and columns for these roles."""
        from karat.graphs.questions.rows import row_counter

        return row_counter(self.answers, self.rules, replaced or {}, roles)

    @as_in(Bench.score)
    def score(
        self,
        *,
        measure: str | Sequence[str] | None = None,
        per: "Per" = "total",
        **options: Any,
    ) -> "ScoreResult":
        """How good is each system, and how certain is that? Whole expressions have no classes, only right and wrong."""
        from karat.graphs.questions.page import without_foreign

        self._given_truth()
        if self._is_whole:
            if per == "class":
                raise OptionError(
                    "an expression is right or wrong and has no class; use --unit object"
                )
            measure = measure or "accuracy"
        scores = super().score(measure=measure, per=per, **options)
        return without_foreign(scores)

    @as_in(Bench.compare)
    def compare(self, **options: Any) -> "ComparisonResult":
        """Is one system really better than another?"""
        self._given_truth()
        return super().compare(**options)

    @as_in(Bench.stability)
    def stability(self, **options: Any) -> "StabilityResult":
        """Would the ranking be the same by a truth without errors? What is wrong is an object or a relation."""
        from karat.graphs.errors.correlated_truth import owned_rows
        from karat.graphs.questions import stability as question

        truth = self._apart(self._given_truth())
        if self.unit == "formula":
            return super().stability(**options)
        if self.unit == "object":
            claimed = question.claimed_classes(self.answers)
            return question.object_stability(self._row_counter(claimed), **options)
        rows = owned_rows(truth, self._systems_apart(), self.unit, self.rules)
        return question.correlated_stability(
            self._row_counter(),
            self._row_counter(rows.columns, **question.OWNER_ROLES),
            question.WHAT_ERRS[self.unit],
            rows.labels,
            **options,
        )

    @as_in(Bench.consensus)
    def consensus(self, **options: Any) -> "AnyConsensus":
        """Who is best when there is no truth? Every row has one vote, whatever it is clustered with."""
        return Bench(self._row_counter()).consensus(**options)

    # As graphs: what went wrong inside.

    @offers_nearest
    def graph(
        self,
        *,
        per: Literal["total", "file"] = "total",
        distinct: bool = False,
        levels: "Levels | Literal['mixed'] | None" = None,
    ) -> "GraphScores":
        """What went wrong inside: labels of primitives and pairs, objects, relations, expressions.

        `per` is what a row is about: a system in total, or each of its files. `distinct` counts the errors of REL-k as
        in 2012; `levels` names the labels of further levels of structure, or compares all of them as one (`mixed`).
        Without it those of matrices are counted each by itself.
        """
        from karat.graphs.compare.counts import graphs_by_level
        from karat.graphs.compare.result import GraphScores
        from karat.graphs.questions.levels import MIXED, levels_of, mixed_warning, whole_words
        from karat.graphs.questions.unread import unread_files

        if per not in {"total", "file"}:
            raise ChoiceError("--per", per, ["total", "file"])
        truth = self._given_truth()
        tally = self.tally
        warnings = list(unread_files(truth, self.systems))
        remarks: tuple[str, ...] = ()
        named_levels: dict[str, str] = {}
        if levels is None:
            levels = levels_of(truth, self.systems)
            if levels and self.rules.semantics == "lgeval":
                warnings.append(mixed_warning(levels))
                levels = MIXED
        if levels and levels != MIXED:
            tally = graphs_by_level(truth, self.systems, self.rules, levels)
            named_levels = {name: ",".join(labels) for name, labels in levels.items()}
            remarks = (whole_words(self.tally),)
        return GraphScores(
            tally=tally,
            per_file=per == "file",
            distinct=distinct,
            about=self._about(named_levels, [tally.digest()]),
            unread=tuple(warnings),
            remarks=remarks,
        )

    def summary(self) -> "GraphSummary":
        """LgEval's Summary, in one table a system: labels, objects, relations, files, errors."""
        from karat.graphs.compare.lgeval_summary import GraphSummary
        from karat.graphs.questions.unread import unread_files

        truth = self._given_truth()
        return GraphSummary(
            tally=self.tally,
            about=self._about({}, [self.tally.digest()]),
            unread=unread_files(truth, self.systems),
        )

    def tokens(self, *, level: float = 0.95) -> "TokenScores":
        """How good are formulas as tokens of LaTeX? ExpRate, at most 1, 2, 3 wrong tokens, and the token error rate."""
        from karat.graphs.compare.tokens.token_counts import token_counts
        from karat.graphs.compare.tokens.token_result import TokenScores
        from karat.graphs.questions.tokens import shares_by_graph
        from karat.graphs.questions.unread import unread_files

        truth = self._given_truth()
        counts = token_counts(truth, self.systems)
        return TokenScores(
            counts=counts,
            by_graph=shares_by_graph(self.tally, counts.formulas),
            level=level,
            about=self._about({"tokens": "normal form"}, [counts.digest()]),
            remarks=unread_files(truth, self.systems),
        )

    @cached_property
    def tally(self) -> "Graphs":
        """What is counted of each system and expression."""
        from karat.graphs.compare.counts import graphs

        return graphs(self._given_truth(), self.systems, self.rules)

    @cached_property
    def errors(self) -> "GraphErrors":
        """What is counted of wrong labels."""
        from karat.graphs.errors.error_counts import graph_errors

        truth = self._apart(self._given_truth())
        return graph_errors(truth, self._systems_apart(), self.rules)

    def confusions(self, *kinds: str) -> "Confusions":
        """Which labels stand for which? Of primitives, pairs and objects."""
        from karat.graphs.errors.error_counts import KINDS
        from karat.graphs.errors.result import Confusions

        about = self._about({}, [self.tally.digest()])
        return Confusions(errors=self.errors, about=about, kinds=kinds or KINDS)

    def common_errors(self) -> "CommonErrors":
        """Which errors do systems share, and which does only one of them make?"""
        from karat.graphs.errors.result import CommonErrors

        about = self._about({}, [self.tally.digest()])
        return CommonErrors(errors=self.errors, about=about)

    def browse(self, *, sizes: Sequence[int] | None = None) -> "GraphBrowser":
        """Which small parts are read as what, and in which files? Of 1 to 3 objects; with outputs to look at."""
        from karat.graphs.errors.browser import GraphBrowser, examples
        from karat.graphs.errors.subgraph_counts import SIZES, subgraphs

        truth = self._given_truth()
        sizes = SIZES if sizes is None else sizes
        tally = subgraphs(self._apart(truth), self._systems_apart(), self.rules, sizes=sizes)
        chosen, left_out = examples(tally, truth, self.systems)
        about = self._about({"sizes": ",".join(map(str, sizes))}, [self.tally.digest()])
        return GraphBrowser(
            tally=tally,
            examples=chosen,
            left_out=left_out,
            undirected=self.rules.undirected,
            about=about,
        )

    def distances(self, measure: "Distance" = "dB") -> "Distances":
        """How far are the systems, and the truth, from each other?"""
        from karat.graphs.compare.distances import set_distances

        sets = list(self.systems)
        if self.truth is not None:
            clash = any(system.name == self.truth.name for system in self.systems)
            sets.insert(0, replace(self.truth, name="(truth)") if clash else self.truth)
        distances = set_distances(sets, measure, self.rules)
        return replace(distances, about=self._about({"distance": measure}, []))

    # Pages, pictures and files.

    @as_in(Bench.findings)
    def findings(self, **options: Any) -> "Findings":
        """What can be said of these graphs? Every question of a table, and what went wrong inside."""
        from karat.graphs.questions.page import graph_findings
        from karat.questions.page import ReportOptions

        _refuse_threshold(options.get("threshold"))
        if options.get("to") is not None:
            raise OptionError(
                "graphs have no scores that would change with the prevalence; leave --to out"
            )
        say = options.pop("say", None)
        return graph_findings(self, ReportOptions(**options), votes=self._row_counter(), say=say)

    @as_in(Bench.plot)
    def plot(self, name: str, **options: Any) -> "Picture":
        """Draw one picture: of graphs, or of what can be asked of a table."""
        from karat.questions.plot import picture_by_name

        _refuse_threshold(options.pop("threshold", None))
        return picture_by_name(name, self, **options)

    def write_metrics(self, into: str | Path) -> int:
        """Write a file of metrics and one of differences per graph, as LgEval does; return how many graphs."""
        from karat.graphs.questions.files import write_metrics

        return write_metrics(self._given_truth(), self.systems, self.rules, into)

    def draw(self, into: str | Path) -> int:
        """Write a drawing of every output and its truth, one SVG per file, in a folder; return how many."""
        from karat.graphs.questions.files import write_drawings

        return write_drawings(self._given_truth(), self.systems, self.rules, into)

    def _given_truth(self) -> "GraphSet":
        """Return the truth's graphs; refuse a question that needs them where there are none."""
        if self.truth is None:
            raise OptionError(
                "there is no truth to compare with; name its folder first, or use consensus"
            )
        if not self.truth.graphs:
            raise InputError(f"{self.truth.origin} holds no expression to compare with")
        return self.truth

    def _about(self, options: Mapping[str, str], digests: Sequence[str]) -> dict[str, Any]:
        """Return what stands beside every result about graphs: the input and the signature."""
        from karat.report.signature import about

        signed = about("graph", [], None, {**self.rules.options(), **options}, digests)
        folders = {
            "truth": None if self.truth is None else self.truth.shown,
            "systems": {system.name: system.shown for system in self.systems},
        }
        return {**signed, "input": folders}


def _refuse_threshold(threshold: float | None) -> None:
    if threshold is not None:
        raise OptionError("graphs hold labels, no scores; leave --threshold out")
