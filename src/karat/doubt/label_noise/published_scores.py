"""On which items two systems differ, and what published scores reveal about their order."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.pair_order import OrderKept, kept_uniform
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

    low: OrderKept
    high: OrderKept
    only_worse_at_low: int
    only_worse_at_high: int


def pair_counts(first: npt.ArrayLike, second: npt.ArrayLike, truth: npt.ArrayLike) -> PairCounts:
    """On how many items do two systems differ, and on how many is only one of them right?

    divergence D(A1, A2) = the Hamming distance of the answers; only_first = |{A1 right, A2 wrong}|.
    After its second observation the paper prints the sets of items that only one has right the wrong way round.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> pair_counts([1, 1, 0], [1, 0, 1], [1, 0, 1])
    PairCounts(items=3, divergence=2, only_first=0, only_second=2, first_wrong=2, second_wrong=0)
    """
    label = np.asarray(truth)
    one = _answers(first, label)
    other = _answers(second, label)
    first_right = one == label
    second_right = other == label
    return PairCounts(
        items=label.size,
        divergence=int(np.count_nonzero(one != other)),
        only_first=int(np.count_nonzero(first_right & ~second_right)),
        only_second=int(np.count_nonzero(second_right & ~first_right)),
        first_wrong=int(np.count_nonzero(~first_right)),
        second_wrong=int(np.count_nonzero(~second_right)),
    )


def divergence_bounds(first_correct: int, second_correct: int, items: int) -> CountRange:
    """On how few and how many items may only one of two systems be right, given how many each has right?

    |c1 - c2| <= D <= min(c1 + c2, 2p - c1 - c2): inequalities (3) and (4), and that only items which one has right
    can count; every second number between is possible. With two classes D is the divergence.
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
    counts = {"divergence": divergence, "other_wrong": other_wrong, "most_wrong": most_wrong}
    for name, count in counts.items():
        if not 0 <= count <= items:
            raise OptionError(f"{name} is {count}; it must be between 0 and the {items} items")
    low = max(abs(divergence - other_wrong) - most_wrong, 0)
    return CountRange(low, min(items, divergence + other_wrong + most_wrong))


def kept_from_scores(
    first_correct: int, second_correct: int, items: int, error: float
) -> KeptRange:
    """How likely is an order kept, at least and at most, if only the scores are known?

    The smallest and largest `kept_uniform`(k, k + lead) over k = 0..min(c1, p - c2), c1 <= c2: every overlap of the
    right answers that the scores allow. With one more k the lead L changes by -2, 0 or 2, so that kept grows by
    e(1-e) (P(L = 0) - P(L = 2)) for an even lead, e(1-e) (P(L = -1) - P(L = 1)) for an odd one; the latter never
    changes its sign, the former (checked, not proven) at most once: so the ends and the turning point suffice.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> limits = kept_from_scores(80, 90, 100, 0.1)
    >>> round(limits.low.kept, 4), round(limits.high.kept, 4)
    (0.9801, 0.9984)
    """
    c1, c2, p = _scores(first_correct, second_correct, items)
    c1, c2 = min(c1, c2), max(c1, c2)
    if c1 == c2:
        raise OptionError(f"both systems have {c1} of {p} items right; there is no order to keep")
    lead = c2 - c1
    most = min(c1, p - c2)
    overlaps = {0, most} | _turning_point(most, lead, error)
    tried = {k: kept_uniform(k, k + lead, error) for k in overlaps}
    at_low = min(tried, key=lambda k: (tried[k].kept, k))
    at_high = max(tried, key=lambda k: (tried[k].kept, -k))
    return KeptRange(tried[at_low], tried[at_high], at_low, at_high)


def _turning_point(most: int, lead: int, error: float) -> set[int]:
    """Return the overlaps around which `kept` begins to fall or to rise, if it does."""

    def rises(k: int) -> bool:
        now = kept_uniform(k, k + lead, error).kept
        then = kept_uniform(k + 1, k + 1 + lead, error).kept
        return then > now

    low = 0
    high = most - 1
    if lead % 2 or high < 1 or rises(low) == rises(high):
        return set()
    at_first = rises(0)
    while high - low > 1:
        middle = (low + high) // 2
        if rises(middle) == at_first:
            low = middle
        else:
            high = middle
    return {low, high, min(most, high + 1)}


def _answers(answers: npt.ArrayLike, truth: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    given = np.asarray(answers)
    if given.shape != truth.shape:
        raise OptionError(
            f"the answers have the shape {given.shape}, the labels {truth.shape}; they must be the same"
        )
    return given


def _scores(first_correct: int, second_correct: int, items: int) -> tuple[int, int, int]:
    counts = {"first_correct": first_correct, "second_correct": second_correct}
    for name, count in counts.items():
        if count != int(count) or not 0 <= count <= items:
            raise OptionError(
                f"{name} is {count}; it must be a whole count between 0 and the {items} items"
            )
    return int(first_correct), int(second_correct), int(items)
