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
from karat.keywords import takes_options
from karat.measure.prevalence import DEFAULT_PRIOR
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.words import counted

if TYPE_CHECKING:
    from karat.ask.label_errors import LabelErrorRates
    from karat.ask.preconditions import Per
    from karat.ask.prevalence import Columns
    from karat.doubt.group_mean import MeanOver
    from karat.doubt.interval import Side
    from karat.questions.plot import Picture
    from karat.report.findings import Findings
    from karat.verdict.compare.result import ComparisonResult
    from karat.verdict.consensus.cutoffs import Cutoffs, Depths
    from karat.verdict.consensus.item_labels import ItemTruth
    from karat.verdict.consensus.parts import ConsensusParts
    from karat.verdict.consensus.result import ConsensusResult
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
    `using` holds the options of the source, which `karat sources` lists. The options are the fields of
    `karat.ask.read_options.ReadOptions`.

    >>> read({"truth": [1, 0, 1], "a": [1, 0, 0]}).score(measure="accuracy").rows()[0]["value"]
    0.6666666666666666
    >>> read({"truth": [1, 0, 1], "a": [1, 0, 0]}, sistems=["a"])
    Traceback (most recent call last):
    karat.errors.UnknownNameError: no option of reading is called 'sistems'; did you mean 'systems'?
    """
    from karat.ask.opening import open_table
    from karat.table.option_help import from_keywords

    return Bench(open_table(data, from_keywords(ReadOptions, options)))


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
    from karat.source import SOURCES

    return read(SOURCES["predictions"](y_true, predictions, classes=classes), **options)


def read_checked(path: str | Path) -> "Bench":
    """Read a file of labels that were checked again: given, true, and maybe count, or share for P(true | given)."""
    from karat.ask.opening import open_checked

    return Bench(open_checked(path))


class Bench:
    """A table of answers, and the questions one can ask of it."""

    def __init__(self, counter: Counter) -> None:
        self.counter = counter

    def __repr__(self) -> str:
        """Say what was read."""
        items = counted(self.facts.counts.items, "item")
        systems = counted(len(self.facts.systems), "system")
        return f"Bench of {self.facts.origin}: {items}, {systems}"

    @property
    def facts(self) -> Facts:
        """What is known of the table: systems, kind, counts, options."""
        return self.counter.facts

    def at(self, threshold: float | None) -> Counter:
        """Return the counter of the answers: scores become yes and no from a threshold on, if one is given."""
        if threshold is None:
            return self.counter
        return self.counter.at(threshold)

    def describe(self) -> "TableDescription":
        """How is the file understood?"""
        from karat.questions.describe import describe

        return describe(self.counter)

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
        """How good is each system, and how sure is that? `mean_over`: these groups, or groups like-these."""
        from karat.doubt.estimates import IntervalOptions
        from karat.questions.score import score

        how = IntervalOptions(level=level, side=side, bound=bound, draws=draws, seed=seed)
        return score(
            self.at(threshold), how, measure=measure, per=per, mean_over=mean_over, beta=beta
        )

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
    ) -> "ComparisonResult":
        """Is one system really better than another?"""
        from karat.questions.compare import compare
        from karat.verdict.compare.compare import ComparisonOptions

        contest = ComparisonOptions(
            test=test,
            baseline=baseline,
            margin=margin,
            level=level,
            draws=draws,
            seed=seed,
            ranks=ranks,
        )
        return compare(self.at(threshold), measure, contest)

    def stability(
        self,
        *,
        label_error: "float | Sequence[float] | Mapping[str, float] | str | LabelErrorRates | None" = None,
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
    ) -> "StabilityResult":
        """Would the ranking be the same by the right labels? For answers that are numbers see `loss_stability`."""
        from karat.ask.label_errors import parse_label_errors
        from karat.questions.stability import stability
        from karat.verdict.stability.stability import NoiseOptions

        faults = NoiseOptions(
            label_errors=parse_label_errors(label_error, level=level),
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
        return stability(self.at(threshold), measure, faults, given=label_error, curves=curves)

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
    ) -> "StabilityResult":
        """Would a ranking by mean error or divergence be the same by the right truth?

        Numbers and grades by mean-absolute-error or mean-squared-error: `noise` is the truths' standard deviation,
        `label_error` how often a grade is one too high or too low. Distributions by cross-entropy or divergence:
        `floor` is the confidence that stands for none.
        """
        from karat.ask.label_errors import parse_label_errors
        from karat.measure.losses import Loss
        from karat.questions.stability import LossOptions, loss_stability
        from karat.verdict.stability.stability import NoiseOptions

        faults = NoiseOptions(
            label_errors=parse_label_errors(label_error, level=level),
            pair=pair,
            all_pairs=all_pairs,
            level=level,
            draws=draws,
            seed=seed,
        )
        loss = Loss(name=measure, floor=floor)
        options = LossOptions(loss=loss, noise=noise, given=label_error)
        return loss_stability(self.counter, options, faults)

    def consensus(self, *, threshold: float | None = None, **options: Any) -> "ConsensusResult":
        """Who is best when there is no truth? Options are those of `karat.ask.voting.ConsensusOptions`.

        A truth that is there is set beside the result; an oracle called (truth) lets it vote.
        """
        from karat.ask.voting import ConsensusOptions
        from karat.questions.consensus import consensus

        return consensus(self.counter, ConsensusOptions(**options), threshold=threshold)

    def consensus_parts(
        self, *, per: str, threshold: float | None = None, **options: Any
    ) -> "ConsensusParts":
        """What does the vote say of each class, group or family of systems separately?"""
        from karat.ask.voting import without_intervals
        from karat.questions.consensus import consensus_parts

        return consensus_parts(
            self.counter, without_intervals(options), per=per, threshold=threshold
        )

    def consensus_cutoffs(
        self, *, cutoffs: Sequence[float] | None = None, **options: Any
    ) -> "Cutoffs":
        """What are precision and recall at each cut-off of the scores, without the truth and by it?"""
        from karat.ask.voting import without_intervals
        from karat.questions.consensus import consensus_cutoffs
        from karat.verdict.consensus.cutoffs import CUTOFFS

        chosen = CUTOFFS if cutoffs is None else cutoffs
        return consensus_cutoffs(self.counter, without_intervals(options), chosen)

    def consensus_depths(self, *, depths: Sequence[int] | None = None, **options: Any) -> "Depths":
        """What are precision and recall if the first 5, 10, ... documents of each query are retrieved?"""
        from karat.ask.voting import without_intervals
        from karat.questions.consensus import consensus_depths
        from karat.verdict.consensus.cutoffs import DEPTHS

        chosen = DEPTHS if depths is None else depths
        return consensus_depths(self.counter, without_intervals(options), chosen)

    def consensus_items(self, *, threshold: float | None = None, **options: Any) -> "ItemTruth":
        """What is the likeliest label of each item, and how sure? A table that can serve as an uncertain truth."""
        from karat.ask.voting import without_intervals
        from karat.questions.consensus import consensus_items

        return consensus_items(self.counter, without_intervals(options), threshold=threshold)

    def skew(
        self,
        *,
        to: float | str | Path | Sequence[float | str | Path] = (),
        low: float | str | None = None,
        high: float | str | None = None,
        prior: "str | Columns" = DEFAULT_PRIOR,
        trajectory: Any = None,
        time: float | Sequence[float | None] | None = None,
        label_error: float | tuple[float, float] = 0.0,
        beside: "Mapping[str, Bench] | None" = None,
        bins: int | None = None,
        **options: Any,
    ) -> "PrevalenceResult":
        """What happens where positives are rarer or more frequent than here?

        `to` are prevalences (0.01, "1%", "1:99") or a file of unlabelled scores from where the systems are used; `low`
        and `high` a range with a `prior`; `trajectory` and `time` a prevalence that changes; `beside` other tables,
        by name; `bins` counts scores in bins. Other options are those of `PrevalenceQuestion` in
        `karat.verdict.prevalence.prevalence`.
        """
        from karat.questions.prevalence import prevalence_question, skew, tables_by_name

        question = prevalence_question(
            self.facts,
            label_error=label_error,
            to=to,
            low=low,
            high=high,
            prior=prior,
            trajectory=trajectory,
            time=time,
            **options,
        )
        others = {name: bench.counter for name, bench in (beside or {}).items()}
        return skew(tables_by_name(self.counter, others), question, bins=bins)

    def skew_groups(
        self,
        *,
        bins: int | None = None,
        level: float = 0.95,
        draws: int | None = None,
        seed: int = 0,
        **where: Any,
    ) -> "GroupedPrevalenceResult":
        """What happens at other prevalences in each group, and on average over the groups? `where` as for `skew`."""
        from karat.questions.prevalence import prevalences, skew_groups

        fields = prevalences("groups are compared", **where)
        return skew_groups(self.counter, fields, bins=bins, level=level, draws=draws, seed=seed)

    def retrieval(
        self, *, measure: str | Sequence[str] | None = None, level: float = 0.95
    ) -> "RetrievalResult":
        """How good is each ranking, averaged over queries? Measures are P@10, R@100, AP, RR and the like."""
        from karat.questions.retrieval import retrieval

        return retrieval(self.counter, measure=measure, level=level)

    def retrieval_queries(self, *, measure: str | Sequence[str] | None = None) -> "RetrievalResult":
        """How good is the ranking of each query?"""
        from karat.questions.retrieval import retrieval_queries

        return retrieval_queries(self.counter, measure=measure)

    def findings(
        self,
        *,
        measure: str | None = None,
        label_error: float = 0.03,
        level: float = 0.95,
        threshold: float | None = None,
        draws: int = 2000,
        seed: int = 0,
        say: Callable[[str], None] | None = None,
    ) -> "Findings":
        """What can be said of this table? Every question that it allows; `say` hears which is being asked."""
        from karat.questions.page import ReportOptions, findings, scores_beside

        options = ReportOptions(
            measure=measure, label_error=label_error, level=level, draws=draws, seed=seed
        )
        return findings(self.at(threshold), options, scores=scores_beside(self.counter), say=say)

    def report(self, path: str | Path, **options: Any) -> None:
        """Write all that can be said to a page, or to .md, .json or .pdf by the file's name; options as `findings`."""
        from karat.report import DOCUMENTS
        from karat.report.writing import write

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
    ) -> "Picture":
        """Draw one picture: scores, comparisons, stability, consensus or skew. Notebooks show it; `save` writes it.

        It is by accuracy, at 3 % wrong labels and at the level 0.95 unless something else is given.
        """
        from karat.questions.plot import drawn

        bench = Bench(self.at(threshold))
        return drawn(name, bench, measure=measure, label_error=label_error, level=level, seed=seed)

    def mistakes(
        self,
        *,
        model: str | None = None,
        level: float = 0.95,
    ) -> "LabelErrorRates":
        """How many labels are wrong, if the one system of this table says what is right where it was checked?

        `model` is uniform (the default), per-class or matrix; shares P(true | given) are a matrix anyway.
        """
        from karat.questions.label_checks import mistakes

        return mistakes(self.counter, model=model, level=level)

    def disagreement(self, *, level: float = 0.95) -> "LabelErrorRates":
        """How many labels are wrong, if the two systems of this table are annotators of the same items?"""
        from karat.questions.label_checks import disagreement

        return disagreement(self.counter, level=level)

    def save(self, path: str | Path, *, threshold: float | None = None) -> None:
        """Write the tally of the table to a file, from which every question can be asked again."""
        from karat.report.writing import write
        from karat.tally.counter import to_saved
        from karat.tally.saved import to_bytes

        write(path, to_bytes(to_saved(self.at(threshold))))
