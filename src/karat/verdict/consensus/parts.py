"""The vote label by label, query by query or family by family, and its means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from karat.ask.voting import ALL, NONE, TRUTH, Poll, Polling, polled
from karat.errors import OptionError
from karat.measure.consensus.votes import Consensus, averages, label_consensus
from karat.result import Result
from karat.table.labels import ordered
from karat.tally.votes.patterns import Patterns
from karat.verdict.consensus.estimators import vote_of, voting_options
from karat.verdict.consensus.families import families_for
from karat.verdict.ranking import ranking

OTHERS = {TRUTH, ALL, NONE}
"""Who has no rank."""
MEAN = "(mean)"
"""The mean over groups, every group counting alike."""


@dataclass(frozen=True, slots=True)
class Parted(Result):
    """Precision, recall and F of every system in every part."""

    section: ClassVar[str | None] = "part"
    found: tuple[dict[str, Any], ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return one row per part and system."""
        return self.found

    def beside(self) -> Mapping[str, Any]:
        """Return the input and the signature."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        return self.remarks


def by_part(patterns: Patterns, kind: str, polling: Polling, per: str) -> Parted:
    """Return the vote in parts: per class, group or family."""
    if polling.estimator != "vote":
        raise OptionError(
            f"--per is for the vote; {polling.estimator} speaks of all items together"
        )
    if per == "class":
        return Parted(tuple(_by_class(patterns, kind, polling)))
    if per == "group":
        return Parted(tuple(_by_group(patterns, kind, polling)))
    if per == "family":
        return Parted(tuple(_by_family(patterns, kind, polling)))
    raise OptionError(f"--per is {per!r}; it takes class, group, family, cutoff or depth")


def _by_class(patterns: Patterns, kind: str, polling: Polling) -> list[dict[str, Any]]:
    poll = polled(patterns, kind, truth=TRUTH in polling.oracles)
    if poll.votes is not None:
        raise OptionError(
            "--per class is for labels; these answers are yes or no, and the vote is about yes"
        )
    options = voting_options(poll, polling, families_for(poll, polling))
    found = label_consensus(poll.codes, poll.number, classes=len(poll.labels), **options)
    rows = []
    for place, label in enumerate(poll.labels):
        one = replace(
            found,
            retrieved=found.retrieved[:, place],
            agreed=found.agreed[:, place],
            relevant=found.relevant[:, place],
        )
        rows += rows_of(label, poll.voters, one, polling)
    return rows


def _by_group(patterns: Patterns, kind: str, polling: Polling) -> list[dict[str, Any]]:
    if "g" not in patterns.keys:
        raise OptionError("--per group needs groups; name their column with --group COL")
    names = ordered(str(name) for name in patterns.keys["g"])
    parts = {name: _only(patterns, patterns.keys["g"].astype(str) == name) for name in names}
    found = {}
    for name, part in parts.items():
        if not (part.answers >= 0).any():
            raise OptionError(
                f"no system answered any item of the group {name!r}; leave that group out"
            )
        found[name] = voted(polled(part, kind, truth=TRUTH in polling.oracles), polling)
    voters = polled(next(iter(parts.values())), kind, truth=TRUTH in polling.oracles).voters
    rows = [row for name, one in found.items() for row in rows_of(name, voters, one, polling)]
    means = averages(list(found.values()), beta=polling.beta)
    names = (*voters, ALL, NONE)
    for place, name in enumerate(names):
        values = {
            "precision": means.precision,
            "recall": means.recall,
            f"f{polling.beta:g}": means.f,
        }
        own = {key: _number(part[place]) for key, part in values.items()}
        rows.append({"part": MEAN, "rank": None, "system": name, "retrieved": None, **own})
    return _ranked(rows, polling)


def _by_family(patterns: Patterns, kind: str, polling: Polling) -> list[dict[str, Any]]:
    """Return each family judged by its own members alone, as the paper's Figure 4 does."""
    if not polling.families:
        raise OptionError("--per family needs families; name them with --family NAME=a,b, or found")
    if polling.trust or polling.oracles:
        raise OptionError(
            "a family is judged by its own members alone; leave --trust and --oracle out"
        )
    poll = polled(patterns, kind, truth=False)
    codes, rows = families_for(poll, polling), []
    for family, members in _members(poll, polling, codes).items():
        own = replace(
            patterns,
            systems=members,
            answers=patterns.answers[:, [patterns.systems.index(name) for name in members]],
        )
        alone = replace(polling, families={})
        rows += rows_of(family, members, voted(polled(own, kind, truth=False), alone), polling)
    return rows


def _members(
    poll: Poll, polling: Polling, codes: npt.NDArray[np.int64] | None
) -> dict[str, tuple[str, ...]]:
    """Return the families by name; those that were found bear the name of their first member."""
    if not polling.finds_families or codes is None:
        return dict(polling.families)
    groups = [
        tuple(poll.voters[k] for k in np.flatnonzero(codes == code))
        for code in dict.fromkeys(codes.tolist())
    ]
    return {members[0]: members for members in groups}


def voted(poll: Poll, polling: Polling) -> Consensus:
    """Return the vote of a part, with families as said, or as found in it."""
    return vote_of(poll, polling, families_for(poll, polling), poll.number)


def _only(patterns: Patterns, chosen: npt.NDArray[np.bool_]) -> Patterns:
    return replace(
        patterns,
        truth=patterns.truth[chosen],
        answers=patterns.answers[chosen],
        number=patterns.number[chosen],
        keys={},
    )


def rows_of(
    part: str, voters: Sequence[str], found: Consensus, polling: Polling
) -> list[dict[str, Any]]:
    """Return a row for each voter and virtual system, ranked by F."""
    values = {
        "precision": found.precision,
        "recall": found.recall,
        f"f{polling.beta:g}": found.f(polling.beta),
    }
    rows = [
        {
            "part": part,
            "rank": None,
            "system": name,
            "retrieved": _number(found.retrieved[place]),
            **{key: _number(column[place]) for key, column in values.items()},
        }
        for place, name in enumerate((*voters, ALL, NONE))
    ]
    return _ranked(rows, polling)


def _ranked(rows: list[dict[str, Any]], polling: Polling) -> list[dict[str, Any]]:
    """Return the rows with the ranks of the systems within each part."""
    found = []
    for part in dict.fromkeys(row["part"] for row in rows):
        own = [row for row in rows if row["part"] == part]
        ranks = ranking(
            {row["system"]: row[f"f{polling.beta:g}"] for row in own if row["system"] not in OTHERS}
        )
        order = sorted(own, key=lambda row: ranks.get(row["system"], len(own)))
        found += [{**row, "rank": ranks.get(row["system"])} for row in order]
    return found


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
