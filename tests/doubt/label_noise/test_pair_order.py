"""What holds for the order of two systems under errors in the labels, and for what is believed of those errors."""

from fractions import Fraction
from itertools import combinations, product
from math import comb, inf, isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from karat.doubt.label_noise.critical_error import critical_error
from karat.doubt.label_noise.pair_order import (
    kept_at_most,
    kept_classes,
    kept_exactly,
    kept_items,
    kept_kinds,
    kept_per_class,
    kept_uniform,
    safe_errors,
)
from karat.doubt.label_noise.published_scores import (
    divergence_bounds,
    kept_from_scores,
    pair_counts,
    true_wrong_bounds,
)
from karat.errors import OptionError

LAWS = settings(deadline=None, derandomize=True, max_examples=100)
errors = some.one_of(some.floats(0, 1), some.floats(-30, 0).map(lambda power: 10.0**power))


@some.composite
def pairs(draw, most=40, least_lead=1):
    worse = draw(some.integers(0, most))
    return worse, worse + draw(some.integers(least_lead, most))


def parts(found):
    return found.kept, found.tie, found.reversed


def close(found, right, *, rel=1e-11):
    """All three parts to so many digits, each for itself; of a tied pair only the last two."""
    for ours, exact in zip(parts(found), right, strict=True):
        assert isnan(ours) or ours == pytest.approx(float(exact), rel=rel, abs=1e-300)


def sides(law):
    """P(lead > 0), P(lead = 0) and P(lead < 0) of pairs (lead, probability)."""
    law = list(law)
    return [
        sum(p for lead, p in law if sign(lead))
        for sign in (lambda x: x > 0, lambda x: x == 0, lambda x: x < 0)
    ]


def by_convolution(steps):
    """The law of a sum of independent leads, each a dict from lead to probability, in rational arithmetic."""
    law = {0: Fraction(1)}
    for step in steps:
        new = {}
        for (lead, p), (more, q) in product(law.items(), step.items()):
            new[lead + more] = new.get(lead + more, 0) + p * q
        law = new
    return law.items()


def flip(lead, error):
    return {lead: 1 - Fraction(error), -lead: Fraction(error)}


@LAWS
@given(pairs(most=12, least_lead=0), errors)
def test_the_uniform_law_has_eleven_digits_in_rational_arithmetic(pair, error):
    worse, better = pair
    law = by_convolution([flip(-1, error)] * worse + [flip(1, error)] * better)
    close(kept_uniform(worse, better, error), sides(law))


@LAWS
@given(some.lists(errors, max_size=8), some.lists(errors, min_size=8, max_size=12))
def test_errors_per_item_have_eleven_digits_in_rational_arithmetic(worse, better):
    law = by_convolution(
        [flip(-1, error) for error in worse] + [flip(1, error) for error in better]
    )
    close(kept_items(worse, better), sides(law))


@LAWS
@given(pairs(most=6), pairs(most=6), errors, errors)
def test_errors_per_class_have_eleven_digits_in_rational_arithmetic(none, one, e0, e1):
    (a0, b0), (a1, b1) = none, one
    steps = [flip(-1, e0)] * a0 + [flip(-1, e1)] * a1 + [flip(1, e0)] * b0 + [flip(1, e1)] * b1
    close(kept_per_class([a0, a1], [b0, b1], [e0, e1]), sides(by_convolution(steps)))


def by_all_labelings(given_labels, worse, better, error, classes):
    """Every labelling that could be true, with its probability."""
    moved = Fraction(error) / (classes - 1)
    for true in product(range(classes), repeat=len(given_labels)):
        chance = Fraction(1)
        for label, one in zip(true, given_labels, strict=True):
            chance *= 1 - Fraction(error) if label == one else moved
        right = [(b == t) - (w == t) for t, w, b in zip(true, worse, better, strict=True)]
        yield sum(right), chance


def count_kinds(labels, worse, better):
    """Counts as `kept_classes` takes them; the answer -1 is none."""
    names = "only_worse only_better only_worse_silent only_better_silent"
    names += " neither_differ neither_worse_answers neither_better_answers"
    kinds = dict.fromkeys(names.split(), 0)
    for label, w, b in zip(labels, worse, better, strict=True):
        if w == b:
            continue
        if w == label:
            kinds["only_worse" if b >= 0 else "only_worse_silent"] += 1
        elif b == label:
            kinds["only_better" if w >= 0 else "only_better_silent"] += 1
        elif w >= 0 and b >= 0:
            kinds["neither_differ"] += 1
        else:
            kinds["neither_worse_answers" if w >= 0 else "neither_better_answers"] += 1
    return kinds


