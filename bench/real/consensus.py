"""Are systems ranked without truth as truth would rank them? Ours beside crowd-kit's; needs the shared data.

The true ranking is by the share of a system's answers that are the given label, on crowd sets of the annotators with 10
answers to items with one. Names of sets as arguments: only these.
"""

import csv
import gzip
import signal
import sys
import warnings
from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from common import header

import karat
from karat.doubt.consensus.correlated_systems import correlated_systems
from karat.measure.consensus.combined import combined
from karat.measure.consensus.dawid_skene import DawidSkene, dawid_skene
from karat.measure.consensus.likeliest import ENOUGH, FEW_ROUNDS, likeliest
from karat.measure.consensus.majority import majority
from karat.measure.consensus.spectral import spectral
from karat.measure.consensus.voters import Voters
from karat.measure.consensus.votes import consensus, label_consensus
from karat.measure.rank_agreement import kendall
from karat.tally.votes.patterns import Patterns, patterns

DATA = Path(__file__).parents[3] / "shared" / "data"
CROWDS = (
    *("bluebird", "rte", "dog", "adult_content2", "web", "product", "trec"),
    *("cf", "zencrowd_in", "face"),
)
SUBSETS = "natural", "adv", "adv_neighbor", "adv_gptinst", "adv_gptout", "adv_manual"
"""Of the items that LLMs judge; adv: all four made to deceive them."""
JUDGES = "llmbar_judges/systems.csv.gz", "llmbar_judges/items.csv:truth"
BENCHMARKS = {
    "llmbar": JUDGES,
    **{f"llmbar {subset}": JUDGES for subset in SUBSETS},
    "mmlu": ("mmlu_redux_14/systems.csv", "mmlu_redux_14/items.csv:truth_original"),
    "cifar10": (
        "cifar10_test_13/systems_label.csv.gz",
        "cifar10_test_13/items.csv.gz:truth_original",
    ),
    "imagenet": (
        "imagenet_val_34/systems_label.csv.gz",
        "imagenet_val_34/items.csv.gz:truth_original",
    ),
}
LEFT_OUT = "cleanlab_cv", "cleanlab.resnet50_cv"
"""They helped to choose which labels were checked again (READMEs of the data)."""
LEAST_GOLD = 10
MOST_GLAD, SECONDS, MOST_CELLS = 26_000, 300, 2e8
ORDERS, MOST_ORDERED = 10, 200_000
"""In so many orders of the rows crowd-kit's majority is asked, up to so many answers."""
OURS = (
    *("vote", "vote yes", "vote-self", "majority", "ds", "ds labels", "spectral", "likeliest"),
    *("one-coin", "pooled", "karat"),
)
CHOSEN_AMONG = "vote", "majority", "ds labels", "likeliest", "one-coin", "pooled", "karat"
THEIRS = "ck major", "ck ds", "ck ds lab", "ck glad"


