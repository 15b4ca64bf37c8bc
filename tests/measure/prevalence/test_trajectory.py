"""Mean precision over a known trajectory: closed forms against quadrature in 40 digits, areas, and laws."""

import numpy as np
import pytest
from mpmath import mp, mpf

from karat.errors import OptionError
from karat.measure.prevalence.distribution import precision_over
from karat.measure.prevalence.integrated import (
    achievable_over,
    area_over,
    integrated,
    integrated_area,
    random_over,
)
from karat.measure.prevalence.pr_curve import pr_area, roc_of
from karat.measure.prevalence.precision_at import precision_at
from karat.measure.prevalence.priors.uniform import integrated_precision
from karat.measure.prevalence.trajectories.constant import constant
from karat.measure.prevalence.trajectories.exponential import exponential
from karat.measure.prevalence.trajectories.linear import linear
from karat.measure.prevalence.trajectories.logistic import logistic
from karat.measure.prevalence.trajectories.sine import sine
from karat.measure.prevalence.trajectory import along, precision_on, sampled

RATES = [
    (0.8, 0.2),
    (0.2, 0.8),
    (0.6, 0.6),
    (0.6, 0.6 * (1 + 1e-9)),
    (0.6, 0.6 * (1 - 1e-13)),
    (0.9, 1e-8),
    (1e-6, 0.5),
]
PLAIN = {
    "exponential up": (exponential(0.001, 3, time=4), lambda t: mpf("0.001") * 3**t, [0, 4]),
    "exponential to 1": (
        exponential(0.25, 2, time=5),
        lambda t: min(mpf(1), mpf("0.25") * 2**t),
        [0, 2, 5],
    ),
    "exponential down": (
        exponential(0.5, 0.3, time=9),
        lambda t: mpf("0.5") * mpf(0.3) ** t,
        [0, 3, 9],
    ),
    "exponential hardly": (
        exponential(0.5, 1 + 1e-10, time=2),
        lambda t: mpf("0.5") * mpf(1 + 1e-10) ** t,
        [0, 2],
    ),
    "logistic up": (
        logistic(0.5, 2, 3, time=8),
        lambda t: mpf("0.5") / (1 + mp.exp(-2 * (t - 3))),
        [0, 2, 3, 4, 8],
    ),
    "logistic down": (
        logistic(0.5, -2, 3, time=8),
        lambda t: mpf("0.5") / (1 + mp.exp(2 * (t - 3))),
        [0, 2, 3, 4, 8],
    ),
    "logistic late": (
        logistic(1.0, 0.5, 50, time=8),
        lambda t: 1 / (1 + mp.exp(-mpf("0.5") * (t - 50))),
        [0, 4, 8],
    ),
    "logistic slow": (
        logistic(0.5, 1e-9, 3, time=8),
        lambda t: mpf("0.5") / (1 + mp.exp(-mpf(1e-9) * (t - 3))),
        [0, 8],
    ),
    "sine": (
        sine(0.3, 0.25, time=2),
        lambda t: mpf(0.3) + mpf("0.25") * mp.sin(mp.pi * t),
        [0, 0.25, 0.5, 1, 1.25, 1.5, 1.75, 2],
    ),
    "sine to the ends": (
        sine(0.5, 0.5, time=2),
        lambda t: mpf("0.5") * (1 + mp.sin(mp.pi * t)),
        [0, 0.25, 0.5, 1, 1.25, 1.5, 1.75, 2],
    ),
    "linear": (
        linear(0.7, 0.1, time=3),
        lambda t: mpf(0.7) + (mpf(0.1) - mpf(0.7)) * t / 3,
        [0, 1, 3],
    ),
}
STEEP = "sine to the ends"  # its quadrature does not reach the digits for tiny rates
CASES = [(name, *rates) for name in PLAIN for rates in RATES if name != STEEP or min(rates) > 1e-5]
CURVE = roc_of([0.0, 0.4, 0.9], [0.01, 0.02, 0.3])


def quadrature(at, stops, tpr, fpr):
    with mp.workdps(40):
        a, b = mpf(tpr), mpf(fpr)
        found = mp.quad(lambda t: (p := at(t)) * a / (p * a + (1 - p) * b), stops, maxdegree=9)
        return float(found / stops[-1])


@pytest.mark.parametrize(("name", "tpr", "fpr"), CASES)
def test_closed_forms_are_their_integrals(name, tpr, fpr):
    trajectory, at, stops = PLAIN[name]
    found = float(precision_on(tpr, fpr, trajectory))
    assert found == pytest.approx(
        quadrature(at, stops, tpr, fpr), rel=2e-12 if "late" not in name else 1e-10
    )


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize(("tpr", "fpr"), RATES[:5])
def test_the_skews_on_the_way_give_the_same_mean(name, tpr, fpr):
    trajectory = PLAIN[name][0]
    closed = float(precision_on(tpr, fpr, trajectory))
    assert float(precision_over(tpr, fpr, trajectory.prevalences)) == pytest.approx(
        closed, rel=1e-9
    )
    assert float(precision_on(0.4, 0.4, trajectory)) == pytest.approx(
        random_over(trajectory.prevalences), rel=1e-9
    )


