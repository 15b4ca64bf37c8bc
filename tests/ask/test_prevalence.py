"""Prevalences, ranges and trajectories as users write them."""

from types import SimpleNamespace

import numpy as np
import pytest

from karat.ask.prevalence import at_prevalence, on_trajectory, over_range, prevalence_of
from karat.ask.prevalence_forms import prior_forms, trajectory_forms
from karat.ask.prevalence_options import deployment_prevalences
from karat.errors import KaratError
from karat.measure.prevalence import PRIORS, TRAJECTORIES
from karat.measure.prevalence.distribution import weighted
from karat.measure.prevalence.precision_at import precision_at, transformed_precision
from karat.measure.prevalence.prior import Prior
from karat.measure.prevalence.priors.landgrebe import landgrebe_precision
from karat.measure.prevalence.priors.uniform import integrated_precision
from karat.measure.prevalence.trajectory import TrajectoryShape, along
from karat.verdict.prevalence.published import published_precision


@pytest.mark.parametrize("text", ["0.01", " 1% ", "1:99", 0.01, "2:198"])
def test_a_balance_may_be_a_share_a_percentage_or_a_ratio(text):
    assert prevalence_of(text) == pytest.approx(0.01, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1.5", "must be between 0 and 1"),
        ("-0.1", "must be between 0 and 1"),
        ("rare", "is not a prevalence"),
        ("1:x", "is not a prevalence"),
        ("0:0", "not a ratio of counts"),
        ("nan", "must be between 0 and 1"),
    ],
)
def test_what_is_no_balance_is_refused_with_words(text, words):
    with pytest.raises(KaratError, match=words):
        prevalence_of(text)


def test_a_uniform_range_has_the_closed_mean():
    found = float(over_range(0.01, 0.5).mean(0.8, 0.3))
    assert found == pytest.approx(float(integrated_precision(0.8, 0.3, low=0.01, high=0.5)))


def test_landgrebes_prior_spreads_the_ratio_evenly():
    found = float(over_range(1 / 101, 0.5, prior="landgrebe").mean(0.8, 0.3))
    assert found == pytest.approx(float(landgrebe_precision(0.8, 0.3, low=1, high=100)), rel=1e-9)


def test_a_table_of_equal_weights_is_the_uniform_prior():
    table = {"skew": np.array([0.01, 0.2, 0.5]), "weight": np.ones(3)}
    assert float(over_range(0.01, 0.5, prior=table).mean(0.8, 0.3)) == pytest.approx(
        float(over_range(0.01, 0.5).mean(0.8, 0.3)), rel=1e-9
    )


def test_a_linear_course_is_the_uniform_range_and_a_constant_one_a_point():
    assert float(on_trajectory("linear:0.5,0.1").mean(0.8, 0.3)) == pytest.approx(
        float(over_range(0.1, 0.5).mean(0.8, 0.3))
    )
    assert float(on_trajectory("constant:0.2").mean(0.8, 0.3)) == pytest.approx(
        float(at_prevalence(0.2).mean(0.8, 0.3))
    )


def test_any_function_of_time_may_be_a_course():
    assert float(on_trajectory(lambda t: 0.1 + 0.4 * t, time=1).mean(0.8, 0.3)) == pytest.approx(
        float(on_trajectory("linear:0.1,0.5").mean(0.8, 0.3)), rel=1e-9
    )


def test_a_series_is_cut_at_the_time():
    course = {"time": np.array([0.0, 1.0, 3.0]), "skew": np.array([0.1, 0.3, 0.3])}
    assert float(on_trajectory(course, time=1).mean(0.4, 0.4)) == pytest.approx(0.2)
    assert float(on_trajectory(course).mean(0.4, 0.4)) == pytest.approx((0.2 + 2 * 0.3) / 3)
    with pytest.raises(KaratError, match="the series lasts 3"):
        on_trajectory(course, time=4)


def test_the_least_precision_of_a_field_is_the_border_of_what_can_be_reached():
    where = over_range(0.05, 0.4)
    border = float(where.minimum(0.7))
    assert where.achievable(border + 1e-9, 0.7).possible
    assert not where.achievable(border - 1e-6, 0.7).possible


@pytest.mark.parametrize("new", [0.001, 0.2, 0.9])
@pytest.mark.parametrize("precision", [0.0, 0.1, 0.73, 1.0])
def test_a_published_precision_moves_as_theorem_1_says(precision, new):
    (row,) = published_precision(precision, 0.4, [at_prevalence(new)]).rows()
    assert row["value"] == pytest.approx(
        float(transformed_precision(precision, old=0.4, new=new)), abs=1e-15
    )


