"""What is fixed before the first label: the claims, the risk, the seed, and with them every draw."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.measure.quantity import Quantity
from karat.numeric.arrays import IntArray
from karat.tally.audit_items import AuditItems
from karat.tally.digest import Part, digest, joined
from karat.verdict.audit.claims import Claim, claims_of, disputes_of, ranked
from karat.verdict.audit.disputes import Disputes, Pair, scoring
from karat.verdict.audit.draws import Draws, draws
from karat.verdict.audit.guide import informed_pulls, refuse_guide
from karat.verdict.audit.right_labels import LabelReader


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AuditSetup:
    """An audit before its first label."""

    items: AuditItems
    quantity: Quantity
    claims: tuple[Claim, ...]
    disputes: Disputes
    reader: LabelReader
    risk: float
    seed: str
    random: Fraction
    new_items: bool
    by_vote: bool
    """Whether the given labels are those of the systems' vote: there is no truth."""
    guide: str | None
    """The model that guides the draws; None: they are even."""
    pulls: IntArray | None
    """How strongly each item is drawn; None: all alike."""
    draws: Draws
    list_hash: str

    @property
    def needed(self) -> float:
        """The capital that settles a claim."""
        return 1 / self.risk

    def pulls_or_ones(self) -> IntArray:
        """Return how strongly each item is drawn, against the others that are needed."""
        if self.pulls is None:
            return np.ones(len(self.items.names), np.int64)
        return self.pulls

    def rows(self) -> list[tuple[int, int]]:
        """Return claim and pair of every row: the places of both."""
        pairs = self.disputes.pairs
        rows = []
        for place, claim in enumerate(self.claims):
            rows += [(place, pairs.index(pair)) for pair in claim.pairs]
        return rows


def audit_setup(
    items: AuditItems,
    quantity: Quantity,
    texts: Sequence[str | Pair],
    *,
    risk: float,
    seed: str | None,
    random: Fraction = Fraction(0),
    new_items: bool = False,
    judged: bool = False,
    by_vote: bool = False,
    guide: str | None = None,
) -> AuditSetup:
    """Return the audit of some claims; without a seed it is a hash of the items, labels and answers."""
    reader = LabelReader.of(items, judged=judged)
    score = scoring(items, quantity, judged=judged)
    order = ranked(score, quantity, reader)
    claims = claims_of(texts, score, order, reader)
    found = disputes_of(claims, score, reader)
    parts = _parts(items, found)
    pulls = None
    if guide is not None:
        refuse_guide(items, judged=judged, by_vote=by_vote)
        pulls = informed_pulls(found)
        parts += [guide, joined(map(str, pulls.tolist()))]
    if seed is None:
        seed = digest(["seed", *parts])
    claimed = [f"{claim.text}: {claim.pairs}" for claim in claims]
    settings = [str(quantity), repr(risk), str(random), str(int(judged)), seed]
    return AuditSetup(
        items=items,
        quantity=quantity,
        claims=claims,
        disputes=found,
        reader=reader,
        risk=risk,
        seed=seed,
        random=random,
        new_items=new_items,
        by_vote=by_vote,
        guide=guide,
        pulls=pulls,
        draws=draws(seed, len(items.names), found.disputed, random, pulls),
        list_hash=digest([*settings, joined(claimed), *parts]),
    )


def _parts(items: AuditItems, found: Disputes) -> list[Part]:
    """Return what a list depends on: items, given labels, weights, and the answers of the claimed systems."""
    shown = [*(f"={label}" for label in items.labels), ""]

    def words(codes: npt.NDArray[Any]) -> str:
        return joined(map(shown.__getitem__, np.maximum(codes, -1).tolist()))

    claimed = sorted({name for pair in found.pairs for name in pair})
    parts: list[Part] = [joined(items.names), words(items.given)]
    for name in claimed:
        parts += [name, words(items.answers[:, items.systems.index(name)])]
    parts.append(joined(map(repr, items.weights)))
    return parts
