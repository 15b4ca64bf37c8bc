"""The questions in order, a few lines each: read this first.

source -> table -> tally -> measure -> doubt -> verdict -> report. `read` goes as far as the table; each question of a
`Bench` goes from there to a result.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from karat.doubt.checked_labels import of_checked, of_shares
from karat.doubt.estimate import How
from karat.doubt.interval import Side
from karat.doubt.said_errors import SaidErrors, of_annotators, said_errors
from karat.engine import ENGINES, Engine, Watch, unwatched
from karat.errors import OptionError
from karat.graph.rules import Rules
from karat.graph.structure import LabelGraph
from karat.measure.graph_distance import Distance
from karat.measure.losses import LOSSES, Loss
from karat.measure.quantity import Quantity, choose
from karat.report import DOCUMENTS, PLOTS
from karat.report.findings import Findings
from karat.report.graph_drawing import drawing
from karat.report.inquiry import Say, Wish, inquire, unheard
from karat.report.plots import Picture
from karat.report.signature import about
from karat.report.writing import folder, write
from karat.source.graph_folder import GraphSet, called, checked_truth, of_graphs, paired, read_set
from karat.source.graph_table import FILE, GRAPHS_OF_AN_EXPRESSION, ITEM, NUMBER, TRUTH, GraphTable, graph_table
from karat.source.origin import Source
from karat.source.recognise import is_file, recognise
from karat.table.build import build
from karat.table.kinds import score as scores_kind
from karat.table.options import Reading
from karat.tally.agreement import agreement, met
from karat.tally.counter import Counter, Facts, from_saved, from_table, to_saved
from karat.tally.graph_errors import KINDS, GraphErrors, graph_errors
from karat.tally.graphs import Graphs, graphs, graphs_by_level
from karat.tally.patterns import Patterns
from karat.tally.saved import to_bytes
from karat.tally.subgraphs import SIZES, subgraphs
from karat.verdict.compare import Contest, compare, too_few
from karat.verdict.comparisons import Comparisons
from karat.verdict.consensus import consensus
from karat.verdict.consensus_parts import Parted, by_part
from karat.verdict.graph_browser import GraphBrowser, examples
from karat.verdict.graph_distances import Distances, set_distances
from karat.verdict.graph_errors import CommonErrors, Confusions
from karat.verdict.graph_files import metrics_files
from karat.verdict.graphs import GraphScores
from karat.verdict.item_truth import ItemTruth, item_truth
from karat.verdict.losses import doubts_of_confidences, doubts_of_numbers, left_out, loss_stability
from karat.verdict.polling import Polling
from karat.verdict.scores import Scores, check_labels, ranked, scored, warnings
from karat.verdict.stability import Faults, classes_of, kept_curves, stability
from karat.verdict.standing import Standing
from karat.verdict.survival import Stability
from karat.verdict.truths import Truths
from karat.verdict.truths import compare_truths as relate
from karat.verdict.understanding import Understanding
from karat.version import VERSION
from karat.words import counted

Per = Literal["total", "class", "group"]
GraphsFrom = str | Path | Mapping[str, LabelGraph]
"""A folder or file of label graphs, or graphs by name."""


def read(
    data: Any,
    *,
    truth: Any = None,
    scores: Any = None,
    format: str | None = None,  # noqa: A002 (the option's name)
    engine: str = "duckdb",
    master: str | None = None,
    lenient: bool = False,
    watch: Watch = unwatched,
    **options: Any,
) -> "Bench":
    """Read a table of answers: files, a data frame, or columns by name; or tallies counted before.

    `truth` is a column, a file, `FILE:COLUMN`, or a second frame; `scores` a file or frame of the systems' confidences;
    the other options are those of
    `karat.table.options.Reading`: systems, item, group, cluster, weight, count, run, long, repeats, positive, kinds,
    missing, nothing, truth_sep, no_truth, duplicate_check.

    >>> read({"truth": [1, 0, 1], "a": [1, 0, 0]}).score(measure="accuracy").rows()[0]["value"]
    0.6666666666666666
    """
    if tallies := _tallies(data):
        given = {"truth": truth, "scores": scores, **options}
        if said := [name for name, value in given.items() if value != _UNSAID.get(name)]:
            raise OptionError(f"a tally was counted with its own options; {said[0]} cannot be changed, so count anew")
        return Bench(from_saved(tallies))
    source = recognise(data, format=format)
    other, column = _truth(truth)
    beside = recognise(scores) if scores is not None else None
    sources = [one for one in (source, other, beside) if one]
    place = _engine(engine, sources, master=master, lenient=lenient, watch=watch)
    reading = Reading(truth=None if other else column, **options)
    table = build(
        place,
        place.open(source),
        reading,
        truth=(place.open(other), column) if other else None,
        scores=place.open(beside) if beside else None,
    )
    return Bench(from_table(table))


def read_graphs(
    truth: GraphsFrom | None,
    systems: Mapping[str, GraphsFrom] | Sequence[str | Path],
    *,
    unit: str = "expression",
    lenient: bool = False,
    **rules: Any,
) -> "GraphBench":
    """Read folders of label graphs: of the truth, or None where there is none, and of each system by name.

    The rules are those of `karat.graph.rules.Rules`: semantics, inherit, absent_edges, undirected, labels.
    `unit` is what the questions of a table are asked of: expression, object, primitive or pair.
    """
    named = systems if isinstance(systems, Mapping) else called(systems)
    answers = [_graphs(one, name, lenient=lenient) for name, one in named.items()]
    return GraphBench(
        None if truth is None else checked_truth(_graphs(truth, "truth", lenient=lenient)),
        answers,
        unit,
        Rules(**rules),
    )


def read_checked(path: str | Path) -> "Bench":
    """Read a file of labels that were checked again: given, true, and maybe count, or share for P(true | given)."""
    source = recognise(path)
    columns = ENGINES["duckdb"](paths=source.paths).open(source).columns
    if lacking := {"given", "true"} - set(columns):
        raise OptionError(f"{path} has no column {min(lacking)!r}; labels checked again are in given and true")
    weights = {"share": {"weight": "share"}, "count": {"count": "count"}}
    options: dict[str, Any] = next((option for name, option in weights.items() if name in columns), {})
    return read(path, truth="given", systems=("true",), duplicate_check=False, kinds={"": "label"}, **options)


def compare_truths(
    benches: "Mapping[tuple[str, str], Bench]", *, measure: str = "accuracy", level: float = 0.95, seed: int = 0
) -> Truths:
    """Do several truths of the same items give the same ranking?

    A bench for each pair of truths: read with the one as `truth` and the other as `second_truth`.
    """
    facts = [_judged(bench.facts, "total") for bench in benches.values()]
    if unfit := {"c", "w", "e"} & set(facts[0].keys):
        raise OptionError(f"truths are compared item by item, each counting once; leave {_option(unfit)} out")
    (quantity,) = choose([measure], positive=facts[0].meaning.positive)
    tallies = {names: bench.counter.patterns(keys="u") for names, bench in benches.items()}
    found = [relate(tally, names, quantity, level=level, seed=seed) for names, tally in tallies.items()]
    options = dict(facts[0].options) | {"level": f"{level:g}", "seed": str(seed)}
    digests = [tally.digest() for tally in tallies.values()]
    said = about("stability", [str(quantity)], None, options, digests, facts[0])
    return Truths(quantity, tuple(found), said, (f"{counted(facts[0].counts.items, 'item')} in all.",))


_UNSAID = {field.name: field.default if field.default is not MISSING else {} for field in fields(Reading)}
"""What the options of reading are where nobody says anything."""


class Bench:
    """A table of answers, and the questions one can ask of it."""

    def __init__(self, counter: Counter) -> None:
        self.counter = counter

    @property
    def facts(self) -> Facts:
        """What is known of the table: systems, kind, counts, options."""
        return self.counter.facts

    def describe(self) -> Understanding:
        """How is the file understood?"""
        facts = self.facts
        about = {"karat": VERSION, "command": "read", "input": facts.about()}
        return Understanding(self.counter.uses(), self.counter.first(5), about, (*facts.notes, *facts.remarks()))

    def compare(
        self,
        *,
        measure: str | Sequence[str] = "accuracy",
        test: str = "auto",
        baseline: str | None = None,
        margin: float | None = None,
        level: float = 0.95,
        threshold: float | None = None,
        ranks: bool | None = None,
        draws: int = 2000,
        seed: int = 0,
    ) -> Comparisons:
        """Is one system really better than another?"""
        counter = self.counter if threshold is None else self.counter.at(threshold)
        facts = _judged(counter.facts, "total")
        if len(facts.systems) < 2:
            raise OptionError(f"{facts.origin} has one system, {facts.systems[0]!r}; a comparison needs two")
        if facts.kind == scores_kind:
            raise OptionError(f"{facts.origin} holds scores; say from which on an answer is yes with --threshold")
        wanted = choose(measure, positive=facts.meaning.positive)
        contest = Contest(test=test, baseline=baseline, margin=margin, level=level, draws=draws, seed=seed, ranks=ranks)
        patterns = counter.patterns(keys="cw")
        parts = [compare(patterns, quantity, contest) for quantity in wanted]
        said = about("compare", map(str, wanted), contest, facts.options, [patterns.digest()], facts)
        found = tuple(one for comparisons, _ in parts for one in comparisons)
        return Comparisons(
            found, tuple(field for _, field in parts), said, (*facts.remarks(), *too_few(found, contest))
        )

    def stability(
        self,
        *,
        label_error: float | Sequence[float] | Mapping[str, float] | str | SaidErrors | None = None,
        measure: str = "accuracy",
        classes: int | None = None,
        pair: tuple[str, str] | None = None,
        all_pairs: bool = False,
        few: bool = False,
        wrong: int | None = None,
        at_most: bool = False,
        threshold: float | None = None,
        curves: bool = False,
        level: float = 0.95,
        draws: int = 10_000,
        seed: int = 0,
    ) -> Stability:
        """Would the ranking survive the errors in the truth? For answers that are numbers see `loss_stability`."""
        counter = self.counter if threshold is None else self.counter.at(threshold)
        facts = _judged(counter.facts, "total")
        if measure in LOSSES:
            raise OptionError(f"{measure} is of numbers and distributions: ask loss_stability")
        if facts.kind == scores_kind:
            raise OptionError(f"{facts.origin} holds scores; say from which on an answer is yes with --threshold")
        if {"c", "w"} & set(facts.keys):
            raise OptionError("clusters and weights have no law of wrong labels here; leave --cluster and --weight out")
        (quantity,) = choose([measure], positive=facts.meaning.positive)
        faults = Faults(
            said=said_errors(label_error, level=level).among(facts.meaning.label),
            classes=classes,
            pair=pair,
            all_pairs=all_pairs,
            few=few,
            wrong=wrong,
            at_most=at_most,
            level=level,
            draws=draws,
            seed=seed,
        )
        patterns = counter.patterns(keys="e")
        pairs, wholes = stability(patterns, quantity, faults)
        told = label_error.signed() if isinstance(label_error, SaidErrors) else label_error
        options = dict(facts.options) | ({} if told is None else {"label_error": str(told)})
        said = about("stability", [str(quantity)], faults, options, [patterns.digest()], facts)
        if curves and quantity.measure != "accuracy":
            raise OptionError("the curves of a picture are those of accuracy; leave --measure out, or ask for numbers")
        drawn = kept_curves(patterns, pairs, classes or classes_of(patterns)) if curves else ()
        return Stability(
            quantity, tuple(pairs), tuple(wholes), said, (*faults.said.words, *facts.remarks()), level, drawn
        )

    def loss_stability(
        self,
        *,
        measure: str,
        label_error: float | Sequence[float] | None = None,
        noise: float | None = None,
        floor: float = 0.0,
        pair: tuple[str, str] | None = None,
        all_pairs: bool = False,
        level: float = 0.95,
        draws: int = 10_000,
        seed: int = 0,
    ) -> Stability:
        """Would a ranking by mean error or divergence survive the errors in the truth?

        Numbers and grades by mean-absolute-error or mean-squared-error: `noise` is the truths' standard deviation,
        `label_error` how often a grade is one too high or too low. Distributions by cross-entropy or divergence:
        `floor` is the confidence that stands for none.
        """
        facts = _judged(self.counter.facts, None)
        if unfit := {"c", "w", "e"} & set(facts.keys):
            raise OptionError(f"clusters, weights and errors by item have no law here; leave {_option(unfit)} out")
        if facts.meaning.truth_sep is not None:
            raise OptionError("a truth that is a set of labels has no single label that could be wrong; name one truth")
        loss = Loss(name=measure, floor=floor)
        said = said_errors(label_error, level=level)
        faults = Faults(said=said, pair=pair, all_pairs=all_pairs, level=level, draws=draws, seed=seed)
        tally = self.counter.patterns() if loss.of_numbers else self.counter.confidences()
        if isinstance(tally, Patterns):
            doubts = doubts_of_numbers(tally, loss, faults, noise)
        else:
            if facts.meaning.missing != "wrong":
                raise OptionError("who gives no distribution is held to have confidence 0; leave --missing out")
            doubts = doubts_of_confidences(tally, loss, faults, noise)
        pairs, wholes = loss_stability(facts.systems, doubts, faults)
        told = {"label_error": label_error, "noise": noise, "floor": floor or None}
        options = dict(facts.options) | {name: str(value) for name, value in told.items() if value is not None}
        beside = about("stability", [measure], faults, options, [tally.digest()], facts)
        return Stability(
            Quantity(measure), tuple(pairs), tuple(wholes), beside, (*left_out(tally), *facts.remarks()), level
        )

    def consensus(self, *, threshold: float | None = None, **options: Any) -> Standing:
        """Who is best when there is no truth? Options are those of `karat.verdict.polling.Polling`.

        A truth that is there is set beside the result; an oracle called (truth) lets it vote.
        """
        counter, polling = _voting(self.counter, threshold), Polling(**options)
        facts, patterns = counter.facts, counter.patterns()
        found = consensus(patterns, facts.kind, polling)
        options = dict(facts.options) | polling.options()
        said = about("consensus", [polling.estimator], None, options, [patterns.digest()], facts)
        return replace(found, about=said, remarks=facts.voted())

    def consensus_parts(self, *, per: str, threshold: float | None = None, **options: Any) -> Parted:
        """What does the vote say of each class, group or family alone?"""
        counter, polling = _voting(self.counter, threshold), Polling(**options)
        facts, patterns = counter.facts, counter.patterns(keys="g" if per == "group" else "")
        found = by_part(patterns, facts.kind, polling, per)
        options = dict(facts.options) | polling.options()
        said = about("consensus", [polling.estimator, f"per {per}"], None, options, [patterns.digest()], facts)
        return replace(found, about=said, remarks=facts.voted())

    def consensus_items(self, *, threshold: float | None = None, **options: Any) -> ItemTruth:
        """What do all say of each item, and how surely? A table that can serve as a truth with doubt."""
        counter, polling = _voting(self.counter, threshold), Polling(**options)
        facts, patterns = counter.facts, counter.patterns()
        names, places = counter.items(patterns)
        found = item_truth(patterns, facts.kind, polling, names, places)
        options = dict(facts.options) | polling.options()
        said = about("consensus", [polling.estimator, "per-item"], None, options, [patterns.digest()], facts)
        return replace(found, about=said, remarks=facts.voted())

    def findings(self, *, threshold: float | None = None, say: Say = unheard, **wish: Any) -> Findings:
        """What can be said of this table? Every question that it allows, with the options of `karat.report.inquiry`."""
        asked = Bench(self.counter if threshold is None else self.counter.at(threshold))
        if asked.facts.has_truth:
            _judged(asked.facts, "total")
        return inquire(asked, Wish(**wish), say=say)

    def report(self, path: str | Path, **options: Any) -> None:
        """Write all that can be said to a page, or to .md, .json or .pdf by the file's name; options as `findings`."""
        form = DOCUMENTS[str(path).rpartition(".")[2].lower()]
        write(path, form(self.findings(**options)))

    def plot(
        self,
        name: str,
        *,
        measure: str = "accuracy",
        label_error: float = 0.03,
        level: float = 0.95,
        threshold: float | None = None,
        seed: int = 0,
    ) -> Picture:
        """Draw one picture: scores, comparisons, stability or consensus. A notebook shows it; `save` writes it."""
        asked = Bench(self.counter if threshold is None else self.counter.at(threshold))
        picture: Picture = PLOTS[name](asked, measure=measure, label_error=label_error, level=level, seed=seed)
        return picture

    def mistakes(self, *, model: str | None = None, level: float = 0.95) -> SaidErrors:
        """How many labels are wrong, if the one system of this table says what is true where it was checked?

        `model` is uniform (if nothing is said), per-class or matrix; shares P(true | given) are a matrix anyway.
        """
        facts = _judged(self.facts, "total")
        if len(facts.systems) != 1:
            raise OptionError(f"{len(facts.systems)} columns are no check of the labels; name one with --checked COL")
        found = self.counter.confusion(facts.systems[0], keys="w")
        table = met(found)
        if "w" in facts.keys:
            if model not in {None, "matrix"}:
                raise OptionError(
                    f"shares of true labels are a matrix; --model {model} is for counts of checked labels"
                )
            return of_shares(found.labels, table)
        return of_checked(found.labels, table, model=model or "uniform", level=level)

    def disagreement(self, *, level: float = 0.95) -> SaidErrors:
        """How many labels are wrong, if the two systems of this table are annotators of the same items?"""
        if len(self.facts.systems) != 2:
            raise OptionError(f"{len(self.facts.systems)} annotators are no pair; name two with --annotators A,B")
        first, second = self.facts.systems
        return of_annotators(agreement(self.counter.patterns()), (first, second), level=level)

    def save(self, path: str | Path, *, threshold: float | None = None) -> None:
        """Write the tally of the table to a file, from which every question can be asked again."""
        counter = self.counter if threshold is None else self.counter.at(threshold)
        write(path, to_bytes(to_saved(counter)))

    def score(
        self,
        *,
        measure: str | Sequence[str] | None = None,
        per: Per = "total",
        level: float = 0.95,
        side: Side = "both",
        bound: str = "exact",
        beta: float = 1.0,
        threshold: float | None = None,
        draws: int = 2000,
        seed: int = 0,
    ) -> Scores:
        """How good is each system, and how sure is that?"""
        counter = self.counter if threshold is None else self.counter.at(threshold)
        facts = _judged(counter.facts, per)
        scores = facts.kind == scores_kind
        positive = facts.meaning.positive
        wanted = choose(measure, beta=beta, positive=positive, classes=per == "class", scores=scores)
        how = How(level=level, side=side, bound=bound, draws=draws, seed=seed)
        parts = [scored(counter, system, wanted, how, per_group=per == "group") for system in facts.systems]
        check_labels(wanted, parts, facts.meaning.pair or ())
        said = about("score", map(str, wanted), how, facts.options, [part.digest for part in parts], facts)
        doubted = ("The truth is taken as it stands: --error is for stability.",) if "e" in facts.keys else ()
        remarks = (*facts.remarks(), *doubted, *warnings(facts.systems, parts))
        return Scores(ranked([entry for part in parts for entry in part.entries]), said, remarks, side)


