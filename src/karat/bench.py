"""The questions in order, a few lines each: read this first.

source -> table -> tally -> measure -> doubt -> verdict -> report. `read` goes as far as the table; each question of a
`Bench` goes from there to a result.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import Any

from karat.ask.checked_labels import of_checked, of_shares
from karat.ask.label_errors import SaidErrors, of_annotators, said_errors
from karat.ask.opening import opened
from karat.ask.preconditions import (
    Per,
    check_missing,
    cutting,
    judged,
    no_part,
    of_scores,
    option,
    voting,
    yes_or_label,
)
from karat.ask.prevalence import Columns
from karat.ask.prevalence_options import fields_of, read_series
from karat.ask.voting import AT_HALF, HALF, Polling, without_intervals
from karat.doubt.estimate import How
from karat.doubt.interval import Side
from karat.engine import Watch, unwatched
from karat.errors import OptionError
from karat.measure import LOSSES
from karat.measure.losses import Loss
from karat.measure.prevalence import DEFAULT_PRIOR
from karat.measure.quantity import Quantity, choose
from karat.questions.page import Say, Wish, inquire, unheard
from karat.questions.plot import Picture, drawn
from karat.report import DOCUMENTS
from karat.report.findings import Findings
from karat.report.signature import about
from karat.report.writing import write
from karat.source import SOURCES
from karat.table.kinds import label as label_kind
from karat.table.kinds import score as scores_kind
from karat.tally.counter import Counter, Facts, to_saved
from karat.tally.saved import to_bytes
from karat.tally.scores.binned_curve import BINS
from karat.tally.scores.paired_scores import MOST
from karat.tally.votes.agreement import agreement, met
from karat.tally.votes.patterns import Patterns
from karat.verdict.compare.compare import Contest, compare, few_clusters, too_few
from karat.verdict.compare.result import Comparisons
from karat.verdict.consensus.confidence_sums import summed
from karat.verdict.consensus.consensus import consensus
from karat.verdict.consensus.cutoffs import CUTOFFS, DEPTHS, Cutoffs, Depths, by_cutoff, by_depth
from karat.verdict.consensus.item_labels import ItemTruth, item_truth
from karat.verdict.consensus.parts import Parted, by_part
from karat.verdict.consensus.result import Standing
from karat.verdict.oddities import odd_warnings, of_patterns
from karat.verdict.prevalence.groups import skew_groups
from karat.verdict.prevalence.groups_result import GroupedSkew
from karat.verdict.prevalence.prevalence import Asking, skew
from karat.verdict.prevalence.resampled_areas import Scored
from karat.verdict.prevalence.result import Skewed
from karat.verdict.read.understanding import Understanding
from karat.verdict.score.expected_counts import EXPECTED, expected
from karat.verdict.score.retrieval import (
    Retrieval,
    are_rankings,
    asks_of_rankings,
    by_query,
    digests,
    entries,
    rankings_of,
    retrieval,
    without_relevant,
)
from karat.verdict.score.scores import (
    ALONE,
    Scores,
    accuracy_alone,
    check_labels,
    labels_of,
    ranked,
    scored,
    warnings,
)
from karat.verdict.stability.losses import (
    doubts_of_confidences,
    doubts_of_numbers,
    left_out,
    loss_stability,
)
from karat.verdict.stability.result import Stability
from karat.verdict.stability.stability import Faults, classes_of, kept_curves, stability
from karat.version import VERSION
from karat.words import counted

ALL_SCORES = 20_000_000
"""Items whose scores are counted one by one; of more, in bins."""

ALL_LABELS = 1_000_000
"""Items whose labels `read` looks at; of more, the questions do."""


def read(
    data: Any,
    *,
    truth: Any = None,
    scores: Any = None,
    format: str | None = None,  # noqa: A002 (the option's name)
    using: Mapping[str, Any] | None = None,
    engine: str = "duckdb",
    master: str | None = None,
    lenient: bool = False,
    watch: Watch = unwatched,
    **options: Any,
) -> "Bench":
    """Read a table of answers: files, a data frame, or columns by name; or tallies counted before.

    `truth` is a column, a file, `FILE:COLUMN`, or a second frame; `scores` a file or frame of the systems' confidences;
    `using` holds the options of the source, which `karat sources` lists; the other options are those of
    `karat.table.options.Reading`: systems, item, group, cluster, weight, count, run, long, repeats, positive, kinds,
    missing, nothing, truth_sep, no_truth, duplicate_check.

    >>> read({"truth": [1, 0, 1], "a": [1, 0, 0]}).score(measure="accuracy").rows()[0]["value"]
    0.6666666666666666
    """
    return Bench(
        opened(
            data,
            truth=truth,
            scores=scores,
            format=format,
            using=using,
            engine=engine,
            master=master,
            lenient=lenient,
            watch=watch,
            options=options,
        )
    )


def from_predictions(
    y_true: Any,
    predictions: Mapping[str, Any],
    *,
    classes: Sequence[Any] | None = None,
    **options: Any,
) -> "Bench":
    """Take predictions as they stand in a script: labels, scores or probabilities by name.

    Probabilities have a column per class; `classes` names them, else they are the sorted labels of `y_true`. Several
    labels an item are a column of 0 and 1 per class, in `y_true` too. The options are those of `read`.

    >>> from_predictions([1, 0, 1], {"a": [1, 0, 0]}).score(measure="accuracy").rows()[0]["value"]
    0.6666666666666666
    """
    return read(SOURCES["predictions"](y_true, predictions, classes=classes), **options)


class Bench:
    """A table of answers, and the questions one can ask of it."""

    def __init__(self, counter: Counter) -> None:
        self.counter = counter

    def __repr__(self) -> str:
        """Say what was read."""
        number = counted(len(self.facts.systems), "system")
        return f"Bench of {self.facts.origin}: {counted(self.facts.counts.items, 'item')}, {number}"

    @property
    def facts(self) -> Facts:
        """What is known of the table: systems, kind, counts, options."""
        return self.counter.facts

    def describe(self) -> Understanding:
        """How is the file understood?"""
        facts = self.facts
        about = {"karat": VERSION, "command": "read", "input": facts.about()}
        few = facts.kind == label_kind and facts.counts.items <= ALL_LABELS
        odd = _odd(facts, self.counter.patterns()) if few else ()
        untold = () if facts.has_truth else (f"No truth was found; {facts.untold()}.",)
        remarks = (*facts.notes, *facts.remarks(), *untold, *odd)
        return Understanding(self.counter.uses(), self.counter.first(5), about, remarks)

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
        facts = judged(counter.facts, "total")
        if len(facts.systems) < 2:
            raise OptionError(
                f"{facts.origin} has one system, {facts.systems[0]!r}; a comparison needs two"
            )
        yes_or_label(facts, measure)
        wanted = choose(measure, positive=facts.meaning.positive)
        contest = Contest(
            test=test,
            baseline=baseline,
            margin=margin,
            level=level,
            draws=draws,
            seed=seed,
            ranks=ranks,
        )
        patterns = counter.patterns(keys="cw")
        check_labels(wanted, labels_of(patterns))
        parts = [compare(patterns, quantity, contest) for quantity in wanted]
        said = about(
            "compare", map(str, wanted), contest, facts.options, [patterns.digest()], facts
        )
        found = tuple(one for comparisons, _ in parts for one in comparisons)
        return Comparisons(
            found,
            tuple(field for _, field in parts),
            said,
            (
                *facts.remarks(),
                *_as_it_is(facts),
                *too_few(found, contest),
                *few_clusters(patterns, contest),
                *_odd(facts, patterns),
            ),
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
        facts = judged(counter.facts, "total")
        if measure in LOSSES:
            raise OptionError(f"{measure} is of numbers and distributions: ask loss_stability")
        yes_or_label(facts, measure)
        if {"c", "w"} & set(facts.keys):
            raise OptionError(
                "clusters and weights have no law of wrong labels here; leave --cluster and --weight out"
            )
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
        check_labels([quantity], labels_of(patterns))
        pairs, wholes = stability(patterns, quantity, faults)
        told = label_error.signed() if isinstance(label_error, SaidErrors) else label_error
        options = dict(facts.options) | ({} if told is None else {"label_error": str(told)})
        said = about("stability", [str(quantity)], faults, options, [patterns.digest()], facts)
        if curves and quantity.measure != "accuracy":
            raise OptionError(
                "the curves of a picture are those of accuracy; leave --measure out, or ask for numbers"
            )
        drawn = kept_curves(patterns, pairs, classes or classes_of(patterns)) if curves else ()
        return Stability(
            quantity,
            tuple(pairs),
            tuple(wholes),
            said,
            (*faults.said.words, *facts.remarks(), *_odd(facts, patterns)),
            level,
            drawn,
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
        facts = judged(self.counter.facts, None)
        if unfit := {"c", "w", "e"} & set(facts.keys):
            raise OptionError(
                f"clusters, weights and errors by item have no law here; leave {option(unfit)} out"
            )
        if facts.meaning.truth_sep is not None:
            raise OptionError(
                "a truth that is a set of labels has no single label that could be wrong; name one truth"
            )
        loss = Loss(name=measure, floor=floor)
        said = said_errors(label_error, level=level)
        faults = Faults(
            said=said, pair=pair, all_pairs=all_pairs, level=level, draws=draws, seed=seed
        )
        tally = self.counter.patterns() if loss.of_numbers else self.counter.confidences()
        if isinstance(tally, Patterns):
            doubts = doubts_of_numbers(tally, loss, faults, noise)
        else:
            if facts.meaning.missing != "wrong":
                raise OptionError(
                    "who gives no distribution is held to have confidence 0; leave --missing out"
                )
            doubts = doubts_of_confidences(tally, loss, faults, noise)
        pairs, wholes = loss_stability(facts.systems, doubts, faults)
        told = {"label_error": label_error, "noise": noise, "floor": floor or None}
        options = dict(facts.options) | {
            name: str(value) for name, value in told.items() if value is not None
        }
        beside = about("stability", [measure], faults, options, [tally.digest()], facts)
        return Stability(
            Quantity(measure),
            tuple(pairs),
            tuple(wholes),
            beside,
            (*left_out(tally), *facts.remarks()),
            level,
        )

    def consensus(self, *, threshold: float | None = None, **options: Any) -> Standing:
        """Who is best when there is no truth? Options are those of `karat.ask.voting.Polling`.

        A truth that is there is set beside the result; an oracle called (truth) lets it vote.
        """
        counter, polling = voting(self.counter, threshold), Polling(**options)
        sums = (
            summed(counter, polling)
            if polling.by_sums(counter.facts.kind, counter.facts.counts.items)
            else None
        )
        counter = counter if sums is None else counter.at(HALF)
        facts, patterns = counter.facts, counter.patterns()
        found = consensus(patterns, facts.kind, polling, sums)
        options = dict(facts.options) | polling.options()
        digests = [patterns.digest(), *([] if sums is None else [sums.covotes.digest()])]
        said = about("consensus", [polling.estimator], None, options, digests, facts)
        at_half = (AT_HALF,) if facts.kind == scores_kind else ()
        remarks = (
            *facts.voted(),
            *at_half,
            *found.remarks,
            *no_part(facts),
            *_odd(facts, patterns),
        )
        return replace(found, about=said, remarks=remarks)

    def consensus_parts(
        self, *, per: str, threshold: float | None = None, **options: Any
    ) -> Parted:
        """What does the vote say of each class, group or family alone?"""
        counter, polling = voting(self.counter, threshold), without_intervals(options)
        facts, patterns = counter.facts, counter.patterns(keys="g" if per == "group" else "")
        found = by_part(patterns, facts.kind, polling, per)
        options = dict(facts.options) | polling.options()
        said = about(
            "consensus",
            [polling.estimator, f"per {per}"],
            None,
            options,
            [patterns.digest()],
            facts,
        )
        return replace(found, about=said, remarks=facts.voted())

    def consensus_cutoffs(self, *, cutoffs: Sequence[float] = CUTOFFS, **options: Any) -> Cutoffs:
        """What are precision and recall at each cut-off of the scores, without the truth and by it?"""
        counter, polling = cutting(self.counter), without_intervals(options)
        patterns = {cutoff: counter.at(cutoff).patterns() for cutoff in sorted(cutoffs)}
        return replace(
            by_cutoff(patterns, polling), **_cut(counter.facts, polling, "cutoff", patterns)
        )

    def consensus_depths(self, *, depths: Sequence[int] = DEPTHS, **options: Any) -> Depths:
        """What are precision and recall if the first 5, 10, ... documents of each query are retrieved?"""
        counter, polling = cutting(self.counter), without_intervals(options)
        patterns = counter.depths(depths)
        found = replace(
            by_depth(patterns, polling), **_cut(counter.facts, polling, "depth", patterns)
        )
        return replace(found, remarks=counter.facts.listed())

    def consensus_items(self, *, threshold: float | None = None, **options: Any) -> ItemTruth:
        """What do all say of each item, and how surely? A table that can serve as a truth with doubt."""
        counter, polling = voting(self.counter, threshold), without_intervals(options)
        facts, patterns = counter.facts, counter.patterns()
        names, places = counter.items(patterns)
        found = item_truth(patterns, facts.kind, polling, names, places)
        options = dict(facts.options) | polling.options()
        said = about(
            "consensus", [polling.estimator, "per-item"], None, options, [patterns.digest()], facts
        )
        return replace(found, about=said, remarks=facts.voted())

    def skew(
        self,
        *,
        to: float | str | Path | Sequence[float | str | Path] = (),
        low: float | str | None = None,
        high: float | str | None = None,
        prior: str | Columns = DEFAULT_PRIOR,
        trajectory: Any = None,
        time: float | Sequence[float | None] | None = None,
        label_error: float | tuple[float, float] = 0.0,
        beside: "Mapping[str, Bench] | None" = None,
        bins: int | None = None,
        **options: Any,
    ) -> Skewed:
        """What happens where positives are rarer or more frequent than here?

        `to` are class balances (0.01, "1%", "1:99") or a file of scores from the field; `low` and `high` a range with a
        `prior`; `trajectory` and `time` a balance that changes; `beside` other tables, by name; `bins`
        counts scores in bins. Other options are those of `karat.verdict.prevalence.prevalence.Asking`.
        """
        facts = of_scores(self.facts)
        fields, files = fields_of(
            to=to, low=low, high=high, prior=prior, trajectory=trajectory, time=time
        )
        scores = read_series(files[0], *facts.systems) if files else None
        up, down = (
            (label_error, label_error)
            if isinstance(label_error, float | int | Real)
            else label_error
        )
        asking = Asking(
            fields=fields, scores=scores, label_error=(float(up), float(down)), **options
        )
        benches = {Path(facts.origin).stem: self, **(beside or {})}
        if len(benches) <= len(beside or {}):
            raise OptionError("a table beside has the name of the first; give it another")
        tables = {name: bench.scored(bins=bins) for name, bench in benches.items()}
        found = skew(tables, asking)
        counted_by = [
            curve.digest() for table in tables.values() for curve in table.curves.values()
        ]
        told = dict(facts.options) | asking.told() | {"draws": str(found.draws)}
        told |= ({"bins": str(bins)} if bins else {}) | (
            {"beside": ",".join(beside)} if beside else {}
        )
        said = about("skew", [each.name for each in found.fields], None, told, counted_by, facts)
        together = (
            ("Groups are taken together; --per group tells them apart.",)
            if "g" in facts.keys
            else ()
        )
        return replace(found, about=said, remarks=(*found.remarks, *together, *facts.remarks()))

    def skew_groups(
        self,
        *,
        bins: int | None = None,
        level: float = 0.95,
        draws: int | None = None,
        seed: int = 0,
        **where: Any,
    ) -> GroupedSkew:
        """What happens at other class balances in each group, and on average over the groups? `where` as for `skew`."""
        facts = of_scores(self.facts)
        fields, files = fields_of(**where)
        if files:
            raise OptionError(f"groups are compared at class balances; {files[0]} is a file")
        asking = Asking(fields=fields, level=level, draws=draws, seed=seed)
        whole, groups = self.scored(bins=bins), self.scored_groups(bins=bins)
        found = skew_groups(groups, whole, asking)
        counted_by = [
            curve.digest() for each in (whole, *groups.values()) for curve in each.curves.values()
        ]
        told = (
            dict(facts.options)
            | asking.told()
            | {"draws": str(found.draws)}
            | ({"bins": str(bins)} if bins else {})
        )
        said = about(
            "skew",
            [*(each.name for each in found.fields), "per group"],
            None,
            told,
            counted_by,
            facts,
        )
        return replace(found, about=said, remarks=(*found.remarks, *facts.remarks()))

    def scored_groups(self, *, bins: int | None = None) -> dict[str, Scored]:
        """Return the curves of a table of scores group by group, and the scores of each item if not too many."""
        facts, counter = of_scores(self.facts), self.counter
        if "g" not in facts.keys:
            raise OptionError("--per group needs groups; name their column with --group COL")
        cut = bins if bins is not None or facts.counts.items <= ALL_SCORES else BINS
        curves = {name: counter.curves(name, bins=cut) for name in facts.systems}
        paired = counter.paired_groups(facts.systems) if facts.counts.items <= MOST else {}
        return {
            group: Scored(
                {name: found[group] for name, found in curves.items()},
                paired.get(group),
                cut is not None,
            )
            for group in next(iter(curves.values()))
        }

    def scored(self, *, bins: int | None = None) -> Scored:
        """Return the curves of a table of scores, and the scores of each item; in bins where there are very many."""
        facts, counter = of_scores(self.facts), self.counter
        if bins is not None and bins < 2:
            raise OptionError(f"--bins is {bins}; scores need two bins or more")
        many = facts.counts.items > MOST
        paired = (
            counter.paired_blocks(facts.systems) if many else counter.paired_scores(facts.systems)
        )
        if bins is None and facts.counts.items <= ALL_SCORES:
            return Scored({name: counter.curve(name) for name in facts.systems}, paired)
        return Scored(
            {
                name: counter.binned(name, bins=BINS if bins is None else bins)
                for name in facts.systems
            },
            paired,
            binned=True,
        )

    def retrieval(
        self, *, measure: str | Sequence[str] | None = None, level: float = 0.95
    ) -> Retrieval:
        """How good is each ranking, averaged over queries? Measures are P@10, R@100, AP, RR and the like."""
        wanted, runs = rankings_of(self.counter, judged(self.facts, None), measure)
        options = dict(self.facts.options) | {"level": str(level)}
        said = about("retrieval", map(str, wanted), None, options, digests(runs), self.facts)
        found = retrieval(runs, wanted, level=level)
        return Retrieval(found, said, (*without_relevant(runs), *self.facts.remarks()))

    def retrieval_queries(self, *, measure: str | Sequence[str] | None = None) -> Retrieval:
        """How good is the ranking of each query?"""
        wanted, runs = rankings_of(self.counter, judged(self.facts, None), measure)
        said = about(
            "retrieval", map(str, wanted), None, self.facts.options, digests(runs), self.facts
        )
        return Retrieval(by_query(runs, wanted), said, self.facts.remarks())

    def findings(
        self, *, threshold: float | None = None, say: Say = unheard, **wish: Any
    ) -> Findings:
        """What can be said of this table? Every question that it allows, with the options of `karat.questions.page`."""
        asked = Bench(self.counter if threshold is None else self.counter.at(threshold))
        if asked.facts.has_truth:
            judged(asked.facts, "total")
        areas = (
            self.facts.kind == scores_kind and self.facts.has_truth and not are_rankings(self.facts)
        )
        scored = self if areas else None
        return inquire(asked, Wish(**wish), scored=scored, say=say)

    def report(self, path: str | Path, **options: Any) -> None:
        """Write all that can be said to a page, or to .md, .json or .pdf by the file's name; options as `findings`."""
        form = DOCUMENTS[str(path).rpartition(".")[2].lower()]
        write(path, form(self.findings(**options)))

    def plot(
        self,
        name: str,
        *,
        measure: str | None = None,
        label_error: float | None = None,
        level: float | None = None,
        threshold: float | None = None,
        seed: int | None = None,
    ) -> Picture:
        """Draw one picture: scores, comparisons, stability, consensus or skew. Notebooks show it; `save` writes it.

        It is by accuracy, at 3 % wrong labels and at the level 0.95 unless something else is said.
        """
        asked = Bench(self.counter if threshold is None else self.counter.at(threshold))
        return drawn(name, asked, measure=measure, label_error=label_error, level=level, seed=seed)

    def mistakes(self, *, model: str | None = None, level: float = 0.95) -> SaidErrors:
        """How many labels are wrong, if the one system of this table says what is true where it was checked?

        `model` is uniform (if nothing is said), per-class or matrix; shares P(true | given) are a matrix anyway.
        """
        facts = judged(self.facts, "total")
        if len(facts.systems) != 1:
            raise OptionError(
                f"{len(facts.systems)} columns are no check of the labels; name one with --checked COL"
            )
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
            raise OptionError(
                f"{len(self.facts.systems)} annotators are no pair; name two with --annotators A,B"
            )
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
        facts = judged(counter.facts, per)
        if asks_of_rankings(facts, measure):
            return self._ranked(measure, level=level, side=side)
        scores = facts.kind == scores_kind
        if scores:
            check_missing(facts)
        positive = facts.meaning.positive
        wanted = choose(
            measure, beta=beta, positive=positive, classes=per == "class", scores=scores
        )
        how = How(level=level, side=side, bound=bound, draws=draws, seed=seed)
        doubted = "e" in facts.keys and not scores
        parts = (
            expected(counter, wanted, how, per)
            if doubted
            else [
                scored(counter, system, wanted, how, per_group=per == "group")
                for system in facts.systems
            ]
        )
        alone = measure is None and per != "class" and parts[0].of_one_class
        if alone:
            parts, wanted = accuracy_alone(parts), wanted[:1]
        check_labels(
            wanted, {*(facts.meaning.pair or ()), *(text for part in parts for text in part.labels)}
        )
        said = about(
            "score", map(str, wanted), how, facts.options, [part.digest for part in parts], facts
        )
        doubts = (EXPECTED,) if doubted else _as_it_is(facts)
        remarks = (*facts.remarks(), *[ALONE] * alone, *doubts, *warnings(facts, parts))
        return Scores(
            ranked([entry for part in parts for entry in part.entries]), said, remarks, side
        )

    def _ranked(self, measure: str | Sequence[str] | None, *, level: float, side: Side) -> Scores:
        """How good are rankings of documents, query by query? Scores of two queries are not compared."""
        if side != "both":
            raise OptionError("intervals over queries have two sides; leave --side out")
        found = self.retrieval(measure=measure, level=level)
        over = "Averaged over queries, as intervals are; over all documents together: --measure roc-area."
        return Scores(
            entries(found.found), {**found.about, "command": "score"}, (*found.remarks, over)
        )


def _as_it_is(facts: Facts) -> tuple[str, ...]:
    """Return a remark where the errors of the items' labels are not looked at."""
    return (
        ("The truth is taken as it stands: areas and comparisons do not take --error.",)
        if "e" in facts.keys
        else ()
    )


def _cut(
    facts: Facts, polling: Polling, per: str, patterns: Mapping[Any, Patterns]
) -> dict[str, Any]:
    """Return the signature and the remarks of a vote on lists that are cut."""
    options = dict(facts.options) | polling.options() | {f"{per}s": ",".join(map(str, patterns))}
    digests = [one.digest() for one in patterns.values()]
    said = about("consensus", [polling.estimator, f"per {per}"], None, options, digests, facts)
    return {"about": said, "remarks": facts.voted()}


def _odd(facts: Facts, patterns: Patterns) -> tuple[str, ...]:
    """Return what is odd among the labels."""
    return odd_warnings(facts, [of_patterns(patterns)])
