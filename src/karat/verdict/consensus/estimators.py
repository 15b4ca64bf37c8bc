"""How good each system is by the others' answers: every estimator under one roof."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.voting import TRUTH, Poll, Polling, weights_of
from karat.errors import OptionError
from karat.measure.consensus.dawid_skene import dawid_skene
from karat.measure.consensus.dawid_skene_resampled import redrawn_labels
from karat.measure.consensus.likeliest import MOST_CELLS, likeliest, redrawn_likeliest
from karat.measure.consensus.majority import majority
from karat.measure.consensus.spectral import spectral
from karat.measure.consensus.summed_votes import blocked_consensus, summed_consensus
from karat.measure.consensus.votes import (
    Consensus,
    consensus,
    label_consensus,
    label_relevance,
    relevance,
)
from karat.tally.codes import MISSING
from karat.tally.votes.covotes import BlockedCovotes, Covotes

Floats = npt.NDArray[np.float64]
DIGITS = 12
"""Values that differ by less are tied."""


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """What an estimator says of each voter, and of each row; NaN inside arrays is undefined."""

    weight: Floats
    retrieved: Floats
    precision: Floats
    recall: Floats
    f: Floats
    accuracy: Floats | None
    """Where the estimator speaks of it."""
    left_out: int
    method: str
    value: Floats
    """What the ranking is by."""


def estimate(
    poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None, number: Floats
) -> Opinion:
    """Return what the estimator that was asked for says; `number` may be that of a resample."""
    ways = {
        "vote": _vote,
        "majority": _majority,
        "likeliest": _likeliest,
        "dawid-skene": _dawid_skene,
        "spectral": _spectral,
    }
    return ways[polling.estimator](poll, polling, families, number)


def _vote(
    poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None, number: Floats
) -> Opinion:
    return _voted(vote_of(poll, polling, families, number), polling, families, "vote")


def vote_of(
    poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None, number: npt.ArrayLike
) -> Consensus:
    """Return the vote, of labels over all of them."""
    options = voting_options(poll, polling, families)
    if poll.votes is not None:
        return consensus(poll.votes, number, **options)
    return label_consensus(poll.codes, number, classes=len(poll.labels), **options).pooled()


def voting_options(
    poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None
) -> dict[str, Any]:
    """Return who counts how much, as the vote takes it."""
    return {
        "weights": weights_of(poll, polling, families),
        "families": families,
        "leave_out": polling.leave_out,
    }


def _voted(
    found: Consensus, polling: Polling, families: npt.NDArray[np.int64] | None, method: str
) -> Opinion:
    f = found.f(polling.beta)
    left, weight = int(found.left_out[-1]), _shared(found.weight, families)
    return Opinion(
        weight, found.retrieved, found.precision, found.recall, f, None, left, method, _level(f)
    )


def estimate_of_sums(
    covotes: Covotes, poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None
) -> Opinion:
    """Return what the vote of confidences says, from their sums."""
    found = summed_consensus(covotes, **voting_options(poll, polling, families))
    return _voted(found, polling, families, "vote, from sums of confidences")


def blocks_of_sums(
    blocks: BlockedCovotes, poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None
) -> Consensus:
    """Return the vote of confidences in each block of items, from their sums."""
    return blocked_consensus(blocks, **voting_options(poll, polling, families))


def _shared(weight: Floats, families: npt.NDArray[np.int64] | None) -> Floats:
    """Return what each voter's say is worth where families have one vote: the mean of the family, shared out."""
    if families is None:
        return weight
    own = weight.copy()
    for family in np.unique(families):
        members = np.flatnonzero(families == family)
        own[members] = weight[members].mean() / len(members)
    return np.asarray(own / own.sum())


def _level(value: Floats) -> Floats:
    """Return values that are equal but for rounding as equal ones."""
    return np.asarray(value.round(DIGITS))


def _majority(
    poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None, number: Floats
) -> Opinion:
    del families
    found = majority(poll.codes, number)
    return _by_labels(
        poll, polling, found.labels, number, left=found.unanswered, whose="the majority"
    )


