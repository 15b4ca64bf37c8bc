"""What goes up to a limit: a table exactly at it is still within, and one more is not."""

import importlib
from types import SimpleNamespace

import numpy as np
import pytest

import karat
from karat.doubt.label_noise.informed.items import LabelledItems, disputes_of
from karat.doubt.label_noise.informed.learning import LEAST_WRONG, learn
from karat.doubt.prevalence.joint_areas import FEWEST, WORK, affordable
from karat.doubt.prevalence.level_areas import _with_fewer_scores
from karat.doubt.tests.barnard import MOST, barnard
from karat.errors import KaratError, OptionError
from karat.measure.consensus.pooled import fits_memory
from karat.measure.prevalence.precision_at import decided_by_few
from karat.measure.quantity import Quantity
from karat.tally import TALLIES
from karat.tally.scores.annotator_marks import marks_of
from karat.verdict.compare.comparison_options import FEWEST_DRAWS, ComparisonOptions
from karat.verdict.judged.compare import SHOWN, LabelNext
from karat.verdict.prevalence.words import _end
from karat.verdict.score.scores import (
    FEW_CLUSTERS,
    MOST_CLASSES,
    check_number_of_classes,
    few_clusters,
    too_many_classes,
)
from karat.verdict.stability.informed import (
    ENOUGH_CHECKS,
    SAFE_BELOW,
    SURE_UP_TO,
    _verdict,
    shrunk,
)
from karat.verdict.whatif import tallies

VOTES = {
    "item": [f"i{place}" for place in range(12)],
    "truth": [0, 1] * 6,
    "a": [0, 1] * 5 + [1, 1],
    "b": [0, 0, 1, 1] * 3,
    "c": [1, 1, 0, 0] * 3,
}


def limit(monkeypatch, module, name, value):
    monkeypatch.setattr(importlib.import_module(f"karat.{module}"), name, value)


REFUSED = {
    "items to audit": (
        ("tally.audit_items", "MOST"),
        12,
        lambda bench: bench.audit(claim=("a", "b"), seed=1).rows(),
    ),
    "items to list": (
        ("tally.item_names", "MOST"),
        12,
        lambda bench: bench.consensus(per="item").rows(),
    ),
    "error rates of Dawid and Skene": (
        ("measure.consensus.dawid_skene", "MOST_CELLS"),
        12,
        lambda bench: bench.consensus(estimator="dawid-skene", draws=0).rows(),
    ),
    "sets of systems that answered": (
        ("tally.votes.covotes", "MOST_CELLS"),
        16,
        lambda bench: bench.counter.count(TALLIES["covotes"]),
    ),
}
"""The limit, how many of it the table of votes takes, and the question."""


@pytest.mark.parametrize("name", REFUSED)
def test_exactly_so_many_are_answered_and_one_more_is_refused(name, monkeypatch):
    (module, constant), takes, ask = REFUSED[name]
    if name == "sets of systems that answered":
        limit(monkeypatch, module, "FEW_SYSTEMS", 0)  # summed in the engine, however few
    limit(monkeypatch, module, constant, takes)
    ask(karat.read(VOTES, kinds="yesno"))
    limit(monkeypatch, module, constant, takes - 1)
    with pytest.raises(KaratError):
        ask(karat.read(VOTES, kinds="yesno"))


def test_barnard_enumerates_up_to_its_limit():
    half = MOST // 2
    barnard(half, half, half, half)
    with pytest.raises(OptionError, match=f"up to {MOST}"):
        barnard(half, half, half, half + 1)


def test_so_many_draws_are_enough_and_one_fewer_is_not():
    assert ComparisonOptions(draws=FEWEST_DRAWS).draws == FEWEST_DRAWS
    with pytest.raises(OptionError, match="too few"):
        ComparisonOptions(draws=FEWEST_DRAWS - 1)


@pytest.mark.parametrize("margin", [0.0, 1.0])
def test_a_margin_lies_strictly_between_0_and_1(margin):
    with pytest.raises(OptionError, match="between 0 and 1"):
        ComparisonOptions(margin=margin)


@pytest.mark.parametrize(("wrong", "teaches"), [(LEAST_WRONG, True), (LEAST_WRONG - 1, False)])
def test_so_many_wrong_labels_teach_something(wrong, teaches):
    random = np.random.default_rng(1)
    given = random.integers(0, 2, 80)
    right = given.copy()
    right[:wrong] = 1 - right[:wrong]
    answers = np.where(random.random((80, 3)) < 0.7, right[:, None], 1 - right[:, None])
    items = LabelledItems(
        ("a", "b", "c"),
        ("x", "y"),
        given,
        answers.astype(np.int32),
        np.ones(80, np.int64),
        right,
        np.zeros(80, np.int64),
        1,
    )
    if teaches:
        assert learn(disputes_of(items)).wrong == wrong
        return
    with pytest.raises(OptionError, match=f"{wrong} wrong labels were found"):
        learn(disputes_of(items))


