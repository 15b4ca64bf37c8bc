"""How often does an audit say something false in worlds that were made to be different, where the claims are false?

Simulated tables of `label_error_worlds.py` whose best system by the given labels is not the best by the right ones:
among them systems that learnt from the wrong labels, and labels that were made by correcting the answers of a system.
The right labels are the checker, each audit is looked at after every label and goes on until nothing is open.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import header
from label_error_worlds import WORLDS, case_of
from reannotated import Case

import karat
from karat.verdict.audit.audit import Audit
from karat.verdict.audit.right_labels import RightLabel
from karat.verdict.audit.walk import Walk

TABLES = 10
SEEDS = 10
MOST_ITEMS = 1000
MOST_SYSTEMS = 10
TRIED = 2000
"""So many tables of a world are drawn at most."""
WAYS = {"best": None, "order": None, "best, guided": "informed", "order, guided": "informed"}


@dataclass
class Found:
    """What audits of one kind said."""

    false_claims: int = 0
    settled: int = 0
    """Of these."""
    rows: int = 0
    """Pairs that were decided."""
    wrong: int = 0
    """Of these, wrongly."""


def misleading(name: str) -> list[Case]:
    """Return tables of a world whose best system is not the best."""
    cases: list[Case] = []
    for seed in range(TRIED):
        case = case_of(name, 10_000 + seed)
        if len(case.given) > MOST_ITEMS or len(case.systems) > MOST_SYSTEMS:
            continue
        given = (case.answers == case.given[:, None]).sum(axis=0)
        right = (case.answers == case.right[:, None]).sum(axis=0)
        best = int(given.argmax())
        is_alone = (given == given[best]).sum() == 1
        if is_alone and np.delete(right, best).max() >= right[best]:
            cases.append(case)
        if len(cases) == TABLES:
            break
    return cases


def bench_of(case: Case) -> karat.Bench:
    columns = {"item": [f"{place:06d}" for place in range(len(case.given))]}
    columns["truth"] = [f"c{label}" for label in case.given.tolist()]
    for place, system in enumerate(case.systems):
        columns[system] = [f"c{label}" for label in case.answers[:, place].tolist()]
    return karat.read(columns, systems=list(case.systems), kinds="label")


def walked(case: Case, audit: Audit) -> Walk:
    """Look up labels until nothing is open."""
    codes = audit.setup.reader.codes
    labels = {}
    for item, label in enumerate(case.right.tolist()):
        name = f"c{label}"
        known = frozenset([codes[name]]) if name in codes else frozenset[int]()
        labels[item] = RightLabel(name if known else "(other)", known)
    return Walk(audit.setup, labels, record=False).go()


def judged(case: Case, audit: Audit, found: Found) -> None:
    """Count what an audit says, and what of it is false."""
    right = dict(zip(case.systems, (case.answers == case.right[:, None]).sum(axis=0), strict=True))
    walk = walked(case, audit)
    pairs = audit.setup.disputes.pairs
    claimed = audit.setup.claims[0].pairs
    if not all(right[first] > right[second] for first, second in claimed):
        found.false_claims += 1
        found.settled += all(one is not None and one.holds for one in walk.verdicts)
    for (_, pair), verdict in zip(walk.rows, walk.verdicts, strict=True):
        if verdict is None:
            continue
        first, second = pairs[pair]
        lead = right[first] - right[second]
        found.rows += 1
        if verdict.verdict == "tied":
            found.wrong += lead != 0
        else:
            found.wrong += lead <= 0 if verdict.first_is_better else lead >= 0


def main() -> None:
    header(
        "audits of misleading rankings, at a risk of 5 %: false claims settled, pairs decided wrongly"
    )
    total = {way: Found() for way in WAYS}
    for name in WORLDS:
        cases = misleading(name)
        for way, guide in WAYS.items():
            found = total[way]
            before = found.settled, found.false_claims
            for case in cases:
                bench = bench_of(case)
                for seed in range(SEEDS):
                    claim = way.partition(",")[0]
                    judged(case, bench.audit(claim=claim, seed=seed, guide=guide), found)
            settled, claims = found.settled - before[0], found.false_claims - before[1]
            print(f"  {name:<16}{way:<16}{settled:>4} of {claims:,} false claims", flush=True)
    for way, found in total.items():
        print(
            f"  all, {way}: {found.settled} of {found.false_claims:,} false claims settled; "
            f"{found.wrong} of {found.rows:,} pairs decided wrongly"
        )


if __name__ == "__main__":
    main()