@pytest.mark.parametrize(
    ("classes", "items", "silent"), [(2, 8, 0), (3, 6, 0), (3, 6, 1), (4, 5, 0), (4, 5, 1)]
)
@pytest.mark.parametrize("error", [0.0, 0.0625, 0.5, 0.875, 1.0])
def test_every_true_labelling_of_random_answers_is_counted(classes, items, silent, error):
    rng = np.random.default_rng(classes + items)
    for _ in range(3):
        labels = rng.integers(0, classes, items)
        worse, better = rng.integers(-silent, classes, (2, items))
        kinds = count_kinds(labels, worse, better)
        lead = sum(better == labels) - sum(worse == labels)
        if lead < 0:
            worse, better = better, worse
            kinds = count_kinds(labels, worse, better)
        law = by_all_labelings(labels.tolist(), worse.tolist(), better.tolist(), error, classes)
        close(kept_classes(error=error, classes=classes, **kinds), sides(law))


def test_a_confusion_matrix_of_true_given_given_is_counted_as_every_labelling():
    matrix = np.array([[12, 3, 1], [2, 13, 1], [0, 4, 12]]) / 16
    labels, worse, better = [0, 1, 2, 2, 0, 1], [0, 2, 1, 0, 1, 1], [1, 1, 2, 1, 0, 1]
    law = []
    for true in product(range(3), repeat=6):
        lead = sum((b == t) - (w == t) for t, w, b in zip(true, worse, better, strict=True))
        law.append(
            (lead, np.prod([matrix[label, t] for label, t in zip(labels, true, strict=True)]))
        )
    to = [
        (matrix[g, w] * (w != b), matrix[g, b] * (w != b))
        for g, w, b in zip(labels, worse, better, strict=True)
    ]
    now = [(b == g) - (w == g) for g, w, b in zip(labels, worse, better, strict=True)]
    close(kept_kinds([1] * 6, now, [(w, 1 - w - b, b) for w, b in to]), sides(law))


def by_all_sets(worse, better, items, numbers):
    """Every set of wrong labels of these sizes, all equally likely: items in the order worse, better, others."""
    for number in numbers:
        for wrong in combinations(range(items), number):
            lost = sum(worse <= item < worse + better for item in wrong)
            won = sum(item < worse for item in wrong)
            yield (
                better - worse - 2 * lost + 2 * won,
                Fraction(1, sum(comb(items, size) for size in numbers)),
            )


@pytest.mark.parametrize(
    ("worse", "better", "items"), [(1, 3, 10), (2, 5, 9), (0, 6, 6), (3, 3, 8), (0, 0, 4)]
)
def test_every_set_of_wrong_labels_is_counted(worse, better, items):
    for wrong in range(items + 1):
        exactly, most = (
            kept_exactly(worse, better, items, wrong),
            kept_at_most(worse, better, items, wrong),
        )
        for found, numbers in ((exactly, [wrong]), (most, range(wrong + 1))):
            right = sides(by_all_sets(worse, better, items, numbers))
            assert parts(found) == pytest.approx(
                [right[0] if better > worse else nan, *right[1:]], abs=1e-13, nan_ok=True
            )


@pytest.mark.parametrize(("worse", "better"), [(0, 1), (1, 3), (0, 4), (2, 7), (3, 3)])
def test_as_many_errors_as_are_safe_change_nothing_and_one_more_can(worse, better):
    safe = safe_errors(worse, better)
    if better == worse:
        assert safe is None
        return
    assert kept_at_most(worse, better, worse + better + 3, safe).kept == 1
    assert kept_exactly(worse, better, worse + better + 3, safe + 1).kept < 1


def test_of_a_million_labels_as_many_wrong_are_nearly_as_many_independent_errors():
    for found in (
        kept_exactly(4900, 5100, 10**6, 400_000),
        kept_at_most(4900, 5100, 10**6, 400_000),
    ):
        assert parts(found) == pytest.approx(parts(kept_uniform(4900, 5100, 0.4)), abs=2e-3)
        assert sum(parts(found)) == pytest.approx(1, abs=1e-12)


@LAWS
@given(pairs(), errors)
def test_the_three_parts_are_probabilities_and_sum_to_one(pair, error):
    for found in (
        kept_uniform(*pair, error),
        kept_classes(*pair, error, classes=5, neither_differ=7),
    ):
        assert min(parts(found)) >= 0
        assert sum(parts(found)) == pytest.approx(1, abs=1e-12)


@LAWS
@given(pairs(), some.integers(2, 9), some.integers(0, 9))
def test_kept_never_rises_with_the_error_up_to_chance(pair, classes, neither):
    neither = neither if classes > 2 else 0
    grid = np.linspace(0, 1 - 1 / classes, 12)
    kept = [kept_classes(*pair, e, classes=classes, neither_differ=neither).kept for e in grid]
    assert kept[0] == 1
    assert np.all(np.diff(kept) <= 1e-12)


