"""How many labels are wrong, by a check or by two annotators, and what an uncertain share does to the law."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy import integrate, stats

from karat.doubt.label_noise.error_rate import (
    belief,
    from_check,
    from_double,
    gauss_belief,
    kept_believed,
)
from karat.doubt.label_noise.pair_order import kept_uniform
from karat.errors import OptionError


def parts(found):
    return found.kept, found.tie, found.reversed


def test_the_rate_from_a_check_is_clopper_and_pearson_s():
    found = from_check(4, 50)
    right = stats.binomtest(4, 50).proportion_ci(0.95, method="exact")
    assert (found.low, found.value, found.high) == pytest.approx(
        (right.low, 0.08, right.high), rel=1e-10
    )
    assert from_check(0, 0).value is None


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("error", [0.0, 0.05, 0.3])
def test_the_rate_from_double_annotation_explains_the_disagreement(classes, error):
    # By enumeration of both annotators' labels of an item whose true label is 0.
    chance = [1 - error] + [error / (classes - 1)] * (classes - 1)
    differ = sum(chance[a] * chance[b] for a, b in product(range(classes), repeat=2) if a != b)
    many = 10**8
    table = np.zeros((classes, classes))
    table[0, 1], table[0, 0] = round(many * differ), many - round(many * differ)
    found = from_double(table)
    assert found.value == pytest.approx(error, abs=1e-7)
    assert found.low <= error <= found.high + 1e-15


def test_annotators_who_agree_less_than_by_chance_have_no_rate():
    found = from_double([[1, 9], [8, 2]])
    assert found.value is None
    assert found.high == 0.5
    assert from_double(np.zeros((2, 2))).value is None


@pytest.mark.parametrize(
    ("pair", "wrong", "checked"), [((1, 3), 1, 10), ((10, 30), 5, 50), ((900, 1000), 40, 100)]
)
def test_kept_over_a_belief_is_its_mean(pair, wrong, checked):
    about = belief(wrong, checked)
    density = stats.beta(about.a, about.b).pdf
    right = [
        integrate.quad(
            lambda e, i=i: density(e) * parts(kept_uniform(*pair, e))[i],
            0,
            1,
            limit=200,
            epsabs=1e-10,
        )[0]
        for i in (0, 2)
    ]
    found = kept_believed(partial(kept_uniform, *pair), about)
    assert (found.kept, found.reversed) == pytest.approx(right, abs=1e-8)
    assert sum(parts(found)) == pytest.approx(1, abs=1e-12)


def test_kept_over_a_gaussian_belief_is_its_mean_and_over_a_sure_one_the_law():
    low, high = (0 - 0.1) / 0.08, (1 - 0.1) / 0.08
    right = stats.truncnorm(low, high, 0.1, 0.08).expect(
        lambda e: kept_uniform(5, 12, float(e)).kept
    )
    assert kept_believed(
        partial(kept_uniform, 5, 12), gauss_belief(0.1, 0.08)
    ).kept == pytest.approx(right, abs=1e-8)
    sure = kept_believed(partial(kept_uniform, 5, 12), gauss_belief(0.1, 1e-9))
    assert parts(sure) == pytest.approx(parts(kept_uniform(5, 12, 0.1)), abs=1e-8)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: from_check(5, 4), "more successes than trials"),
        (lambda: belief(5, 4), "more successes than trials"),
        (lambda: from_double([[1, 2]]), "a row and a column per label"),
        (lambda: from_double([[1, -2], [0, 0]]), "whole counts"),
        (lambda: gauss_belief(0.1, 0), "the second above 0"),
    ],
)
def test_bad_input_is_refused_in_words(wrong, words):
    with pytest.raises(OptionError, match=words):
        wrong()


def test_what_is_believed_after_a_check_is_jeffreys_posterior():
    """3 of 100 wrong: half a wrong and half a right label are added, which moves the median to 0.0316."""
    about = belief(3, 100)
    oracle = stats.beta(3.5, 97.5)
    shares = np.array([0.025, 0.5, 0.975])
    assert about.quantile(shares) == pytest.approx(oracle.ppf(shares), rel=1e-9)
    assert about.quantile(np.array(0.5)) == pytest.approx(0.0316, abs=5e-5)
    none_wrong = belief(0, 10).quantile(np.array(0.5))
    assert none_wrong == pytest.approx(stats.beta(0.5, 10.5).ppf(0.5), rel=1e-9)


@pytest.mark.parametrize(("mean", "deviation"), [(0.05, 0.02), (0.02, 0.05), (0.9, 0.3), (0.5, 2)])
def test_a_normal_belief_has_the_quantiles_of_scipys_truncated_distribution(mean, deviation):
    shares = np.linspace(0, 1, 21)
    ends = -mean / deviation, (1 - mean) / deviation
    wanted = stats.truncnorm(*ends, loc=mean, scale=deviation).ppf(shares)
    assert gauss_belief(mean, deviation).quantile(shares) == pytest.approx(wanted, abs=1e-12)


def test_a_belief_after_a_check_is_jeffreys_beta():
    shares = np.linspace(0, 1, 11)
    found = belief(3, 50)
    assert found.quantile(shares) == pytest.approx(stats.beta(3.5, 47.5).ppf(shares))
    assert found.method == "Beta(3.5, 47.5)"
