"""The vote label by label, query by query or family by family, and its means."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from karat.ask.poll import Poll, estimator_input, polled
from karat.ask.voting import ALL, NONE, TRUTH, ConsensusOptions
from karat.errors import OptionError
from karat.measure.consensus.estimator import EstimatorInput
from karat.measure.consensus.votes import Averages, Consensus, averages
from karat.numeric.arrays import FloatArray
from karat.result import Result
from karat.table.labels import ordered
from karat.tally.votes.patterns import Patterns
from karat.verdict.consensus.families import families_for
from karat.verdict.ranking import ranking

OTHERS = {TRUTH, ALL, NONE}
"""Voters that have no rank."""
MEAN = "(mean)"
"""The mean over groups, every group counting the same."""
Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True, repr=False)
class ConsensusParts(Result):
    """Precision, recall and F of every system in every part."""

    section: ClassVar[str | None] = "part"
    voted: tuple[dict[str, Any], ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return one row per part and system."""
        return self.voted

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return self.remarks


def by_part(patterns: Patterns, kind: str, options: ConsensusOptions, per: str) -> ConsensusParts:
    """Return the vote in parts: per class, group or family."""
    vote_function(options, "--per")
    if per == "class":
        return ConsensusParts(tuple(_by_class(patterns, kind, options)))
    if per == "group":
        return ConsensusParts(tuple(_by_group(patterns, kind, options)))
    if per == "family":
        return ConsensusParts(tuple(_by_family(patterns, kind, options)))
    raise OptionError(f"--per is {per!r}; it takes class, group, family, cutoff or depth")


def vote_function(options: ConsensusOptions, option: str) -> Callable[[EstimatorInput], Consensus]:
    """Return how the estimator votes; refuse the option where it does not."""
    vote = options.method.vote
    if vote is None:
        raise OptionError(
            f"{option} is for the vote; {options.estimator} judges all items together"
        )
    return vote


def _vote(poll: Poll, patterns: Patterns, options: ConsensusOptions) -> Consensus:
    """Return the vote, with families as named or as detected in this part; of labels a column for each."""
    families = families_for(poll, patterns, options)
    vote = vote_function(options, "--per")
    return vote(estimator_input(poll, options, families))


def pooled_vote(poll: Poll, patterns: Patterns, options: ConsensusOptions) -> Consensus:
    """Return the vote on all labels together."""
    vote = _vote(poll, patterns, options)
    return vote if poll.votes is not None else vote.pooled()


def _by_class(patterns: Patterns, kind: str, options: ConsensusOptions) -> Rows:
    poll = polled(patterns, kind, truth=TRUTH in options.oracles)
    if poll.votes is not None:
        raise OptionError(
            "--per class is for labels; these answers are yes or no, and the vote is about yes"
        )
    vote = _vote(poll, patterns, options)
    rows: Rows = []
    for place, label in enumerate(poll.labels):
        of_label = replace(
            vote,
            retrieved=vote.retrieved[:, place],
            agreed=vote.agreed[:, place],
            relevant=vote.relevant[:, place],
        )
        rows += ranked_rows(label, poll.voters, of_label, options)
    return rows


def _by_group(patterns: Patterns, kind: str, options: ConsensusOptions) -> Rows:
    if "g" not in patterns.keys:
        raise OptionError("--per group needs groups; name their column with --group COL")
    groups = patterns.keys["g"].astype(str)
    votes = []
    rows: Rows = []
    voters: tuple[str, ...] = ()
    for name in ordered(groups):
        part = _only(patterns, groups == name)
        if not (part.answers >= 0).any():
            raise OptionError(
                f"no system answered any item of the group {name!r}; leave that group out"
            )
        poll = polled(part, kind, truth=TRUTH in options.oracles)
        voters = poll.voters
        vote = pooled_vote(poll, part, options)
        votes.append(vote)
        rows += _vote_rows(name, voters, vote, options)
    rows += _mean_rows(averages(votes, beta=options.beta), voters, options)
    return _ranked(rows, options)