def test_classes_up_to_the_most_that_can_be_meant():
    classes = {str(place) for place in range(MOST_CLASSES)}
    check_number_of_classes([Quantity("f")], classes)
    check_number_of_classes([Quantity("accuracy")], classes | {"more"})
    assert not too_many_classes([classes])
    assert too_many_classes([{"one"}, classes | {"more"}])
    with pytest.raises(OptionError, match="only right answers are counted"):
        check_number_of_classes([Quantity("f")], classes | {"more"})


def test_a_warning_ends_where_there_are_enough_clusters():
    assert few_clusters(FEW_CLUSTERS) == []
    assert f"{FEW_CLUSTERS - 1} clusters" in few_clusters(FEW_CLUSTERS - 1)[0]


def test_draws_are_made_as_long_as_enough_of_them_are_quick():
    assert affordable(WORK // FEWEST, 1, 1) == FEWEST
    assert affordable(WORK // FEWEST + WORK // FEWEST**2, 1, 1) == 0
    assert affordable(1, 1, 1) == affordable(0, 3, 3) == 1000


def test_where_resamples_take_too_long_there_are_none(monkeypatch):
    table = {"truth": [0, 1] * 40, "a": list(range(80)), "b": [7 * k % 80 for k in range(80)]}
    bench = karat.read(table, kinds="score")
    assert bench.skew(to=0.1).draws > 0
    limit(monkeypatch, "doubt.prevalence.joint_areas", "WORK", 1)
    assert bench.skew(to=0.1).draws == 0


def test_as_many_error_rates_as_fit_into_memory(monkeypatch):
    limit(monkeypatch, "measure.consensus.pooled", "MOST_CELLS", 3 * 5**2)
    assert fits_memory(3, 5)
    assert not fits_memory(4, 5)
    assert not fits_memory(3, 6)


def test_few_negatives_decide_where_positives_are_rarer_than_ten_of_them_show():
    # A tenth of 90 negatives: nine to each positive are not yet too many.
    assert not decided_by_few(0.1, 90)
    assert decided_by_few(0.099, 90)
    assert decided_by_few(0.1, 89)
    assert not decided_by_few(0.0, 90)


def test_scores_are_put_into_bins_only_where_there_are_more_than_so_many(monkeypatch):
    marks = marks_of([0, 1, 1, 0, 1], [0.1, 0.2, 0.3, 0.4, 0.4], annotators=1)
    limit(monkeypatch, "doubt.prevalence.level_areas", "MOST_SCORES", 4)
    assert _with_fewer_scores(marks) is marks
    limit(monkeypatch, "doubt.prevalence.level_areas", "MOST_SCORES", 3)
    fewer = _with_fewer_scores(marks).score
    assert sorted(set(fewer.tolist())) == [0.0, 1.0, 2.0]
    assert (np.diff(fewer[np.argsort(marks.score, kind="stable")]) >= 0).all()


def test_the_page_follows_its_sliders_up_to_so_many_systems(monkeypatch):
    patterns = karat.read(VOTES).counter.count(TALLIES["patterns"])
    limit(monkeypatch, "verdict.whatif", "MOST_SYSTEMS", 3)
    assert tallies(patterns).systems[0] == "a"
    limit(monkeypatch, "verdict.whatif", "MOST_SYSTEMS", 2)
    assert tallies(patterns) is None


def test_a_list_of_exactly_so_many_has_no_dots():
    names = tuple(f"i{place}" for place in range(SHOWN))
    assert "..." not in LabelNext("a", "b", 40, names).words()
    longer = LabelNext("a", "b", 40, (*names, "last")).words()
    assert f"{names[-1]} ... " in longer
    assert "last" not in longer
    assert LabelNext("a", "b", 40, ()).words().endswith("has been looked at by people.")


def test_an_order_is_told_by_its_probability_of_being_reversed():
    checked = SimpleNamespace(checked=ENOUGH_CHECKS, wrong_disputed=4)
    too_few = SimpleNamespace(checked=ENOUGH_CHECKS - 1, wrong_disputed=4)
    told = [_verdict(SAFE_BELOW - 1e-9, None), _verdict(SAFE_BELOW, None), _verdict(0.5, checked)]
    told += [_verdict(0.51, checked), _verdict(0.51, too_few), _verdict(0.9, None)]
    assert told[0] != told[1] == told[2] == told[4] == told[5]
    assert told[3] not in told[:3]
    assert shrunk(SURE_UP_TO, None) == SURE_UP_TO
    assert shrunk(0.8, checked) == pytest.approx(SURE_UP_TO + (0.8 - SURE_UP_TO) * 5 / 10)
    assert shrunk(0.8, None) == pytest.approx(SURE_UP_TO + (0.8 - SURE_UP_TO) / 6)


@pytest.mark.parametrize(
    ("share", "text"),
    [(1e-6, "0"), (0.0123, "1.2"), (0.0996, "10"), (0.1, "10"), (0.456, "46"), (1.0, "100")],
)
def test_an_end_of_an_interval_in_per_cent(share, text):
    assert _end(share) == text