@LAWS
@given(pairs(), errors)
def test_equal_errors_and_two_classes_are_the_uniform_law(pair, error):
    right = kept_uniform(*pair, error)
    worse, better = pair
    assert parts(kept_items([error] * worse, [error] * better)) == parts(right)
    assert parts(kept_per_class([worse, 0], [1, better - 1], [error, error])) == pytest.approx(
        parts(right), rel=1e-12
    )
    assert parts(kept_classes(worse, better, error, classes=2)) == parts(right)


def test_the_order_of_the_items_changes_nothing():
    rng = np.random.default_rng(4)
    worse, better = rng.random(50), rng.random(70)
    assert kept_items(worse, better) == kept_items(rng.permutation(worse), rng.permutation(better))


def test_errors_per_item_agree_with_a_simulation():
    rng, draws = np.random.default_rng(5), 20_000
    worse, better = rng.beta(1, 6, 80), rng.beta(1, 3, 100)
    lead = (1 - 2 * (rng.random((draws, 100)) < better)).sum(1) - (
        1 - 2 * (rng.random((draws, 80)) < worse)
    ).sum(1)
    for ours, seen in zip(
        parts(kept_items(worse, better)), (lead > 0, lead == 0, lead < 0), strict=True
    ):
        assert ours == pytest.approx(seen.mean(), abs=4.5 * np.sqrt(ours * (1 - ours) / draws))


