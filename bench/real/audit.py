"""How many labels must be looked up to settle a ranking, and is it settled rightly? Needs the shared data.

The corrected truth is the checker. For each pair: draws evenly among the items that the two dispute, at random over all
items with the same bets, and guided by the model informed. Names of sets as arguments: only these.
"""

import csv
import gzip
import sys
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import header

import karat
from karat.doubt.audit.capital import Capitals, Kinds
from karat.verdict.audit.disputes import disputes
from karat.verdict.audit.guide import informed_pulls, likely_labels_of
from karat.verdict.audit.right_labels import RightLabel
from karat.verdict.audit.setup import AuditSetup
from karat.verdict.audit.walk import Walk

DATA = Path(__file__).parents[3] / "shared" / "data"
SEEDS = 10
RISK = 0.05
CLOSE = 10
"""How many close pairs are looked at: those with the smallest leads by the given labels, in standard errors."""
SETS: dict[str, dict[str, Any]] = {
    "imagenet re-reviewed": {
        "items": "imagenet_val_34/items.csv.gz",
        "systems": "imagenet_val_34/systems_label.csv.gz",
        "given": "truth_original",
        "right": "truth_mturk3",
    },
    "imagenet ReaL": {
        "items": "imagenet_val_34/items.csv.gz",
        "systems": "imagenet_val_34/systems_label.csv.gz",
        "given": "truth_original",
        "right": "truth_real",
        "separator": " ",
    },
    "cifar10 by people": {
        "items": "cifar10_test_13/items.csv.gz",
        "systems": "cifar10_test_13/systems_label.csv.gz",
        "given": "truth_original",
        "right": "truth_human_majority",
    },
    "mmlu": {
        "items": "mmlu_redux_14/items.csv",
        "systems": "mmlu_redux_14/systems.csv",
        "given": "truth_original",
        "right": "truth_corrected",
        "separator": "",
    },
    "tacred revised": {
        "items": "tacred_test_52/items.csv.gz",
        "given": "truth",
        "right": "truth_revised",
    },
    "tacred re-annotated": {
        "items": "tacred_test_52/items.csv.gz",
        "given": "truth",
        "right": "truth_reannotated",
    },
}
LEFT_OUT = {"cleanlab_cv", "cleanlab.resnet50_cv", "item", "subject"}
"""Two systems that helped to choose which labels were looked at again (READMEs of the data), and no systems."""
NO_TRUTH = {"", "-1"}
ENDS = [(0, 2), (-1, 1), (-2, 0), (0, 1), (-1, 0)]
"""The least and the most that a right label can take from the lead, by kind of item."""
KINDS = Kinds(
    np.array([low for low, _ in ENDS], float), np.array([high for _, high in ENDS], float)
)


@dataclass
class Case:
    """A data set: how many items, the systems, and who is right by the given and by the right label."""

    name: str
    systems: list[str]
    answers: np.ndarray
    by_given: np.ndarray
    by_right: np.ndarray
    given: list[str]
    right: list[set[str]]