def _likeliest(
    poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None, number: Floats
) -> Opinion:
    del families
    found = likeliest(poll.codes, number, classes=poll.classes)
    return _by_labels(poll, polling, found.labels, number, left=found.unanswered, whose=found.why)


def _by_labels(
    poll: Poll,
    polling: Polling,
    true: npt.NDArray[np.int64],
    number: Floats,
    *,
    left: int,
    whose: str,
) -> Opinion:
    """Return every voter's agreement with one label a row."""
    method = f"agreement with {whose}"
    answered = (poll.codes >= 0) & (true >= 0)[:, None]
    right = answered & (poll.codes == true[:, None])
    accuracy = _over(number @ right, number @ answered)
    if poll.votes is None:
        retrieved = number @ answered
        none = np.full(len(accuracy), np.nan)
        return _opinion(polling, retrieved, none, none, accuracy, left, method)
    yes, truly = answered & (poll.codes == 1), answered & (true == 1)[:, None]
    hits = number @ (yes & truly)
    precision, recall = _over(hits, number @ yes), _over(hits, number @ truly)
    return _opinion(polling, number @ yes, precision, recall, accuracy, left, method)


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What Dawid and Skene's model is asked about: the truth, where it votes, is no system but known."""

    codes: npt.NDArray[np.int64]
    classes: int
    truth: npt.NDArray[np.int64] | None
    weights: Floats | None

    @property
    def options(self) -> dict[str, Any]:
        """As the model takes them."""
        return {"classes": self.classes, "truth": self.truth, "weights": self.weights}


def _asked(poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None) -> _Asked:
    codes, truth, classes = poll.codes, None, poll.classes
    if polling.oracles:
        if set(polling.oracles) != {TRUTH} or polling.oracles[TRUTH] != 1:
            raise OptionError(
                f"dawid-skene takes the truth itself as an oracle, as --oracle '{TRUTH}=1'"
            )
        truth, codes = codes[:, -1], codes[:, :-1]
        families = families if families is None else families[:-1]
    if codes.shape[1] * classes**2 > MOST_CELLS:
        raise OptionError(
            f"{classes:,} classes are too many for dawid-skene; use the vote, or the majority"
        )
    weights = (
        None
        if families is None
        else 1 / np.array([(families == family).sum() for family in families])
    )
    return _Asked(codes, classes, truth, weights)


def _dawid_skene(
    poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None, number: Floats
) -> Opinion:
    asked = _asked(poll, polling, families)
    fit = dawid_skene(asked.codes, number, **asked.options)
    ended = "" if fit.converged else ", not converged"
    method = f"agreement with dawid-skene's likeliest labels ({fit.rounds} rounds{ended})"
    retrieved = number @ (asked.codes >= 0) if poll.votes is None else number @ (asked.codes == 1)
    with np.errstate(invalid="ignore"):
        sides = [
            part[:, 1] if poll.votes is not None else _mean(part)
            for part in (fit.precision, fit.recall)
        ]
    found = _opinion(polling, retrieved, sides[0], sides[1], fit.accuracy, 0, method)
    # How often a system gives the likeliest labels ranks closer to the truth than the model's own error rates
    # (bench/real/consensus.py).
    (share,) = _shares(asked.codes, fit.chances.argmax(axis=1)[None], number[None])
    found = replace(found, value=_level(share))
    return found if asked.truth is None else _with_truth(found)


def redrawn(
    poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None
) -> Callable[[Floats], Floats] | None:
    """Return what the ranking is by in many resamples, a row each; None where they are estimated one after the other.

    A model is fitted to all of them at once. Where a resample leaves nothing to estimate, its values are undefined.
    """
    if polling.estimator == "likeliest":
        return lambda numbers: _level(
            _shares(
                poll.codes, redrawn_likeliest(poll.codes, numbers, classes=poll.classes), numbers
            )
        )
    if polling.estimator == "spectral":
        return lambda numbers: np.array([_spectral_value(poll, number) for number in numbers])
    if polling.estimator == "dawid-skene":
        asked = _asked(poll, polling, families)
        return lambda numbers: _by_model(asked, numbers)
    return None


