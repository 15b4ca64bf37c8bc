"""Correlated errors of the labels: a wrong label makes several items wrong, or any wrong label makes one item wrong."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.cluster_distributions import (
    ClusterDistribution,
    Clusters,
    lattice,
    work,
)
from karat.doubt.label_noise.pair_order import OrderKept, kept_steps
from karat.doubt.label_noise.ranking_order import (
    ROUNDING,
    RankingUnderNoise,
    check_draws,
    ranking_from_cases,
    ranking_from_draws,
)
from karat.errors import OptionError
from karat.numeric.arrays import BoolArray, FloatArray
from karat.tally.codes import UNASKED
from karat.tally.votes.patterns import Patterns

Ints = npt.NDArray[np.int64]
MOST_WORK = 100_000_000
"""Numbers that the exact distribution of a whole ranking may take in all steps together."""


@dataclass(frozen=True, slots=True, eq=False)
class ErrorClusters:
    """Clusters of correlated errors: for each, the cases of what may be true, and what every system has right in each.

    Clusters are independent of each other. The chance of a case is a product over its labels of P(true | given). What
    is left of 1 belongs to labels that no system answers, by which none has anything of the cluster right.
    """

    systems: tuple[str, ...]
    labels: tuple[str, ...]
    given: FloatArray
    """What each system has right by the given labels, a row a cluster."""
    owner: Ints
    """The cluster of each case, in order."""
    scores: FloatArray
    """What each system has right in a case, a row a case."""
    factors: tuple[Ints, Ints, Ints, Ints]
    """The case of each factor, in order; its given label, its true label, and how often it counts."""
    firm: FloatArray
    """What each system has right among the items whose labels are never wrong."""
    trials: FloatArray
    """How many items each system is judged by."""

    @property
    def total(self) -> FloatArray:
        """What each system has right by the given labels."""
        return np.asarray(self.firm + self.given.sum(axis=0))

    @property
    def same_trials(self) -> bool:
        """Whether all systems are judged by as many items."""
        return bool((self.trials == self.trials[0]).all())

    def chances(self, matrix: FloatArray) -> FloatArray:
        """Return the chance of each case under P(true | given)."""
        case, given, true, times = self.factors
        if not len(case):
            return np.zeros(0)
        powers = matrix[given, true] ** times
        starts = np.flatnonzero(np.diff(case, prepend=-1))
        return np.asarray(np.multiply.reduceat(powers, starts))


@dataclass(frozen=True, slots=True, eq=False)
class _Owned:
    """The rows of the patterns whose labels may be wrong, and the cluster of each."""

    rows: Ints
    owner: Ints
    number: int
    """How many clusters there are."""
    firm: ErrorClusters
    """No cluster yet, but what each system has right where labels are never wrong."""


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """One case of a cluster that is right as a whole: a true label for each of its rows, and who answers them all."""

    cluster: int
    holders: list[int]
    rows: Ints
    labels: Ints


@dataclass(frozen=True, slots=True, eq=False)
class _Leads:
    """By how much the better of two systems leads in each case, and by the given labels in each cluster."""

    by_case: FloatArray
    given: FloatArray
    total: float


def shared_label(patterns: Patterns, firm: str) -> ErrorClusters:
    """Return the clusters of items that have one label in common: the key c names them, `firm` what is never wrong.

    By the true label y of a cluster a system has as many of its items right as it answers y.
    """
    owned = _owned(patterns, firm)
    owner = owned.owner
    number = patterns.number[owned.rows].astype(float)
    size = len(patterns.labels)
    given = np.zeros(owned.number, np.int64)
    given[owner] = patterns.truth[owned.rows]
    answers = patterns.answers[owned.rows].astype(np.int64)
    # A case is a cluster and a label that is given or answered there, as one number; the given label comes last.
    labels = np.concatenate([answers, given[owner][:, None]], axis=1)
    code = owner[:, None] * size + labels
    known = labels >= 0
    known[:, -1] = True
    cases, place = np.unique(code[known], return_inverse=True)
    case_of = np.zeros(code.shape, np.int64)
    case_of[known] = place.ravel()
    scores = np.zeros((len(cases), len(patterns.systems)))
    for system in range(len(patterns.systems)):
        answered = known[:, system]
        np.add.at(scores[:, system], case_of[answered, system], number[answered])
    cluster = cases // size
    label = cases % size
    as_given = label == given[cluster]
    right = np.zeros((owned.number, len(patterns.systems)))
    right[cluster[as_given]] = scores[as_given]
    factors = np.arange(len(cases)), given[cluster], label, np.ones(len(cases), np.int64)
    return replace(owned.firm, given=right, owner=cluster, scores=scores, factors=factors)


def every_label(patterns: Patterns, firm: str) -> ErrorClusters:
    """Return the clusters that are right if all their labels are: the key c names them, `firm` what is never wrong.

    A system has the one item that a cluster is right, by true labels y, if it answers each of them. The labels are
    wrong independently of each other.
    """
    owned = _owned(patterns, firm)
    systems = len(patterns.systems)
    given = np.zeros((owned.number, systems))
    readings: list[_Reading] = []
    for cluster, rows in enumerate(_rows_by_cluster(owned)):
        own = _readings(patterns, cluster, rows)
        given[cluster, own[0].holders] = 1
        readings += own
    scores = np.zeros((len(readings), systems))
    for case, reading in enumerate(readings):
        scores[case, reading.holders] = 1
    none = np.zeros(0, np.int64)
    rows = np.concatenate([none, *(reading.rows for reading in readings)])
    true = np.concatenate([none, *(reading.labels for reading in readings)])
    sizes = [len(reading.rows) for reading in readings]
    case_of = np.repeat(np.arange(len(readings)), sizes)
    factors = case_of, patterns.truth[rows], true, patterns.number[rows]
    owner = np.array([reading.cluster for reading in readings], np.int64)
    never_wrong = float(patterns.number[patterns.keys["c"] == firm].sum())
    trials = np.full(systems, float(owned.number)) + never_wrong
    return replace(
        owned.firm, given=given, owner=owner, scores=scores, factors=factors, trials=trials
    )


def _rows_by_cluster(owned: _Owned) -> list[Ints]:
    """Return the rows of each cluster."""
    if not owned.number:
        return []
    order = np.argsort(owned.owner, kind="stable")
    starts = np.flatnonzero(np.diff(owned.owner[order])) + 1
    return np.split(owned.rows[order], starts)


def _readings(patterns: Patterns, cluster: int, rows: Ints) -> list[_Reading]:
    """Return the distinct labellings of a cluster's rows, the given one first, and who answers each of them."""
    holders: dict[bytes, list[int]] = {patterns.truth[rows].astype(np.int64).tobytes(): []}
    for system in range(len(patterns.systems)):
        answers = patterns.answers[rows, system].astype(np.int64)
        if (answers >= 0).all():
            holders.setdefault(answers.tobytes(), []).append(system)
    readings = []
    for labels, own in holders.items():
        readings.append(_Reading(cluster, own, rows, np.frombuffer(labels, np.int64)))
    return readings


