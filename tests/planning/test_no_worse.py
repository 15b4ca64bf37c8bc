"""How many items show that a system is no worse, and how many more if they come in clusters?"""

import numpy as np
import pytest

from karat.doubt.tests.noninferiority import noninferior
from karat.errors import OptionError
from karat.planning.items import design_effect, items_for_no_worse
from karat.questions.plan import plan

RUNS = 20_000


@pytest.mark.parametrize(
    ("first", "second", "margin"),
    [(0.05, 0.05, 0.03), (0.10, 0.12, 0.06), (0.2, 0.1, 0.05), (0.03, 0.03, 0.05)],
)
def test_so_many_items_show_it_about_as_often_as_said(first, second, margin):
    items = items_for_no_worse(first, second, margin, power=0.8).items
    random = np.random.default_rng(0)
    drawn = random.multinomial(items, [first, second, 1 - first - second], size=RUNS)
    p_value = noninferior(drawn[:, 0], drawn[:, 1], items, margin=margin).p_value
    # A normal approximation, and the power of so few discordant items is a sawtooth.
    assert np.mean(p_value <= 0.05) == pytest.approx(0.8, abs=0.04)


def test_what_is_worse_by_the_margin_is_never_shown_to_be_no_worse():
    assert items_for_no_worse(0.02, 0.09, 0.05).items is None
    with pytest.raises(OptionError, match="margin is 0"):
        items_for_no_worse(0.05, 0.05, 0.0)


def test_clusters_take_as_many_more_items_as_the_design_effect_says():
    assert design_effect(10, 0.2) == pytest.approx(2.8)
    alone = plan(alone=[0.1, 0.05], power=0.8).rows()[0]
    clustered = plan(alone=[0.1, 0.05], power=0.8, cluster_size=10, correlation=0.2).rows()[0]
    assert clustered["independent_trials"] == alone["trials"] == 498
    assert clustered["trials"] == 1395


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cluster_size": 10}, "go together"),
        ({"cluster_size": 0.5, "correlation": 0.1}, "one item or more"),
        ({"cluster_size": 5, "correlation": 2}, "between 0 and 1"),
    ],
)
def test_clusters_that_make_no_sense_are_refused(options, words):
    with pytest.raises(OptionError, match=words):
        plan(alone=[0.1, 0.05], **options)


def test_a_number_of_items_that_is_given_takes_no_clusters():
    with pytest.raises(OptionError, match="leave trials= out"):
        plan(estimate=0.9, trials=[50], cluster_size=5, correlation=0.1)
