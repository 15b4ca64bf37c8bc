"""Who is best when there is no truth: an estimate, its spread over items, and the truth beside it if there is one."""

from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from karat.ask.poll import Poll, estimator_input, polled
from karat.ask.voting import ALL, NONE, TRUTH, ConsensusOptions
from karat.doubt.consensus.vote_blocks import consensus_blocks
from karat.doubt.consensus.vote_bootstrap import SPREAD, consensus_bootstrap
from karat.doubt.interval import Interval
from karat.measure.consensus.estimator import EstimatorInput, Opinion
from karat.measure.consensus.majority import majority
from karat.planning.items import items_for_bound
from karat.tally.codes import MISSING
from karat.tally.votes.patterns import Patterns
from karat.verdict.consensus.agreement import agreement_of
from karat.verdict.consensus.confidence_sums import SummedConfidences
from karat.verdict.consensus.families import correlation, families_for
from karat.verdict.consensus.few_checked import checked_sample, powered_accuracies
from karat.verdict.consensus.other_estimators import other_estimators
from karat.verdict.consensus.result import ConsensusResult, System
from karat.verdict.consensus.truth_comparison import compare_with_truth
from karat.verdict.consensus.truth_rates import rates_by_truth
from karat.verdict.ranking import ranking

Codes = npt.NDArray[np.int64]
CHEAP = 40_000_000
"""Answers times classes times draws up to which items are resampled."""
QUICK = 10
"""A quick estimator may resample so many times as much."""
TOO_MANY = "No spread over items: the answers are too many to be resampled in seconds; fewer --draws may do."


def consensus(
    patterns: Patterns, kind: str, options: ConsensusOptions, sums: SummedConfidences | None = None
) -> ConsensusResult:
    """Return how good every system is by the answers of all of them.

    Where confidences are too many for patterns, the vote is made of their sums, and the patterns are of yes and no.
    """
    poll = polled(patterns, kind, truth=TRUTH in options.oracles)
    correlated = correlation(poll, patterns, options.level)
    families = families_for(poll, patterns, options, correlated)
    answers = estimator_input(poll, options, families)
    of_sums = options.method.of_sums
    if sums is None or of_sums is None:
        opinion = options.method.estimate(answers)
        spread = _resampled_spread(poll, options, answers)
        remarks = _remarks(options, spread)
    else:
        opinion = of_sums(sums.covotes, answers)
        spread = _spread_by_blocks(sums, options, answers)
        remarks = (sums.remark,)
        if spread is not None:
            remarks = (*remarks, SPREAD)
    systems = _systems(poll, opinion, spread)
    values = {one.system: one.value for one in systems if one.system in patterns.systems}
    ranks = ranking(values)
    last = len(ranks) + 1
    true_rates = rates_by_truth(patterns, poll, options)
    majority_labels = _majority_of_systems(poll)
    f_name = f"f{options.beta:g}"
    return ConsensusResult(
        estimator=options.estimator,
        ranks_by=f_name if options.method.ranks_by_f else options.method.ranks_by,
        beta=options.beta,
        systems=tuple(sorted(systems, key=lambda one: ranks.get(one.system, last))),
        ranks=ranks,
        labels=poll.labels,
        left_out=opinion.left_out,
        level=options.level,
        method=opinion.method if spread is None else f"{opinion.method}; {spread.method}",
        agreement=agreement_of(poll, correlated),
        others=other_estimators(poll, options.estimator, values, majority_labels, opinion.model),
        truth_comparison=compare_with_truth(
            patterns, poll, options, values, true_rates, majority_labels
        ),
        true_rates=true_rates,
        powered=powered_accuracies(patterns, poll, majority_labels, options.level),
        sample=checked_sample(patterns, poll, majority_labels, options.level),
        needed=_items_needed(poll, majority_labels, options.level),
        grouped=options.finds_families,
        remarks=remarks,
    )


