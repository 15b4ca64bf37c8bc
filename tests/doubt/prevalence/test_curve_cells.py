"""Cells of a curve: neighbours of one kind put together by a plain loop, and areas of every row by itself."""

import numpy as np
import pytest

from karat.doubt.prevalence.curve_cells import areas_of_rows, begins, cells
from karat.measure.prevalence.pr_curve import areas, rises, roc_of
from karat.tally.scores.curve import Curve


def slow_cells(positive, negative):
    """Positives and negatives of each cell: scores of one kind of items alone join the score of that kind before."""
    found = []
    for counts in zip(positive, negative, strict=True):
        kind = [count > 0 for count in counts]
        if found and found[-1][0] == kind != [True, True]:
            found[-1][1] = [sum(pair) for pair in zip(found[-1][1], counts, strict=True)]
        else:
            found.append([kind, list(counts)])
    return [counts for _, counts in found]


@pytest.mark.parametrize("seed", range(6))
def test_neighbours_of_one_kind_are_one_cell(seed):
    random = np.random.default_rng(seed)
    positive = random.poisson(0.8, 30)
    negative = np.maximum(random.poisson(0.8, 30), positive == 0)
    curve = Curve(np.arange(30.0)[::-1], positive, negative)
    found = cells(curve)
    wanted = slow_cells(positive.tolist(), negative.tolist())
    assert np.stack([found.positive, found.negative], axis=1).tolist() == wanted
    assert begins(curve).sum() == len(wanted)


@pytest.mark.parametrize("seed", range(4))
def test_each_row_has_the_area_of_its_own_curve(seed):
    random = np.random.default_rng(seed)
    positive = random.poisson(1.0, (5, 12)).astype(float)
    negative = random.poisson(1.5, (5, 12)).astype(float)
    positive[:, 3] += 1
    negative[:, 7] += 1
    prevalences = [0.01, 0.3, 0.8]
    found = areas_of_rows(positive, negative, prevalences)
    for row in range(5):
        recall = positive[row].cumsum() / positive[row].sum()
        rate = negative[row].cumsum() / negative[row].sum()
        wanted = areas(rises(roc_of(recall, rate)), np.array(prevalences))
        assert found[row] == pytest.approx(wanted)