class GraphBench(Bench):
    """Graphs of systems and maybe of the truth: what went wrong inside, and the questions of every table."""

    def __init__(self, truth: GraphSet | None, systems: Sequence[GraphSet], unit: str, rules: Rules) -> None:
        self.truth, self.systems, self.unit, self.rules = truth, systems, unit, rules

    def sets(self) -> tuple[GraphSet, ...]:
        """Return the truth's graphs, if there are such, and the systems'."""
        return (*([self.truth] if self.truth else []), *self.systems)

    @cached_property
    def answers(self) -> GraphTable:
        """The graphs as rows of the unit."""
        return graph_table(self.truth, self.systems, self.unit, self.rules)

    @cached_property
    def counter(self) -> Counter:  # type: ignore[override]
        """Who counts the rows; strokes and pairs of one expression hang together, where a truth is to score by."""
        together = self.unit in {"primitive", "pair"} and self.truth is not None
        return self._counted(cluster=FILE if together else None)

    def _counted(self, beside: Mapping[str, Sequence[Any]] | None = None, **roles: str | None) -> Counter:
        """Return who counts the rows, with columns for these roles."""
        answers, columns = self.answers, {**self.answers.columns, **(beside or {})}
        roles |= {"truth": TRUTH} if answers.has_truth else {}
        roles |= {"count": NUMBER} if self.unit == "pair" else {}
        used = {ITEM, *answers.systems, *roles.values()}
        columns = {name: values for name, values in columns.items() if name in used}
        said: dict[str, Any] = {"systems": answers.systems, "item": ITEM, "kinds": {"": "label"}, **roles}
        table = read(columns, **said).counter.table  # type: ignore[attr-defined]
        notes = (f"{self.unit}s of {answers.origin}.", *answers.remarks)
        found = from_table(replace(table, origin=answers.origin, notes=notes))
        options = {"unit": self.unit, **self.rules.options(), **found.facts.options}
        return replace(found, facts=replace(found.facts, options=options))

    def graph(
        self, *, per_file: bool = False, distinct: bool = False, levels: Mapping[str, Sequence[str]] | None = None
    ) -> GraphScores:
        """What went wrong inside: labels of primitives and pairs, objects, relations, expressions.

        `distinct` counts the errors of REL-k as in 2012; `levels` names the labels of further levels of structure.
        """
        truth = self._judge()
        tally = graphs_by_level(truth, self.systems, self.rules, levels) if levels else self.tally
        said = {name: ",".join(labels) for name, labels in (levels or {}).items()}
        beside = self._about(said, [tally.digest()])
        return GraphScores(tally=tally, per_file=per_file, distinct=distinct, about=beside)

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
        return Confusions(errors=self.errors, about=self._about({}, [self.tally.digest()]), kinds=kinds or KINDS)

    def common_errors(self) -> CommonErrors:
        """Which errors do systems share, and which are one's own?"""
        return CommonErrors(errors=self.errors, about=self._about({}, [self.tally.digest()]))

    def distances(self, measure: Distance = "dB") -> Distances:
        """How far are the systems, and the truth, from each other?"""
        return replace(set_distances(self.sets(), measure, self.rules), about=self._about({"distance": measure}, []))

    def write_metrics(self, folder: str | Path) -> int:
        """Write a file of metrics and one of differences per graph, as LgEval does; return how many graphs."""
        several = len(self.systems) > 1
        for one in self.systems:
            place = Path(folder) / one.name if several else Path(folder)
            place.mkdir(parents=True, exist_ok=True)
            for name, (line, lines) in metrics_files(self._judge(), one, self.rules):
                write(place / f"{name}.csv", line)
                (place / f"{name}.diff").unlink(missing_ok=True)
                if lines:
                    write(place / f"{name}.diff", lines)
        return len(self._judge().graphs) * len(self.systems)

    def _judge(self) -> GraphSet:
        """Return the truth's graphs."""
        if self.truth is None:
            raise OptionError("there is no truth to compare with; name its folder first, or ask consensus")
        return self.truth

    def _about(self, options: Mapping[str, str], digests: Sequence[str]) -> dict[str, Any]:
        """Return what stands beside every result about graphs."""
        where = {"truth": self.truth.origin if self.truth else None}
        systems = {one.name: one.origin for one in self.systems}
        said = about("graph", [], None, {**self.rules.options(), **options}, digests)
        return {**said, "input": {**where, "systems": systems}}

    def findings(self, *, threshold: float | None = None, say: Say = unheard, **wish: Any) -> Findings:
        """What can be said of these graphs? Every question of a table, and what went wrong inside."""
        if threshold is not None:
            raise OptionError("graphs hold labels, no scores; leave --threshold out")
        found = inquire(self, Wish(**wish), say=say)
        if self.unit == "expression" and found.tallies is not None:
            found = replace(found, tallies=replace(found.tallies, classes=GRAPHS_OF_AN_EXPRESSION))
        if self.truth is None:
            return found
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
        for one in self.systems:
            place = folder(Path(into) / one.name if len(self.systems) > 1 else into)
            for name, other in paired(self._judge(), one).items():
                output = one.graph(other).named(f"{other}.lg")
                write(place / f"{name}.svg", drawing(output, self._judge().graphs[name]))
        return len(self._judge().graphs) * len(self.systems)

    def plot(self, name: str, **options: Any) -> Picture:
        """Draw one picture: of graphs, or of what can be asked of a table."""
        if options.pop("threshold", None) is not None:
            raise OptionError("graphs hold labels, no scores; leave --threshold out")
        picture: Picture = PLOTS[name](self, **{"measure": "accuracy", "label_error": 0.03, **options})
        return picture

    def stability(self, **options: Any) -> Stability:
        """Would the ranking survive errors in the truth? Errors are drawn per object: strokes of one err together."""
        if self.unit in {"primitive", "pair"}:
            raise OptionError(
                f"a wrong object is wrong in all its strokes, so a {self.unit} errs not by itself; "
                "ask with --unit object or --unit expression"
            )
        rate = options.get("label_error")
        if self.unit == "object":
            return super().stability(**options)
        options["classes"] = options.get("classes") or GRAPHS_OF_AN_EXPRESSION
        rates = (rate,) if isinstance(rate, float) else rate
        if not isinstance(rates, tuple) or len(rates) != 1:
            found = super().stability(**options)
            return replace(found, remarks=(*found.remarks, "A share of wrong labels is one of wrong expressions here."))
        name = f"1-(1-{rates[0]:g})^objects"
        error = {name: self.answers.error_of(rates[0])}
        found = Bench(self._counted(error, error=name)).stability(**{**options, "label_error": None})
        told = (
            f"Each object of the truth is wrong with probability {rates[0]:g}, an expression if one of its objects is."
        )
        return replace(found, remarks=(told, *found.remarks))

    def consensus(self, **options: Any) -> Standing:
        """Who is best when there is no truth? Every row has one vote, whatever hangs together."""
        return Bench(self._counted()).consensus(**options)

    def consensus_parts(self, **options: Any) -> Parted:
        """What does the vote say of each class or family alone?"""
        return Bench(self._counted()).consensus_parts(**options)

    def consensus_items(self, **options: Any) -> ItemTruth:
        """What do all say of each expression, object, primitive or pair?"""
        return Bench(self._counted()).consensus_items(**options)