def rows_of(path: Path) -> list[dict[str, str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read(name: str) -> Case:
    """Read the items that have both labels."""
    about = SETS[name]
    items = rows_of(DATA / about["items"])
    of_systems = rows_of(DATA / about["systems"]) if "systems" in about else items
    by_item = {row["item"]: row for row in of_systems}
    systems = [one for one in of_systems[0] if one not in LEFT_OUT and not one.startswith("truth")]
    kept = [row for row in items if row[about["right"]] not in NO_TRUTH and row[about["given"]]]
    answers = np.array([[by_item[row["item"]][one] for one in systems] for row in kept])
    given = [row[about["given"]] for row in kept]
    right = [members(row[about["right"]], about.get("separator")) for row in kept]
    by_given = hits(answers, [{label} for label in given])
    return Case(name, systems, answers, by_given, hits(answers, right), given, right)


def members(text: str, separator: str | None) -> set[str]:
    if separator is None:
        return {text}
    return set(text.split(separator)) if separator else set(text)


def hits(answers: np.ndarray, truths: list[set[str]]) -> np.ndarray:
    return np.array(
        [
            [bool(one) and one in truth for one in row]
            for row, truth in zip(answers, truths, strict=True)
        ]
    )


@dataclass
class Pair:
    """The disputed items of two systems, the one that leads by the given labels first."""

    lead: int
    right_lead: int
    items: int
    kind: np.ndarray
    loss: np.ndarray
    pull: np.ndarray
    """How strongly the guide draws each item."""


class Guide:
    """The pulls of pairs of systems, by the model informed."""

    def __init__(self, setup: AuditSetup) -> None:
        self.scoring = setup.disputes.scoring
        self.reader = setup.reader
        self.likely = likely_labels_of(setup.disputes)

    def pulls(self, first: str, second: str) -> np.ndarray:
        """Return the pulls of what two systems dispute, in the order of the items."""
        found = disputes(self.scoring, ((first, second),), self.reader)
        return informed_pulls(found, self.likely)[found.disputed].astype(float)


def pair_of(case: Case, guide: Guide, first: int, second: int) -> Pair:
    one, other = case.answers[:, first], case.answers[:, second]
    given = case.by_given[:, first].astype(int) - case.by_given[:, second]
    right = case.by_right[:, first].astype(int) - case.by_right[:, second]
    disputed = one != other
    low = np.where(other != "", -1, 0)
    high = np.where(one != "", 1, 0)
    ends = np.stack([given - high, given - low], axis=1)[disputed]
    kind = np.array([ENDS.index((least, most)) for least, most in ends.tolist()], int)
    pull = guide.pulls(case.systems[first], case.systems[second])
    loss = (given - right)[disputed]
    return Pair(int(given.sum()), int(right.sum()), len(given), kind, loss, pull)


@dataclass
class Run:
    """One audit: how many disputed items were looked up, as many of all items at random, and what was said."""

    pair: Pair
    checks: int
    at_random: int
    verdict: str

    @property
    def is_false(self) -> bool:
        """Whether a verdict that names the better system names the wrong one."""
        lead = self.pair.right_lead
        if self.verdict in {"settled", "certain"}:
            return lead <= 0
        return self.verdict in {"refuted", "certainly refuted"} and lead >= 0


def audits(pairs: list[Pair], seed: int, *, guided: bool) -> list[Run]:
    """Audit every pair several times, all at once."""
    random = np.random.default_rng(seed)
    every = [pair for pair in pairs for _ in range(SEEDS)]
    longest = max(len(pair.kind) for pair in every)
    kind = np.zeros((len(every), longest), np.intp)
    loss = np.zeros((len(every), longest))
    pull = np.ones((len(every), longest))
    number, square, largest, pulls = np.zeros((4, len(every), len(ENDS)))
    for place, pair in enumerate(every):
        own = pair.pull if guided else np.ones(len(pair.kind))
        # The smallest of exponential times: draws in proportion to the pulls, without replacement.
        order = np.argsort(random.exponential(size=len(own)) / own)
        kind[place, : len(order)] = pair.kind[order]
        loss[place, : len(order)] = pair.loss[order]
        pull[place, : len(order)] = own[order]
        number[place] = np.bincount(pair.kind, minlength=len(ENDS))
        square[place] = np.bincount(pair.kind, weights=1 / own, minlength=len(ENDS))
        pulls[place] = np.bincount(pair.kind, weights=own, minlength=len(ENDS))
        np.maximum.at(largest[place], pair.kind, 1 / own)
    lead = np.array([float(pair.lead) for pair in every])
    sums = {"square": square, "largest": largest, "pull": pulls}
    capitals = Capitals(KINDS, number, lead, **sums)
    turned = Capitals(KINDS.turned(), number, -lead, **sums)
    going = np.arange(len(every))
    checks = np.zeros(len(every), int)
    verdicts = np.full(len(every), "tied", object)
    for check in range(longest + 1):
        said = np.select(
            [
                capitals.worst_lead[going] > 0,
                turned.worst_lead[going] > 0,
                capitals.capital[going] >= 1 / RISK,
                turned.capital[going] >= 1 / RISK,
                capitals.left[going] == 0,
            ],
            ["certain", "certainly refuted", "settled", "refuted", "tied"],
            "",
        )
        checks[going] = check
        verdicts[going] = np.where(said == "", "tied", said)
        going = going[said == ""]
        if not len(going):
            break
        drawn = kind[going, check]
        takes = loss[going, check]
        capitals.draw(going, drawn, takes, pull=pull[going, check])
        turned.draw(going, drawn, -takes, pull=pull[going, check])
    runs = []
    for pair, number_of_checks, verdict in zip(
        every, checks.tolist(), verdicts.tolist(), strict=True
    ):
        at_random = random_checks(pair, number_of_checks, random)
        runs.append(Run(pair, number_of_checks, at_random, verdict))
    return runs


def random_checks(pair: Pair, checks: int, random: np.random.Generator) -> int:
    """Return how many items of all must be drawn until so many of the disputed ones are among them."""
    if not checks:
        return 0
    places = np.sort(random.permutation(pair.items)[: len(pair.kind)])
    return int(places[checks - 1]) + 1


def ranked(case: Case) -> list[int]:
    return np.argsort(-case.by_given.sum(axis=0), kind="stable").tolist()


def with_a_lead(pairs: list[Pair]) -> list[Pair]:
    return [pair for pair in pairs if pair.lead]


def groups_of(case: Case) -> dict[str, list[Pair]]:
    """Return the pairs that are looked at: the best and its rivals, neighbours, and the closest of all."""
    order = ranked(case)
    guide = Guide(bench_of(case).audit(claim="best", seed=1).setup)
    best = [pair_of(case, guide, order[0], other) for other in order[1:]]
    neighbours = [pair_of(case, guide, one, other) for one, other in pairwise(order)]
    totals = case.by_given.sum(axis=0)
    closest = sorted(
        (pair for pair in combinations(order, 2) if totals[pair[0]] > totals[pair[1]]),
        key=lambda pair: totals[pair[0]] - totals[pair[1]],
    )
    close = [pair_of(case, guide, one, other) for one, other in closest[: 3 * CLOSE]]
    close = sorted(with_a_lead(close), key=lambda pair: pair.lead / np.sqrt(len(pair.kind)))[:CLOSE]
    return {"best": with_a_lead(best), "neighbours": with_a_lead(neighbours), "close": close}


def shown(name: str, runs: list[Run], guided: list[Run]) -> None:
    checks = np.array([run.checks for run in runs])
    disputed = np.array([len(run.pair.kind) for run in runs])
    at_random = np.array([run.at_random for run in runs])
    said = [run.verdict for run in runs]
    against = sum(verdict in {"refuted", "certainly refuted"} for verdict in said)
    reversed_pairs = sum(run.pair.right_lead < 0 for run in runs) // SEEDS
    cells = [
        len(runs) // SEEDS,
        reversed_pairs,
        int(np.median(disputed)),
        int(np.median(checks)),
        int(np.quantile(checks, 0.9)),
        int(np.median(at_random)),
        int(np.median([run.checks for run in guided])),
    ]
    numbers = " ".join(f"{cell:>9,}" for cell in cells)
    false = sum(run.is_false for run in runs)
    false_guided = sum(run.is_false for run in guided)
    print(
        f"  {name:<32}{numbers} {ratio_of(guided, runs):>7.2f} {against:>9,} {false:>5,} and {false_guided:,} "
        f"of {len(runs):,}",
        flush=True,
    )


def ratio_of(guided: list[Run], even: list[Run]) -> float:
    """Return how many times the checks of even draws guided ones take: the geometric mean over the pairs' medians."""
    medians = []
    for runs in (guided, even):
        checks = np.array([run.checks for run in runs]).reshape(-1, SEEDS)
        medians.append(np.median(checks, axis=1) + 1)
    return float(np.exp(np.mean(np.log(medians[0] / medians[1]))))


def bench_of(case: Case) -> karat.Bench:
    columns: dict[str, Any] = {"item": [f"{place:06d}" for place in range(len(case.given))]}
    columns["truth"] = case.given
    for place, system in enumerate(case.systems):
        columns[system] = [answer or None for answer in case.answers[:, place].tolist()]
    return karat.read(columns, systems=case.systems, kinds="label")


def whole_claims(case: Case) -> None:
    """Print how many labels the claims about all systems take, by the command's own walk through its draws."""
    bench = bench_of(case)
    for claim, guide in product(("best", "order"), (None, "informed")):
        setup = bench.audit(claim=claim, seed=1, guide=guide).setup
        known = setup.reader.codes
        labels = {}
        for item, names in enumerate(case.right):
            codes = frozenset(known[name] for name in names if name in known)
            labels[item] = RightLabel(" ".join(sorted(names)), codes)
        walk = Walk(setup, labels, record=False).go()
        said = [found.verdict if found else "open" for found in walk.verdicts]
        decided = ", ".join(f"{said.count(word)} {word}" for word in dict.fromkeys(said))
        leads = setup.disputes.leads
        ending = "refuted" if walk.refuted[0] else "settled"
        totals = dict(zip(case.systems, case.by_right.sum(axis=0).tolist(), strict=True))
        holds = all(totals[first] > totals[second] for first, second in setup.disputes.pairs)
        is_right = "rightly" if holds == (ending == "settled") else "FALSELY"
        place = f"{case.name}, {claim}"
        of_all = f"{len(walk.counted):>9,} of {len(setup.disputes.disputed):>6,} disputed"
        print(
            f"  {place:<32}{guide or 'even':<9}{of_all}; "
            f"{is_right} {ending}; rows: {decided}; the smallest lead {int(leads.min()):,}",
            flush=True,
        )


def main() -> None:
    header(
        "audits of rankings: checks until a verdict, and false verdicts, with the corrected truth as the checker"
    )
    if not DATA.exists():
        print("  the shared data is not there; nothing measured")
        return
    heads = "pairs", "reversed", "disputed", "checks", "90 %", "at random", "guided"
    print(
        f"  {'set':<32}"
        + " ".join(f"{head:>9}" for head in heads)
        + "   ratio   refuted  false, even and guided"
    )
    total: list[Run] = []
    of_guided: list[Run] = []
    for name in sys.argv[1:] or SETS:
        case = read(name)
        for group, pairs in groups_of(case).items():
            runs = audits(pairs, seed=1, guided=False)
            guided = audits(pairs, seed=1, guided=True)
            total += runs
            of_guided += guided
            shown(f"{name}, {group}", runs, guided)
    print("\n  claims about all systems at once, one audit each (seed 1): labels looked up")
    for name in sys.argv[1:] or SETS:
        whole_claims(read(name))
    for draws, runs in {"even": total, "guided": of_guided}.items():
        open_to_error = [run for run in runs if run.pair.right_lead <= 0]
        false = sum(run.is_false for run in runs)
        print(
            f"\n  {draws} draws: false verdicts: {false:,} of {len(runs):,}; claims that are false by the right "
            f"labels: {len(open_to_error):,}, of them settled {sum(run.is_false for run in open_to_error):,}"
        )


main()
