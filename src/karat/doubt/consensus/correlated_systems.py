"""Which systems have correlated errors? They confirm each other, and a vote takes their common errors for the truth."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy import special

from karat.doubt.consensus.one_factor import one_factor, pairs_of, without_difficulty
from karat.doubt.interval import check_level
from karat.measure.consensus.pair_agreement import (
    USUAL,
    PairAgreement,
    agreement_beyond_chance,
    agreement_in_errors,
    usual_shared_errors,
)
from karat.numeric.arrays import FloatArray

Codes = npt.NDArray[np.int64]
LEAST_ITEMS = 20
"""Pairs with fewer common items are not compared."""
LEAST_TRUTH = 30
"""With fewer items of known truth errors are not counted."""
LEAST_EXCESS = 0.15
"""The low end of a family's excess must be above this: difficulty alone makes excesses of 0.1."""
THIRD_OF_SQUARES = 0.1856
"""The quantile 1/3 of a squared standard normal variable."""
SHRUNK = 10
"""The dispersion of the residuals is drawn towards 1 as by so many pairs."""
TRIED = 10
"""So many mergers, those with the largest residuals, are fitted at each step."""
CARRIES = 0.15
"""A system below this share of its largest loading answers nearly at random, and says nothing about others."""
MOST_RIVALS = 8


@dataclass(frozen=True, slots=True)
class FamilyEvidence:
    """What shows that some systems have a common cause."""

    systems: tuple[int, ...]
    by: str
    """errors, counted with a truth; or agreement, without one."""
    excess: float
    """As if one of two had copied the other on this share of the items."""
    low: float
    high: float
    otherwise: tuple[int, ...] = ()
    """Or these are the family: the answers do not show which."""


@dataclass(frozen=True, slots=True, eq=False)
class CorrelatedSystems:
    """Families of systems with correlated errors, and the evidence."""

    families: Codes
    """The family of each system, numbered in the order of their first members."""
    evidence: tuple[FamilyEvidence, ...]
    """Of each family, and of those that cannot be distinguished from another."""
    observed: FloatArray
    """How often every two systems agree; NaN without a common item."""
    method: str


def correlated_systems(
    answers: npt.ArrayLike,
    number: npt.ArrayLike | None = None,
    *,
    classes: int,
    truth: npt.ArrayLike | None = None,
    level: float = 0.95,
) -> CorrelatedSystems:
    """Which systems agree more than their skill and the difficulty of the items explain?

    With a truth (on 30 items or more): the same wrong answers, beside h e_k e_l, e the error rates and h the quantile
    1/3 of its ratios over pairs, which is what difficulty makes usual. Without: agreement beyond chance C_kl, beside
    b_k b_l, which independent errors and difficulty in proportion give. Step by step the two clusters whose merger
    lowers the misfit most are merged, if their excess (C_kl - b_k b_l) / (C_max - b_k b_l) is significant at the level
    among all pairs of clusters, beside the dispersion of the other pairs, and its low end is above 0.15. So a
    family is as large as the data support. Without a truth two sides explain each other: where the other
    systems that carry information are fewer than twice the family (fewer than three beside a pair), or explain the
    agreement better as a family of their own, neither is named, and the evidence names both. Approximate; simulated
    in bench/coverage/families.py.
    Reference: Qu, Tan, Kutner, Biometrics 52, 1996 (dependence beyond a latent class). doi:10.2307/2533043
    """
    check_level(level)
    codes = np.asarray(answers)
    amount = np.ones(len(codes)) if number is None else np.asarray(number, float)
    beyond_chance = agreement_beyond_chance(codes, amount, classes=classes)
    labels = None if truth is None else np.asarray(truth)
    if labels is None or amount[labels >= 0].sum() < LEAST_TRUTH:
        return _by_agreement(beyond_chance, level)
    in_errors = agreement_in_errors(codes, amount, labels, classes=classes)
    found = _merged(_Search.of_errors(in_errors, classes, level))
    return _result(found, beyond_chance.observed, tuple(found.evidence()))