def _remarks(options: ConsensusOptions, spread: Interval | None) -> tuple[str, ...]:
    """Return why there is no spread over items, or what it is."""
    if spread is None:
        return (TOO_MANY,) if options.draws else ()
    return (SPREAD,)


def _systems(poll: Poll, opinion: Opinion, spread: Interval | None) -> list[System]:
    names = poll.voters
    with_virtual_systems = len(opinion.value) > len(names)
    if with_virtual_systems:
        names = (*names, ALL, NONE)
    answers = poll.number @ (poll.codes >= 0)
    systems = []
    for place, name in enumerate(names):
        virtual = name in {ALL, NONE}
        own_spread = None if virtual else spread
        own_answers = None if virtual else int(answers[place])
        systems.append(_system(place, name, own_answers, opinion, own_spread))
    return systems


def _system(
    place: int, name: str, answers: int | None, opinion: Opinion, spread: Interval | None
) -> System:
    return System(
        system=name,
        answers=answers,
        weight=_at(opinion.weight, place),
        retrieved=_at(opinion.retrieved, place),
        accuracy=_at(opinion.accuracy, place),
        precision=_at(opinion.precision, place),
        recall=_at(opinion.recall, place),
        f=_at(opinion.f, place),
        value=_at(opinion.value, place),
        spread_low=None if spread is None else _at(spread.low, place),
        spread_high=None if spread is None else _at(spread.high, place),
    )


def _at(values: npt.NDArray[np.float64] | None, place: int) -> float | None:
    if values is None or np.isnan(values[place]):
        return None
    return float(values[place])


def _resampled_spread(
    poll: Poll, options: ConsensusOptions, answers: EstimatorInput
) -> Interval | None:
    """Return where the values that rank lie, by resampled items; None where that would take too long."""
    method = options.method
    most = CHEAP * QUICK if method.quick else CHEAP
    given = int((poll.codes >= 0).sum())
    if not options.draws or given * answers.labels * options.draws > most:
        return None

    def of_one(number: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return method.estimate(replace(answers, number=number)).value

    at_once = None
    if method.resampled is not None:
        at_once = partial(method.resampled, answers)
    resampled = consensus_bootstrap(
        of_one,
        poll.number,
        at_once=at_once,
        draws=options.draws,
        seed=options.seed,
    )
    how = resampled.method
    undefined = round(resampled.undefined[: len(poll.voters)].max() * options.draws)
    if undefined:
        how += f", {undefined:,} of them undefined for some system"
    return replace(resampled.interval(level=options.level), method=how)


def _spread_by_blocks(
    sums: SummedConfidences, options: ConsensusOptions, answers: EstimatorInput
) -> Interval | None:
    of_blocks = options.method.of_blocks
    if sums.blocks is None or of_blocks is None:
        return None
    blocks = of_blocks(sums.blocks, answers)
    return consensus_blocks(blocks, beta=options.beta, level=options.level)


def _majority_of_systems(poll: Poll) -> Codes:
    """Return the label that most systems give to each row, the truth not counted: -1 where nobody answers."""
    codes = poll.codes_of_systems
    answered = (codes >= 0).any(axis=1)
    return np.where(answered, majority(codes).labels, MISSING)


def _items_needed(poll: Poll, majority_labels: Codes, level: float) -> int | None:
    """Return how many checked items would show the majority to be better than chance, if it is as good as it seems."""
    if len(poll.systems) < 2:
        return None
    codes = poll.codes_of_systems
    compared = (majority_labels >= 0)[:, None] & (codes >= 0)
    same = compared & (codes == majority_labels[:, None])
    answers = int(poll.number @ compared.sum(axis=1))
    agreement = float(poll.number @ same.sum(axis=1) / max(1, answers))
    chance = 1 / max(2, poll.classes)
    if agreement <= chance:
        return None
    return items_for_bound(chance, agreement, level=level).items