def _owned(patterns: Patterns, firm: str) -> _Owned:
    """Return the rows whose labels may be wrong with their clusters, and what is right where they never are."""
    never_wrong = patterns.keys["c"] == firm
    rows = np.flatnonzero(~never_wrong)
    names, owner = np.unique(patterns.keys["c"][rows], return_inverse=True)
    has_truth = (patterns.truth >= 0)[:, None]
    right = (patterns.answers == patterns.truth[:, None]) & has_truth
    judged = patterns.answers != UNASKED
    number = patterns.number.astype(float)
    none = np.zeros(0, np.int64)
    systems = len(patterns.systems)
    firm_part = ErrorClusters(
        patterns.systems,
        patterns.labels,
        given=np.zeros((0, systems)),
        owner=none,
        scores=np.zeros((0, systems)),
        factors=(none, none, none, none),
        firm=number[never_wrong] @ right[never_wrong],
        trials=number @ judged,
    )
    return _Owned(rows, owner.ravel().astype(np.int64), len(names), firm_part)


def disputed(clusters: ErrorClusters, systems: Sequence[int]) -> BoolArray:
    """Return which clusters can change the order of these systems."""
    scores = clusters.scores[:, list(systems)]
    unequal = (scores != scores[:, :1]).any(axis=1)
    matters = np.zeros(len(clusters.given), bool)
    matters[clusters.owner[unequal]] = True
    return matters


