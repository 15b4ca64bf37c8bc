"""A judge's share, corrected by its known errors: the formula in other words, and how often the interval holds."""

import numpy as np
import pytest
from scipy import stats

from karat.doubt.consensus.rogan_gladen import rogan_gladen


def slow(passed, right, wrong, level):
    """Lang and Reiczigel's interval with apparent prevalence, sensitivity and specificity by name."""
    z = stats.norm.ppf((1 + level) / 2)
    n = passed[1] + z * z
    apparent = (passed[0] + z * z / 2) / n
    sensitivity = (right[0] + 1) / (right[1] + 2)
    specificity = (wrong[0] + 1) / (wrong[1] + 2)
    youden = sensitivity + specificity - 1
    prevalence = (apparent + specificity - 1) / youden
    noise_right = sensitivity * (1 - sensitivity) / (right[1] + 2)
    noise_wrong = specificity * (1 - specificity) / (wrong[1] + 2)
    moved = 2 * z * z * (prevalence * noise_right - (1 - prevalence) * noise_wrong)
    noise = apparent * (1 - apparent) / n
    noise += prevalence**2 * noise_right + (1 - prevalence) ** 2 * noise_wrong
    reach = z * np.sqrt(noise) / youden
    return [min(1, max(0, prevalence + moved + sign * reach)) for sign in (-1, 1)]


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize(
    ("passed", "right", "wrong"),
    [
        ((600, 1000), (90, 100), (80, 100)),
        ((30, 80), (17, 20), (9, 12)),
        ((3, 50), (40, 41), (6, 9)),
    ],
)
def test_it_is_the_papers_interval(passed, right, wrong, level):
    value, ends = rogan_gladen(passed, right, wrong, level=level)
    q, r, s = (one / of for one, of in (passed, right, wrong))
    assert value == pytest.approx(min(1, max(0, (q + s - 1) / (r + s - 1))))
    assert [ends.low, ends.high] == pytest.approx(slow(passed, right, wrong, level))
    assert ends.level == level


@pytest.mark.parametrize(
    ("passed", "right", "wrong"),
    [
        ((0, 0), (9, 10), (9, 10)),
        ((5, 10), (0, 0), (9, 10)),
        ((5, 10), (9, 10), (0, 0)),
        ((5, 10), (4, 10), (6, 10)),
    ],
)
def test_nothing_is_known_without_items_or_from_a_judge_like_chance(passed, right, wrong):
    value, ends = rogan_gladen(passed, right, wrong)
    assert value is None
    assert (ends.low, ends.high) == (0, 1)


def test_a_judge_that_is_hardly_better_than_chance_gives_a_value_and_no_interval():
    # 1 of 1 and 1 of 20 are 1.05, better than chance; with one more of each, 2/3 and 2/22 are not.
    value, ends = rogan_gladen((5, 10), (1, 1), (1, 20))
    assert value == 0
    assert (ends.low, ends.high) == (0, 1)


def test_the_interval_holds_the_share_in_simulations():
    random = np.random.default_rng(2)
    runs = 800
    held = 0
    for _ in range(runs):
        share_passing = 0.3 * 0.9 + 0.7 * 0.2
        passed = (random.binomial(300, share_passing), 300)
        right = (random.binomial(60, 0.9), 60)
        wrong = (random.binomial(60, 0.8), 60)
        ends = rogan_gladen(passed, right, wrong)[1]
        held += ends.low <= 0.3 <= ends.high
    assert held / runs == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / runs))