def _voting(counter: Counter, threshold: float | None) -> Counter:
    """Return the counter of a table whose systems can judge each other."""
    found = counter if threshold is None else counter.at(threshold)
    if {"c", "w"} & set(found.facts.keys):
        raise OptionError("a vote counts every item once; leave --cluster, --run and --weight out")
    return found


def _graphs(data: GraphsFrom, name: str, *, lenient: bool) -> GraphSet:
    """Return graphs from a folder, or as they are given."""
    return of_graphs(name, data) if isinstance(data, Mapping) else read_set(data, name=name, lenient=lenient)


def _tallies(data: Any) -> tuple[str, ...]:
    """Return the paths of tallies, if these are what was given."""
    paths = [data] if isinstance(data, str | Path) else data
    if not isinstance(paths, list | tuple) or not all(isinstance(path, str | Path) for path in paths):
        return ()
    named = [str(path).endswith(".tally") for path in paths]
    if any(named) and not all(named):
        raise OptionError("tables and tallies cannot be read together; count the tables first with karat tally")
    return tuple(map(str, paths)) if named and all(named) else ()


def _truth(truth: Any) -> tuple[Source | None, str | None]:
    """Return the file or frame that holds the truth, if it is not in the table, and the column."""
    if truth is None or (isinstance(truth, str) and not is_file(truth)):
        return None, truth
    if not isinstance(truth, str | Path):
        return recognise(truth), None
    path, colon, column = str(truth).rpartition(":")
    if colon and not Path(truth).is_file():
        return recognise(path), column
    return recognise(truth), None