def test_a_published_point_that_nobody_can_reach_is_warned_of():
    assert (
        "cannot be reached"
        in published_precision(0.2, 0.5, [at_prevalence(0.1)], recall=1.0).notes()[1]
    )


def test_published_f_follows_the_precision():
    (row,) = published_precision(0.5, 0.5, [at_prevalence(0.1)], recall=0.5).rows()
    assert row["f1"] == pytest.approx(2 * row["value"] * 0.5 / (row["value"] + 0.5))
    assert row["value"] == pytest.approx(float(precision_at(1, 1, pi=0.1)))


def test_several_balances_may_stand_in_one_word():
    fields, files = deployment_prevalences(to="0.01,1:9")
    assert [where.low for where in fields] == pytest.approx([0.01, 0.1])
    assert files == []


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ({"low": 0.1}, "two ends"),
        ({"low": 0.5, "high": 0.1}, "lower one first"),
        ({"prior": "landgrebe"}, "low= and high="),
        ({"time": 3}, "say trajectory="),
        ({"trajectory": "exponential:0.1,2"}, "time="),
        ({"trajectory": "linear:0.1"}, "linear:A,B"),
        ({"trajectory": "linear:0.1,0.2", "time": 3}, "whole course"),
        ({"trajectory": {"time": np.array([1.0, 0.0]), "skew": np.array([0.1, 0.2])}}, "rising"),
        ({"trajectory": {"time": np.array([1.0, 2.0])}}, "there is no 'skew'"),
        ({"to": ","}, "names no prevalence"),
        ({"low": 0, "high": 0.5, "prior": "normal:5,0.1"}, "the mean of the prior"),
        ({"trajectory": "linear:0.1,x"}, "numbers"),
        ({"trajectory": "wave:0.1"}, "no trajectory"),
        ({"trajectory": "sine:0.1,0.2"}, "must be between 0 and 1"),
        ({"trajectory": "linear:0.1,1.2"}, "must be between 0 and 1"),
        ({"low": 0, "high": 0.5, "prior": "landgrebe"}, "above 0"),
        ({"low": 0, "high": 0.5, "prior": "normal:0.1"}, "normal:MEAN,SD"),
    ],
)
def test_a_field_that_makes_no_sense_is_refused_with_words(where, words):
    with pytest.raises(KaratError, match=words):
        deployment_prevalences(**where)


def rising(power, *, low, high):
    return weighted(lambda pi: pi**power, low=low, high=high)


def squared(end, *, time):
    return along(lambda t: end * (t / time) ** 2, time=time)


@pytest.fixture
def installed(monkeypatch):
    """A prior and a trajectory that another package has installed."""
    prior = Prior(help="rising", distribution=rising, parameters=("POWER",))
    shape = TrajectoryShape(
        help="squared", parameters=("END",), trajectory=squared, needs_time=True
    )
    entries = {"karat.priors": ("rising", prior), "karat.trajectories": ("squared", shape)}

    def entry_points(*, group):
        if group not in entries:
            return []
        name, entry = entries[group]
        return [SimpleNamespace(name=name, load=lambda: entry)]

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)


@pytest.mark.usefixtures("installed")
def test_an_installed_prior_or_trajectory_is_written_like_those_of_karat():
    assert "rising:POWER" in prior_forms()
    assert "squared:END" in trajectory_forms()
    flat = over_range(0.1, 0.4, prior="rising:0")
    assert float(flat.mean(0.8, 0.3)) == pytest.approx(
        float(over_range(0.1, 0.4).mean(0.8, 0.3)), rel=1e-9
    )
    assert float(on_trajectory("squared:0.6", time=2).mean(0.4, 0.4)) == pytest.approx(0.2)


@pytest.mark.usefixtures("installed")
def test_what_an_installed_prior_or_trajectory_lacks_is_said():
    with pytest.raises(KaratError, match="has 0 numbers where rising:POWER is meant"):
        over_range(0.1, 0.4, prior="rising")
    with pytest.raises(KaratError, match="say how long with time="):
        on_trajectory("squared:0.6")
    with pytest.raises(KaratError, match="did you mean 'squared'"):
        on_trajectory("sqared:0.6", time=2)


@pytest.mark.parametrize("index", [PRIORS, TRAJECTORIES], ids=["priors", "trajectories"])
def test_every_prior_and_trajectory_says_what_it_is(index):
    for entry in index.values():
        assert entry.help
        assert "\n" not in entry.help
        assert all(name == name.upper() for name in entry.parameters)
