"""Whether the better of two systems is still the better one by the true labels, if some given labels are wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isnan, nan

import numpy as np
import numpy.typing as npt

from karat.doubt.interval import floats, refuse
from karat.doubt.label_noise.fixed_error_count import OrderChances, log_ways, order_chances
from karat.errors import OptionError
from karat.numeric.arrays import FloatArray
from karat.numeric.tilted_batch import inside, split_many
from karat.numeric.tilted_sums import SumOfSteps, split, sum_of_steps

EXACT = "exact (tilted Fourier inversion)"
_MUCH = 50  # a tie so many times as likely as a side has taken digits from that side


@dataclass(frozen=True, slots=True)
class OrderKept:
    """How likely the better system is strictly better, just as good, or worse by the true labels.

    The three sum to 1. If the pair is tied by the given labels there is no order to keep: `kept` is NaN, `tie` the
    probability that they are tied by the true labels too, `reversed` that the one called worse is better.
    """

    kept: float
    tie: float
    reversed: float
    method: str


def kept_uniform(only_worse: int, only_better: int, error: float) -> OrderKept:
    """How likely is the order of two systems kept if each label is wrong with probability e?

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
) -> OrderKept:
    """How likely is the order kept if labels of one class are wrong more often than those of the other?

    As `kept_uniform`, with I and K each a sum of binomials: entry c of all three arguments belongs to the items that
    are labelled c, and errors[c] = P(the label is wrong | it is c), so errors = [eps01, eps10] for the labels 0 and 1.
    Assumes that a wrong label makes the other system right: two classes, or the cells of several interpretations.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> round(kept_per_class([1, 1], [3, 1], [0.1, 0]).kept, 4)
    0.7533
    """
    n1 = _counts("only_worse", only_worse)
    n2 = _counts("only_better", only_better)
    rates = _shares("errors", errors)
    if not n1.shape == n2.shape == rates.shape:
        sizes = f"{n1.size} counts of only_worse, {n2.size} of only_better and {rates.size} errors"
        raise OptionError(f"there are {sizes}; give one of each per class")
    return _flips(n1, rates, n2, rates)


def kept_items(errors_worse: npt.ArrayLike, errors_better: npt.ArrayLike) -> OrderKept:
    """How likely is the order kept if each label has its own probability of being wrong?

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
) -> OrderKept:
    """How likely is the order kept if the true label of a wrong one is any of the K - 1 other classes?

    By the true labels, an item that only one system has right is right for the other with probability e/(K-1), and for
    neither with e(K-2)/(K-1); an item that neither has right, with two different answers, becomes right for either
    with e/(K-1). Items with equal answers change nothing, whatever is true. `only_worse` and `only_better` count the
    items where the other system answers another label, "silent" those where it answers none, or a set;
    `neither_..._answers` those that neither has right and only one answers. K = 2 is `kept_uniform`.
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
    to = e / (classes - 1)  # the true label is one certain other class
    elsewhere = e * (classes - 2) / (classes - 1)  # it is any of the others
    stays = 1 - e + e * (classes - 3) / (classes - 1)  # it is not one of two given other classes
    # Of each kind: how many items, who has them right by the given label, and the chances that by the true label only
    # the worse, both or neither, only the better one has them right.
    kinds = {
        "only_worse": (only_worse, -1, (1 - e, elsewhere, to)),
        "only_better": (only_better, 1, (to, elsewhere, 1 - e)),
        "only_worse_silent": (only_worse_silent, -1, (1 - e, e, 0.0)),
        "only_better_silent": (only_better_silent, 1, (0.0, e, 1 - e)),
        "neither_differ": (neither_differ, 0, (to, stays, to)),
        "neither_worse_answers": (neither_worse_answers, 0, (to, 1 - to, 0.0)),
        "neither_better_answers": (neither_better_answers, 0, (0.0, 1 - to, to)),
    }
    counts = []
    now = []
    chances = []
    for name, (count, right_now, right_then) in kinds.items():
        if count:
            counts.append(float(_counts(name, count)))
            now.append(right_now)
            chances.append(right_then)
    return kept_kinds(counts, now, np.reshape(chances, (-1, 3)))


