"""The answers of all systems as votes, with the weight and the family of each voter."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from karat.ask.voting import ALL, FOUND, HALF, NONE, TRUTH, ConsensusOptions, estimators_with
from karat.errors import OptionError, UnknownNameError
from karat.measure.consensus.estimator import EstimatorInput
from karat.measure.consensus.vote_weights import Weights, vote_weights, with_oracles
from karat.tally.codes import MISSING, distinct_places, used
from karat.tally.votes.patterns import Patterns

if TYPE_CHECKING:
    from karat.measure.consensus.votes import LeaveOut

Codes = npt.NDArray[np.int64]
NO_SUCH_CODE = MISSING - 9
"""A code that no answer has."""


@dataclass(frozen=True, slots=True, eq=False)
class Poll:
    """The answers of the voters, a column for each: as votes from 0 to 1, or as labels."""

    voters: tuple[str, ...]
    labels: tuple[str, ...]
    """What is voted on: the positive label alone, or all labels."""
    votes: npt.NDArray[np.float64] | None
    """Of yes/no answers and confidences; NaN is unknown."""
    codes: Codes
    """Of labels, and of yes (1) and no (0); below 0 is unknown."""
    number: Codes
    """How many items each row stands for."""
    rows: Codes
    """For each pattern, its row here."""
    truth: Codes
    """For each pattern, its truth in these codes; one more than the last for a label that nobody gives."""

    @property
    def systems(self) -> list[int]:
        """The places of the voters that are systems."""
        return [place for place, name in enumerate(self.voters) if name != TRUTH]

    @property
    def codes_of_systems(self) -> Codes:
        """The codes of the voters that are systems, not copied where all of them are."""
        if len(self.systems) == len(self.voters):
            return self.codes
        return self.codes[:, self.systems]

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return 2 if self.votes is not None else len(self.labels)


def polled(patterns: Patterns, kind: str, *, truth: bool) -> Poll:
    """Return who answers what, in rows of equal answers whatever their truth is; with `truth` the truth votes too."""
    _check(patterns, truth=truth)
    answers = np.maximum(patterns.answers, MISSING)
    voters = patterns.systems
    if truth:
        answers = np.column_stack([answers, patterns.truth.astype(answers.dtype)])
        voters = (*voters, TRUTH)
    first, rows = distinct_places([*answers.T])
    distinct = answers[first]
    number = np.bincount(rows, weights=patterns.number, minlength=len(distinct)).astype(np.int64)
    if not (distinct >= 0).any():
        raise OptionError("no system answered any item, so they cannot be judged by each other")
    if kind == "score":
        return _poll_of_confidences(patterns, distinct, number, rows, voters)
    if patterns.meaning.pair:
        return _poll_of_yes_and_no(patterns, distinct, number, rows, voters)
    columns, labels = used(list(distinct.T), patterns.labels)
    code_of_label = np.full(len(patterns.labels) + 1, len(labels))
    code_of_label[[patterns.labels.index(text) for text in labels]] = np.arange(len(labels))
    code_of_label[MISSING] = MISSING
    return Poll(
        voters=voters,
        labels=labels,
        votes=None,
        codes=np.stack(columns, axis=1),
        number=number,
        rows=rows,
        truth=code_of_label[patterns.truth],
    )


def _check(patterns: Patterns, *, truth: bool) -> None:
    for name in patterns.systems:
        if name in {TRUTH, ALL, NONE}:
            raise OptionError(
                f"a system is called {name!r}, which means something else in a vote; rename it"
            )
    if patterns.meaning.missing.startswith("as:"):
        raise OptionError(
            "a system that does not answer an item has no vote on it, and is judged by what it answered; "
            "leave --missing out, or say --missing skip"
        )
    if not truth:
        return
    if patterns.meaning.truth_sep is not None or (patterns.truth == MISSING).all():
        raise OptionError(
            f"{TRUTH} cannot vote: there is no truth, or it is a set of labels; name one with --truth"
        )


def _poll_of_yes_and_no(
    patterns: Patterns, answers: Codes, number: Codes, rows: Codes, voters: tuple[str, ...]
) -> Poll:
    """Return votes on the positive label."""
    meaning = patterns.meaning
    yes = meaning.positive or meaning.pair[0]  # type: ignore[index]
    code = _code_of(yes, patterns)
    unknown = answers == MISSING
    is_yes = answers == code
    return Poll(
        voters=voters,
        labels=(yes,),
        votes=np.where(unknown, np.nan, is_yes),
        codes=np.where(unknown, MISSING, is_yes).astype(np.int64),
        number=number,
        rows=rows,
        truth=_truth_is(code, patterns),
    )


def _poll_of_confidences(
    patterns: Patterns, answers: Codes, number: Codes, rows: Codes, voters: tuple[str, ...]
) -> Poll:
    """Return confidences as votes on the positive label."""
    yes = patterns.meaning.positive or "yes"
    votes = _confidences(patterns, answers, truth=TRUTH in voters)
    return Poll(
        voters=voters,
        labels=(yes,),
        votes=votes,
        codes=np.where(np.isnan(votes), MISSING, votes >= HALF).astype(np.int64),
        number=number,
        rows=rows,
        truth=_truth_is(_code_of(yes, patterns), patterns),
    )


def _code_of(label: str, patterns: Patterns) -> int:
    if label in patterns.labels:
        return patterns.labels.index(label)
    return NO_SUCH_CODE


def _truth_is(code: int, patterns: Patterns) -> Codes:
    """Return for each pattern whether this is its truth: 1 or 0, or MISSING."""
    is_yes = patterns.truth == code
    return np.where(patterns.truth == MISSING, MISSING, is_yes).astype(np.int64)


def _confidences(patterns: Patterns, codes: Codes, *, truth: bool) -> npt.NDArray[np.float64]:
    """Return scores as votes; the truth, where it votes, is the last voter."""
    scores = [_number(text) for text in patterns.labels]
    votes = np.array([*scores, np.nan])[codes]
    if truth:
        is_positive = [float(text == patterns.meaning.positive) for text in patterns.labels]
        votes[:, -1] = np.array([*is_positive, np.nan])[codes[:, -1]]
    lowest = float(np.nanmin(votes))
    highest = float(np.nanmax(votes))
    if lowest < 0 or highest > 1:
        worst = lowest if lowest < 0 else highest
        raise OptionError(
            f"a score is {worst:g}; confidences that vote lie from 0 to 1: judge others with --threshold, or cut lists "
            "of queries with --per depth"
        )
    return votes


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return np.nan


def weights_of(poll: Poll, options: ConsensusOptions, families: Codes | None = None) -> Weights:
    """Return with what weight each votes; where families have one vote, what oracles leave is shared by families."""
    _check_names(options.trust, (*poll.voters, ALL, NONE))
    _check_names(options.oracles, poll.voters)
    given = vote_weights(
        [options.trust.get(name, 1.0) for name in poll.voters],
        top=options.trust.get(ALL, 1.0),
        bottom=options.trust.get(NONE, 1.0),
    )
    oracles = _oracles(poll, options)
    if not oracles or families is None:
        return with_oracles(given, oracles)
    for place in oracles:
        if (families == families[place]).sum() > 1:
            raise OptionError(
                f"{poll.voters[place]!r} is an oracle, with a vote of its own; leave it out of its family"
            )
    # A family weighs as much as one member does: each of them brings its part of that.
    sizes = np.array([(families == family).sum() for family in families])
    shared = with_oracles(replace(given, systems=given.systems / sizes), oracles)
    return replace(shared, systems=shared.systems * sizes)


def _check_names(names: Mapping[str, float], known: tuple[str, ...]) -> None:
    for name in names:
        if name not in known:
            raise UnknownNameError("system", name, known)


def _oracles(poll: Poll, options: ConsensusOptions) -> dict[int, float]:
    """Return the confidence in each oracle, by its place among the voters."""
    return {poll.voters.index(name): trust for name, trust in options.oracles.items()}


def families_of(
    poll: Poll, families: Mapping[str, tuple[str, ...]], detected: Codes | None
) -> Codes | None:
    """Return the family of each voter, as named by the user or as detected; None where each is its own."""
    if FOUND in families:
        if detected is None:
            raise OptionError(
                "families cannot be detected here: too many classes or too few systems; name them"
            )
        return detected
    if not families:
        return None
    codes = np.arange(len(poll.voters))
    family_of: dict[str, str] = {}
    for family, members in families.items():
        for name in members:
            _check_member(name, family, poll, family_of)
            family_of[name] = family
        places = [poll.voters.index(name) for name in members]
        codes[places] = places[0]
    return codes


def _check_member(name: str, family: str, poll: Poll, family_of: Mapping[str, str]) -> None:
    if name not in poll.voters:
        raise UnknownNameError("system", name, poll.voters)
    if name == TRUTH:
        raise OptionError(f"{TRUTH} is not a system; it belongs to no family")
    if name in family_of:
        raise OptionError(
            f"{name!r} is in the families {family_of[name]!r} and {family!r}; it has one vote"
        )


def estimator_input(
    poll: Poll, options: ConsensusOptions, families: Codes | None
) -> EstimatorInput:
    """Return the answers as an estimator takes them; refuse labels where it judges only yes/no answers."""
    if poll.votes is None and not options.method.labels:
        raise OptionError(
            f"{options.estimator} is for yes/no answers; these are labels, so use {estimators_with('labels')}"
        )
    return EstimatorInput(
        codes=poll.codes,
        votes=poll.votes,
        labels=len(poll.labels),
        number=poll.number.astype(float),
        weights=weights_of(poll, options, families),
        families=families,
        leave_out=cast("LeaveOut", options.leave_out),
        beta=options.beta,
        oracles=_oracles(poll, options),
        truth=poll.voters.index(TRUTH) if TRUTH in poll.voters else None,
    )
