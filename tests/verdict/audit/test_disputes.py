"""What labels can do to a lead, against every label tried in turn and the measure computed anew."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat
from karat.errors import KaratError, OptionError
from karat.measure import MEASURES as INDEX
from karat.measure.quantity import measure_named

LABELS = ["x", "y", "z"]
CELL = st.sampled_from([*LABELS, None])
ROW = st.tuples(st.sampled_from(LABELS), CELL, CELL)
MEASURES_OF_INDEX = list(INDEX)
MEASURES = ["accuracy", "error-rate", "recall[x]", "precision[x]", "specificity[x]", "npv[x]"]


def table(rows):
    truth, a, b = zip(*rows, strict=True)
    # One row has every label, so that the table knows all of them whatever is drawn.
    known = [("x", "x", "x"), ("y", "y", "y"), ("z", "z", "z")]
    more = list(zip(*known, strict=True))
    columns = [[*own, *extra] for own, extra in zip((truth, a, b), more, strict=True)]
    items = [f"i{number:02d}" for number in range(len(columns[0]))]
    return dict(zip(("item", "truth", "a", "b"), [items, *columns], strict=True))


def share(columns, system, measure):
    """Successes and trials by the definition of the measure, item by item."""
    successes, trials = 0, 0
    for truth, answer in zip(columns["truth"], columns[system], strict=True):
        is_x, says_x = truth == "x", answer == "x"
        success, trial = {
            "accuracy": (truth == answer, True),
            "error-rate": (truth != answer, True),
            "recall[x]": (is_x and says_x, is_x),
            "precision[x]": (is_x and says_x, says_x),
            "specificity[x]": (not is_x and not says_x, not is_x),
            "npv[x]": (not is_x and not says_x, not says_x),
        }[measure]
        successes += success
        trials += trial
    return successes, trials


def lead(columns, measure):
    """A's lead over B: of successes where both have the same trials whatever the labels are, else crosswise."""
    (one, one_trials), (other, other_trials) = (share(columns, name, measure) for name in "ab")
    sign = -1 if measure == "error-rate" else 1
    if measure.startswith(("precision", "npv")):
        return sign * (one * other_trials - other * one_trials)
    return sign * (one - other)


@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=25)
@given(rows=st.lists(ROW, min_size=1, max_size=4))
def test_losses_and_their_range_are_those_of_every_label_tried(measure, rows):
    columns = table(rows)
    setup = karat.read(columns).audit(claim=("a", "b"), measure=measure, seed=1).setup
    disputes = setup.disputes
    assert disputes.leads.tolist() == [lead(columns, measure)]
    for item in range(len(rows)):
        tried = []
        for label in [*LABELS, "(other)"]:
            truths = list(columns["truth"])
            truths[item] = label
            loss = lead(columns, measure) - lead({**columns, "truth": truths}, measure)
            assert disputes.losses(item, setup.reader.read(label, ""))[0] == loss
            tried.append(loss)
        kind = disputes.kind[0, item]
        if kind < 0:
            assert set(tried) == {0}
        else:
            assert (disputes.kinds.least[kind], disputes.kinds.most[kind]) == (
                min(tried),
                max(tried),
            )


def test_a_missing_answer_of_the_worse_system_costs_one_at_most():
    columns = {"item": [1, 2], "truth": ["x", "y"], "a": ["x", "y"], "b": [None, "x"]}
    disputes = karat.read(columns).audit(claim=("a", "b"), seed=1).setup.disputes
    most = disputes.kinds.most[disputes.kind[0]]
    assert most.tolist() == [1.0, 2.0]


def test_weights_multiply_what_a_label_takes():
    columns = {
        "item": ["i1", "i2", "i3"],
        "truth": ["x", "y", "x"],
        "a": ["x", "y", "y"],
        "b": ["y", "x", "x"],
        "w": [0.5, 1.25, 3.0],
    }
    disputes = karat.read(columns, weight="w").audit(claim=("b", "a"), seed=1).setup.disputes
    assert disputes.weight.tolist() == [2.0, 5.0, 12.0]
    assert disputes.leads.tolist() == [12.0 - 2.0 - 5.0]


