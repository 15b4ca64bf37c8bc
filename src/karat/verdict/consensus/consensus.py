"""Who is best when there is no truth: an estimate, its doubts, and the truth beside it where there is some."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from karat.ask.voting import ALL, NONE, TRUTH, Poll, Polling, polled
from karat.doubt.consensus.prediction_powered import powered_accuracy
from karat.doubt.consensus.vote_blocks import consensus_blocks
from karat.doubt.consensus.vote_bootstrap import consensus_bootstrap
from karat.doubt.interval import Interval
from karat.measure.consensus.agreement_coefficients import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)
from karat.measure.consensus.majority import majority_limits
from karat.measure.rank_agreement import kendall
from karat.planning.items import items_for_bound
from karat.tally.codes import MISSING
from karat.tally.votes.patterns import Patterns
from karat.verdict.consensus.by_truth import Told, told
from karat.verdict.consensus.confidence_sums import Summed
from karat.verdict.consensus.estimators import (
    Opinion,
    blocks_of_sums,
    estimate,
    estimate_of_sums,
    judge,
    redrawn,
)
from karat.verdict.consensus.families import Kinship, families_for, kinship
from karat.verdict.consensus.result import Agreement, Beside, Powered, Standing, System
from karat.verdict.ranking import ranking

MOST_CLASSES = 50
"""Up to how many classes a judge's faults are counted."""
MOST_PAIRED = 20_000_000
"""Rows times pairs of systems up to which every pair's agreement is told."""
CHEAP = 40_000_000
"""Rows times voters times classes times draws up to which intervals are resampled."""
TOO_MANY = (
    "No intervals: the answers are too many to be resampled in seconds; fewer --draws may do."
)


def consensus(
    patterns: Patterns, kind: str, polling: Polling, sums: Summed | None = None
) -> Standing:
    """Return the standing of every system by what all of them say.

    Where confidences are too many for patterns, the vote is made of their sums, and the patterns are of yes and no.
    """
    poll = polled(patterns, kind, truth=TRUTH in polling.oracles)
    kin = kinship(poll, polling.level)
    families = families_for(poll, polling, kin)
    number = poll.number.astype(float)
    if sums is None:
        opinion = estimate(poll, polling, families, number)
        interval = _by_items(poll, polling, families)
        remarks = (TOO_MANY,) if interval is None and polling.draws else ()
    else:
        opinion = estimate_of_sums(sums.covotes, poll, polling, families)
        interval, remarks = _by_blocks(sums, poll, polling, families), (sums.remark,)
    systems = tuple(
        _system(place, name, opinion, interval) for place, name in enumerate(_names(poll, opinion))
    )
    values = {one.system: one.value for one in systems if one.system in patterns.systems}
    ranks, true = ranking(values), told(patterns, poll, polling)
    return Standing(
        estimator=polling.estimator,
        beta=polling.beta,
        systems=tuple(sorted(systems, key=lambda one: ranks.get(one.system, len(ranks) + 1))),
        ranks=ranks,
        labels=poll.labels,
        left_out=opinion.left_out,
        level=polling.level,
        method=opinion.method if interval is None else f"{opinion.method}; {interval.method}",
        agreement=_agreement(poll, kin, values),
        beside_truth=_beside(patterns, poll, polling, values, true),
        told=true,
        powered=_powered(patterns, poll, polling.level),
        needed=_needed(poll, polling.level),
        grouped=polling.finds_families,
        remarks=remarks,
    )


def _names(poll: Poll, opinion: Opinion) -> tuple[str, ...]:
    virtual = len(opinion.value) > len(poll.voters)
    return (*poll.voters, ALL, NONE) if virtual else poll.voters


def _system(place: int, name: str, opinion: Opinion, interval: Interval | None) -> System:
    def at(part: npt.NDArray[np.float64] | None) -> float | None:
        return None if part is None or np.isnan(part[place]) else float(part[place])

    doubted = interval if name not in {ALL, NONE} else None
    return System(
        system=name,
        weight=at(opinion.weight),
        retrieved=at(opinion.retrieved),
        accuracy=at(opinion.accuracy),
        precision=at(opinion.precision),
        recall=at(opinion.recall),
        f=at(opinion.f),
        value=at(opinion.value),
        low=None if doubted is None else at(doubted.low),
        high=None if doubted is None else at(doubted.high),
    )