def kept_kinds(counts: npt.ArrayLike, now: npt.ArrayLike, chances: npt.ArrayLike) -> OrderKept:
    """How likely is the order kept if the true label of each kind of item is known only by its probabilities?

    Per kind: how many items; who has them right by the given label, `now` = -1 only the worse, 1 only the better,
    0 both or neither; and P(only the worse, both or neither, only the better has it right | the given label).
    With a confusion matrix M = P(true | given) that is (M[given, worse's answer], the rest, M[given, better's answer]).
    kept = P(sum of the items' new leads > 0). Assumes independent items. Exact, as `kept_uniform`; but where errors
    rarer than 1e-6 must add up to an odd loss, a tie or reversal has fewer digits (seven at 1e-20).
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> round(kept_kinds([1, 3], [-1, 1], [[0.9, 0, 0.1], [0.1, 0, 0.9]]).kept, 4)
    0.7533
    """
    n = _counts("counts", counts)
    lead = np.asarray(now, np.int64)
    p = _shares("chances", chances)
    matching = lead.shape == n.shape and p.shape == (*n.shape, 3)
    if not matching or np.abs(p.sum(axis=-1) - 1).max(initial=0) > 1e-9:
        raise OptionError(
            "give each kind one count, one of -1, 0 and 1, and three chances that sum to 1"
        )
    refuse(abs(lead) > 1, "now", lead.astype(np.float64), "it must be -1, 0 or 1")
    only_flips = not np.any(p[:, 1]) and np.all(lead)
    if only_flips:
        worse = lead < 0
        better = lead > 0
        return _flips(n[worse], p[worse, 2], n[better], p[better, 0])
    # An item costs the lead what it was minus what it becomes: from -2 to 2, in columns 0 to 4.
    by_loss = np.zeros((n.size, 5))
    rows = np.arange(n.size)
    for column, new in enumerate((-1, 0, 1)):
        by_loss[rows, lead - new + 2] = p[:, column]
    loss = sum_of_steps(n, np.arange(-2.0, 3), by_loss)
    return _kept(loss, float(n @ lead))


def kept_kinds_at(counts: npt.ArrayLike, now: npt.ArrayLike, chances: npt.ArrayLike) -> FloatArray:
    """How likely is the order kept, tied and reversed under each of many sets of probabilities? A row a set.

    As `kept_kinds`, for all sets at once: `chances` has the axes set, kind and outcome.
    >>> kinds = [[[0.9, 0, 0.1], [0.1, 0, 0.9]], [[0.8, 0, 0.2], [0.2, 0, 0.8]]]
    >>> kept_kinds_at([1, 3], [-1, 1], kinds)[:, 0].round(4).tolist()
    [0.7533, 0.5888]
    """
    n = _counts("counts", counts)
    lead = np.asarray(now, np.int64)
    p = _shares("chances", chances)
    by_loss = np.zeros((len(p), n.size, 5))
    kinds = np.arange(n.size)
    for column, new in enumerate((-1, 0, 1)):
        by_loss[:, kinds, lead - new + 2] = p[:, :, column]
    steps = np.arange(-2.0, 3)
    target = float(n @ lead)
    occurring = n > 0
    by_loss = by_loss[:, occurring]
    found = np.zeros((len(p), 3))
    regular = inside(n[occurring], steps, by_loss, target)
    if regular.any():
        found[regular] = split_many(n[occurring], steps, by_loss[regular], target)
    # Where nothing can change sides a single product is the answer.
    for place in np.flatnonzero(~regular):
        order = kept_kinds(n, lead, p[place])
        found[place] = order.kept, order.tie, order.reversed
    if not target:
        found[:, 0] = nan
    return found


def kept_steps(
    counts: npt.ArrayLike, steps: npt.ArrayLike, chances: npt.ArrayLike, lead: float
) -> OrderKept:
    """How likely is the order kept if each kind of item costs the lead one of several steps?

    Per kind: how many there are, and the chance of each step. kept = P(the sum of the steps < lead). Assumes that they
    are independent. Exact, as `kept_kinds`.
    >>> round(kept_steps([1, 3], [-2, 0, 2], [[0.1, 0.9, 0], [0, 0.9, 0.1]], 2).kept, 4)
    0.7533
    """
    number = _counts("counts", counts)
    chance = _shares("chances", chances).copy()  # which `sum_of_steps` changes
    loss = sum_of_steps(number, np.asarray(steps, float), chance)
    return _kept(loss, lead)


def kept_exactly(only_worse: int, only_better: int, items: int, wrong: int) -> OrderKept:
    """How likely is the order kept if exactly m of all p labels are wrong, any m of them?

    P(I = i, K = k) = C(n2, i) C(n1, k) C(p-n1-n2, m-i-k) / C(p, m), compared as in `kept_uniform`.
    Assumes two classes, and each set of m labels equally likely.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> round(kept_exactly(1, 3, 10, 1).kept, 4)
    0.7
    """
    n1, n2, p, m = _checked(only_worse, only_better, items, wrong)
    discordant = n1 + n2
    others = p - discordant
    j = np.arange(max(0, m - others), min(discordant, m) + 1)
    ways_among_others = log_ways(others, m - j[::-1])[::-1]
    chances = order_chances(n1, n2, j, log_ways(discordant, j) + ways_among_others)
    return _of_chances(n2 - n1, chances)


