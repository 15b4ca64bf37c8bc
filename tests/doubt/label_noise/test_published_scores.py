"""How far two systems diverge, and what their scores alone say of it."""

from itertools import product

import pytest

from karat.doubt.label_noise.pair_order import kept_uniform
from karat.doubt.label_noise.published_scores import (
    divergence_bounds,
    kept_from_scores,
    pair_counts,
    true_wrong_bounds,
)


@pytest.mark.parametrize("items", [4, 7])
def test_the_bounds_of_the_divergence_are_reached_and_never_passed(items):
    patterns = list(product([0, 1], repeat=items))
    seen, wrongs = {}, {}
    for one, other in product(patterns, patterns):
        counts = pair_counts(one, other, [0] * items)
        key = items - counts.first_wrong, items - counts.second_wrong
        seen.setdefault(key, set()).add(counts.only_first + counts.only_second)
        wrongs.setdefault((counts.divergence, counts.second_wrong), set()).add(counts.first_wrong)
    for key, numbers in seen.items():
        bounds = divergence_bounds(*key, items)
        assert numbers == set(range(bounds.low, bounds.high + 1, 2))
    for (divergence, second), numbers in wrongs.items():
        for most in range(items + 1):
            bounds = true_wrong_bounds(divergence, second, items, most)
            # By a labelling at most so far off, the first system is wrong at most so much more or less often.
            assert bounds.low <= max(0, min(numbers) - most)
            assert bounds.high >= min(items, max(numbers) + most)


@pytest.mark.parametrize("error", [0.0, 0.01, 0.2, 0.27, 0.3, 0.33, 0.385, 0.42, 0.5, 0.6, 0.99])
def test_scores_alone_give_the_smallest_and_largest_kept_of_all_overlaps(error):
    for first, second, items in (
        (20, 22, 60),
        (24, 20, 60),
        (10, 13, 40),
        (0, 5, 5),
        (30, 36, 80),
        (3, 4, 300),
    ):
        worse, better = sorted((first, second))
        kept = [
            kept_uniform(k, k + better - worse, error).kept
            for k in range(min(worse, items - better) + 1)
        ]
        found = kept_from_scores(first, second, items, error)
        assert (found.low.kept, found.high.kept) == pytest.approx((min(kept), max(kept)), abs=1e-12)
        assert kept[found.only_worse_at_low] == found.low.kept


def test_pair_counts_of_many_labels_know_items_that_both_have_wrong():
    found = pair_counts(["a", "b", "c", "c"], ["a", "c", "b", "c"], ["a", "b", "a", "b"])
    assert (found.divergence, found.only_first, found.only_second, found.neither_differ) == (
        2,
        1,
        0,
        1,
    )
