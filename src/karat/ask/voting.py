"""Who counts how much where nobody knows the truth: what is asked, and the answers as votes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import check_chance, check_level
from karat.errors import OptionError, UnknownNameError
from karat.measure.consensus import ESTIMATORS
from karat.measure.consensus.vote_weights import Weights, vote_weights, with_oracles
from karat.tally.codes import MISSING, used
from karat.tally.votes.patterns import Patterns

TRUTH = "(truth)"
"""The truth, where it votes with the systems."""
ALL, NONE = "(all)", "(none)"
HALF = 0.5
"""From which confidence on a vote is a yes, where only yes and no can be told."""
MANY = 50_000
"""So many items with confidences are voted on by their sums; nearly every one would be a pattern of its own."""
AT_HALF = f"Agreement, families, majority and truth are of yes and no: a confidence from {HALF} on is a yes."
FOUND = "found"
"""The name that asks for families as they are found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Polling:
    """How the systems are to be judged by each other."""

    estimator: str = "vote"
    trust: Mapping[str, float] = field(default_factory=dict)
    oracles: Mapping[str, float] = field(default_factory=dict)
    families: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    leave_out: str = "nobody"
    beta: float = 1.0
    level: float = 0.95
    draws: int = 200
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        check_level(self.level)
        check_chance(draws=self.draws or 1, seed=self.seed)  # without draws there are no intervals
        ESTIMATORS[self.estimator]
        if self.estimator != "vote" and (self.trust or self.leave_out != "nobody"):
            raise OptionError(
                f"--trust and --leave-out are for the vote; {self.estimator} finds its own weights"
            )
        if self.draws < 0:
            raise OptionError(
                f"--draws is {self.draws}; it is how often the items are drawn anew, so it is 0 or more"
            )
        if not 0 <= self.beta < np.inf:
            raise OptionError(
                f"--beta is {self.beta}; it says how much more recall weighs, so it is 0 or more"
            )
        if self.estimator in {"spectral", "majority", "likeliest"} and (
            self.families or self.oracles
        ):
            raise OptionError(
                f"families and oracles are for vote and dawid-skene; {self.estimator} has none"
            )

    @property
    def finds_families(self) -> bool:
        """Whether families are to be as they are found."""
        return FOUND in self.families

    def by_sums(self, kind: str, items: int) -> bool:
        """Whether sums of confidences are to be voted on, not the patterns."""
        return (
            kind == "score"
            and items > MANY
            and self.estimator == "vote"
            and TRUTH not in self.oracles
        )

    def options(self) -> dict[str, str]:
        """Return what differs from the default, as a signature has it."""
        said = {"trust": self.trust, "oracle": self.oracles, "family": self.families}
        found = {
            name: ";".join(f"{key}={value}" for key, value in part.items())
            for name, part in said.items()
            if part
        }
        found |= {} if self.leave_out == "nobody" else {"leave_out": self.leave_out}
        found |= {"beta": f"{self.beta:g}", "level": str(self.level), "draws": str(self.draws)}
        return found | ({"seed": str(self.seed)} if self.draws else {})


def without_intervals(options: Mapping[str, Any]) -> Polling:
    """Return how the systems are to be judged where no interval is given; what would be for one is refused."""
    if options.get("draws") or "seed" in options:
        raise OptionError(
            "parts, cut-offs and single items have no intervals; leave --draws and --seed out"
        )
    if "level" in options and FOUND not in options.get("families", {}):
        raise OptionError(
            "parts, cut-offs and single items have no intervals; --level is for --family found there"
        )
    return Polling(**{**options, "draws": 0})


@dataclass(frozen=True, slots=True, eq=False)
class Poll:
    """The answers of the voters, a column each: as votes from 0 to 1, or as labels."""

    voters: tuple[str, ...]
    labels: tuple[str, ...]
    """What is voted on: the positive label alone, or all labels."""
    votes: npt.NDArray[np.float64] | None
    """Of yes/no answers and confidences; NaN is unknown."""
    codes: npt.NDArray[np.int64]
    """Of labels, and of yes (1) and no (0); below 0 is unknown."""
    number: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    """For each pattern, its row here."""
    truth: npt.NDArray[np.int64]
    """For each pattern, its truth in these codes; one more than the last for a label that nobody says."""

    @property
    def systems(self) -> list[int]:
        """The places of the voters that are systems."""
        return [place for place, name in enumerate(self.voters) if name != TRUTH]

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return 2 if self.votes is not None else len(self.labels)


