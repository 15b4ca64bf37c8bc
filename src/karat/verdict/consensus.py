"""Who is best when there is no truth: an estimate, its doubts, and the truth beside it where there is some."""

from itertools import combinations

import numpy as np
import numpy.typing as npt

from karat.doubt.collective_bias import CollectiveBias, collective_bias
from karat.doubt.consensus_bootstrap import consensus_bootstrap
from karat.doubt.planning import items_for_bound
from karat.doubt.prediction_powered import powered_accuracy
from karat.measure.agreement_coefficients import fleiss_kappa, krippendorff_alpha
from karat.measure.dawid_skene import dawid_skene
from karat.measure.majority import majority_limits
from karat.measure.quantity import Quantity
from karat.measure.rank_agreement import kendall
from karat.tally.codes import MISSING
from karat.tally.patterns import Patterns
from karat.verdict.compare import value_of
from karat.verdict.estimators import Opinion, estimate, judge
from karat.verdict.polling import ALL, NONE, TRUTH, Poll, Polling, families_of, polled
from karat.verdict.ranking import ranking
from karat.verdict.standing import Agreement, Beside, Powered, Standing, System

MOST_CLASSES = 50
"""Up to how many classes families are looked for, and a judge's faults are counted."""
MOST_SYSTEMS = 200
CHEAP = 40_000_000
"""Rows times voters times classes times draws up to which intervals are resampled."""


def consensus(patterns: Patterns, kind: str, polling: Polling) -> Standing:
    """Return the standing of every system by what all of them say."""
    poll = polled(patterns, kind, truth=TRUTH in polling.oracles)
    bias = _bias(poll, polling.level)
    found_families = None if bias is None else _widened(bias.families, poll)
    families = families_of(poll, polling.families, found_families)
    number = poll.number.astype(float)
    opinion = estimate(poll, polling, families, number)
    low, high, method = _interval(poll, polling, families, opinion)
    systems = tuple(_system(place, name, opinion, low, high) for place, name in enumerate(_names(poll, opinion)))
    values = {one.system: one.value for one in systems if one.system in patterns.systems}
    ranks = ranking(values)
    return Standing(
        estimator=polling.estimator,
        beta=polling.beta,
        systems=tuple(sorted(systems, key=lambda one: ranks.get(one.system, len(ranks) + 1))),
        ranks=ranks,
        labels=poll.labels,
        left_out=opinion.left_out,
        level=polling.level,
        method=f"{opinion.method}; {method}" if method else opinion.method,
        agreement=_agreement(poll, bias),
        beside_truth=_beside(patterns, poll, ranks, values),
        powered=_powered(patterns, poll, polling.level),
        needed=_needed(poll, polling.level),
    )


def _names(poll: Poll, opinion: Opinion) -> tuple[str, ...]:
    virtual = len(opinion.value) > len(poll.voters)
    return (*poll.voters, ALL, NONE) if virtual else poll.voters


def _system(
    place: int, name: str, opinion: Opinion, low: npt.NDArray[np.float64], high: npt.NDArray[np.float64]
) -> System:
    def at(part: npt.NDArray[np.float64] | None) -> float | None:
        return None if part is None or np.isnan(part[place]) else float(part[place])

    return System(
        system=name,
        weight=at(opinion.weight),
        retrieved=at(opinion.retrieved),
        accuracy=at(opinion.accuracy),
        precision=at(opinion.precision),
        recall=at(opinion.recall),
        f=at(opinion.f),
        value=at(opinion.value),
        low=at(low),
        high=at(high),
    )


def _interval(
    poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None, opinion: Opinion
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], str]:
    """Return a bootstrap interval of what the ranking is by, where that is quick; it tells the chance of the items."""
    size = poll.codes.size * (1 if poll.votes is not None else len(poll.labels)) * polling.draws
    none = np.full(len(opinion.value), np.nan)
    if not polling.draws or size > CHEAP * (10 if polling.estimator == "vote" else 1):
        return none, none, ""
    drawn = consensus_bootstrap(
        lambda number: estimate(poll, polling, families, number).value,
        poll.number,
        draws=polling.draws,
        seed=polling.seed,
    )
    ends = drawn.interval(level=polling.level)
    real = np.arange(len(opinion.value)) < len(poll.voters)
    return np.where(real, ends.low, np.nan), np.where(real, ends.high, np.nan), drawn.method


def _bias(poll: Poll, level: float) -> CollectiveBias | None:
    """Return which systems agree beyond what their accuracies explain, where that can be told."""
    systems = [k for k, name in enumerate(poll.voters) if name != TRUTH]
    classes = 2 if poll.votes is not None else len(poll.labels)
    if len(systems) < 4 or len(systems) > MOST_SYSTEMS or classes > MOST_CLASSES or classes < 2:
        return None
    codes, number = poll.codes[:, systems], poll.number.astype(float)
    fit = dawid_skene(codes, number, classes=classes, rounds=200, tolerance=1e-7)
    return collective_bias(codes, number, fit, level=level)


