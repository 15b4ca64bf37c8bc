"""How many checks an audit will take, by simulation at a stated share of wrong labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from karat.doubt.audit.capital import Capitals
from karat.doubt.audit.forecast import FIRST, errors_at, simulated_checks
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray
from karat.result import Result
from karat.verdict.audit.claims import Claim
from karat.verdict.audit.disputes import Disputes
from karat.verdict.audit.right_labels import RightLabel
from karat.verdict.audit.setup import AuditSetup, audit_setup
from karat.verdict.audit.walk import Walk

QUANTILES = (0.1, 0.5, 0.9)
TOGETHER = 20
"""How many audits of a claim with several pairs are simulated."""


ASSUMED = (
    "Assumed: labels are wrong independently of each other, and the right one is then an answer of a claimed system. "
    "Errors that favour one of the two make it longer, or turn it over."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedClaim:
    """How many checks one claim, or one pair of it, takes in simulated audits."""

    claim: str
    better: str
    worse: str | None
    """None: all pairs of the claim together."""
    disputed: int
    label_error: float
    checks: int
    low: int
    high: int
    """The median, and what one in ten audits stays below and goes above."""
    settled: float
    """How many of the audits settle the claim; the others refute it, end in a tie, or go on beyond `most`."""
    most: int

    def row(self) -> dict[str, Any]:
        """Return all fields as plain values."""
        return {
            "claim": self.claim,
            "better": self.better,
            "worse": self.worse,
            "disputed": self.disputed,
            "label_error": self.label_error,
            "checks": self.checks,
            "low_checks": self.low,
            "high_checks": self.high,
            "settled": self.settled,
            "most": self.most,
        }


@dataclass(frozen=True, slots=True)
class AuditPlan(Result):
    """How many checks an audit will take."""

    planned: tuple[PlannedClaim, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each pair, and one for each claim of several pairs."""
        return [one.row() for one in self.planned]

    def parts(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Return the rows as a person reads them."""
        share = self.planned[0].label_error if self.planned else 0.0
        heading = (
            f"how many labels to look up, if {100 * share:.3g} % of the disputed ones are wrong?"
        )
        return {heading: [_line(one) for one in self.planned]}

    def beside(self) -> Mapping[str, Any]:
        """Return the input, and what is fixed."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return what was assumed."""
        return (
            "checks: the median of simulated audits; one in ten needs fewer than from, one in ten more than to.",
            ASSUMED,
            *self.remarks,
        )


def _line(one: PlannedClaim) -> dict[str, Any]:
    return {
        "claim": one.claim,
        "better": one.better,
        "worse": one.worse or "all of the claim",
        "disputed": one.disputed,
        "checks": _number(one.checks, one.most),
        "from": _number(one.low, one.most),
        "to": _number(one.high, one.most),
        "settled": f"{100 * one.settled:.0f} %",
    }


def _number(checks: int, most: int) -> str:
    return f"over {most:,}" if checks >= most else f"{checks:,}"


def plan_of(setup: AuditSetup, share: float, *, runs: int = 200, most: int = 2000) -> AuditPlan:
    """Return how many checks each claim and each of its pairs takes at a share of wrong labels."""
    if not 0 <= share <= 1:
        raise OptionError(
            f"--plan is {share:g}; it is the share of the disputed labels that are wrong, such as 0.05"
        )
    planned = []
    for claim in setup.claims:
        places = [setup.disputes.pairs.index(pair) for pair in claim.pairs]
        checks, settled = pair_checks(
            setup.disputes, share, places, risk=setup.risk, runs=runs, most=most
        )
        for row, place in enumerate(places):
            better, worse = setup.disputes.pairs[place]
            disputed = int((setup.disputes.kind[place] >= 0).sum())
            numbers = _quantiles(checks[row])
            planned.append(
                PlannedClaim(
                    claim=claim.text,
                    better=better,
                    worse=worse,
                    disputed=disputed,
                    label_error=share,
                    settled=float(settled[row].mean()),
                    most=max(most, 1),
                    **numbers,
                )
            )
        if len(places) > 1:
            planned.append(_together(_alone(setup, claim), share, most))
    return AuditPlan(tuple(planned))


def pair_checks(
    disputes: Disputes,
    share: float,
    places: Sequence[int],
    *,
    risk: float,
    runs: int,
    most: int,
) -> tuple[FloatArray, FloatArray]:
    """Return checks[pair, run] of audits of single pairs, and whether each settles its claim."""
    lanes = np.repeat(np.array(places), runs)
    numbers = disputes.numbers()
    weighed = disputes.weighed() or {}
    first = Capitals(disputes.kinds, numbers, disputes.leads, **weighed).repeated(lanes)
    second = Capitals(disputes.kinds.turned(), numbers, -disputes.leads, **weighed).repeated(lanes)
    errors = errors_at(disputes.kinds, share, len(lanes))
    found = simulated_checks(first, second, errors, risk=risk, most=most, seed=1)
    shape = (len(places), runs)
    settled = (found.ending == FIRST).astype(float)
    return found.checks.reshape(shape).astype(float), settled.reshape(shape)


def _quantiles(checks: FloatArray) -> dict[str, int]:
    low, median, high = np.quantile(checks, QUANTILES, method="nearest").astype(int).tolist()
    return {"checks": median, "low": low, "high": high}


def _alone(setup: AuditSetup, claim: Claim) -> AuditSetup:
    """Return the audit of one of several claims."""
    if len(setup.claims) == 1:
        return setup
    return audit_setup(
        setup.items,
        setup.quantity,
        [claim.text],
        risk=setup.risk,
        seed=setup.seed,
        random=setup.random,
        judged=setup.reader.judged,
        by_vote=setup.by_vote,
    )


def _together(setup: AuditSetup, share: float, most: int) -> PlannedClaim:
    """Return how many checks all pairs of a claim take together: one label serves every pair that disputes its item."""
    random = np.random.default_rng(1)
    (claim,) = setup.claims
    checks = []
    settled = []
    for _ in range(TOGETHER):
        labels = _simulated_labels(setup, share, random)
        walk = Walk(setup, labels, record=False, most=most).go()
        checks.append(float(len(walk.counted)))
        settled.append(all(one is not None and one.first_is_better for one in walk.verdicts))
    return PlannedClaim(
        claim=claim.text,
        better=claim.pairs[0][0],
        worse=None,
        disputed=len(setup.disputes.disputed),
        label_error=share,
        settled=float(np.mean(settled)),
        most=most,
        **_quantiles(np.array(checks)),
    )


def _simulated_labels(
    setup: AuditSetup, share: float, random: np.random.Generator
) -> dict[int, RightLabel]:
    """Return right labels of all items: the given ones, or with this probability another answer of a claimed system."""
    items = setup.items
    claimed = sorted({*setup.disputes.first.tolist(), *setup.disputes.second.tolist()})
    disputed = set(setup.disputes.disputed.tolist())
    labels = {}
    drawn = np.unique(setup.draws.item).tolist()
    for place in drawn:
        given = setup.reader.given(place)
        labels[place] = given
        if place in disputed and random.random() < share:
            answers = [int(code) for code in items.answers[place, claimed] if code >= 0]
            others = [code for code in answers if code not in given.codes]
            if others:
                chosen = others[int(random.integers(len(others)))]
                labels[place] = RightLabel(items.labels[chosen], frozenset({chosen}))
    return labels
