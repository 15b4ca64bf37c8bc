"""A table of answers and the questions one can ask of it: read this first.

source -> table -> tally -> measure -> doubt -> verdict -> report. `read` goes as far as the table. Each method of a
`Bench` is one question: it checks what was given, and hands over to the file of that question in `karat.questions`,
which counts what it needs and goes from there to a result. A method imports its question only when it is called.
"""
# ruff: noqa: PLC0415 (each question loads what it needs)

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from karat.ask.read_options import ReadOptions
from karat.keywords import offers_nearest, takes_options
from karat.measure.prevalence import DEFAULT_PRIOR
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.words import counted, listing, printable

if TYPE_CHECKING:
    from karat.ask.label_errors import LabelErrorRates
    from karat.ask.preconditions import Per
    from karat.ask.prevalence import Columns
    from karat.doubt.group_mean import MeanOver
    from karat.doubt.interval import Side
    from karat.questions.consensus import AnyConsensus
    from karat.questions.plot import Picture
    from karat.report.findings import Findings
    from karat.report.notebook_page import ReportPage
    from karat.verdict.audit.audit import Audit
    from karat.verdict.compare.result import ComparisonResult
    from karat.verdict.prevalence.groups_result import GroupedPrevalenceResult
    from karat.verdict.prevalence.result import PrevalenceResult
    from karat.verdict.read.understanding import TableDescription
    from karat.verdict.score.result import ScoreResult
    from karat.verdict.score.retrieval import RetrievalResult
    from karat.verdict.stability.result import StabilityResult


@takes_options(ReadOptions)
def read(data: Any, **options: Any) -> "Bench":
    """Read a table of answers: files, a data frame, or columns by name; or tallies counted before.

    `truth` is a column, a file, `FILE:COLUMN`, or a second frame; `scores` a file or frame of the systems' confidences;
    `judge` who looks at items without truth, for `score` and `compare`; `using` holds the options of the source, which
    `karat sources` lists. The options are the fields of `karat.ask.read_options.ReadOptions`.

    >>> read({"truth": [1, 0, 1], "a": [1, 0, 0]}).score(measure="accuracy").rows()[0]["value"]
    0.6666666666666666
    >>> read({"truth": [1, 0, 1], "a": [1, 0, 0]}, sistems=["a"])
    Traceback (most recent call last):
    karat.errors.UnknownNameError: no option of reading is called 'sistems'; did you mean 'systems'?
    """
    from karat.ask.opening import open_table
    from karat.table.option_help import from_keywords

    return Bench(open_table(data, from_keywords(ReadOptions, options)))


@offers_nearest
def from_predictions(
    y_true: Any,
    predictions: Mapping[str, Any],
    *,
    classes: Sequence[Any] | None = None,
    item: Sequence[Any] | None = None,
    group: Sequence[Any] | None = None,
    cluster: Sequence[Any] | None = None,
    weight: Sequence[float] | None = None,
    positive: Any = None,
    missing: str = "wrong",
    kind: str | Mapping[str, str] | None = None,
) -> "Bench":
    """Take predictions as they stand in a script: labels, scores or probabilities by name.

    Probabilities have a column per class; `classes` names them, else they are the sorted labels of `y_true`. Several
    labels an item are a column of 0 and 1 per class, in `y_true` too. `item`, `group`, `cluster` and `weight` have a
    value an item: its name, the group that results are also reported by, the cluster it is correlated within, and its
    weight.
    `positive` is the label that precision and recall are about, `missing` says how missing answers count (wrong, skip
    or as:LABEL), `kind` what the answers are (yesno, label, score or distribution; also by system).

    >>> from_predictions([1, 0, 1], {"a": [1, 0, 0]}).score(measure="accuracy").rows()[0]["value"]
    0.6666666666666666
    """
    from karat.source import SOURCES

    per_item = {"item": item, "group": group, "cluster": cluster, "weight": weight}
    given = {role: values for role, values in per_item.items() if values is not None}
    source = SOURCES["predictions"](y_true, predictions, classes=classes, beside=given)
    return read(source, positive=positive, missing=missing, kinds=kind or {})


def read_checked(path: str | Path) -> "Bench":
    """Read a file of checked labels: the columns given and true, and maybe count, or share for P(true | given)."""
    from karat.ask.opening import open_checked

    return Bench(open_checked(path))


