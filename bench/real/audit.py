"""How many labels must be looked up to settle a ranking, and is it settled rightly? Needs the shared data.

The corrected truth is the checker. For each pair: draws evenly among the items that the two dispute, and at random
over all items, with the same bets. Names of sets as arguments: only these.
"""

import csv
import gzip
import sys
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import header

import karat
from karat.doubt.audit.capital import Capitals, Kinds
from karat.verdict.audit.right_labels import RightLabel
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


def pair_of(case: Case, first: int, second: int) -> Pair:
    one, other = case.answers[:, first], case.answers[:, second]
    given = case.by_given[:, first].astype(int) - case.by_given[:, second]
    right = case.by_right[:, first].astype(int) - case.by_right[:, second]
    disputed = one != other
    low = np.where(other != "", -1, 0)
    high = np.where(one != "", 1, 0)
    ends = np.stack([given - high, given - low], axis=1)[disputed]
    kind = np.array([ENDS.index((least, most)) for least, most in ends.tolist()], int)
    return Pair(int(given.sum()), int(right.sum()), len(given), kind, (given - right)[disputed])


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


def audits(pairs: list[Pair], seed: int) -> list[Run]:
    """Audit every pair several times, all at once."""
    random = np.random.default_rng(seed)
    every = [pair for pair in pairs for _ in range(SEEDS)]
    longest = max(len(pair.kind) for pair in every)
    kind = np.zeros((len(every), longest), np.intp)
    loss = np.zeros((len(every), longest))
    number = np.zeros((len(every), len(ENDS)))
    for place, pair in enumerate(every):
        order = random.permutation(len(pair.kind))
        kind[place, : len(order)] = pair.kind[order]
        loss[place, : len(order)] = pair.loss[order]
        number[place] = np.bincount(pair.kind, minlength=len(ENDS))
    lead = np.array([float(pair.lead) for pair in every])
    capitals = Capitals(KINDS, number, lead)
    turned = Capitals(KINDS.turned(), number, -lead)
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
        capitals.draw(going, kind[going, check], loss[going, check])
        turned.draw(going, kind[going, check], -loss[going, check])
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
    best = [pair_of(case, order[0], other) for other in order[1:]]
    neighbours = [pair_of(case, one, other) for one, other in pairwise(order)]
    totals = case.by_given.sum(axis=0)
    closest = sorted(
        (pair for pair in combinations(order, 2) if totals[pair[0]] > totals[pair[1]]),
        key=lambda pair: totals[pair[0]] - totals[pair[1]],
    )
    close = [pair_of(case, one, other) for one, other in closest[: 3 * CLOSE]]
    close = sorted(with_a_lead(close), key=lambda pair: pair.lead / np.sqrt(len(pair.kind)))[:CLOSE]
    return {"best": with_a_lead(best), "neighbours": with_a_lead(neighbours), "close": close}


def shown(name: str, runs: list[Run]) -> None:
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
    ]
    numbers = " ".join(f"{cell:>9,}" for cell in cells)
    false = sum(run.is_false for run in runs)
    ratio = np.median(at_random) / max(1.0, float(np.median(checks)))
    print(
        f"  {name:<32}{numbers} {ratio:>7.1f} {against:>9,} {false:>5,} of {len(runs):,}",
        flush=True,
    )


def whole_claims(case: Case) -> None:
    """Print how many labels the claims about all systems take, by the command's own walk through its draws."""
    columns: dict[str, Any] = {"item": [f"{place:06d}" for place in range(len(case.given))]}
    columns["truth"] = case.given
    for place, system in enumerate(case.systems):
        columns[system] = [answer or None for answer in case.answers[:, place].tolist()]
    bench = karat.read(columns, truth_sep=" ", systems=case.systems, kinds="label")
    for claim in ("best", "order"):
        setup = bench.audit(claim=claim, seed=1).setup
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
        totals = case.by_right.sum(axis=0)
        first, second = setup.disputes.first, setup.disputes.second
        holds = bool((totals[first] > totals[second]).all())
        is_right = "rightly" if holds == (ending == "settled") else "FALSELY"
        print(
            f"  {case.name + ', ' + claim:<32}{len(walk.counted):>9,} of {len(setup.disputes.disputed):>6,} disputed; "
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
    heads = "pairs", "reversed", "disputed", "checks", "90 %", "at random", "ratio", "refuted"
    print(
        f"  {'set':<32}"
        + " ".join(f"{head:>9}" for head in heads[:6])
        + "   ratio   refuted  false"
    )
    total: list[Run] = []
    for name in sys.argv[1:] or SETS:
        case = read(name)
        for group, pairs in groups_of(case).items():
            runs = audits(pairs, seed=1)
            total += runs
            shown(f"{name}, {group}", runs)
    print("\n  claims about all systems at once, one audit each (seed 1): labels looked up")
    for name in sys.argv[1:] or SETS:
        whole_claims(read(name))
    open_to_error = [run for run in total if run.pair.right_lead <= 0]
    false = sum(run.is_false for run in total)
    print(
        f"\n  false verdicts: {false:,} of {len(total):,}; claims that are false by the right labels: "
        f"{len(open_to_error):,}, of them settled {sum(run.is_false for run in open_to_error):,}"
    )


main()
