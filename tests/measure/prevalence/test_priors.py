"""Prevalences with weights: normal distributions of any width, jumps, Landgrebe's weight, against quadrature."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from mpmath import mp, mpf

from karat.measure.prevalence.distribution import precision_over, weighted
from karat.measure.prevalence.integrated import area_over, integrated_area, random_over
from karat.measure.prevalence.pr_curve import roc_of
from karat.measure.prevalence.priors.landgrebe import (
    landgrebe,
    landgrebe_integral,
    landgrebe_precision,
)
from karat.measure.prevalence.priors.normal import gaussian

LAWS = settings(derandomize=True, deadline=None, max_examples=60)
SHARE = some.integers(0, 1000).map(lambda whole: whole / 1000)


@LAWS
@given(SHARE, SHARE, some.tuples(SHARE, SHARE).map(sorted))
def test_landgrebe_weighs_by_one_over_the_square(tpr, fpr, limits):
    low, high = limits[0] / 2 + 0.001, limits[1] / 2 + 0.4
    ratios = {"low": (1 - high) / high, "high": (1 - low) / low}
    closed = landgrebe_precision(tpr, fpr, **ratios)
    assert precision_over(tpr, fpr, landgrebe(low, high)) == pytest.approx(
        closed, rel=1e-10, nan_ok=True
    )
    square = weighted(lambda pi: pi**-2.0, low=low, high=high)
    assert precision_over(tpr, fpr, square) == pytest.approx(closed, rel=1e-10, nan_ok=True)
    printed = landgrebe_integral(tpr, fpr, **ratios)
    assert printed == pytest.approx(closed * (1 / low - 1 / high), rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("deviation", [1e-5, 1e-3, 0.05, 0.3, 5.0])
@pytest.mark.parametrize("mean", [-0.2, 0.0, 0.31, 1.0])
def test_a_normal_weight_of_any_width_is_its_quadrature(mean, deviation):
    right = []
    with mp.workdps(40):
        m, sd = mpf(mean), mpf(deviation)
        a, b = mpf("0.9"), mpf("0.05")
        tops = [mpf(0), mpf(1)]
        near = min(max(m, mpf(0)), mpf(1))
        steps = sorted(
            {
                end
                for k in (-8, -4, -2, -1, 0, 1, 2, 4, 8)
                for end in [near + k * min(sd, sd**2 / (abs(m - near) + sd))]
                if 0 < end < 1
            }
            | set(tops)
        )
        density = lambda p: mp.exp(((near - m) ** 2 - (p - m) ** 2) / (2 * sd**2))  # noqa: E731
        total = mp.quad(density, steps)
        right = [mp.quad(lambda p: density(p) * p, steps) / total]
        right.append(mp.quad(lambda p: density(p) * a * p / (a * p + b * (1 - p)), steps) / total)
    spread = gaussian(mean, deviation)
    assert [random_over(spread), float(precision_over(0.9, 0.05, spread))] == pytest.approx(
        [float(v) for v in right], rel=1e-9
    )


def test_a_weight_that_jumps_is_integrated():
    spread = weighted(lambda pi: np.where(pi < 1 / 3, 1.0, 0.0))
    assert random_over(spread) == pytest.approx(1 / 6, rel=1e-9)
    half = roc_of([0.7], [0.1])
    assert area_over(half, spread) == pytest.approx(
        integrated_area(half, low=0, high=1 / 3), rel=1e-9
    )