def _by_agreement(agreement: PairAgreement, level: float) -> CorrelatedSystems:
    found = _merged(_Search.of_agreement(agreement, level))
    clusters = found.clusters.copy()
    evidence = []
    for family in found.evidence():
        otherwise = _rivals(found, family.systems)
        if otherwise:
            clusters[list(family.systems)] = family.systems
        evidence.append(replace(family, otherwise=otherwise))
    return _result(replace(found, clusters=clusters), agreement.observed, tuple(evidence))


def _result(
    found: "_Search", observed: FloatArray, evidence: tuple[FamilyEvidence, ...]
) -> CorrelatedSystems:
    _, first_member, code = np.unique(found.clusters, return_index=True, return_inverse=True)
    in_order = np.argsort(np.argsort(first_member))
    what = {"errors": "same errors beyond difficulty", "agreement": "agreement beyond one factor"}
    method = f"{what[found.by]} (level={found.level:g})"
    return CorrelatedSystems(in_order[code.ravel()], evidence, observed, method)


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """The clusters so far, and what they are judged by."""

    by: str
    level: float
    agreement: PairAgreement
    precision: FloatArray
    """1 / variance of every pair, 0 where it is not compared."""
    clusters: Codes
    expected: FloatArray | None = None
    """Of errors: what is usual; None where it is fitted."""

    @classmethod
    def of_errors(cls, agreement: PairAgreement, classes: int, level: float) -> "_Search":
        """Begin with each system alone, its errors counted."""
        usual = usual_shared_errors(agreement.value, agreement.items, classes=classes)
        clusters = np.arange(len(agreement.value))
        return cls("errors", level, agreement, _precision(agreement), clusters, usual)

    @classmethod
    def of_agreement(cls, agreement: PairAgreement, level: float) -> "_Search":
        """Begin with each system alone, without a truth."""
        clusters = np.arange(len(agreement.value))
        return cls("agreement", level, agreement, _precision(agreement), clusters)

    @property
    def between(self) -> FloatArray:
        """The precision of the pairs of different clusters."""
        return pairs_of(self.clusters, self.precision)

    @property
    def value(self) -> FloatArray:
        """What is to be explained."""
        if self.expected is not None:
            return self.agreement.value
        return without_difficulty(self.agreement.value, self.between)

    def evidence(self) -> list[FamilyEvidence]:
        """Return the excess of each family with its interval."""
        value = self.value
        expected = _expected(self, value, self.between)
        spread = _dispersion(self, value, expected, self.between)
        quantile = float(special.ndtri((1 + self.level) / 2))
        families = []
        for code in np.unique(self.clusters):
            members = np.flatnonzero(self.clusters == code)
            if len(members) > 1:
                inside = np.ix_(members, members)
                excess, error = _excess(self, value, expected, inside)
                reach = quantile * error * np.sqrt(spread)
                low, high = max(0.0, excess - reach), min(1.0, excess + reach)
                places = tuple(int(member) for member in members)
                families.append(FamilyEvidence(places, self.by, min(1.0, excess), low, high))
        return families


def _precision(agreement: PairAgreement) -> FloatArray:
    compared = agreement.items >= LEAST_ITEMS
    np.fill_diagonal(compared, val=False)
    return np.where(compared, 1 / agreement.variance, 0.0)


def _expected(search: _Search, value: FloatArray, precision: FloatArray) -> FloatArray:
    """Return what every pair would have without a common cause."""
    if search.expected is not None:
        return search.expected
    b = one_factor(value, precision).loadings
    return np.asarray(b[..., :, None] * b[..., None, :])


