"""How far apart two systems are, and what can be said of it from their scores alone."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.pair_order import Kept, kept_uniform
from karat.errors import OptionError


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How two systems' answers differ from each other and from the given labels."""

    items: int
    divergence: int
    only_first: int
    only_second: int
    first_wrong: int
    second_wrong: int

    @property
    def half_lead(self) -> float:
        """How many wrong labels would make the second no better than the first: the paper's D-hat."""
        return (self.only_second - self.only_first) / 2

    @property
    def neither_differ(self) -> int:
        """How many items have two different answers, both wrong; of two classes there are none."""
        return self.divergence - self.only_first - self.only_second


@dataclass(frozen=True, slots=True)
class CountRange:
    """The smallest and the largest number that is possible."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class KeptRange:
    """The smallest and the largest probability kept, and how many items only the worse one then has right."""

    low: Kept
    high: Kept
    only_worse_at_low: int
    only_worse_at_high: int


def accuracy(answers: npt.ArrayLike, truth: npt.ArrayLike) -> float | None:
    """Which share of the labels does a system have right?

    tau = (number of cells where the answer equals the label) / (p q), over p items with q interpretations each.
    Of nothing nothing is known: no items give None.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> accuracy([0, 1, 1, 1], [0, 1, 0, 1])
    0.75
    """
    one, other = _alike(answers, truth)
    return float(np.mean(one == other)) if one.size else None


def pair_counts(first: npt.ArrayLike, second: npt.ArrayLike, truth: npt.ArrayLike) -> PairCounts:
    """Where do two systems differ, and who is alone right there?

    divergence D(A1, A2) = the Hamming distance of the answers; only_first = |{A1 right, A2 wrong}|.
    The paper prints the two sets of those alone right the wrong way round after its second observation.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> pair_counts([1, 1, 0], [1, 0, 1], [1, 0, 1])
    PairCounts(items=3, divergence=2, only_first=0, only_second=2, first_wrong=2, second_wrong=0)
    """
    (one, label), (other, _) = _alike(first, truth), _alike(second, truth)
    right1, right2 = one == label, other == label
    counts = (one != other, right1 & ~right2, right2 & ~right1, ~right1, ~right2)
    return PairCounts(label.size, *(int(np.count_nonzero(count)) for count in counts))


def divergence_bounds(first_correct: int, second_correct: int, items: int) -> CountRange:
    """On how few and how many items may just one of two systems be right, given only how many each has right?

    |c1 - c2| <= D <= min(c1 + c2, 2p - c1 - c2): inequalities (3) and (4), and that no more items can be right
    than are; every second number between is possible. With two classes D is the divergence.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> divergence_bounds(4, 6, 10)
    CountRange(low=2, high=10)
    """
    c1, c2, p = _scores(first_correct, second_correct, items)
    return CountRange(abs(c1 - c2), min(c1 + c2, 2 * p - c1 - c2))


def true_wrong_bounds(divergence: int, other_wrong: int, items: int, most_wrong: int) -> CountRange:
    """How often may a system be wrong by the true labels, if only its distance from another one is known?

    |D(A1, A2) - D(A2, given)| - m <= D(A1, true) <= D(A1, A2) + D(A2, given) + m: inequalities (6) and (7), with m
    for eps p and the triangle's third side; m is the largest number of wrong labels. Two classes. If D(A1, given) is
    known too, D(A1, given) -+ m is never wider: inequality (5), which is this with A2 = A1.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> true_wrong_bounds(4, 4, 10, 1)
    CountRange(low=0, high=9)
    """
    for name, count in {
        "divergence": divergence,
        "other_wrong": other_wrong,
        "most_wrong": most_wrong,
    }.items():
        if not 0 <= count <= items:
            raise OptionError(f"{name} is {count}; it must lie between 0 and the {items} items")
    low = max(abs(divergence - other_wrong) - most_wrong, 0)
    return CountRange(low, min(items, divergence + other_wrong + most_wrong))


def kept_from_scores(
    first_correct: int, second_correct: int, items: int, error: float
) -> KeptRange:
    """How likely is an order kept at least and at most, if only the scores are published?

    The smallest and largest `kept_uniform`(k, k + lead) over k = 0..min(c1, p - c2), c1 <= c2: every overlap of the
    right answers that the scores allow. With one more k the lead L changes by -2, 0 or 2, so that kept grows by
    e(1-e) (P(L = 0) - P(L = 2)) for an even lead, e(1-e) (P(L = -1) - P(L = 1)) for an odd one; the latter never
    changes its sign, the former (checked, not proven) at most once: the ends and the turning point are looked at.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> found = kept_from_scores(80, 90, 100, 0.1)
    >>> round(found.low.kept, 4), round(found.high.kept, 4)
    (0.9801, 0.9984)
    """
    c1, c2, p = _scores(first_correct, second_correct, items)
    c1, c2 = min(c1, c2), max(c1, c2)
    if c1 == c2:
        raise OptionError(f"both systems have {c1} of {p} items right; there is no order to keep")
    most, lead = min(c1, p - c2), c2 - c1
    tried = {k: kept_uniform(k, k + lead, error) for k in {0, most, *_turn(most, lead, error)}}
    least, best = (
        min(tried, key=lambda k: (tried[k].kept, k)),
        max(tried, key=lambda k: (tried[k].kept, -k)),
    )
    return KeptRange(tried[least], tried[best], least, best)


def _turn(most: int, lead: int, error: float) -> set[int]:
    """Return the overlaps around which kept begins to fall or to rise, if it does."""

    def rises(k: int) -> bool:
        return kept_uniform(k + 1, k + 1 + lead, error).kept > kept_uniform(k, k + lead, error).kept

    low, high = 0, most - 1
    if lead % 2 or high < 1 or rises(low) == rises(high):
        return set()
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if rises(middle) == rises(0) else (low, middle)
    return {low, high, min(most, high + 1)}


def _alike(
    answers: npt.ArrayLike, truth: npt.ArrayLike
) -> tuple[npt.NDArray[np.generic], npt.NDArray[np.generic]]:
    one, other = np.asarray(answers), np.asarray(truth)
    if one.shape != other.shape:
        raise OptionError(
            f"the answers have the shape {one.shape}, the labels {other.shape}; they must be the same"
        )
    return one, other


def _scores(first_correct: int, second_correct: int, items: int) -> tuple[int, int, int]:
    for name, count in {"first_correct": first_correct, "second_correct": second_correct}.items():
        if count != int(count) or not 0 <= count <= items:
            raise OptionError(
                f"{name} is {count}; it must be a whole count between 0 and the {items} items"
            )
    return int(first_correct), int(second_correct), int(items)