def _by_model(asked: _Asked, numbers: Floats) -> Floats:
    value = _level(
        _shares(asked.codes, redrawn_labels(asked.codes, numbers, **asked.options), numbers)
    )
    return value if asked.truth is None else np.column_stack([value, np.ones(len(value))])


def _shares(codes: npt.NDArray[np.int64], labels: npt.NDArray[np.int64], numbers: Floats) -> Floats:
    """Return how many of each system's answers are these labels, a row a resample."""
    there = codes >= 0
    same = [
        (numbers * (there[:, k] & (labels == codes[:, k]))).sum(axis=1)
        for k in range(codes.shape[1])
    ]
    return _over(np.stack(same, axis=1), numbers @ there)


def _with_truth(found: Opinion) -> Opinion:
    """Return the opinion with a row for the truth, which is right by definition."""
    accuracy = np.zeros(0) if found.accuracy is None else found.accuracy
    parts = (found.precision, found.recall, found.f, accuracy, found.value)
    precision, recall, f, accuracy, value = (np.append(part, 1.0) for part in parts)
    weight, retrieved = (np.append(part, np.nan) for part in (found.weight, found.retrieved))
    return Opinion(
        weight, retrieved, precision, recall, f, accuracy, found.left_out, found.method, value
    )


def _spectral(
    poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None, number: Floats
) -> Opinion:
    del families
    if poll.votes is None:
        raise OptionError(
            "spectral is for yes/no answers; these are labels, so use dawid-skene or the vote"
        )
    found = spectral(poll.codes, number)
    if found is None:
        raise OptionError("spectral needs three systems whose answers vary together; use the vote")
    return _opinion(
        polling,
        number @ (poll.codes == 1),
        found.precision,
        found.sensitivity,
        found.accuracy,
        0,
        f"spectral (yes is {100 * found.balance:.3g} % of the items)",
    )


def _spectral_value(poll: Poll, number: Floats) -> Floats:
    found = spectral(poll.codes, number)
    return np.full(len(poll.voters), np.nan) if found is None else _level(found.accuracy)


def _opinion(
    polling: Polling,
    retrieved: Floats,
    precision: Floats,
    recall: Floats,
    accuracy: Floats,
    left: int,
    method: str,
) -> Opinion:
    b = polling.beta**2
    f = _over((1 + b) * precision * recall, b * precision + recall)
    weight = np.full(len(accuracy), np.nan)
    return Opinion(
        weight,
        retrieved.astype(float),
        precision,
        recall,
        f,
        accuracy,
        left,
        method,
        _level(accuracy),
    )


def chances(poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None) -> Floats:
    """Return how likely each row has each label, by the estimator: two columns, no and yes, for yes/no answers."""
    if polling.estimator == "dawid-skene":
        asked = _asked(poll, polling, families)
        return dawid_skene(asked.codes, poll.number.astype(float), **asked.options).chances
    if polling.estimator != "vote":
        raise OptionError(
            f"{polling.estimator} says nothing of single items; use vote or dawid-skene"
        )
    weights = weights_of(poll, polling, families)
    if poll.votes is not None:
        yes = relevance(poll.votes, weights=weights, families=families)
        return np.stack([1 - yes, yes], axis=1)
    return label_relevance(poll.codes, classes=len(poll.labels), weights=weights, families=families)


def judge(poll: Poll) -> npt.NDArray[np.int64]:
    """Return what most systems say of each row, the truth aside: -1 where nobody says anything."""
    systems = poll.systems
    return np.where(
        (poll.codes[:, systems] >= 0).any(axis=1), majority(poll.codes[:, systems]).labels, MISSING
    )


def _over(above: npt.NDArray[np.generic], below: npt.NDArray[np.generic]) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below > 0, above / below, np.nan)  # type: ignore[operator]


def _mean(parts: Floats) -> Floats:
    """Return the mean over the classes in which it is defined."""
    known = ~np.isnan(parts)
    return _over(np.where(known, parts, 0.0).sum(axis=1), known.sum(axis=1))