def _by_items(
    poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None
) -> Interval | None:
    """Return where what the ranking is by lies, where resamples are quick; it tells the chance of the items."""
    size = poll.codes.size * (1 if poll.votes is not None else len(poll.labels)) * polling.draws
    if not polling.draws or size > CHEAP * (10 if polling.estimator == "vote" else 1):
        return None
    drawn = consensus_bootstrap(
        lambda number: estimate(poll, polling, families, number).value,
        poll.number,
        at_once=redrawn(poll, polling, families),
        draws=polling.draws,
        seed=polling.seed,
    )
    undefined = round(drawn.undefined[: len(poll.voters)].max() * polling.draws)
    lost = f", {undefined:,} of them undefined for some system" if undefined else ""
    return replace(drawn.interval(level=polling.level), method=drawn.method + lost)


def _by_blocks(
    sums: Summed, poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None
) -> Interval | None:
    if sums.blocks is None:
        return None
    return consensus_blocks(
        blocks_of_sums(sums.blocks, poll, polling, families), beta=polling.beta, level=polling.level
    )


def _agreement(poll: Poll, kin: Kinship | None, values: dict[str, float | None]) -> Agreement:
    codes, number = poll.codes[:, poll.systems], poll.number
    names = [poll.voters[k] for k in poll.systems]
    families: list[tuple[str, ...]] = []
    below, tau = 0, None
    if kin is not None:
        groups = [
            np.flatnonzero(kin.bias.families == family) for family in np.unique(kin.bias.families)
        ]
        families = [tuple(names[k] for k in group) for group in groups if len(group) > 1]
        below = int((np.nan_to_num(kin.fit.accuracy, nan=1.0) <= 1 / poll.classes).sum())
        tau = kendall([values[name] or 0.0 for name in names], np.nan_to_num(kin.fit.accuracy))
    answered = (codes >= 0).all()
    return Agreement(
        alpha=krippendorff_alpha(codes, number),
        fleiss=fleiss_kappa(codes, number) if answered and len(names) > 1 else None,
        cohen=_cohen(codes, number, names),
        families=tuple(families),
        looked=kin is not None,
        below_chance=below,
        tau_of_model=tau,
        observed=None if kin is None else kin.bias.observed,
        names=tuple(names),
        only_chosen=poll.votes is not None and not (codes == 0).all(axis=1).any(),
    )


def _cohen(
    codes: npt.NDArray[np.int64], number: npt.NDArray[np.int64], names: list[str]
) -> dict[tuple[str, str], float | None]:
    """Return Cohen's kappa of every two systems, where that is quick."""
    pairs = list(combinations(range(len(names)), 2))
    if len(pairs) * len(codes) > MOST_PAIRED:
        return {}
    return {(names[j], names[k]): cohen_kappa(codes[:, j], codes[:, k], number) for j, k in pairs}


def _beside(
    patterns: Patterns,
    poll: Poll,
    polling: Polling,
    values: dict[str, float | None],
    by_truth: Mapping[str, Told],
) -> Beside | None:
    """Return the ranking by the truth beside the one without, on the items that have a truth."""
    known_truth = patterns.truth != MISSING
    if not known_truth.any() or patterns.meaning.truth_sep is not None:
        return None
    quantity, true = _true_values(patterns, poll, polling, by_truth)
    known = [
        name for name in patterns.systems if true[name] is not None and values[name] is not None
    ]
    first, second = [[found[name] or 0.0 for name in known] for found in (values, true)]
    low, high = _limits(patterns, poll)
    tied = [
        (one, other)
        for one, other in combinations(known, 2)
        if values[one] == values[other] and true[one] != true[other]
    ]
    right = judge(poll)[poll.rows[known_truth]] == poll.truth[known_truth]
    ranks = ranking({name: values[name] for name in known})
    return Beside(
        quantity=quantity,
        values=true,
        ranks=ranking(true),
        tau=kendall(first, second),
        tiers=_tiers(ranks, ranking({name: true[name] for name in known})),
        tied=tuple(tied),
        majority=float(patterns.number[known_truth] @ right / patterns.number[known_truth].sum()),
        majority_low=low,
        majority_high=high,
        items=int(patterns.number[known_truth].sum()),
    )