def _excess(
    search: _Search, value: FloatArray, expected: FloatArray, block: tuple[Codes, ...]
) -> tuple[float, float]:
    """Return the mean excess of a block of pairs, and its standard error, that of its surest pair."""
    weight = search.precision[block]
    total = max(float(weight.sum()), 1e-12)
    above = float((weight * (value - expected)[block]).sum()) / total
    room = float((weight * (search.agreement.most - expected)[block]).sum()) / total
    room = max(room, 1e-9)
    return above / room, 1 / np.sqrt(max(float(weight.max(initial=0.0)), 1e-12)) / room


def _dispersion(
    search: _Search, value: FloatArray, expected: FloatArray, precision: FloatArray
) -> float:
    """Return how much more the pairs of different clusters vary than by chance, from the smaller residuals."""
    pairs = np.triu_indices(len(value), 1)
    compared = precision[pairs] > 0
    residuals = (np.sqrt(precision) * (value - expected))[pairs][compared]
    if search.expected is not None and len(residuals):
        # Systems whose errors exclude each other lie together below what is usual: that is no dispersion.
        residuals = residuals - min(0.0, float(np.quantile(residuals, USUAL)))
    squares = residuals**2
    free = len(squares) - (len(value) if search.expected is None else 1)
    if free <= 0:
        return 1.0
    third = float(np.quantile(squares, USUAL)) / THIRD_OF_SQUARES * len(squares) / free
    return max(1.0, (third * free + SHRUNK) / (free + SHRUNK))


def _merged(search: _Search) -> _Search:
    """Return the clusters when no merger is significant any more."""
    while len(np.unique(search.clusters)) > 2:
        merger = _best_merger(search)
        if merger is None:
            break
        one, other = merger
        clusters = np.where(search.clusters == other, one, search.clusters)
        search = replace(search, clusters=clusters)
    return search


def _best_merger(search: _Search) -> tuple[int, int] | None:
    """Return the two clusters that belong together most clearly; None where none do."""
    value = search.value
    precision = search.between
    expected = _expected(search, value, precision)
    candidates = _candidates(search, value - expected, precision)
    if not candidates:
        return None
    without = np.stack([_leaving_out(search, pair, precision) for pair in candidates])
    gains = _gains(search, value, precision, without)
    fitted = _expected(search, value, without)
    best = int(np.argmax(gains))
    pair = candidates[best]
    expected_now = fitted if search.expected is not None else fitted[best]
    dispersion = _dispersion(search, value, expected_now, without[best])
    strength = float(np.sqrt(max(0.0, gains[best]) / dispersion))
    block = np.ix_(search.clusters == pair[0], search.clusters == pair[1])
    strength = min(strength, _exact_strength(search, value, expected_now, block))
    excess, _ = _excess(search, value, expected_now, block)
    if _significant(search, strength) and _low_end(excess, strength) >= LEAST_EXCESS:
        return pair
    return None


def _significant(search: _Search, strength: float) -> bool:
    """Return whether so many standard errors are too many for the largest of all pairs of clusters."""
    clusters = len(np.unique(search.clusters))
    pairs = clusters * (clusters - 1) / 2
    return bool(strength >= special.ndtri(1 - (1 - search.level) / pairs))


def _low_end(excess: float, strength: float) -> float:
    """Return the one-sided 95 % low end of an excess that is so many standard errors from 0."""
    return excess * (1 - 1.645 / max(strength, 1e-9))


def _candidates(
    search: _Search, residual: FloatArray, precision: FloatArray
) -> list[tuple[int, int]]:
    """Return the pairs of clusters with the largest residuals."""
    codes = np.unique(search.clusters)
    member = (search.clusters[:, None] == codes[None, :]).astype(float)
    weight = member.T @ precision @ member
    above = member.T @ (precision * residual) @ member
    pairs = member.T @ (precision > 0) @ member
    size = np.where(weight > 0, above / np.sqrt(np.maximum(weight * pairs, 1e-12)), -np.inf)
    first, second = np.triu_indices(len(codes), 1)
    order = np.argsort(-size[first, second], kind="stable")[:TRIED]
    above_zero = order[size[first[order], second[order]] > 0]
    ones = codes[first[above_zero]].tolist()
    others = codes[second[above_zero]].tolist()
    return list(zip(ones, others, strict=True))