def kept_clusters(
    clusters: ErrorClusters, better: str, worse: str, matrix: FloatArray
) -> OrderKept:
    """How likely is the order of two systems kept, if the errors of P(true | given) are correlated in clusters?

    kept = P(right answers of the better - right answers of the worse > 0, summed over clusters), by the true labels.
    Assumes that both are judged by as many items. Exact, as `kept_kinds`.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    """
    places = [clusters.systems.index(name) for name in (better, worse)]
    if clusters.trials[places[0]] != clusters.trials[places[1]]:
        raise OptionError(
            f"{better!r} and {worse!r} are judged by different items; their distribution is simulated"
        )
    leads = _leads(clusters, better, worse)
    matters = disputed(clusters, places)
    case = matters[clusters.owner]
    owner = (np.cumsum(matters) - 1)[clusters.owner[case]]
    # What a case costs the lead: that by the given labels minus that by the true ones.
    cost = (leads.given[clusters.owner] - leads.by_case)[case]
    given = leads.given[matters]
    least = int(min(cost.min(initial=0), given.min(initial=0)))
    most = int(max(cost.max(initial=0), given.max(initial=0)))
    by_cost = np.zeros((len(given), most - least + 1))
    np.add.at(by_cost, (owner, cost.astype(np.int64) - least), clusters.chances(matrix)[case])
    # With the rest of the probability nobody has anything of the cluster right, which costs the whole lead there.
    rest = 1 - by_cost.sum(axis=1)
    rest = np.where(rest < ROUNDING, 0.0, rest)
    np.add.at(by_cost, (np.arange(len(given)), given.astype(np.int64) - least), rest)
    kinds, number = np.unique(by_cost, axis=0, return_counts=True)
    steps = np.arange(least, most + 1, dtype=float)
    return kept_steps(number, steps, kinds, leads.total)


def clusters_tolerated(clusters: ErrorClusters, better: str, worse: str) -> int | None:
    """Up to how many wrong labels is the order robust, wherever they are and whatever is true?

    The largest m such that the m clusters that cost the most, whichever label is true there, cost less than the lead.
    None without a lead.
    """
    leads = _leads(clusters, better, worse)
    if leads.total <= 0:
        return None
    cost = np.maximum(leads.given, 0.0)
    np.maximum.at(cost, clusters.owner, leads.given[clusters.owner] - leads.by_case)
    worst_first = np.sort(cost)[::-1]
    return int((np.cumsum(worst_first) < leads.total).sum())


def _leads(clusters: ErrorClusters, better: str, worse: str) -> _Leads:
    first = clusters.systems.index(better)
    second = clusters.systems.index(worse)
    total = clusters.total
    return _Leads(
        by_case=clusters.scores[:, first] - clusters.scores[:, second],
        given=clusters.given[:, first] - clusters.given[:, second],
        total=float(total[first] - total[second]),
    )


def ranking_of_clusters(
    clusters: ErrorClusters, matrix: FloatArray, *, draws: int = 10_000, seed: int = 0
) -> RankingUnderNoise:
    """How likely is the order of all systems kept, if the errors of P(true | given) are correlated in clusters?

    The distribution of the differences to the first system is the convolution of the clusters' distributions: exact
    while that is little work, and systems are judged by as many items; a seeded simulation otherwise.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    """
    given = clusters.total / np.maximum(clusters.trials, 1)
    parts = _distributions(clusters, clusters.chances(matrix))
    if clusters.same_trials and work(parts, len(clusters.systems)) <= MOST_WORK:
        return ranking_from_cases(given, lattice(parts, clusters.total), method="exact")
    drawn = simulated_clusters(clusters, matrix, draws=draws, seed=seed)
    return ranking_from_draws(given, drawn, method=f"simulation (draws={draws}, seed={seed})")


def simulated_clusters(
    clusters: ErrorClusters, matrix: FloatArray, *, draws: int = 10_000, seed: int = 0
) -> FloatArray:
    """Return every system's share of right items in each simulation of the true labels, a row a simulation."""
    check_draws(draws)
    random = np.random.default_rng(seed)
    sums = np.tile(clusters.total, (draws, 1))
    for cluster, number in _distributions(clusters, clusters.chances(matrix)).items():
        changes = np.array(cluster.scores) - np.array(cluster.given)
        sums += random.multinomial(number, cluster.chances, size=draws) @ changes
    return np.asarray(sums / np.maximum(clusters.trials, 1))


def _distributions(clusters: ErrorClusters, chances: FloatArray) -> Clusters:
    """Return the distinct distributions, and how many clusters have each; clusters that change nothing are left out."""
    size = len(clusters.given)
    matters = np.ones(size, bool)
    if clusters.same_trials:
        matters = disputed(clusters, range(len(clusters.systems)))
    ends = np.searchsorted(clusters.owner, np.arange(size + 1))
    nobody = (0.0,) * len(clusters.systems)
    numbers: Clusters = {}
    for cluster in np.flatnonzero(matters):
        own = slice(ends[cluster], ends[cluster + 1])
        scores = [tuple(row) for row in clusters.scores[own].tolist()]
        weights = chances[own].tolist()
        rest = 1 - float(chances[own].sum())
        if rest > ROUNDING:
            scores.append(nobody)
            weights.append(rest)
        cases = sorted(zip(scores, weights, strict=True))
        distribution = ClusterDistribution(
            scores=tuple(row for row, _ in cases),
            given=tuple(clusters.given[cluster].tolist()),
            chances=tuple(weight for _, weight in cases),
        )
        numbers[distribution] = numbers.get(distribution, 0) + 1
    return numbers
