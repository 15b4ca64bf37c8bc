"""Whether the better of two systems is still the better one by the true labels, if some of the given ones are wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isnan, nan

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import floats, refuse
from karat.doubt.tests.two_samples import two_samples
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray
from karat.numeric.tilted_sums import Loss, loss_of, split

_UNLIKELY = 800  # log odds against the likeliest number of wrong labels: its square root is no double any more


@dataclass(frozen=True, slots=True)
class Kept:
    """How likely the better system is strictly better, just as good, or worse by the true labels.

    The three sum to 1. If the pair is tied by the given labels there is no order to keep: kept is NaN, tie the
    probability that they are tied by the true labels too, reversed that the one called worse is better.
    """

    kept: float
    tie: float
    reversed: float
    method: str


def kept_uniform(only_worse: int, only_better: int, error: float) -> Kept:
    """Would the better of two systems stay the better one if each label is wrong with probability e?

    kept = P(I - K < (n2-n1)/2), I ~ Binomial(n2, e), K ~ Binomial(n1, e); n1 and n2 are the items only the worse and
    only the better one has right by the given labels: nothing else matters. tie and reversed: = and >.
    Assumes two classes and independent errors. The paper's formula (11) counts a tie as a switch, as we do; its
    formula (13) has e^4 for e^3. Exact: by Fourier inversion under an exponential tilt, to some 12 digits.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> round(kept_uniform(1, 3, 0.1).kept, 4)
    0.7533
    """
    return kept_per_class([only_worse], [only_better], [error])


def kept_per_class(
    only_worse: Sequence[int], only_better: Sequence[int], errors: Sequence[float]
) -> Kept:
    """Would the order stay if labels of one class are wrong more often than those of the other?

    As `kept_uniform`, with I and K each a sum of binomials: entry c of all three arguments belongs to the items that
    are labelled c, and errors[c] = P(the label is wrong | it is c), so errors = [eps01, eps10] for the labels 0 and 1.
    Assumes that a wrong label makes the other system right: two classes, or the cells of several interpretations.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> round(kept_per_class([1, 1], [3, 1], [0.1, 0]).kept, 4)
    0.7533
    """
    n1, n2 = _counts("only_worse", only_worse), _counts("only_better", only_better)
    rates = _shares("errors", errors)
    if not n1.shape == n2.shape == rates.shape:
        sizes = f"{n1.size} counts of only_worse, {n2.size} of only_better and {rates.size} errors"
        raise OptionError(f"there are {sizes}; give one of each per class")
    return _flips(n1, rates, n2, rates)


def kept_items(errors_worse: npt.ArrayLike, errors_better: npt.ArrayLike) -> Kept:
    """Would the order stay if each label has its own probability of being wrong?

    kept = P(I - K < (n2-n1)/2), I the sum of the wrong labels among the items only the better one has right, K among
    those only the worse one has: one probability per item in `errors_better` and `errors_worse`.
    Assumes two classes and independent errors. Exact at any size: a million items take seconds.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> round(kept_items([0.1], [0.1, 0.1, 0.1]).kept, 4)
    0.7533
    """
    worse, n1 = np.unique(_shares("errors_worse", errors_worse), return_counts=True)
    better, n2 = np.unique(_shares("errors_better", errors_better), return_counts=True)
    return _flips(n1.astype(np.float64), worse, n2.astype(np.float64), better)


def kept_classes(
    only_worse: int,
    only_better: int,
    error: float,
    *,
    classes: int,
    neither_differ: int = 0,
    only_worse_silent: int = 0,
    only_better_silent: int = 0,
    neither_worse_answers: int = 0,
    neither_better_answers: int = 0,
) -> Kept:
    """Would the order stay if a wrong label stands for any of K - 1 other classes?

    By the true labels an item only one system has right is right for the other with e/(K-1), for neither with
    e(K-2)/(K-1); an item neither has right, with two different answers, becomes right for either with e/(K-1).
    Items with equal answers change nothing, whatever is true. `only_worse` and `only_better` count the items where
    the other one answers another label; "silent" are those where it answers none, or a set; `neither_..._answers`
    those that neither has right and just one answers. K = 2 is `kept_uniform`.
    Assumes independent errors, each other class equally likely.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> [round(kept_classes(1, 3, 0.1, classes=k).kept, 4) for k in (2, 3, 1000)]
    [0.7533, 0.864, 0.9745]
    """
    if classes < 2 or classes != int(classes):
        raise OptionError(f"classes is {classes}; there must be at least two, in a whole number")
    if classes == 2 and neither_differ:
        raise OptionError(
            f"neither_differ is {neither_differ}; of two different answers one is right if there are two classes"
        )
    e = float(_shares("error", error))
    to, rest = e / (classes - 1), e * (classes - 2) / (classes - 1)
    kinds = {
        "only_worse": (only_worse, -1, (1 - e, rest, to)),
        "only_better": (only_better, 1, (to, rest, 1 - e)),
        "only_worse_silent": (only_worse_silent, -1, (1 - e, e, 0.0)),
        "only_better_silent": (only_better_silent, 1, (0.0, e, 1 - e)),
        "neither_differ": (neither_differ, 0, (to, 1 - e + e * (classes - 3) / (classes - 1), to)),
        "neither_worse_answers": (neither_worse_answers, 0, (to, 1 - to, 0.0)),
        "neither_better_answers": (neither_better_answers, 0, (0.0, 1 - to, to)),
    }
    given = [
        (float(_counts(name, count)), now, chances)
        for name, (count, now, chances) in kinds.items()
        if count
    ]
    counts, now, chances = zip(*given, strict=True) if given else ((), (), ())
    return kept_kinds(counts, now, np.reshape(chances, (-1, 3)))


def kept_kinds(counts: npt.ArrayLike, now: npt.ArrayLike, chances: npt.ArrayLike) -> Kept:
    """Would the order stay if the true label of each kind of item is known only by its probabilities?

    Per kind: how many items; who has them right by the given label, `now` = -1 only the worse, 1 only the better,
    0 both or neither; and P(only the worse, both or neither, only the better has it right | the given label).
    With a confusion matrix M = P(true | given) that is (M[given, worse's answer], the rest, M[given, better's answer]).
    kept = P(sum of the items' new leads > 0). Assumes independent items. Exact, as `kept_uniform`; but where errors
    rarer than 1e-6 are to add up to an odd loss, a tie or reversal has fewer digits (seven at 1e-20).
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> round(kept_kinds([1, 3], [-1, 1], [[0.9, 0, 0.1], [0.1, 0, 0.9]]).kept, 4)
    0.7533
    """
    n, lead, p = _counts("counts", counts), np.asarray(now, np.int64), _shares("chances", chances)
    if (
        lead.shape != n.shape
        or p.shape != (*n.shape, 3)
        or not np.allclose(p.sum(axis=-1), 1, rtol=0, atol=1e-9)
    ):
        raise OptionError(
            "give each kind one count, one of -1, 0 and 1, and three chances that sum to 1"
        )
    refuse(abs(lead) > 1, "now", lead.astype(np.float64), "it must be -1, 0 or 1")
    if not np.any(p[:, 1]) and np.all(lead):
        return _flips(n[lead < 0], p[lead < 0, 2], n[lead > 0], p[lead > 0, 0])
    dense, rows = np.zeros((n.size, 5)), np.arange(n.size)
    for column, new in enumerate((-1, 0, 1)):
        dense[rows, lead - new + 2] = p[:, column]
    return _kept(loss_of(n, np.arange(-2.0, 3), dense), float(n @ lead))


def kept_steps(
    counts: npt.ArrayLike, steps: npt.ArrayLike, chances: npt.ArrayLike, lead: float
) -> Kept:
    """Would the order stay if each kind of thing costs the lead one of several steps?

    Per kind: how many there are, and the chance of each step. kept = P(the sum of the steps < lead). Assumes that they
    are independent. Exact, as `kept_kinds`.
    >>> round(kept_steps([1, 3], [-2, 0, 2], [[0.1, 0.9, 0], [0, 0.9, 0.1]], 2).kept, 4)
    0.7533
    """
    return _kept(
        loss_of(
            _counts("counts", counts), np.asarray(steps, float), _shares("chances", chances).copy()
        ),
        lead,
    )


def kept_exactly(only_worse: int, only_better: int, items: int, wrong: int) -> Kept:
    """Would the order stay if exactly m of all p labels are wrong, whichever they are?

    P(I = i, K = k) = C(n2, i) C(n1, k) C(p-n1-n2, m-i-k) / C(p, m), compared as in `kept_uniform`.
    Assumes two classes, and each set of m labels equally likely.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> round(kept_exactly(1, 3, 10, 1).kept, 4)
    0.7
    """
    n1, n2, p, m = _checked(only_worse, only_better, items, wrong)
    j = np.arange(max(0, m - (p - n1 - n2)), min(n1 + n2, m) + 1)
    return _shuffled(n1, n2, j, _ways(n1 + n2, j) + _ways(p - n1 - n2, m - j[::-1])[::-1])


def kept_at_most(only_worse: int, only_better: int, items: int, wrong: int) -> Kept:
    """Would the order stay if at most m of all p labels are wrong, every such labelling equally likely?

    As `kept_exactly`, each number j <= m of wrong labels with the weight C(p, j): uniform on the Hamming ball.
    For a belief that does not lean to the largest j, average `kept_exactly` over it.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> round(kept_at_most(2, 6, 20, 7).kept, 4)
    0.57
    """
    n1, n2, p, m = _checked(only_worse, only_better, items, wrong)
    j, others = np.arange(min(n1 + n2, m) + 1), p - n1 - n2
    ball = np.logaddexp.accumulate(_ways(others, np.arange(min(m, others) + 1)))
    return _shuffled(n1, n2, j, _ways(n1 + n2, j) + ball[np.minimum(m - j, others)])


def safe_errors(only_worse: int, only_better: int) -> int | None:
    """How many wrong labels cannot change the order, wherever they are?

    ceil((n2-n1)/2) - 1: each wrong label costs at most two items of the lead. None without a lead.
    Holds for any number of classes, and only for a bound on the number of errors, never for independent ones.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> safe_errors(1, 3), safe_errors(0, 5), safe_errors(4, 4)
    (0, 2, None)
    """
    n1, n2 = float(_counts("only_worse", only_worse)), float(_counts("only_better", only_better))
    return int((n2 - n1 - 1) // 2) if n2 > n1 else None


def _counts(name: str, given: npt.ArrayLike) -> FloatArray:
    counts = floats(name, given)
    refuse(
        ~np.isfinite(counts) | (counts < 0) | (counts != np.floor(counts)),
        name,
        counts,
        "it must be a whole count",
    )
    return counts


def _shares(name: str, given: npt.ArrayLike) -> FloatArray:
    shares = floats(name, given)
    refuse(
        ~((shares >= 0) & (shares <= 1)),
        name,
        shares,
        "a probability lies between 0 and 1, as 0.03 for 3 % does",
    )
    return shares


def _checked(
    only_worse: int, only_better: int, items: int, wrong: int
) -> tuple[int, int, int, int]:
    given = {"only_worse": only_worse, "only_better": only_better, "items": items, "wrong": wrong}
    n1, n2, p, m = (int(_counts(name, count)) for name, count in given.items())
    if n1 + n2 > p:
        raise OptionError(f"only_worse and only_better are {n1} and {n2}; there are only {p} items")
    if m > p:
        raise OptionError(
            f"{m} labels are wrong of {p} items; there cannot be more errors than items"
        )
    return n1, n2, p, m


def _answer(lead: float, kept: float, tie: float, reverse: float, method: str) -> Kept:
    if lead < 0:
        raise OptionError(
            "the system called worse has more items right; swap only_worse and only_better"
        )
    return Kept(kept if lead else nan, tie, reverse, method)


def _flips(n1: FloatArray, worse: FloatArray, n2: FloatArray, better: FloatArray) -> Kept:
    """Two classes: a wrong label takes two items of the lead, or gives two."""
    nought = np.zeros(n1.size), np.zeros(n2.size)
    chances = np.stack(
        [np.append(worse, nought[1]), 1 - np.append(worse, better), np.append(nought[0], better)], 1
    )
    return _kept(
        loss_of(np.append(n1, n2), np.array([-1.0, 0, 1]), chances),
        float(n2.sum() - n1.sum()),
        unit=2,
    )


def _kept(loss: Loss, lead: float, *, unit: int = 1) -> Kept:
    target = lead / unit
    below, at, above = split(loss, target)
    below, above = (
        1 - at - above if isnan(below) else below,
        1 - at - below if isnan(above) else above,
    )
    # A side that is little beside a tie has lost digits to it; under a tilt of its own it has them all.
    if below < at / 50:
        below = _reaching(loss, ceil(target) - 1, -1)
    if above < at / 50:
        above = _reaching(loss, floor(target) + 1, 1)
    return _answer(lead, below, at, above, "exact (tilted Fourier inversion)")


def _reaching(loss: Loss, target: int, sign: int) -> float:
    """P(W >= T), or with the sign -1 P(W <= T)."""
    below, at, above = split(loss, target)[::sign]
    return 1 - below if isnan(above) else at + above


def _ways(n: int, k: npt.NDArray[np.int64]) -> FloatArray:
    """Return log C(n, k), up to a constant, at consecutive k: zero at the largest value."""
    steps = np.log(n - k[:-1]) - np.log(k[:-1] + 1)
    peak = int(np.argmax(np.append(0, np.cumsum(steps))))
    down, up = np.cumsum(steps[:peak][::-1])[::-1], np.cumsum(steps[peak:])
    return np.concatenate([-down, [0.0], up])


def _shuffled(n1: int, n2: int, j: npt.NDArray[np.int64], logs: FloatArray) -> Kept:
    """Of j wrong labels among the disputed ones I are the better one's: hypergeometric, whatever the weight of j."""
    near = logs > logs.max() - _UNLIKELY
    j, weights = j[near], np.exp(logs[near] - logs.max())
    weights /= weights.sum()
    lead = n2 - n1
    # 2 I - j < lead / 2 keeps the order; of the j - I wrong labels that are the worse one's the same, mirrored.
    below, upto = ((-(-(lead + 2 * j) // 4) - 1), (lead + 2 * j) // 4)
    kept = float(_tail(n2, n1, j, below) @ weights)
    reverse = float(_tail(n1, n2, j, j - upto - 1) @ weights)
    # A tie is the difference of the two tails that are small, so that it has digits if it is small itself.
    if reverse < kept:
        tie = float(_tail(n1, n2, j, j - below - 1) @ weights) - reverse
    else:
        tie = float(_tail(n2, n1, j, upto) @ weights) - kept
    return _answer(lead, kept, max(0.0, tie), reverse, "exact (hypergeometric)")


def _tail(n: int, others: int, j: npt.NDArray[np.int64], most: npt.NDArray[np.int64]) -> FloatArray:
    """P(at most so many of n | j are drawn from n + others)."""
    x = np.clip(most, np.maximum(0, j - others), np.minimum(n, j))
    return np.where(most < x, 0.0, np.where(most > x, 1.0, two_samples(x, n, j - x, others).lower))