def judges(path: Path, prefix: str) -> dict[str, list[str | None]]:
    """Read a table whose column names hold more bars than commas, of the items whose names begin so."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    kept = [row for row in rows if row[0].startswith(prefix)]
    return {
        name: [value or None for value in column]
        for name, column in zip(head, zip(*kept, strict=True), strict=True)
    }


def tally(name: str) -> Patterns:
    if name in CROWDS:
        folder, more = (
            DATA / "crowd" / name,
            {"repeats": "first"} if name == "adult_content2" else {},
        )
        return karat.read(
            next(folder.glob("answers*")), truth=f"{folder / 'truth.csv'}:truth", **more
        ).counter.count(patterns)
    path, truth = (DATA / part for part in BENCHMARKS[name])
    data: Any = judges(path, name.partition(" ")[2]) if name.startswith("llmbar") else path
    every = karat.read(data, truth=str(truth)).counter.count(patterns)
    kept = [place for place, system in enumerate(every.systems) if system not in LEFT_OUT]
    return replace(
        every, systems=tuple(every.systems[k] for k in kept), answers=every.answers[:, kept]
    )


@dataclass
class Case:
    """A data set, and what each way makes of it."""

    name: str
    tally: Patterns
    scores: dict[str, np.ndarray] = field(default_factory=dict)
    labels: dict[str, np.ndarray] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def codes(self) -> np.ndarray:
        """One row a pattern, one column a system."""
        return self.tally.answers

    @property
    def classes(self) -> int:
        """How many labels there are."""
        return len(self.tally.labels)

    @property
    def given(self) -> int:
        """How many answers there are."""
        return int(self.tally.number @ (self.codes >= 0).sum(axis=1))

    @property
    def per_rate(self) -> float:
        """Answers for each of the systems x classes x (classes - 1) error rates."""
        return self.given / (self.codes.shape[1] * self.classes * (self.classes - 1))

    @cached_property
    def fit(self) -> DawidSkene:
        """Dawid and Skene's, to the end; but 1,000 classes are too many for that."""
        return self.fitted(2000 if self.classes < 100 else FEW_ROUNDS)

    def fitted(self, rounds: int) -> DawidSkene:
        """Return Dawid and Skene's after at most so many rounds."""
        return dawid_skene(self.codes, self.tally.number, classes=self.classes, rounds=rounds)

    def agreement(self, labels: np.ndarray, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Return how many of each system's answers are these labels, where there is one."""
        there = (self.codes >= 0) & (labels >= 0)[:, None]
        same, number = there & (self.codes == labels[:, None]), self.tally.number
        with np.errstate(invalid="ignore"):
            return np.asarray((number[rows] @ same[rows]) / (number[rows] @ there[rows]))

    @cached_property
    def kept(self) -> np.ndarray:
        """Systems with enough answers to items of known truth."""
        gold = self.tally.number @ ((self.codes >= 0) & (self.tally.truth >= 0)[:, None])
        return np.flatnonzero(gold >= (LEAST_GOLD if self.name in CROWDS else 1))

    def tau(self, way: str) -> float | None:
        """Return how far a way ranks the systems as the truth does."""
        if way not in self.scores:
            return None
        kept = self.kept[
            np.isfinite(self.scores[way][self.kept])
        ]  # F is undefined for who never says yes
        return kendall(self.agreement(self.tally.truth)[kept], self.scores[way][kept])

    def accuracy(self, way: str) -> float | None:
        """Return how many of the labels that take the place of the truth are true."""
        if way not in self.labels:
            return None
        number, gold = self.tally.number, self.tally.truth >= 0
        return float(
            number[gold] @ (self.labels[way] == self.tally.truth)[gold] / number[gold].sum()
        )


def ours(case: Case) -> None:
    """Rank by every way of ours."""
    codes, number, size = case.codes, case.tally.number, case.classes
    put = case.scores
    put["vote"] = label_consensus(codes, number, classes=size).pooled().f()[:-2]
    put["vote-self"] = (
        label_consensus(codes, number, classes=size, leave_out="itself").pooled().f()[:-2]
    )
    case.labels["majority"] = majority(codes, number).labels
    case.labels["ds"] = case.fit.chances.argmax(axis=1)
    found = likeliest(codes, number, classes=size)
    case.labels["likeliest"] = found.labels
    both = combined(Voters(codes.astype(np.int64), size), number.astype(float))
    put["one-coin"] = both.one_coin.values
    case.labels["one-coin"] = both.one_coin.labels
    put["karat"] = both.values
    if both.pooled is not None:
        put["pooled"] = both.pooled.values
        case.labels["pooled"] = both.pooled.labels
        shares = ", ".join(f"{weight:.2f}" for weight in both.weights)
        case.notes.append(f"weights of one-coin and pooled {shares}")
    put["ds"] = case.fit.accuracy
    for way, labels in (
        ("majority", "majority"),
        ("ds labels", "ds"),
        ("likeliest", "likeliest"),
    ):
        put[way] = case.agreement(case.labels[labels])
    if size == 2:
        put["vote yes"] = consensus(np.where(codes < 0, np.nan, codes == 1), number).f()[:-2]
        found = spectral(codes, number)
        put |= {} if found is None else {"spectral": found.accuracy}


@contextmanager
def at_most(seconds: int) -> Any:
    def late(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def theirs(case: Case) -> None:
    """Rank by crowd-kit's ways, as far as they can run."""
    import pandas as pd
    from crowdkit.aggregation import GLAD, DawidSkene, MajorityVote

    warnings.simplefilter("ignore")
    row, system = np.nonzero(np.repeat(case.codes, case.tally.number, axis=0) >= 0)
    answers = np.repeat(case.codes, case.tally.number, axis=0)[row, system]
    frame = pd.DataFrame({"task": row, "worker": system, "label": answers})
    first = np.cumsum(case.tally.number) - case.tally.number
    every = range(case.codes.shape[1])

    def put(way: str, fit: Any, skills: Any) -> None:
        # Equal rows have equal labels, so that the first of each pattern is enough.
        case.labels[way] = fit.labels_.reindex(first, fill_value=-1).to_numpy()
        case.scores[way] = skills.reindex(every).to_numpy()

    vote = MajorityVote().fit(frame)
    put("ck major", vote, vote.skills_)
    if case.given <= MOST_ORDERED:
        for seed in range(ORDERS):
            again = MajorityVote().fit(frame.sample(frac=1, random_state=seed))
            put(f"ck major {seed}", again, again.skills_)
    if case.given * case.classes > MOST_CELLS:
        case.notes.append("crowd-kit's Dawid-Skene needs a table of answers x classes, too large")
        return
    fit = DawidSkene(n_iter=100).fit(frame)
    put("ck ds", fit, pd.Series(diagonal(fit, len(every))))
    case.scores["ck ds lab"] = case.agreement(case.labels["ck ds"])
    case.notes.append(f"crowd-kit's Dawid-Skene stopped after {len(fit.loss_history_)} rounds")
    if case.given > MOST_GLAD:
        return
    try:
        with at_most(SECONDS):
            glad = GLAD().fit(frame)
            put("ck glad", glad, glad.alphas_)
    except TimeoutError:
        case.notes.append(f"crowd-kit's GLAD was stopped after {SECONDS} s")


def diagonal(fit: Any, systems: int) -> np.ndarray:
    """Return Σ_c π_c e_k[c, c] of crowd-kit's fit."""
    found = np.zeros(systems)
    for (worker, label), errors in fit.errors_.iterrows():
        found[worker] += fit.priors_[label] * errors[label]
    return found


def row(name: str, cells: Iterable[float | None], digits: int = 3, more: str = "") -> None:
    texts = (
        "-" if cell is None else f"{cell:,}" if isinstance(cell, int) else f"{cell:.{digits}f}"
        for cell in cells
    )
    print(f"  {name:<20}{' '.join(f'{text:>9}' for text in texts)}{more}", flush=True)


def heads(first: str, names: Iterable[str]) -> None:
    print(f"\n  {first:<20}{' '.join(f'{name:>9}' for name in names)}")


TAUS = f"""
Kendall's tau-b with the true ranking. vote: F over all labels (label_consensus); vote yes: F of the second label
(consensus); ds: estimated accuracy; ds labels, ck ds lab: share of the answers that are its likeliest labels;
likeliest: ds labels, stopped after {FEW_ROUNDS} rounds where there are below {ENOUGH} answers an error rate, and the
majority's where ds turns over most of them; karat: the default, combined, the weighted mean of one-coin and pooled.
behind: karat below the best of ck major, ck ds and ck
glad; or lab: and of ck ds lab; one pair: what it costs to exchange two neighbours; ck low, ck mean, ck high: of ck
major with the same rows in {ORDERS} other orders, for it gives a tie to the label that it met first."""
WARNS = """
What warns, from the answers alone. differ: items on which majority and ds differ; tau: between their rankings; chance:
systems that ds holds no better than chance; families found. Beside it what is true: systems no better than
chance, and the accuracy of the majority."""


def shown_taus(cases: list[Case]) -> None:
    """Print the agreement of the rankings, and how far ours stays behind the best of crowd-kit's."""
    print(TAUS)
    heads("set", [*OURS, *THEIRS, "behind", "or lab", "one pair", "ck low", "ck mean", "ck high"])
    for case in cases:
        sides = [
            [case.tau(way) for way in ways] for ways in (("ck major", "ck ds", "ck glad"), THEIRS)
        ]
        known = [[tau for tau in side if tau is not None] for side in sides]
        behind = [max(side) - (case.tau("karat") or 0) if side else None for side in known]
        pair = 4 / (len(case.kept) * (len(case.kept) - 1))
        orders = [
            tau
            for way in case.scores
            if way.startswith("ck major ") and (tau := case.tau(way)) is not None
        ]
        spread = [min(orders), sum(orders) / len(orders), max(orders)] if orders else [None] * 3
        row(case.name, [*(case.tau(way) for way in (*OURS, *THEIRS)), *behind, pair, *spread])


def shown_labels(cases: list[Case]) -> None:
    """Print how many labels of each consensus are true."""
    print(
        "\nShare of the consensus labels that are true (the vote's with equal weights are the majority's)"
    )
    ways = "majority", "ds", "likeliest", "one-coin", "pooled", "ck major", "ck ds", "ck glad"
    heads("set", ways)
    for case in cases:
        row(case.name, [case.accuracy(way) for way in ways], 4)


def shown_bias(cases: list[Case]) -> None:
    """Print what the answers alone say against the majority, beside what is true."""
    print(WARNS)
    heads("set", ["differ", "tau", "chance", "truly", "majority"])
    for case in cases:
        number, labels, chance = case.tally.number, case.labels, 1 / case.classes
        families = np.arange(case.codes.shape[1])
        if case.classes <= 50 and len(families) <= 200:
            families = correlated_systems(case.codes, number, classes=case.classes).families
        sizes = np.bincount(families)
        joined = sorted(sizes[sizes > 1].tolist(), reverse=True)
        differ = number @ (labels["majority"] != labels["ds"]) / number.sum()
        tau = kendall(case.scores["majority"][case.kept], case.scores["ds labels"][case.kept])
        held, true = case.scores["ds"][case.kept], case.agreement(case.tally.truth)[case.kept]
        low = [int((scores <= chance).sum()) for scores in (held, true)]
        more = f"  {f'WARNS: families of {joined}' if joined else 'no family'} of {case.codes.shape[1]} systems"
        if joined:
            voters = Voters(case.codes.astype(np.int64), case.classes, families)
            case.scores["one vote"] = combined(voters, number.astype(float)).values  # noqa: PD011
            more += (
                f"; tau {case.tau('karat'):.3f}, with one vote a family {case.tau('one vote'):.3f}"
            )
        row(case.name, [differ, tau, *low, case.accuracy("majority")], more=more)


def benchmark(name: str) -> str:
    """Return what a set belongs to: subsets of one benchmark count once."""
    return name.partition(" ")[0]


def shown_choice(cases: list[Case]) -> None:
    """Print the estimator that is best on all other sets, and what it gives on the one left out."""
    print(
        "\nEach benchmark left out in turn: the estimator that is best on the others, its tau here, and karat's"
    )
    taus = {case.name: {way: case.tau(way) for way in CHOSEN_AMONG} for case in cases}
    names = list(dict.fromkeys(benchmark(case.name) for case in cases))
    scores: dict[str, dict[str, float]] = {}
    for name in names:
        own = [taus[case.name] for case in cases if benchmark(case.name) == name]
        scores[name] = {
            way: float(np.mean([one[way] or 0.0 for one in own])) for way in CHOSEN_AMONG
        }
    for name in names:
        others = [scores[other] for other in names if other != name]
        best = max(CHOSEN_AMONG, key=lambda way: sum(other[way] for other in others))
        row(name, [scores[name][best], scores[name]["karat"]], more=f"  {best}")
    heads("mean", CHOSEN_AMONG)
    row("", [float(np.mean([scores[name][way] for name in names])) for way in CHOSEN_AMONG])


def main() -> None:
    there = find_spec("crowdkit") is not None
    header(
        "rankings without truth: karat's within 0.02 of crowd-kit's best",
        *(["crowd-kit"] if there else []),
    )
    if not DATA.exists():
        print("  the shared data is not there; nothing measured")
        return
    if not there:
        print("  crowd-kit is not installed; not compared")
    cases = [Case(name, tally(name)) for name in sys.argv[1:] or (*CROWDS, *BENCHMARKS)]
    heads("set", ["items", "systems", "ranked", "classes", "answers", "per rate"])
    for case in cases:
        ours(case)
        if there:
            theirs(case)
        sizes = (
            int(case.tally.number.sum()),
            case.codes.shape[1],
            len(case.kept),
            case.classes,
            case.given,
        )
        row(
            case.name,
            [*sizes, case.per_rate],
            1,
            "  " + "; ".join([f"ds: {case.fit.rounds} rounds", *case.notes]),
        )
    shown_taus(cases)
    shown_choice(cases)
    shown_labels(cases)
    shown_bias(cases)


main()
