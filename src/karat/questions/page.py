"""The findings of a report: every question that a table allows, one after the other."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypedDict, TypeVar

from karat.ask.label_errors import parse_label_errors
from karat.ask.preconditions import are_over_units, quantities_named, require_truth
from karat.ask.voting import ConsensusOptions
from karat.doubt.estimates import IntervalOptions
from karat.errors import KaratError, OptionError
from karat.measure import usual
from karat.questions.audit import neighbours_plan
from karat.questions.caching_counter import CachingCounter
from karat.questions.compare import compare
from karat.questions.consensus import consensus
from karat.questions.images_on_page import images_for_page
from karat.questions.judged import compare_by_judge, score_judged
from karat.questions.page_details import page_audit_list, page_class_errors, page_disputed
from karat.questions.prevalence_on_page import prevalence_for_page
from karat.questions.remarks import unnamed_cluster
from karat.questions.score import score
from karat.questions.stability import stability
from karat.report.findings import Findings, LittleTruth
from karat.table.graded import MAJORITY
from karat.table.kinds import score as scores_kind
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.tally.votes.patterns import patterns
from karat.verdict.audit.lists import AuditList
from karat.verdict.audit.plan import AuditPlan
from karat.verdict.class_errors import ClassErrors
from karat.verdict.compare.compare import FEWEST_DRAWS, ComparisonOptions
from karat.verdict.compare.result import ComparisonResult
from karat.verdict.consensus.result import ConsensusResult
from karat.verdict.correlated_items import CorrelatedItems, lead_over_groups
from karat.verdict.disputed_items import DisputedItems
from karat.verdict.group_leaders import GroupLeader, other_leaders
from karat.verdict.prevalence.result import PrevalenceResult
from karat.verdict.prevalence.slider import PrevalenceSlider
from karat.verdict.score.result import MEAN, ScoreResult
from karat.verdict.stability.orders import INFORMED
from karat.verdict.stability.result import StabilityResult
from karat.verdict.stability.stability import NoiseOptions
from karat.verdict.whatif import MOST_SYSTEMS, Sliders, State, Tallies, sliders, tallies

AUDIT_RISK = 0.05
"""The risk of an audit that a page plans."""
RATES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Shares of wrong labels at which ranks are simulated."""
FEW_RATES = (0.01, 0.1)
MANY_ANSWERS, MANY_SYSTEMS = 1_000_000, 60
"""Of more, ranks are simulated at fewer shares of wrong labels."""
PLANNED_SYSTEMS = 15
"""For more systems the number of further items is computed for neighbours only: a page shows no others."""
MOST_ITEMS = 300_000
"""Up to how many items ranks are simulated."""
RESAMPLES_WITHOUT_TRUTH = 200
"""Resamples of a vote without a truth; where there is one, the ranking by the truth has the intervals."""
NO_SLIDERS = (
    "Do errors in the labels matter? Label errors, and sliders, are for accuracy on independent items that are "
    "weighted equally; see karat stability."
)
RANKINGS = (
    "Do errors in the judgements matter, and what happens at another prevalence? These are rankings of documents by "
    "query; with --using depth=10 (or --threshold) they are yes and no, of which this can be asked."
)
TEXTS = (
    "Who is best by what all say together? Votes are on labels, and these are whole texts or documents; "
    "karat consensus - A B C aligns them, and votes on each place."
)
Answer = TypeVar("Answer")


class Details(TypedDict, total=False):
    """What a page shows of single classes and items."""

    class_errors: tuple[ClassErrors, ...]
    disputed: DisputedItems | None
    audit_list: AuditList | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """What a report is about."""

    measure: str | None = None
    label_error: float = 0.03
    level: float = 0.95
    draws: int = 2000
    seed: int = 0
    to: float | None = None
    """The prevalence that the page begins with; that of the data unless given."""
    threshold: float | None = None
    """The score from which an answer is yes, for what it does at other prevalences."""

    def __post_init__(self) -> None:
        """Refuse options that make no sense, before anything is computed."""
        if not 0 <= self.label_error <= 0.5:
            raise OptionError(
                f"--label-error is {self.label_error:g}; on a page it is a share from 0 to 0.5, such as 0.03"
            )
        if self.to is not None and not 0 < self.to < 1:
            raise OptionError(
                f"--to is {self.to:g}; on a page it is one prevalence between 0 and 1, such as 0.01"
            )
        if self.draws < FEWEST_DRAWS or self.seed < 0:
            raise OptionError(
                f"--draws is {self.draws} and --seed {self.seed}; take 100 draws or more, and a seed of 0 or more"
            )