def _true_values(
    patterns: Patterns, poll: Poll, polling: Polling, by_truth: Mapping[str, Told]
) -> tuple[str, dict[str, float | None]]:
    """Return what the truth ranks by, and each system's value: F of yes where the vote is by F, else accuracy."""
    if poll.votes is not None and polling.estimator == "vote":
        return f"f{polling.beta:g}[{poll.labels[0]}]", {
            name: one.f for name, one in by_truth.items()
        }
    return "accuracy", _accuracies(patterns, poll)


def _accuracies(patterns: Patterns, poll: Poll) -> dict[str, float | None]:
    """Return each system's share of right answers; a missing one is wrong."""
    number = patterns.number * (patterns.truth != MISSING)
    return {
        name: float(number @ (poll.codes[poll.rows, place] == poll.truth)) / float(number.sum())
        for place, name in zip(poll.systems, patterns.systems, strict=True)
    }


def _limits(patterns: Patterns, poll: Poll) -> tuple[float, float]:
    """Return how good the majority could be at worst and at best; of more than two classes a plurality may do."""
    own = [value or 0.0 for value in _accuracies(patterns, poll).values()]
    high = majority_limits(own, ties="right").high if poll.classes == 2 else 1.0
    return majority_limits(own, ties="wrong").low, high


def _tiers(one: dict[str, int], other: dict[str, int]) -> dict[str, float]:
    """Return how many systems of the upper, middle and lower third are in the same third by the truth."""
    if len(one) < 3:
        return {}
    first, second = _thirds(one), _thirds(other)
    members = {
        third: [name for name in first if first[name] == third]
        for third in ("top", "middle", "bottom")
    }
    return {
        third: sum(second[name] == third for name in names) / len(names)
        for third, names in members.items()
        if names
    }


def _thirds(ranks: dict[str, int]) -> dict[str, str]:
    """Return the third of each system; those that are tied are in one, that of the place in their midst."""
    tied = Counter(ranks.values())
    places = {name: rank - 1 + (tied[rank] - 1) / 2 for name, rank in ranks.items()}
    return {
        name: ("top", "middle", "bottom")[int(3 * place // len(ranks))]
        for name, place in places.items()
    }


def _powered(patterns: Patterns, poll: Poll, level: float) -> tuple[Powered, ...]:
    """Return each system's accuracy from the few items with truth and the many without."""
    known = patterns.truth != MISSING
    labels, size = poll.truth, poll.classes + 1
    if (
        known.all()
        or not known.any()
        or size > MOST_CLASSES
        or patterns.meaning.truth_sep is not None
    ):
        return ()
    own, found = judge(poll)[poll.rows], []
    for place, name in enumerate(patterns.systems):
        answer = np.maximum(poll.codes[poll.rows, place], MISSING)
        there = (answer >= 0) & (own >= 0)
        checked, judged = np.zeros((size, size, size)), np.zeros((size, size))
        few, many = known & there, ~known & there
        np.add.at(checked, (answer[few], own[few], labels[few]), patterns.number[few])
        np.add.at(judged, (answer[many], own[many]), patterns.number[many])
        if checked.sum() and judged.sum():
            one = powered_accuracy(checked, judged, level=level)
            old = (one.classical, one.classical_low, one.classical_high)
            counts = (one.checked, one.judged, one.method)
            found.append(Powered(name, one.value, one.low, one.high, *old, *counts))
    return tuple(found)


def _needed(poll: Poll, level: float) -> int | None:
    """Return how many items with truth would show the vote to be better than chance, if it is as good as it seems."""
    if len(poll.systems) < 2:
        return None
    own = judge(poll)
    codes = poll.codes[:, poll.systems]
    there = (own >= 0)[:, None] & (codes >= 0)
    same = there & (codes == own[:, None])
    seems = float((poll.number @ same).sum() / max(1, (poll.number @ there).sum()))
    chance = 1 / max(2, poll.classes)
    return items_for_bound(chance, seems, level=level).items if seems > chance else None