def _leaving_out(search: _Search, pair: tuple[int, int], precision: FloatArray) -> FloatArray:
    one = search.clusters == pair[0]
    other = search.clusters == pair[1]
    block = np.outer(one, other)
    return np.where(block | block.T, 0.0, precision)


def _gains(
    search: _Search, value: FloatArray, precision: FloatArray, without: FloatArray
) -> FloatArray:
    """Return by how much each merger lowers the misfit, for each pair of systems that it no longer explains."""
    left_out = (precision > 0) & (without == 0)
    pairs = np.maximum(left_out.sum(axis=(-1, -2)) / 2, 1)
    if search.expected is None:
        base = one_factor(value, precision).misfit
        lowered = base - one_factor(value, without).misfit
        b = one_factor(value, without).loadings
        residual = value - b[..., :, None] * b[..., None, :]
    else:
        residual = value - search.expected
        lowered = (left_out * precision * residual**2).sum(axis=(-1, -2)) / 2
    above = (left_out * precision * residual).sum(axis=(-1, -2)) > 0
    return np.where(above, lowered / pairs, -1.0)


def _exact_strength(
    search: _Search, value: FloatArray, expected: FloatArray, block: tuple[Codes, ...]
) -> float:
    """Return the standard errors of the clearest pair by the binomial distribution, which holds for few items."""
    items = search.agreement.items[block]
    observed = np.nan_to_num(search.agreement.observed[block])
    same = np.round(observed * items)
    usual = np.clip(observed - (value - expected)[block], 1e-9, 0.99)
    # P(at least so many) = I_p(same, items - same + 1)
    tail = special.betainc(np.maximum(same, 1), np.maximum(items - same + 1, 1), usual)
    compared = (same >= 1) & (search.precision[block] > 0)
    tail = np.where(compared, tail, 1.0)
    return float(-special.ndtri(max(float(tail.min()), 1e-300)))


def _rivals(found: _Search, family: tuple[int, ...]) -> tuple[int, ...]:
    """Return the systems that may be the family instead; none where the answers show which."""
    value = found.value
    own = np.sqrt(np.maximum(np.diag(found.agreement.most), 1e-12))
    loadings = one_factor(value, found.between).loadings
    carries = loadings / own > CARRIES
    sizes = np.array([(found.clusters == code).sum() for code in found.clusters])
    # A system alone is a vote against the family if it carries the factor, another cluster is one vote together.
    others = [int(place) for place in np.flatnonzero(carries & (sizes == 1))]
    votes = len(others)
    for code in np.unique(found.clusters[sizes > 1]):
        members = np.flatnonzero(found.clusters == code)
        if tuple(members) != family:
            others += [int(member) for member in members]
            votes += 1
    needed = 3 if len(family) == 2 else 2 * len(family)
    is_unclear = votes < needed
    if not is_unclear and votes <= MOST_RIVALS:
        is_unclear = _explain_better(found, value, family, others)
    return tuple(sorted(others)) if is_unclear else ()


def _explain_better(
    found: _Search, value: FloatArray, family: tuple[int, ...], others: list[int]
) -> bool:
    """Return whether the others as a family explain the agreement significantly better than this one does."""
    precision = pairs_of(found.clusters, found.precision)
    inside = np.ix_(family, family)
    rival = precision.copy()
    rival[inside] = found.precision[inside]
    rival[np.ix_(others, others)] = 0.0
    more_free = int(((precision > 0) & (rival == 0)).sum() - ((rival > 0) & (precision == 0)).sum())
    gained = float(one_factor(value, precision).misfit - one_factor(value, rival).misfit)
    if more_free <= 0:
        return False
    return bool(special.chdtrc(more_free / 2, max(0.0, gained)) < 1 - found.level)