class Inquiry:
    """Asks one question after the other, and keeps those that the table does not allow, with the reason."""

    def __init__(self, say: Callable[[str], None] | None) -> None:
        self._say = say
        self.unasked: list[str] = []

    def say(self, question: str) -> None:
        """Report which question is being asked."""
        if self._say is not None:
            self._say(question)

    def ask(self, question: str, answer: Callable[[], Answer]) -> Answer | None:
        """Return the answer, or None where the table does not allow the question."""
        self.say(question)
        try:
            return answer()
        except KaratError as error:
            self.unasked.append(f"{question} {error.message}")
            return None


def scores_beside(counter: Counter) -> Counter | None:
    """Return the counter of scores that have curves, if the table holds such."""
    facts = counter.facts
    if facts.kind == scores_kind and facts.has_truth and not facts.holds_rankings:
        return counter
    return None


def findings(
    counter: Counter,
    options: ReportOptions,
    *,
    scores: Counter | None = None,
    votes: Counter | None = None,
    classes: int | None = None,
    say: Callable[[str], None] | None = None,
) -> Findings:
    """Return the answers to all questions; one that the table does not allow is named, with the reason.

    `scores` counts the same table before its scores became yes and no; `votes` counts the rows that systems vote on,
    if they are others; `classes` is how many classes wrong labels may have, if not those that occur.
    """
    counter = CachingCounter(counter)
    facts = counter.facts
    inquiry = Inquiry(say)
    if facts.holds_rankings:
        inquiry.unasked.append(RANKINGS)
    if facts.has_truth:
        require_truth(facts, "total")
    vote = None
    if _holds_whole_texts(facts, options):
        inquiry.unasked.append(TEXTS)
    else:
        vote = _vote(inquiry, votes or counter, options)
    if not facts.has_truth:
        return _without_truth(facts, options, vote, inquiry)
    inquiry.say("How good is each system?")
    how = IntervalOptions(level=options.level, draws=options.draws, seed=options.seed)
    measure = None if options.measure is None else [options.measure]
    by_measure = score(counter, how, measure=measure)
    ranked_by = str(by_measure.entries[0].estimates.quantity)
    counts = None
    if _comparable(facts) and ranked_by == usual.RIGHT_ANSWERS:
        counts = tallies(counter.count(patterns, keys="cwe"))
    pairs = _pairs(inquiry, counter, ranked_by, counts, classes, options)
    images = inquiry.ask(
        "What do the images look like?", lambda: images_for_page(counter, by_measure, ranked_by)
    )
    details = _details(inquiry, counter, counts, classes, options)
    by_prevalence, slider = _prevalence(inquiry, scores, options)
    by_group = _groups(inquiry, counter, how, ranked_by)
    return Findings(
        facts=facts,
        measure=ranked_by,
        level=options.level,
        seed=options.seed,
        scores=by_measure,
        consensus=vote,
        little_truth=_little_truth(inquiry, counter, options),
        at_prevalences=by_prevalence,
        prevalence=slider,
        groups=by_group,
        other_leaders=_other_leaders(by_measure, by_group),
        comparisons=pairs.comparisons,
        correlated=_correlated(facts, by_measure, by_group, options),
        stability=pairs.stability,
        informed=pairs.informed,
        audit=pairs.audit,
        **details,
        images=images or (),
        sliders=_sliders(counts, options),
        unasked=tuple(inquiry.unasked),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PairFindings:
    """What a page says of systems two by two; None where the table does not allow it."""

    comparisons: ComparisonResult | None = None
    stability: StabilityResult | None = None
    informed: StabilityResult | None = None
    audit: AuditPlan | None = None


def _pairs(
    inquiry: Inquiry,
    counter: Counter,
    ranked_by: str,
    counts: Tallies | None,
    classes: int | None,
    options: ReportOptions,
) -> _PairFindings:
    """Return who is better than whom, and whether errors in the labels matter to that."""
    facts = counter.facts
    if _comparable_by_scores(facts):
        return _PairFindings(comparisons=_comparisons(inquiry, counter, ranked_by, options))
    if not _comparable(facts):
        return _PairFindings()
    if len(facts.systems) > MOST_SYSTEMS:
        number = len(facts.systems)
        inquiry.unasked.append(
            f"{number:,} systems are too many to compare two by two; name some: --systems"
        )
        return _PairFindings()
    comparisons = _comparisons(inquiry, counter, ranked_by, options)
    robust = _stability(inquiry, counter, counts, options, classes)
    informed = None
    if classes is None:
        informed = _informed(inquiry, counter, counts, options, robust)
    audit = _audit(inquiry, counter, counts, options)
    return _PairFindings(comparisons=comparisons, stability=robust, informed=informed, audit=audit)


def _holds_whole_texts(facts: Facts, options: ReportOptions) -> bool:
    """Return whether rows are texts or documents: two systems hardly ever give the same one, so they cannot vote."""
    source = facts.options.get("source", "")
    if "rows=texts" in source or "rows=documents" in source:
        return True
    if options.measure is None or not are_over_units(options.measure):
        return False
    return any(one.counted_from == "texts" for one in quantities_named(options.measure))


def _comparable(facts: Facts) -> bool:
    """Return whether there are two systems or more whose answers are right or wrong."""
    return len(facts.systems) > 1 and facts.kind != scores_kind


def _comparable_by_scores(facts: Facts) -> bool:
    """Return whether there are some systems whose scores have areas, or rank documents, and so can be compared."""
    return 1 < len(facts.systems) <= MOST_SYSTEMS and facts.kind == scores_kind


def _sliders(counts: Tallies | None, options: ReportOptions) -> Sliders | None:
    """Return the numbers that follow the sliders of a page, where they have a closed form."""
    if counts is None:
        return None
    state = State(level=options.level, error=options.label_error, items=counts.items)
    return sliders(counts, state)


def _without_truth(
    facts: Facts, options: ReportOptions, vote: ConsensusResult | None, inquiry: Inquiry
) -> Findings:
    if vote is None:
        raise OptionError(
            f"{facts.origin} has no truth, and nothing to vote on; {facts.truth_remedy()}"
        )
    return Findings(
        facts=facts,
        measure=f"{vote.ranks_by}, judged by all systems",
        level=options.level,
        seed=options.seed,
        consensus=vote,
        unasked=tuple(inquiry.unasked),
    )


def _vote(inquiry: Inquiry, counter: Counter, options: ReportOptions) -> ConsensusResult | None:
    """Return who is best without a truth, where systems give answers that can be voted on."""
    facts = counter.facts
    if len(facts.systems) < 3 or facts.kind == scores_kind or {"c", "w"} & set(facts.keys):
        return None
    draws = 0 if facts.has_truth else RESAMPLES_WITHOUT_TRUTH
    voting = ConsensusOptions(level=options.level, draws=draws, seed=options.seed)
    return inquiry.ask("Who is best by what all say together?", lambda: consensus(counter, voting))


def _comparisons(
    inquiry: Inquiry, counter: Counter, measure: str, options: ReportOptions
) -> ComparisonResult | None:
    comparison = ComparisonOptions(
        level=options.level,
        draws=options.draws,
        seed=options.seed,
        plan_neighbours_only=len(counter.facts.systems) > PLANNED_SYSTEMS,
    )
    return inquiry.ask(
        "Is one better than another?", lambda: compare(counter, [measure], comparison)
    )


def _little_truth(inquiry: Inquiry, counter: Counter, options: ReportOptions) -> LittleTruth | None:
    """Return estimates from the few items with a truth and the answers to all items, where most have no truth."""
    facts = counter.facts
    few = 2 * facts.counts.without_truth >= facts.counts.items
    by_accuracy = options.measure in {None, usual.RIGHT_ANSWERS}
    if not few or not by_accuracy or not _comparable(facts) or set(facts.keys) & {"c", "w", "e"}:
        return None
    if len(facts.systems) > MOST_SYSTEMS:
        return None
    how = IntervalOptions(level=options.level)
    comparison = ComparisonOptions(level=options.level, seed=options.seed)

    def answer() -> LittleTruth:
        # As in a vote, a missing answer is unknown, not wrong: a crowd answers some items each.
        scores = score_judged(counter, MAJORITY, how, missing="skip")
        comparisons = compare_by_judge(
            counter, MAJORITY, usual.RIGHT_ANSWERS, comparison, missing="skip"
        )
        return LittleTruth(scores, comparisons)

    return inquiry.ask("What does a little truth say?", answer)


def _stability(
    inquiry: Inquiry,
    counter: Counter,
    counts: Tallies | None,
    options: ReportOptions,
    classes: int | None,
) -> StabilityResult | None:
    """Return how likely each rank is at several shares of wrong labels, where that has an answer."""
    if counts is None:
        inquiry.unasked.append(NO_SLIDERS)
        return None
    if counts.items > MOST_ITEMS:
        inquiry.unasked.append(
            f"Ranks under label errors are not simulated for more than {MOST_ITEMS:,} items."
        )
        return None
    large = counts.items * len(counts.systems) > MANY_ANSWERS or len(counts.systems) > MANY_SYSTEMS
    rates = sorted({*(FEW_RATES if large else RATES), options.label_error} - {0.0})
    noise_options = NoiseOptions(
        label_errors=parse_label_errors(rates, level=options.level),
        classes=classes,
        model="uniform",
        level=options.level,
        draws=options.draws,
        seed=options.seed,
    )
    return inquiry.ask(
        "Do errors in the labels matter?",
        lambda: stability(counter, usual.RIGHT_ANSWERS, noise_options, given=rates),
    )


def _informed(
    inquiry: Inquiry,
    counter: Counter,
    counts: Tallies | None,
    options: ReportOptions,
    robust: StabilityResult | None,
) -> StabilityResult | None:
    """Return the same at the assumed share, for errors that lie where systems contradict the labels."""
    if counts is None or counts.items > MOST_ITEMS or not options.label_error:
        return None
    noise_options = NoiseOptions(
        label_errors=parse_label_errors(options.label_error, level=options.level),
        model=INFORMED,
        level=options.level,
        draws=options.draws,
        seed=options.seed,
    )
    known = () if robust is None else robust.pairs
    by_chance = [pair for pair in known if pair.label_error == options.label_error]
    return inquiry.ask(
        "Do errors matter that lie where systems contradict the labels?",
        lambda: stability(
            counter,
            usual.RIGHT_ANSWERS,
            noise_options,
            given=options.label_error,
            by_chance=by_chance,
        ),
    )


def _audit(
    inquiry: Inquiry, counter: Counter, counts: Tallies | None, options: ReportOptions
) -> AuditPlan | None:
    """Return how many labels an audit of each two neighbours takes, where each label can be looked up."""
    facts = counter.facts
    if counts is None or counts.items > MOST_ITEMS or "n" in facts.keys or facts.meaning.truth_sep:
        return None
    if 2 * facts.counts.without_truth >= facts.counts.items:
        # A share of wrong labels says nothing of items that have none; what to label next is said of these.
        return None
    return inquiry.ask(
        "Which labels should be checked?",
        lambda: neighbours_plan(
            counter, usual.RIGHT_ANSWERS, label_error=options.label_error, risk=AUDIT_RISK
        ),
    )


def _details(
    inquiry: Inquiry,
    counter: Counter,
    counts: Tallies | None,
    classes: int | None,
    options: ReportOptions,
) -> Details:
    """Return where systems go wrong: by class and item by item, where answers are labels."""
    if counts is None or classes is not None or counts.items > MOST_ITEMS:
        return {}
    inquiry.say("Where does it go wrong?")
    order = counts.systems
    details: Details = {"class_errors": page_class_errors(counter, order, level=options.level)}
    if len(order) > 1:
        details["disputed"] = page_disputed(counter, order)
        details["audit_list"] = page_audit_list(counter, order, risk=AUDIT_RISK)
    return details


def _groups(
    inquiry: Inquiry, counter: Counter, how: IntervalOptions, measure: str
) -> ScoreResult | None:
    facts = counter.facts
    if "g" not in facts.keys or facts.kind == scores_kind:
        return None
    return inquiry.ask(
        "Is it the same in every group?",
        lambda: score(counter, how, measure=[measure], per="group"),
    )


def _prevalence(
    inquiry: Inquiry, counter: Counter | None, options: ReportOptions
) -> tuple[PrevalenceResult | None, PrevalenceSlider | None]:
    """Return what happens at another prevalence, where systems give scores."""
    if counter is None:
        return None, None
    counter = CachingCounter(counter)
    answer = inquiry.ask(
        "What happens at another prevalence?",
        lambda: prevalence_for_page(
            counter,
            level=options.level,
            seed=options.seed,
            to=options.to,
            threshold=options.threshold,
        ),
    )
    return (None, None) if answer is None else answer


def _other_leaders(scores: ScoreResult, groups: ScoreResult | None) -> tuple[GroupLeader, ...]:
    """Return the groups that another system leads than the whole."""
    if groups is None:
        return ()
    first = scores.rows()[0]["system"]
    lower = groups.entries[0].estimates.quantity.lower_is_better
    return other_leaders(groups.rows(), first, lower_is_better=lower, without=MEAN)


def _correlated(
    facts: Facts, scores: ScoreResult, groups: ScoreResult | None, options: ReportOptions
) -> CorrelatedItems | None:
    """Return what is known of correlated items, and what it means for the first two systems."""
    if len(facts.systems) < 2 or facts.holds_rankings:
        return None
    first, second = (row["system"] for row in scores.rows()[:2])
    if "c" in facts.keys:
        return CorrelatedItems(clusters=True)
    if groups is not None:
        over_groups = lead_over_groups(groups.rows(), first, second, level=options.level)
        if over_groups is not None:
            return over_groups
    return CorrelatedItems(column=unnamed_cluster(facts))