def polled(patterns: Patterns, kind: str, *, truth: bool) -> Poll:
    """Return who says what of which items, whatever their truth is; the truth itself votes where it is asked to."""
    if clash := [name for name in patterns.systems if name in {TRUTH, ALL, NONE}]:
        raise OptionError(
            f"a system is called {clash[0]!r}, which means something else in a vote; rename it"
        )
    if patterns.meaning.missing != "wrong":
        raise OptionError("who says nothing of an item has no vote on it; leave --missing out")
    if truth and (patterns.meaning.truth_sep is not None or (patterns.truth == MISSING).all()):
        raise OptionError(
            f"{TRUTH} cannot vote: there is no truth, or it is a set of labels; name one with --truth"
        )
    answers, voters = np.maximum(patterns.answers.astype(np.int64), MISSING), patterns.systems
    if truth:
        answers, voters = np.column_stack([answers, patterns.truth]), (*voters, TRUTH)
    distinct, rows = np.unique(answers, axis=0, return_inverse=True)
    rows = rows.ravel()
    number = np.bincount(rows, weights=patterns.number, minlength=len(distinct)).astype(np.int64)
    if not (distinct >= 0).any():
        raise OptionError("no system answered any item; nothing can be said of them")
    if kind == "score" or patterns.meaning.pair:
        return _yes_or_no(patterns, kind, distinct, number, rows, voters, truth=truth)
    columns, labels = used(list(distinct.T), patterns.labels)
    place = np.full(len(patterns.labels) + 1, len(labels))
    place[[patterns.labels.index(text) for text in labels]] = np.arange(len(labels))
    place[MISSING] = MISSING
    return Poll(
        voters, labels, None, np.stack(columns, axis=1), number, rows, place[patterns.truth]
    )


def _yes_or_no(
    patterns: Patterns,
    kind: str,
    distinct: npt.NDArray[np.int64],
    number: npt.NDArray[np.int64],
    rows: npt.NDArray[np.int64],
    voters: tuple[str, ...],
    *,
    truth: bool,
) -> Poll:
    """Return votes on the positive label."""
    meaning = patterns.meaning
    yes = meaning.positive or (meaning.pair[0] if meaning.pair and kind != "score" else "yes")
    code = patterns.labels.index(yes) if yes in patterns.labels else MISSING - 9
    if kind == "score":
        votes = _confidences(patterns, distinct, truth=truth)
        codes = np.where(np.isnan(votes), MISSING, votes >= 0.5).astype(np.int64)
    else:
        votes = np.where(distinct == MISSING, np.nan, distinct == code)
        codes = np.where(distinct == MISSING, MISSING, distinct == code).astype(np.int64)
    true = np.where(patterns.truth == MISSING, MISSING, patterns.truth == code).astype(np.int64)
    return Poll(voters, (yes,), votes, codes, number, rows, true)


def _confidences(
    patterns: Patterns, codes: npt.NDArray[np.int64], *, truth: bool
) -> npt.NDArray[np.float64]:
    """Return scores as votes."""
    positive = patterns.meaning.positive
    values = np.array([_number(text) for text in patterns.labels] + [np.nan])
    votes = values[codes]
    if truth:
        own = np.array([float(text == positive) for text in patterns.labels] + [np.nan])
        votes[:, -1] = own[codes[:, -1]]
    if np.nanmin(votes) < 0 or np.nanmax(votes) > 1:
        worst = float(np.nanmin(votes) if np.nanmin(votes) < 0 else np.nanmax(votes))
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


def weights_of(
    poll: Poll, polling: Polling, families: npt.NDArray[np.int64] | None = None
) -> Weights:
    """Return with what weight each votes; where families have one vote, what oracles leave is shared by families."""
    for names, known in (
        (polling.trust, (*poll.voters, ALL, NONE)),
        (polling.oracles, poll.voters),
    ):
        for name in names:
            if name not in known:
                raise UnknownNameError("system", name, known)
    given = vote_weights(
        [polling.trust.get(name, 1.0) for name in poll.voters],
        top=polling.trust.get(ALL, 1.0),
        bottom=polling.trust.get(NONE, 1.0),
    )
    oracles = {poll.voters.index(name): trust for name, trust in polling.oracles.items()}
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


def families_of(
    poll: Poll, families: Mapping[str, tuple[str, ...]], found: npt.NDArray[np.int64] | None
) -> npt.NDArray[np.int64] | None:
    """Return the family of each voter, as named by the user or as found; None where each is its own."""
    if FOUND in families:
        if found is None:
            raise OptionError(
                "families cannot be found here: too many classes or too few systems; name them"
            )
        return found
    if not families:
        return None
    codes = np.arange(len(poll.voters))
    taken: dict[str, str] = {}
    for family, members in families.items():
        for name in members:
            if name not in poll.voters:
                raise UnknownNameError("system", name, poll.voters)
            if name == TRUTH:
                raise OptionError(f"{TRUTH} is no system; it belongs to no family")
            if name in taken:
                raise OptionError(
                    f"{name!r} is in the families {taken[name]!r} and {family!r}; it has one vote"
                )
            taken[name] = family
        codes[[poll.voters.index(name) for name in members]] = poll.voters.index(members[0])
    return codes