@pytest.mark.parametrize("name", PLAIN)
def test_any_function_gives_the_same_without_a_closed_form(name):
    trajectory = PLAIN[name][0]
    numeric = along(trajectory.at, time=trajectory.time)
    assert float(precision_on(0.8, 0.03, numeric)) == pytest.approx(
        float(precision_on(0.8, 0.03, trajectory)), rel=1e-10
    )
    assert area_over(CURVE, numeric.prevalences) == pytest.approx(
        area_over(CURVE, trajectory.prevalences), rel=1e-9
    )


def test_a_series_is_straight_between_its_times():
    times, skews = [2.0, 3.0, 5.0, 5.5], [0.1, 0.4, 0.4, 0.0]
    found = sampled(times, skews)
    parts = [(0.1, 0.4, 1.0), (0.4, 0.4, 2.0), (0.0, 0.4, 0.5)]
    right = (
        sum(
            width * float(integrated_precision(0.8, 0.1, low=low, high=high))
            for low, high, width in parts
        )
        / 3.5
    )
    assert float(precision_on(0.8, 0.1, found)) == pytest.approx(right, rel=1e-13)
    assert found.at(np.array([0.5, 2.0, 3.25])) == pytest.approx([0.25, 0.4, 0.2])
    area = (
        sum(width * integrated_area(CURVE, low=low, high=high) for low, high, width in parts) / 3.5
    )
    assert area_over(CURVE, found.prevalences) == pytest.approx(area, rel=1e-6)


def test_a_finely_sampled_function_is_that_function():
    times = np.linspace(0, 8, 4001)
    smooth = logistic(0.5, 2, 3, time=8)
    rates = np.array([0.9, 0.5, 0.2]), np.array([0.1, 0.1, 0.4])
    assert precision_on(*rates, sampled(times, smooth.at(times))) == pytest.approx(
        precision_on(*rates, smooth), rel=1e-6
    )


def test_snapshots_grow_with_the_skew():
    found = [
        float(precision_on(0.8, 0.2, exponential(0.0001, 2, time=time))) for time in range(1, 21)
    ]
    assert np.all(np.diff(found) > 0)
    assert found[-1] == pytest.approx(0.4689188647822628, rel=1e-12)  # golden LG-bact-temporal


def test_rates_of_zero_and_several_at_once():
    for trajectory, _, _ in PLAIN.values():
        found = precision_on([0.5, 0.0, 0.0, 0.5], [0.0, 0.5, 0.0, 0.5], trajectory)
        assert found[:2].tolist() == [1, 0]
        assert np.isnan(found[2])
        assert found[3] == pytest.approx(random_over(trajectory.prevalences), rel=1e-9)


def test_a_constant_skew_is_the_skew():
    assert float(precision_on(0.8, 0.1, constant(0.3))) == float(precision_at(0.8, 0.1, pi=0.3))
    assert float(precision_on(0.8, 0.1, exponential(0.3, 1, time=3))) == float(
        precision_at(0.8, 0.1, pi=0.3)
    )
    assert float(precision_on(0.8, 0.1, logistic(0.6, 0, 1, time=3))) == float(
        precision_at(0.8, 0.1, pi=0.3)
    )
    assert area_over(CURVE, constant(0.3).prevalences) == pytest.approx(
        float(pr_area(CURVE, pi=0.3))
    )


def test_curve_area_minimum_and_check_in_the_space_of_the_trajectory():
    spread = exponential(0.25, 2, time=5).prevalences
    found = integrated(CURVE, spread)
    assert found.minimum < found.random < found.area < 1
    assert (found.low, found.high) == pytest.approx((0.25, 1.0), abs=1e-3)
    assert achievable_over(found.minimum, 0.3, spread).possible
    assert not achievable_over(0.1, 1.0, spread).possible


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: constant(0.5, time=0), "the time is 0; it must be above 0"),
        (lambda: linear(0.5, 1.5), "the prevalence at the end is 1.5"),
        (lambda: exponential(0, 2, time=3), "both must be above 0"),
        (lambda: sine(0.3, 0.4), "the prevalence where it turns is -0.1"),
        (lambda: logistic(1.2, 1, 1, time=2), "the ceiling is 1.2"),
        (lambda: along(lambda t: t, time=2), "the trajectory is 1"),
        (lambda: sampled([0, 1], [0.5, -0.1]), "a prevalence of the series is -0.1"),
        (lambda: sampled([1, 0], [0.5, 0.1]), "two times or more, rising"),
    ],
)
def test_what_is_no_trajectory_is_refused(call, words):
    with pytest.raises(OptionError, match=words):
        call()