def _widened(families: npt.NDArray[np.int64], poll: Poll) -> npt.NDArray[np.int64]:
    """Return the families with the truth, if it votes, as one of its own."""
    return families if len(families) == len(poll.voters) else np.append(families, families.max() + 1)


def _agreement(poll: Poll, bias: CollectiveBias | None) -> Agreement:
    systems = [k for k, name in enumerate(poll.voters) if name != TRUTH]
    codes, number = poll.codes[:, systems], poll.number
    names = [poll.voters[k] for k in systems]
    families: list[tuple[str, ...]] = []
    if bias is not None:
        groups = [np.flatnonzero(bias.families == family) for family in np.unique(bias.families)]
        families = [tuple(names[k] for k in group) for group in groups if len(group) > 1]
    answered = (codes >= 0).all()
    return Agreement(
        alpha=krippendorff_alpha(codes, number),
        fleiss=fleiss_kappa(codes, number) if answered and len(systems) > 1 else None,
        families=tuple(families),
        looked=bias is not None,
        observed=None if bias is None else bias.observed,
        names=tuple(names),
    )


def _truth_quantity(poll: Poll) -> Quantity:
    """Return what the truth would rank by: F of the positive label, or accuracy."""
    return Quantity("accuracy") if poll.votes is None else Quantity("f", label=poll.labels[0])


def _beside(patterns: Patterns, poll: Poll, ranks: dict[str, int], values: dict[str, float | None]) -> Beside | None:
    """Return the ranking by the truth beside the one without, on the items that have a truth."""
    if not (patterns.truth != MISSING).any() or patterns.meaning.truth_sep is not None:
        return None
    quantity = _truth_quantity(poll)
    true = {name: value_of(patterns, name, quantity) for name in patterns.systems}
    known = [name for name in patterns.systems if true[name] is not None and values[name] is not None]
    first, second = [[found[name] or 0.0 for name in known] for found in (values, true)]
    limits = majority_limits([value_of(patterns, name, Quantity("accuracy")) or 0.0 for name in patterns.systems])
    tied = [
        (one, other)
        for one, other in combinations(known, 2)
        if values[one] == values[other] and true[one] != true[other]
    ]
    own = judge(poll)
    labels = _codes(patterns, poll)[0]
    told = patterns.truth != MISSING
    right = own[poll.rows[told]] == labels[told]
    return Beside(
        quantity=str(quantity),
        values=true,
        ranks=ranking(true),
        tau=kendall(first, second),
        tiers=_tiers({name: ranks[name] for name in known}, ranking({name: true[name] for name in known})),
        tied=tuple(tied),
        majority=float(patterns.number[told] @ right / patterns.number[told].sum()),
        majority_low=limits.low,
        majority_high=limits.high,
        items=int(patterns.number[told].sum()),
    )


def _codes(patterns: Patterns, poll: Poll) -> tuple[npt.NDArray[np.int64], int]:
    """Return the truth of each pattern in the codes of the poll, and how many codes there are."""
    if poll.votes is None:
        return patterns.truth, len(poll.labels)
    yes = patterns.labels.index(poll.labels[0]) if poll.labels[0] in patterns.labels else -9
    return np.where(patterns.truth == MISSING, MISSING, patterns.truth == yes).astype(np.int64), 2


def _tiers(one: dict[str, int], other: dict[str, int]) -> dict[str, float]:
    """Return how many systems of the upper, middle and lower third are in the same third by the truth."""
    if len(one) < 3:
        return {}
    thirds = [_thirds(found) for found in (one, other)]
    return {
        name: sum(thirds[1][system] == name for system in thirds[0] if thirds[0][system] == name)
        / max(1, sum(third == name for third in thirds[0].values()))
        for name in ("top", "middle", "bottom")
    }


def _thirds(ranks: dict[str, int]) -> dict[str, str]:
    order = sorted(ranks, key=lambda name: ranks[name])
    return {name: ("top", "middle", "bottom")[3 * place // len(order)] for place, name in enumerate(order)}


def _powered(patterns: Patterns, poll: Poll, level: float) -> tuple[Powered, ...]:
    """Return each system's accuracy from the few items with truth and the many without."""
    told = patterns.truth != MISSING
    labels, size = _codes(patterns, poll)
    if told.all() or not told.any() or size > MOST_CLASSES or patterns.meaning.truth_sep is not None:
        return ()
    own, found = judge(poll)[poll.rows], []
    for place, name in enumerate(patterns.systems):
        answer = np.maximum(poll.codes[poll.rows, place], MISSING)
        there = (answer >= 0) & (own >= 0)
        checked, judged = np.zeros((size, size, size)), np.zeros((size, size))
        few, many = told & there, ~told & there
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
    own = judge(poll)
    there = (own >= 0)[:, None] & (poll.codes >= 0)
    same = there & (poll.codes == own[:, None])
    seems = float((poll.number @ same).sum() / max(1, (poll.number @ there).sum()))
    classes = 2 if poll.votes is not None else max(2, len(poll.labels))
    return items_for_bound(1 / classes, seems, level=level).items if seems > 1 / classes else None