def in_many_digits(mp, worse, better, error):
    """The three parts as sums over K, with all digits; K where it matters only."""
    e, odds, lead = mp.mpf(error), mp.mpf(error) / (1 - mp.mpf(error)), better - worse

    def law(n):
        values = [(1 - e) ** n]
        for k in range(n):
            values.append(values[-1] * (n - k) / (k + 1) * odds)
        return values

    lost, won = law(better), law(worse)
    below, above = [mp.mpf(0)], [mp.mpf(0)]
    for value in lost:
        below.append(below[-1] + value)
    for value in reversed(lost):
        above.append(above[-1] + value)
    total = [mp.mpf(0)] * 3
    for k, chance in enumerate(won):
        first, last = min(better + 1, -(-lead // 2) + k), min(better, lead // 2 + k)
        total[0] += chance * below[first]
        total[1] += chance * lost[lead // 2 + k] if lead % 2 == 0 and lead // 2 + k <= better else 0
        total[2] += chance * above[better - last]
    return total


@pytest.mark.parametrize(
    ("worse", "better", "error"),
    [
        (0, 6, 1e-60),
        (1, 69, 1.2e-8),
        (54, 1152, 0.091),
        (400, 1600, 0.12),
        (1000, 3000, 0.95),
        (59, 60, 6e-4),
        (7, 7, 1e-90),
        (0, 300, 1 - 1e-9),
    ],
)
def test_tiny_probabilities_have_twelve_digits(worse, better, error):
    mp = pytest.importorskip("mpmath")
    with mp.workdps(50):
        right = in_many_digits(mp, worse, better, error)
        for ours, exact in zip(parts(kept_uniform(worse, better, error)), right, strict=True):
            assert isnan(ours) or abs(mp.mpf(ours) - exact) <= exact * mp.mpf("1e-12") + mp.mpf(
                "1e-305"
            )


@pytest.mark.parametrize(
    ("better", "error"), [(10**6, 0.49), (10**6, 0.4818), (999_999, 0.4835), (200_000, 0.46)]
)
def test_a_million_disputed_items_keep_ten_digits(better, error):
    mp = pytest.importorskip("mpmath")
    with mp.workdps(40):
        # P(I >= x) as its first probability times a sum of ratios; by hand, as mpmath's tails take minutes.
        x, n, e = better // 2 + 1, better, mp.mpf(error)
        first = mp.exp(
            mp.loggamma(n + 1) - mp.loggamma(x + 1) - mp.loggamma(n - x + 1) + x * mp.log(e)
        ) * (1 - e) ** (n - x)
        ratio, total, k = mp.mpf(1), mp.mpf(0), x
        while ratio > mp.mpf("1e-20"):
            total += ratio
            ratio *= mp.mpf(n - k) / (k + 1) * e / (1 - e)
            k += 1
        right = float(first * total)
    assert 1e-305 < right < 1e-80
    assert kept_uniform(0, better, error).reversed == pytest.approx(right, rel=1e-10)


def test_a_million_items_give_proper_probabilities_at_any_error():
    for error in (0, 1e-300, 1e-9, 0.01, 0.3, 0.4999, 0.5, 0.7, 1 - 1e-12, 1):
        for found in (
            kept_uniform(499_000, 501_000, error),
            kept_classes(499_000, 501_000, error, classes=7),
        ):
            assert all(0 <= part <= 1 + 1e-12 for part in parts(found))
            assert sum(parts(found)) == pytest.approx(1, abs=1e-12)


def test_a_hundred_thousand_different_errors_per_item_agree_with_the_uniform_law():
    # All different, so that none are grouped, yet as good as equal: the uniform law is the oracle.
    rng = np.random.default_rng(6)
    spread = 0.3 + 1e-12 * rng.random(100_000)
    found = kept_items(spread[:49_500], spread[49_500:])
    assert parts(found) == pytest.approx(parts(kept_uniform(49_500, 50_500, 0.3)), rel=1e-6)


@LAWS
@given(pairs(most=300), some.sampled_from([0.3, 0.5, 0.9, 0.95, 0.999]), some.integers(2, 6))
def test_at_the_critical_error_kept_is_the_level(pair, level, classes):
    error = critical_error(*pair, level=level, classes=classes)
    kept = kept_classes(*pair, error, classes=classes).kept
    assert kept == pytest.approx(level, abs=1e-10) or (error == 1 and kept > level)


def test_the_critical_error_of_one_item_is_what_the_level_leaves():
    assert critical_error(0, 1, level=0.9) == pytest.approx(0.1, rel=1e-12)
    assert critical_error(0, 1, level=0.2) == pytest.approx(0.8, rel=1e-12)
    assert critical_error(2, 2, level=0.9) is None
    assert critical_error(0, 0, level=0.9) is None


def test_a_pair_tied_from_the_start_has_nothing_to_keep():
    for found in (
        kept_uniform(3, 3, 0.1),
        kept_exactly(3, 3, 9, 2),
        kept_items([0.1], [0.2]),
        kept_uniform(0, 0, 0.1),
    ):
        assert isnan(found.kept)
        assert 0 <= found.reversed <= found.reversed + found.tie <= 1
    assert kept_classes(0, 0, 0.3, classes=4).tie == 1
    with pytest.raises(OptionError, match="no order to keep"):
        kept_from_scores(5, 5, 10, 0.1)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: kept_uniform(1, 3, 1.5), r"errors is 1.5; a probability is between 0 and 1"),
        (lambda: kept_uniform(1, 3, -0.1), "a probability is between 0 and 1"),
        (lambda: kept_uniform(1, 3, nan), "a probability is between 0 and 1"),
        (lambda: kept_uniform(1, 3, "much"), "cannot be read as numbers"),
        (lambda: kept_uniform(-1, 3, 0.1), "only_worse is -1; it must be a whole count"),
        (lambda: kept_uniform(1, 2.5, 0.1), "only_better is 2.5; it must be a whole count"),
        (lambda: kept_uniform(1, inf, 0.1), "it must be a whole count"),
        (lambda: kept_uniform("few", 3, 0.1), "cannot be read as numbers"),
        (lambda: kept_uniform(4, 3, 0.1), "swap only_worse and only_better"),
        (lambda: kept_exactly(4, 3, 9, 1), "swap only_worse and only_better"),
        (lambda: kept_per_class([1], [2, 3], [0.1, 0.2]), "give one of each per class"),
        (lambda: kept_items([0.1], [2.0, 0.1]), "entry 0 of errors_better is 2; a probability"),
        (lambda: kept_classes(1, 3, 0.1, classes=1), "at least two"),
        (
            lambda: kept_classes(1, 3, 0.1, classes=2, neither_differ=1),
            "one is right if there are two classes",
        ),
        (lambda: kept_classes(1, 3, 0.1, classes=3, neither_differ=-1), "neither_differ is -1"),
        (lambda: kept_kinds([1], [1], [[0.5, 0.6, 0]]), "three chances that sum to 1"),
        (lambda: kept_kinds([1], [2], [[0.5, 0.5, 0]]), "it must be -1, 0 or 1"),
        (lambda: kept_exactly(1, 3, 10, 11), "more errors than items"),
        (lambda: kept_exactly(5, 8, 10, 1), "there are only 10 items"),
        (lambda: critical_error(4, 3), "swap only_worse and only_better"),
        (lambda: critical_error(1, 3, level=1), "level is 1"),
        (lambda: divergence_bounds(11, 3, 10), "first_correct is 11"),
        (lambda: true_wrong_bounds(11, 3, 10, 1), "divergence is 11"),
        (lambda: pair_counts([1, 0], [1], [1]), "they must be the same"),
    ],
)
def test_bad_input_is_refused_in_words(wrong, words):
    with pytest.raises(OptionError, match=words):
        wrong()