def _engine(name: str, sources: Sequence[Source], *, master: str | None, lenient: bool, watch: Watch) -> Engine:
    """Return the engine that holds the data: the cluster's own for a PySpark frame."""
    sessions = [one.data.sparkSession for one in sources if type(one.data).__module__.startswith("pyspark")]
    paths = [path for one in sources for path in one.paths]
    if sessions:
        cluster: Engine = ENGINES["spark"](session=sessions[0], lenient=lenient, watch=watch)
        return cluster
    chosen: Engine = ENGINES[name](paths=paths, lenient=lenient, master=master, watch=watch)
    return chosen


def _option(keys: set[str]) -> str:
    """Return the option that a key of the table comes from."""
    return f"--{ {'c': 'cluster', 'w': 'weight', 'e': 'error'}[min(keys)] }"


def _judged(facts: Facts, per: Per | None) -> Facts:
    """Return the facts of a table that can be scored; None is of the answers as numbers."""
    if not facts.has_truth:
        raise OptionError(f"{facts.origin} has no truth to score by; name it with --truth COL, FILE or FILE:COL")
    if per is None:
        return facts
    if facts.kind == scores_kind and (per != "total" or {"c", "w", "r"} & set(facts.keys)):
        raise OptionError(
            f"{facts.origin} holds scores; for groups, clusters, weights or runs judge it with --threshold"
        )
    if per not in {"total", "class", "group"}:
        raise OptionError(f"--per is {per!r}; it takes total, class or group")
    if per == "group" and "g" not in facts.keys:
        raise OptionError("--per group needs groups; name their column with --group COL")
    return facts
