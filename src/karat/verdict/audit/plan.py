"""How many checks an audit will take, by simulation at a stated share of wrong labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from karat.doubt.audit.forecast import FIRST, Errors, simulated_checks
from karat.errors import OptionError
from karat.measure.quantity import Quantity
from karat.numeric.arrays import FloatArray, IntArray
from karat.result import Result
from karat.tally.audit_items import AuditItems
from karat.verdict.audit.claims import Claim, claims_of, disputes_of, ranked
from karat.verdict.audit.disputes import Disputes, scoring
from karat.verdict.audit.planned_errors import LabelSimulation, planned_errors
from karat.verdict.audit.right_labels import LabelReader
from karat.verdict.audit.setup import AuditSetup, audit_setup
from karat.verdict.audit.walk import Walk
from karat.words import counted

QUANTILES = (0.1, 0.5, 0.9)
FEW_RUNS = 50
MOST_CHECKS = 2000
"""How many audits of each pair are simulated for a page, and how far."""
TOGETHER = 20
"""How many audits of a claim with several pairs are simulated."""


ASSUMED = (
    "Assumed: labels are wrong independently of each other, and where one is wrong, the right label is the answer of a "
    "claimed system. If the errors favour one of the two, it takes more checks, or the order is reversed."
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


@dataclass(frozen=True, slots=True, repr=False)
class AuditPlan(Result):
    """How many checks an audit will take."""

    planned: tuple[PlannedClaim, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    unlabelled: int = 0
    """How many of the disputed items have no label."""

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
        notes = [
            "checks: the median of simulated audits; one in ten needs fewer than from, one in ten more than to.",
            ASSUMED,
        ]
        if self.unlabelled:
            notes.append(
                f"Of {counted(self.unlabelled, 'disputed item')} without a label each system is assumed to be right as "
                "often as where there is one."
            )
        return (*notes, *self.remarks)


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
    planned: list[PlannedClaim] = []
    for claim in setup.claims:
        planned += _pairs_planned(setup.disputes, claim, share, setup.risk, runs, most, setup.pulls)
        if len(claim.pairs) > 1:
            planned.append(_together(_alone(setup, claim), share, most))
    return AuditPlan(tuple(planned), unlabelled=_unlabelled(setup.disputes))


def neighbours_plan_of(
    items: AuditItems, quantity: Quantity, *, label_error: float, risk: float, judged: bool
) -> AuditPlan:
    """Return how many checks each two neighbours of the ranking take, each pair alone."""
    reader = LabelReader.of(items, judged=judged)
    score = scoring(items, quantity, judged=judged)
    (claim,) = claims_of(["order"], score, ranked(score, quantity, reader), reader)
    found = disputes_of([claim], score, reader)
    planned = _pairs_planned(found, claim, label_error, risk, FEW_RUNS, MOST_CHECKS)
    return AuditPlan(tuple(planned), unlabelled=_unlabelled(found))


def _unlabelled(found: Disputes) -> int:
    return int((found.scoring.items.given[found.disputed] < 0).sum())


def _pairs_planned(
    found: Disputes,
    claim: Claim,
    share: float,
    risk: float,
    runs: int,
    most: int,
    pulls: IntArray | None = None,
) -> list[PlannedClaim]:
    """Return how many checks each pair of a claim takes, alone."""
    places = [found.pairs.index(pair) for pair in claim.pairs]
    checks, settled = pair_checks(
        found, share, places, risk=risk, runs=runs, most=most, pulls=pulls
    )
    planned = []
    for row, place in enumerate(places):
        better, worse = found.pairs[place]
        planned.append(
            PlannedClaim(
                claim=claim.text,
                better=better,
                worse=worse,
                disputed=int((found.kind[place] >= 0).sum()),
                label_error=share,
                settled=float(settled[row].mean()),
                most=most,
                **_quantiles(checks[row]),
            )
        )
    return planned


def pair_checks(
    disputes: Disputes,
    share: float,
    places: Sequence[int],
    *,
    risk: float,
    runs: int,
    most: int,
    pulls: IntArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return checks[pair, run] of audits of single pairs, and whether each settles its claim."""
    lanes = np.repeat(np.array(places), runs)
    claimed, opposite = disputes.capitals(pulls)
    first = claimed.repeated(lanes)
    second = opposite.repeated(lanes)
    of_pairs = planned_errors(disputes, share, places)
    errors = Errors(np.repeat(of_pairs.up, runs, axis=0), np.repeat(of_pairs.down, runs, axis=0))
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
        guide=setup.guide,
    )


def _together(setup: AuditSetup, share: float, most: int) -> PlannedClaim:
    """Return how many checks all pairs of a claim take together: one label serves every pair that disputes its item."""
    random = np.random.default_rng(1)
    simulation = LabelSimulation.of(setup, share)
    (claim,) = setup.claims
    checks = []
    settled = []
    for _ in range(TOGETHER):
        labels = simulation.labels(random)
        walk = Walk(setup, labels, record=False, most=most).go()
        checks.append(float(len(walk.counted)))
        settled.append(all(one is not None and one.holds for one in walk.verdicts))
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