def test_answers_that_are_only_judged_may_differ_where_both_are_wrong():
    columns = {"item": [1, 2, 3], "a": [1, 0, 1], "b": [0, 0, 1]}
    disputes = karat.read(columns, correct=True).audit(claim=("a", "b"), seed=1).setup.disputes
    kind = disputes.kind[0]
    assert (kind >= 0).tolist() == [True, True, False]
    assert disputes.kinds.most[kind[:2]].tolist() == [2.0, 1.0]


def test_sets_of_right_labels():
    columns = {"item": [1, 2], "truth": ["x y", "x"], "a": ["x", "x"], "b": ["y", "y"]}
    audit = karat.read(columns, truth_sep=" ").audit(claim=("a", "b"), seed=1)
    assert audit.setup.disputes.leads.tolist() == [1.0]
    both = audit.apply({"2": "x y", "1": "y"})
    assert both.rows()[0]["verdict"] == "certain"
    assert both.rows()[0]["better"] == "b"


def test_who_gives_one_of_several_right_labels_leads_over_who_gives_none():
    columns = {
        "item": [1, 2, 3],
        "truth": ["x y", "x y", "z"],
        "a": ["x", "y", "z"],
        "b": list("zzx"),
    }
    bench = karat.read(columns, truth_sep=" ")
    assert bench.audit(claim=("a", "b"), seed=1).setup.disputes.leads.tolist() == [3.0]
    assert [row["successes"] for row in bench.score(measure="accuracy").rows()] == [3, 0]


@pytest.mark.parametrize(
    "measure", ["macro-f1", "f1[x]", "kappa", "matthews", "balanced-accuracy", "micro-recall"]
)
def test_measures_that_are_no_sums_are_refused_with_why(measure):
    columns = table([("x", "x", "y")])
    with pytest.raises(OptionError, match="is not a sum over items with known denominators"):
        karat.read(columns).audit(claim=("a", "b"), measure=measure)


def test_a_label_that_nobody_gives_has_no_precision():
    columns = {"item": [1, 2], "truth": ["x", "y"], "a": ["x", "x"], "b": ["y", "y"]}
    with pytest.raises(OptionError, match="'b' never gives this label"):
        karat.read(columns).audit(claim=("a", "b"), measure="precision[x]")


def test_nothing_is_no_item_of_accuracy():
    columns = {"item": [1, 2], "truth": ["∅", "y"], "a": ["x", "x"], "b": ["∅", "y"]}
    bench = karat.read(columns)
    with pytest.raises(OptionError, match=r"recall\[LABEL\]"):
        bench.audit(claim=("a", "b"))
    assert bench.audit(claim=("b", "a"), measure="recall[y]").rows()[0]["verdict"] == "open"


def test_ranges_hold_the_given_label():
    rng = np.random.default_rng(2)
    columns = {"item": list(range(40)), "truth": rng.choice(LABELS, 40).tolist()}
    for name in "ab":
        columns[name] = rng.choice([*LABELS, None], 40).tolist()
    for measure in MEASURES:
        kinds = karat.read(columns).audit(claim=("a", "b"), measure=measure).setup.disputes.kinds
        assert (kinds.least <= 0).all()
        assert (kinds.most >= 0).all()


@pytest.mark.parametrize("name", MEASURES_OF_INDEX)
def test_every_measure_is_a_sum_or_refused_with_a_remedy(name):
    columns = table([("x", "x", "y"), ("y", "y", "x"), ("z", "x", "z")])
    text = f"{name}[x]" if measure_named(name).per_class else name
    try:
        audit = karat.read(columns).audit(claim=("a", "b"), measure=text, seed=1)
    except KaratError as error:
        assert re.search(r"[;:.] ?.*(--|karat |[Nn]ame|such as|is of)", str(error))  # noqa: PT017
    else:
        lead = float(audit.setup.disputes.leads[0])
        values = {
            row["system"]: row["value"] for row in karat.read(columns).score(measure=text).rows()
        }
        sign = -1 if measure_named(name).lower_is_better else 1
        assert np.sign(lead) == np.sign(sign * (values["a"] - values["b"]))