class Bench:
    """A table of answers, and the questions one can ask of it."""

    def __init__(self, counter: Counter) -> None:
        self.counter = counter

    def __repr__(self) -> str:
        """Return what was read, and what was inferred."""
        facts = self.facts
        items = counted(facts.counts.items, "item")
        systems = counted(len(facts.systems), "system")
        lines = [f"Bench of {facts.origin}: {items}, {systems}"]
        lines.append(f"systems: {listing(facts.systems)}, {facts.kind}")
        lines += facts.notes
        if not facts.has_truth:
            lines.append("no truth")
        return printable("\n  ".join(lines), kept="\n")

    @property
    def facts(self) -> Facts:
        """What is known of the table: systems, kind, counts, options."""
        return self.counter.facts

    def at(self, threshold: float | None) -> Counter:
        """Return the counter of the answers: scores become yes and no from a threshold on, if one is given."""
        if threshold is None:
            return self.counter
        return self.counter.at(threshold)

    def without_judge(self, threshold: float | None = None) -> Counter:
        """Return the counter of the answers for a question that takes no judge."""
        from karat.ask.preconditions import refuse_judge

        refuse_judge(self.facts)
        return self.at(threshold)

    def describe(self) -> "TableDescription":
        """How is the file understood?"""
        from karat.questions.describe import describe

        return describe(self.counter)

    @offers_nearest
    def score(
        self,
        *,
        measure: str | Sequence[str] | None = None,
        per: "Per" = "total",
        mean_over: "MeanOver | None" = None,
        level: float = 0.95,
        side: "Side" = "both",
        bound: str = "exact",
        beta: float = 1.0,
        threshold: float | None = None,
        draws: int = 2000,
        seed: int = 0,
    ) -> "ScoreResult":
        """How good is each system, and how certain is that?

        measure: one or several, such as accuracy, f1, macro-f1 or precision[cat]; the usual ones unless given.
        per: total, class for each label, group for each group and their mean.
        mean_over: with groups, what the mean is of: these groups, or groups like-these.
        level, side: the confidence level of the intervals; both, lower or upper.
        bound: how the interval of a share is made: exact, wilson or jeffreys.
        beta: the weight of recall in F.
        threshold: the score from which an answer is yes.
        draws, seed: the number of resamples where an interval needs them, and their seed.
        """
        from karat.doubt.estimates import IntervalOptions
        from karat.questions.score import score

        how = IntervalOptions(level=level, side=side, bound=bound, draws=draws, seed=seed)
        return score(
            self.at(threshold), how, measure=measure, per=per, mean_over=mean_over, beta=beta
        )

    @offers_nearest
    def compare(
        self,
        *,
        measure: str | Sequence[str] | None = None,
        test: str = "auto",
        baseline: str | None = None,
        margin: float | None = None,
        level: float = 0.95,
        threshold: float | None = None,
        ranks: bool | None = None,
        draws: int = 2000,
        seed: int = 0,
    ) -> "ComparisonResult":
        """Is one system really better than another?

        measure: one or several, such as accuracy or macro-f1; accuracy unless given, of rankings of documents AP; of
            scores roc-area, average-precision or pr-area@0.01.
        test: how two systems are compared; auto takes what is exact for the measure.
        baseline: compare every system with this one only.
        margin: by how much a system may be worse and still be no worse.
        level: the confidence level; p-values are corrected for the number of comparisons.
        threshold: the score from which an answer is yes.
        ranks: whether the probabilities of ranks are simulated; unless given, where that takes a moment.
        draws, seed: the number of resamples where a test needs them, and their seed.
        """
        from karat.questions.compare import compare
        from karat.verdict.compare.compare import ComparisonOptions

        options = ComparisonOptions(
            test=test,
            baseline=baseline,
            margin=margin,
            level=level,
            draws=draws,
            seed=seed,
            ranks=ranks,
        )
        return compare(self.at(threshold), measure, options)

    @offers_nearest
    def require(
        self,
        *conditions: str,
        measure: str | None = None,
        label_error: "str | float | None" = None,
        level: float = 0.95,
        side: "Side" = "both",
        threshold: float | None = None,
    ) -> None:
        """Fail with an AssertionError where a condition is not met; for a test in a pipeline.

        conditions: as `--require` takes them: better:NEW,OLD, no-worse:NEW,OLD,MARGIN, recall[cat]>=0.9 (of the lower
            bound), error-rate<=0.1 (of the upper one), kept>=0.95.
        measure: what pairs and orders are compared by; accuracy unless given, of rankings of documents AP.
        label_error: the share of wrong labels at which orders are to be kept.
        level, side: the confidence level; of bounds, both, lower or upper.
        threshold: the score from which an answer is yes.
        """
        from karat.questions.require import unmet

        reasons = unmet(
            self,
            conditions,
            measure=measure,
            label_error=label_error,
            level=level,
            side=side,
            threshold=threshold,
        )
        if reasons:
            raise AssertionError("; ".join(reasons))

    @offers_nearest
    def stability(
        self,
        *,
        label_error: "float | Sequence[float] | Mapping[str, float] | str | LabelErrorRates | None" = None,
        measure: str = "accuracy",
        noise: float | None = None,
        floor: float = 0.0,
        classes: int | None = None,
        pair: tuple[str, str] | None = None,
        all_pairs: bool = False,
        few: bool = False,
        wrong: int | None = None,
        at_most: bool = False,
        threshold: float | None = None,
        curves: bool = False,
        model: str | None = None,
        checked: Mapping[str, str] | None = None,
        constants: str | Path | None = None,
        per: str = "total",
        level: float = 0.95,
        draws: int = 10_000,
        seed: int = 0,
    ) -> "StabilityResult":
        """Would the ranking be the same by the right labels?

        label_error: the share of wrong labels, "3/100" for a check of 100, a range, or one by label; for grades
            how often one is too high or too low.
        measure: accuracy and the like; mean-absolute-error or mean-squared-error where answers are numbers,
            cross-entropy or divergence where they are distributions.
        noise: the standard deviation of the truths, where answers are numbers.
        floor: the confidence that takes the place of 0, where answers are distributions.
        classes: how many labels there are, where not all of them occur.
        pair, all_pairs: two systems, or every two; else neighbours in the ranking.
        few: whether the items count as a sample, too: the probability then allows for few items and for wrong labels.
        wrong, at_most: exactly so many wrong labels, or at most.
        threshold: the score from which an answer is yes.
        curves: whether the probability is given for every share of wrong labels.
        model: uniform for errors by chance, informed for errors that lie where systems contradict the labels, as on
            re-annotated benchmarks; rows by chance and informed beside them unless given.
        checked: the right labels of items that were looked up, by item, for the model informed.
        constants: a file of constants for that model, learnt from another re-annotated benchmark.
        per: total, or group for the ranking of each group of items; labels checked in one group inform all of them.
        level, draws, seed: the confidence level, the number of simulations, their seed.
        """
        from karat.ask.label_errors import parse_label_errors
        from karat.questions.known_labels import known_labels
        from karat.questions.stability_by_group import stability_per
        from karat.verdict.stability.stability import NoiseOptions

        noise_options = NoiseOptions(
            label_errors=parse_label_errors(label_error, level=level),
            classes=classes,
            pair=pair,
            all_pairs=all_pairs,
            few=few,
            model=model,
            wrong=wrong,
            at_most=at_most,
            level=level,
            draws=draws,
            seed=seed,
        )
        return stability_per(
            self.without_judge(threshold),
            measure,
            noise_options,
            per=per,
            given=label_error,
            noise=noise,
            floor=floor,
            curves=curves,
            knowledge=known_labels(checked, constants),
        )

    @offers_nearest
    def audit(
        self,
        *,
        claim: "str | tuple[str, str] | Sequence[str | tuple[str, str]]",
        risk: float = 0.05,
        seed: int | str | None = None,
        measure: str = "accuracy",
        random: float = 0.0,
        guide: str | None = None,
        new_items: bool = False,
        fields: str | Path | None = None,
        threshold: float | None = None,
    ) -> "Audit":
        """Which labels should be checked, and when is the ranking settled?

        Of the audit, `next(60)` gives the items to look at, `apply({item: label})` takes the labels that were found,
        `rows()` gives the verdict on each claim so far, and `plan(0.05)` how many checks it will take.

        claim: best, order, a pair (better, worse), or a list of these.
        risk: the probability with which a false claim may be settled.
        seed: the seed of the draws; a hash of the table unless given.
        measure: accuracy, or another sum over items.
        random: the share of the draws that is made among all items, not only among disputed ones.
        guide: informed draws items more often whose label may be wrong; even draws unless given.
        new_items: whether the claim is about further items like these, too.
        fields: a file with what to show of each item.
        threshold: the score from which an answer is yes.
        """
        from karat.ask.audit import AuditOptions, claims_given
        from karat.questions.audit import audit

        options = AuditOptions(
            claims=claims_given(claim),
            risk=risk,
            seed=None if seed is None else str(seed).strip(),
            random=random,
            guide=guide,
            new_items=new_items,
        )
        return audit(self.without_judge(threshold), measure, options, fields=fields)

    @offers_nearest
    def consensus(
        self,
        *,
        per: str = "total",
        estimator: str | None = None,
        trust: Mapping[str, float] | None = None,
        oracles: Mapping[str, float] | None = None,
        families: Mapping[str, Sequence[str]] | None = None,
        leave_out: str | None = None,
        beta: float | None = None,
        cutoffs: Sequence[float] | None = None,
        threshold: float | None = None,
        level: float | None = None,
        draws: int | None = None,
        seed: int | None = None,
    ) -> "AnyConsensus":
        """Who is best when there is no truth?

        Where there is a truth, the result is compared with it; an oracle called (truth) lets it vote.

        per: total; class, group or family for each by itself; cutoff for precision and recall at cut-offs of the
            scores; depth for the first so many documents of each query; item for the likeliest label of each item,
            a table that can serve as an uncertain truth.
        estimator: how systems are judged by each other, such as combined (unless given), one-coin, pooled, majority,
            dawid-skene or vote; the vote is the paper's, and taken for confidences, parts, trust, oracles, leave_out
            and beta.
        trust: how much the vote of a system weighs, by name; 1 unless given.
        oracles: columns that know the truth where they answer, and how much they weigh.
        families: systems with correlated errors, by a name, that share one vote; {"found": ()} looks for them.
        leave_out: whose votes a system is not judged by: nobody, itself or family.
        beta: the weight of recall in F; 1 unless given.
        cutoffs: with per="cutoff" the scores from which answers are yes; with per="depth" how many documents count.
        threshold: the score from which an answer is yes.
        level, draws, seed: the level (0.95), the number of resamples for the spread (200; 0 for none), their seed.
        """
        from karat.questions.consensus import consensus_per

        options = {
            "estimator": estimator,
            "trust": trust,
            "oracles": oracles,
            "families": families,
            "leave_out": leave_out,
            "beta": beta,
            "level": level,
            "draws": draws,
            "seed": seed,
        }
        given = {name: value for name, value in options.items() if value is not None}
        return consensus_per(self.without_judge(), per, given, cutoffs=cutoffs, threshold=threshold)

    @offers_nearest
    def skew(
        self,
        *,
        to: float | str | Path | Sequence[float | str | Path] = (),
        low: float | str | None = None,
        high: float | str | None = None,
        prior: "str | Columns" = DEFAULT_PRIOR,
        trajectory: Any = None,
        time: float | Sequence[float | None] | None = None,
        per: str = "total",
        threshold: float | None = None,
        check: tuple[float, float] | None = None,
        choose: str | None = None,
        label_error: float | tuple[float, float] = 0.0,
        beside: "Mapping[str, Bench] | None" = None,
        bands: bool = False,
        bins: int | None = None,
        level: float = 0.95,
        draws: int | None = None,
        seed: int = 0,
    ) -> "PrevalenceResult | GroupedPrevalenceResult":
        """What happens where positives are rarer or more frequent than here?

        to: prevalences (0.01, "1%", "1:99"), or a file of unlabelled scores from where the systems are used.
        low, high, prior: a range of prevalences, and how likely each is: uniform, another name, or a file of weights.
        trajectory, time: a prevalence that changes, and how long it does.
        per: total, or group for each group by itself and their mean.
        threshold: the score from which an answer is yes, to see what it does there.
        check: a published precision and recall to compare with the curves.
        choose: what the threshold is chosen for, such as "f1", "recall>=0.9" or "precision>=0.9".
        label_error: the share of wrong labels, or those among the negatives and among the positives.
        beside: other tables of the same systems, by name.
        bands: whether the curves have confidence bands.
        bins: count scores in so many bins.
        level, draws, seed: the confidence level, the number of resamples, their seed.
        """
        from karat.questions.prevalence import skew_per

        deployments = {
            "to": to,
            "low": low,
            "high": high,
            "prior": prior,
            "trajectory": trajectory,
            "time": time,
        }
        options = {
            "threshold": threshold,
            "check": check,
            "choose": choose,
            "label_error": label_error,
            "bands": bands,
            "level": level,
            "draws": draws,
            "seed": seed,
        }
        others = {name: bench.counter for name, bench in (beside or {}).items()}
        return skew_per(self.without_judge(), per, deployments, options, beside=others, bins=bins)

    @offers_nearest
    def retrieval(
        self,
        *,
        measure: str | Sequence[str] | None = None,
        per: str = "total",
        level: float | None = None,
    ) -> "RetrievalResult":
        """How good is each ranking of documents, averaged over queries?

        measure: P@10, R@100, AP, RR and the like, one or several.
        per: total, or query for each query by itself.
        level: the confidence level of the means, 0.95 unless given.
        """
        from karat.questions.retrieval import retrieval_per

        return retrieval_per(self.without_judge(), per, measure=measure, level=level)

    @offers_nearest
    def findings(
        self,
        *,
        measure: str | None = None,
        label_error: float = 0.03,
        level: float = 0.95,
        threshold: float | None = None,
        draws: int = 2000,
        seed: int = 0,
        to: float | str | None = None,
        say: Callable[[str], None] | None = None,
    ) -> "Findings":
        """What can be said of this table? Every question that it allows.

        measure, level, threshold: what ranks, the confidence level, the score from which an answer is yes.
        label_error: the share of wrong labels that is assumed.
        draws, seed: how many times rankings are simulated, and the seed.
        to: a prevalence where the systems will be used, such as 0.01 or "1%".
        say: is called with each question before it is answered.
        """
        from karat.ask.prevalence import prevalence_of
        from karat.questions.page import ReportOptions, findings, scores_beside

        options = ReportOptions(
            measure=measure,
            label_error=label_error,
            level=level,
            draws=draws,
            seed=seed,
            to=None if to is None else prevalence_of(to),
            threshold=threshold,
        )
        return findings(
            self.without_judge(threshold), options, scores=scores_beside(self.counter), say=say
        )

    @offers_nearest
    def report(
        self,
        path: str | Path | None = None,
        *,
        measure: str | None = None,
        label_error: float = 0.03,
        level: float = 0.95,
        threshold: float | None = None,
        draws: int = 2000,
        seed: int = 0,
        to: float | str | None = None,
        title: str | None = None,
        date: str | None = None,
        against: str | Path | None = None,
        say: Callable[[str], None] | None = None,
    ) -> "ReportPage":
        """Write the answers to all questions to a page, or to .md, .json or .pdf by the name; a notebook shows it.

        Without a path nothing is written, and the notebook shows the page. Options as of `findings`, and:
        title, date: what the page is called, and what stands beside it.
        against: the JSON of an earlier report; the page then says what changed.
        """
        from karat.questions.report import report_page

        return report_page(
            lambda: self.findings(
                measure=measure,
                label_error=label_error,
                level=level,
                threshold=threshold,
                draws=draws,
                seed=seed,
                to=to,
                say=say,
            ),
            path,
            title=title,
            date=date,
            against=against,
        )

    @offers_nearest
    def plot(
        self,
        name: str,
        *,
        measure: str | None = None,
        label_error: float | None = None,
        level: float | None = None,
        threshold: float | None = None,
        seed: int | None = None,
    ) -> "Picture":
        """Draw one picture, such as "scores" or "ranking". Notebooks show it; `save` writes it.

        name: scores, comparisons, ranking, forest, ranks, groups, confusion, stability, consensus, cutoffs, depths,
        skew, roc or graphs.

        Unless given, the measure is accuracy, the share of wrong labels 3 % and the level 0.95.
        """
        from karat.questions.plot import picture_by_name

        bench = Bench(self.without_judge(threshold))
        return picture_by_name(
            name, bench, measure=measure, label_error=label_error, level=level, seed=seed
        )

    @offers_nearest
    def mistakes(
        self,
        *,
        model: str | None = None,
        level: float = 0.95,
    ) -> "LabelErrorRates":
        """How many labels are wrong, if the one system of this table holds the right label of each checked item?

        `model` is uniform (the default), per-class or matrix; shares P(true | given) are a matrix anyway.
        """
        from karat.questions.label_checks import mistakes

        return mistakes(self.without_judge(), model=model, level=level)

    def disagreement(self, *, level: float = 0.95) -> "LabelErrorRates":
        """How many labels are wrong, if the two systems of this table are annotators of the same items?"""
        from karat.questions.label_checks import disagreement

        return disagreement(self.without_judge(), level=level)

    def save(self, path: str | Path, *, threshold: float | None = None) -> None:
        """Write the tally of the table to a file, from which every question can be asked again."""
        from karat.report.writing import write
        from karat.tally.counter import to_saved
        from karat.tally.saved import to_bytes

        write(path, to_bytes(to_saved(self.without_judge(threshold))))