def kept_at_most(only_worse: int, only_better: int, items: int, wrong: int) -> OrderKept:
    """How likely is the order kept if at most m of all p labels are wrong, every such labelling equally likely?

    As `kept_exactly`, each number j <= m of wrong labels with the weight C(p, j): uniform on the Hamming ball.
    For a belief that does not lean to the largest j, average `kept_exactly` over it.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> round(kept_at_most(2, 6, 20, 7).kept, 4)
    0.57
    """
    n1, n2, p, m = _checked(only_worse, only_better, items, wrong)
    discordant = n1 + n2
    others = p - discordant
    j = np.arange(min(discordant, m) + 1)
    # Where j of the discordant labels are wrong, any number up to m - j of the others may be.
    ways_up_to = np.logaddexp.accumulate(log_ways(others, np.arange(min(m, others) + 1)))
    ways_among_others = ways_up_to[np.minimum(m - j, others)]
    chances = order_chances(n1, n2, j, log_ways(discordant, j) + ways_among_others)
    return _of_chances(n2 - n1, chances)


def safe_errors(only_worse: int, only_better: int) -> int | None:
    """Up to how many wrong labels is the order robust, wherever they are?

    ceil((n2-n1)/2) - 1: each wrong label costs at most two items of the lead. None without a lead.
    Holds for any number of classes, and only for a bound on the number of errors, never for independent ones.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    >>> safe_errors(1, 3), safe_errors(0, 5), safe_errors(4, 4)
    (0, 2, None)
    """
    n1 = float(_counts("only_worse", only_worse))
    n2 = float(_counts("only_better", only_better))
    if n2 <= n1:
        return None
    return int((n2 - n1 - 1) // 2)


def _counts(name: str, given: npt.ArrayLike) -> FloatArray:
    counts = floats(name, given)
    whole = np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts))
    refuse(~whole, name, counts, "it must be a whole count")
    return counts


def _shares(name: str, given: npt.ArrayLike) -> FloatArray:
    shares = floats(name, given)
    possible = (shares >= 0) & (shares <= 1)
    refuse(~possible, name, shares, "a probability is between 0 and 1, such as 0.03 for 3 %")
    return shares


def _checked(
    only_worse: int, only_better: int, items: int, wrong: int
) -> tuple[int, int, int, int]:
    n1 = int(_counts("only_worse", only_worse))
    n2 = int(_counts("only_better", only_better))
    p = int(_counts("items", items))
    m = int(_counts("wrong", wrong))
    if n1 + n2 > p:
        raise OptionError(f"only_worse and only_better are {n1} and {n2}; there are only {p} items")
    if m > p:
        raise OptionError(
            f"{m} labels are wrong of {p} items; there cannot be more errors than items"
        )
    return n1, n2, p, m


def _answer(lead: float, kept: float, tie: float, reverse: float, method: str) -> OrderKept:
    if lead < 0:
        raise OptionError(
            "the system called worse has more items right; swap only_worse and only_better"
        )
    if not lead:
        kept = nan
    return OrderKept(kept, tie, reverse, method)


def _of_chances(lead: int, chances: OrderChances) -> OrderKept:
    return _answer(lead, chances.kept, chances.tie, chances.reverse, "exact (hypergeometric)")


def _flips(n1: FloatArray, worse: FloatArray, n2: FloatArray, better: FloatArray) -> OrderKept:
    """Return the probabilities for two classes, where a wrong label costs the lead two items or gives it two."""
    gain = np.append(worse, np.zeros(n2.size))
    cost = np.append(np.zeros(n1.size), better)
    unchanged = 1 - np.append(worse, better)
    chances = np.stack([gain, unchanged, cost], 1)
    loss = sum_of_steps(np.append(n1, n2), np.array([-1.0, 0, 1]), chances)
    return _kept(loss, float(n2.sum() - n1.sum()), unit=2)


def _kept(loss: SumOfSteps, lead: float, *, unit: int = 1) -> OrderKept:
    """Return the probabilities that a loss, counted in so many items, is below, at and above the lead."""
    target = lead / unit
    below, at, above = split(loss, target)
    if isnan(below):
        below = 1 - at - above
    if isnan(above):
        above = 1 - at - below
    # A side that is small beside a tie has lost digits to it; under a tilt of its own it has them all.
    if below < at / _MUCH:
        below = _reaching(loss, ceil(target) - 1, -1)
    if above < at / _MUCH:
        above = _reaching(loss, floor(target) + 1, 1)
    return _answer(lead, below, at, above, EXACT)


def _reaching(loss: SumOfSteps, target: int, sign: int) -> float:
    """P(W >= T), or with the sign -1 P(W <= T)."""
    below, at, above = split(loss, target)[::sign]
    if isnan(above):
        return 1 - below
    return at + above