def _mean_rows(means: Averages, voters: Sequence[str], options: ConsensusOptions) -> Rows:
    rows: Rows = []
    for place, name in enumerate((*voters, ALL, NONE)):
        row: dict[str, Any] = {"part": MEAN, "rank": None, "system": name, "retrieved": None}
        row["precision"] = _at(means.precision, place)
        row["recall"] = _at(means.recall, place)
        row[f"f{options.beta:g}"] = _at(means.f, place)
        rows.append(row)
    return rows


def _by_family(patterns: Patterns, kind: str, options: ConsensusOptions) -> Rows:
    """Return each family judged by its own members alone, as in the paper's Figure 4."""
    if not options.families:
        raise OptionError("--per family needs families; name them with --family NAME=a,b, or found")
    if options.trust or options.oracles:
        raise OptionError(
            "a family is judged by its own members alone; leave --trust and --oracle out"
        )
    poll = polled(patterns, kind, truth=False)
    codes = families_for(poll, patterns, options)
    alone = replace(options, families={})
    rows: Rows = []
    for family, members in _members(poll, options, codes).items():
        places = [patterns.systems.index(name) for name in members]
        part = replace(patterns, systems=members, answers=patterns.answers[:, places])
        vote = pooled_vote(polled(part, kind, truth=False), part, alone)
        rows += ranked_rows(family, members, vote, options)
    return rows


def _members(
    poll: Poll, options: ConsensusOptions, codes: npt.NDArray[np.int64] | None
) -> dict[str, tuple[str, ...]]:
    """Return the families by name; those that were detected have the name of their first member."""
    if not options.finds_families or codes is None:
        return dict(options.families)
    families = {}
    for code in dict.fromkeys(codes.tolist()):
        members = tuple(poll.voters[place] for place in np.flatnonzero(codes == code))
        families[members[0]] = members
    return families


def _only(patterns: Patterns, chosen: npt.NDArray[np.bool_]) -> Patterns:
    return replace(
        patterns,
        truth=patterns.truth[chosen],
        answers=patterns.answers[chosen],
        number=patterns.number[chosen],
        keys={},
    )


def ranked_rows(
    part: str, voters: Sequence[str], vote: Consensus, options: ConsensusOptions
) -> Rows:
    """Return a row for each voter and virtual system, ranked by F."""
    return _ranked(_vote_rows(part, voters, vote, options), options)


def _vote_rows(
    part: str, voters: Sequence[str], vote: Consensus, options: ConsensusOptions
) -> Rows:
    precision = vote.precision
    recall = vote.recall
    f = vote.f(options.beta)
    rows: Rows = []
    for place, name in enumerate((*voters, ALL, NONE)):
        row: dict[str, Any] = {"part": part, "rank": None, "system": name}
        row["retrieved"] = _at(vote.retrieved, place)
        row["precision"] = _at(precision, place)
        row["recall"] = _at(recall, place)
        row[f"f{options.beta:g}"] = _at(f, place)
        rows.append(row)
    return rows


def _ranked(rows: Rows, options: ConsensusOptions) -> Rows:
    """Return the rows in the order of their ranks within each part; the truth and virtual systems come last."""
    f_name = f"f{options.beta:g}"
    parts: dict[str, Rows] = {}
    for row in rows:
        parts.setdefault(row["part"], []).append(row)
    ranked: Rows = []
    for own in parts.values():
        values = {row["system"]: row[f_name] for row in own if row["system"] not in OTHERS}
        ranks = ranking(values)
        numbered = [{**row, "rank": ranks.get(row["system"])} for row in own]
        ranked += sorted(numbered, key=_rank_or_last)
    return ranked


def _rank_or_last(row: Mapping[str, Any]) -> float:
    return math.inf if row["rank"] is None else float(row["rank"])


def _at(values: FloatArray, place: int) -> float | None:
    value = float(values[place])
    return None if np.isnan(value) else value
