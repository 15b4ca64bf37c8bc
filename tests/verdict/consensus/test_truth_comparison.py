"""What other estimators, a little truth and a whole one say beside the vote, and systems that err together."""

import numpy as np
import pytest
from scipy.stats import kendalltau

import karat
from karat.demo.pipelines import pipelines
from karat.doubt.consensus.prediction_powered import powered_accuracy
from karat.errors import OptionError
from karat.measure.consensus.dawid_skene import dawid_skene
from karat.measure.consensus.majority import majority
from karat.measure.consensus.spectral import spectral

# Other estimators


@pytest.mark.parametrize("labels", ["01", "xyz"])
def test_the_other_estimators_are_the_pure_functions(labels, standing, drawn, without_truth):
    table = without_truth(
        drawn(9, items=200, labels=labels, missing=0.1, a=0.9, b=0.8, c=0.7, d=0.6)
    )
    kinds = [0, 1] if labels == "01" else list(labels)
    codes = np.array(
        [[-1 if one is None else kinds.index(one) for one in column] for column in table.values()]
    ).T
    fit, most = dawid_skene(codes), majority(codes).labels
    share = [(codes[codes[:, k] >= 0, k] == most[codes[:, k] >= 0]).mean() for k in range(4)]
    for estimator, right in (("dawid-skene", fit.accuracy), ("majority", share)):
        found = standing(table, estimator=estimator)
        assert set(found) == set(table)
        assert [found[name]["accuracy"] for name in table] == pytest.approx(list(right), abs=1e-6)
    if labels == "01":
        found = standing(table, estimator="dawid-skene")
        assert [found[name]["precision"] for name in table] == pytest.approx(
            fit.precision[:, 1].tolist(), abs=1e-6
        )
        assert [found[name]["recall"] for name in table] == pytest.approx(
            fit.recall[:, 1].tolist(), abs=1e-6
        )
        right, found = spectral(codes), standing(table, estimator="spectral")
        assert [found[name]["accuracy"] for name in table] == pytest.approx(right.accuracy.tolist())
        assert [found[name]["recall"] for name in table] == pytest.approx(
            right.sensitivity.tolist()
        )


def test_spectral_is_for_yes_and_no_and_for_three(standing, drawn, without_truth):
    with pytest.raises(OptionError, match="yes/no"):
        standing(without_truth(drawn(1, labels="xyz", a=0.9, b=0.8, c=0.7)), estimator="spectral")
    with pytest.raises(OptionError, match="three systems"):
        standing({"a": [1, 0], "b": [0, 1]}, estimator="spectral")


def test_a_truth_on_some_items_guides_dawid_and_skene(standing, drawn):
    table = drawn(9, items=200, a=0.9, b=0.8, c=0.7)
    told = [label if k % 4 == 0 else None for k, label in enumerate(table["truth"])]
    codes = np.array([table[name] for name in "abc"]).T
    right = dawid_skene(codes, truth=[-1 if label is None else label for label in told]).accuracy
    found = standing({**table, "truth": told}, estimator="dawid-skene", oracles={"(truth)": 1})
    assert [found[name]["accuracy"] for name in "abc"] == pytest.approx(right.tolist(), abs=1e-6)
    assert found["(truth)"]["accuracy"] == 1


# A little truth


def test_a_truth_on_some_items_powers_the_many_without(drawn):
    table = drawn(12, items=300, a=0.9, b=0.8, c=0.6)
    told = [label if k < 60 else None for k, label in enumerate(table["truth"])]
    beside = karat.read({**table, "truth": told}).consensus(draws=0, estimator="vote").beside()
    for row in beside["powered"]:
        checked, judged = np.zeros((2, 2, 2)), np.zeros((2, 2))
        for k in range(300):
            most = int(sum(table[name][k] for name in "abc") >= 2)
            if told[k] is None:
                judged[table[row["system"]][k], most] += 1
            else:
                checked[table[row["system"]][k], most, told[k]] += 1
        right = powered_accuracy(checked, judged)
        assert (row["checked"], row["judged"]) == (60, 240)
        assert [row["value"], row["low"], row["high"]] == pytest.approx(
            [right.value, right.low, right.high]
        )
        assert row["checked_only"] == pytest.approx(right.classical)


def test_where_all_or_none_have_a_truth_nothing_is_powered(drawn, without_truth):
    table = drawn(12, a=0.9, b=0.8)
    for rows in (table, without_truth(table)):
        assert "powered" not in karat.read(rows).consensus(draws=0, estimator="vote").beside()


def test_an_oracle_on_some_items_is_score_on_those(by_name, drawn):
    table = drawn(13, a=0.9, b=0.8, c=0.6)
    told = [label if k % 3 == 0 else None for k, label in enumerate(table["truth"])]
    bench = karat.read({**table, "truth": told})
    result = bench.consensus(draws=0, oracles={"(truth)": 1})
    found = by_name(result)
    for row in bench.score(measure=("precision", "recall", "f1")).rows():
        assert found[row["system"]][row["measure"]] == pytest.approx(row["value"])
    assert result.left_out == told.count(None)


# The truth beside it


@pytest.mark.parametrize("labels", ["01", "xyz"])
@pytest.mark.parametrize("seed", range(3))
def test_the_rank_correlation_is_that_of_scipy(labels, seed, by_name, drawn):
    table = drawn(seed, labels=labels, a=0.9, b=0.8, c=0.8, d=0.6, e=0.6, f=0.4)
    bench = karat.read(table)
    result = bench.consensus(draws=0, estimator="vote")
    found, measure = by_name(result), "f1" if labels == "01" else "accuracy"
    truth = {row["system"]: row["value"] for row in bench.score(measure=measure).rows()}
    assert {name: found[name]["truth_value"] for name in truth} == pytest.approx(truth)
    tau = kendalltau([found[name]["f1"] for name in truth], list(truth.values())).statistic
    assert result.beside()["truth"]["tau"] == pytest.approx(tau)


def test_thirds_and_pairs_that_only_the_truth_tells_apart(drawn, without_truth):
    # b and c say the same of different items, so the vote cannot tell them apart; the truth is b's.
    table = {
        "truth": [1, 1, 0, 0],
        "a": [1, 1, 0, 0],
        "b": [1, 1, 0, 1],
        "c": [1, 1, 1, 0],
        "d": [0, 0, 1, 1],
    }
    table = {"truth": [1, 1, 0, 1], **without_truth(table)}
    beside = karat.read(table).consensus(draws=0, estimator="vote").beside()["truth"]
    assert beside["tied_apart"] == [["b", "c"]]
    assert set(beside["tiers"]) == {"top", "middle", "bottom"}
    same_order = karat.read(
        drawn(1, items=4000, a=0.95, b=0.85, c=0.75, d=0.7, e=0.65, f=0.6)
    ).consensus(draws=0, estimator="vote")
    assert same_order.beside()["truth"]["tiers"] == {"top": 1, "middle": 1, "bottom": 1}


@pytest.mark.parametrize("labels", ["01", "xyz"])
@pytest.mark.parametrize(
    "systems",
    [2, 3, 4],
)
def test_the_majority_is_never_outside_its_limits(labels, systems, drawn):
    skills = dict(zip("abcd"[:systems], (0.7, 0.6, 0.5, 0.6), strict=False))
    for seed in range(4):
        found = (
            karat.read(drawn(seed, labels=labels, **skills))
            .consensus(draws=0, estimator="vote")
            .beside()["truth"]["majority"]
        )
        assert found["low"] - 1e-9 <= found["accuracy"] <= found["high"] + 1e-9


def test_the_truth_of_confidences_is_that_of_the_answers_they_stand_for(by_name):
    # A score of 0.9 is no wrong label: what the truth says of it is what it says of yes.
    table = {"truth": [1, 0, 1, 0], "a": [0.9, 0.1, 0.8, 0.3], "b": [0.2, 0.7, 0.9, 0.1]}
    found = karat.read(table).consensus(draws=0, estimator="vote")
    judged = karat.read(table).score(threshold=0.5, measure="f1").rows()
    truth = found.beside().get("truth")
    rows = by_name(found)
    assert truth is None or {row["system"]: row["value"] for row in judged} == pytest.approx(
        {name: rows[name]["truth_value"] for name in "ab"}
    )


def test_a_truth_beside_the_answers_does_not_move_the_vote(standing):
    table = {"a": list("xyx"), "b": list("xyy")}
    one, other = standing(table), standing({**table, "truth": list("qxy")})
    assert [other[name]["recall"] for name in "ab"] == pytest.approx(
        [one[name]["recall"] for name in "ab"]
    )


# Systems that err together


def spread(patterns):
    """The items behind patterns, as a table."""
    return {
        name: [("no", "yes")[one] for one in np.repeat(column, patterns.number)]
        for name, column in (
            ("truth", patterns.truth),
            *zip(patterns.systems, patterns.answers.T, strict=True),
        )
    }


@pytest.fixture(scope="module")
def paths():
    return karat.read(spread(pipelines(seed=1).patterns))


def inverted(found):
    """In how many of the 12 combinations of the other stages the bad OCR comes first."""
    pairs = [(name, name.replace("good", "bad")) for name in found if name.endswith("good")]
    return sum(found[bad]["rank"] < found[good]["rank"] for good, bad in pairs)


def test_shared_errors_are_seen_and_turn_the_vote_round(paths, by_name):
    result = paths.consensus(draws=0, estimator="vote")
    found = by_name(result)
    assert inverted(found) == 12
    assert any("warning: correlated errors in 2 clusters" in note for note in result.notes())
    families = result.beside()["families"]
    ends = {frozenset(name.rpartition("-")[2] for name in family) for family in families}
    assert ends == {frozenset({"good"}), frozenset({"bad"})}
    assert [row["systems"] for row in result.beside()["family_evidence"]] == families
    assert {row["by"] for row in result.beside()["family_evidence"]} == {"errors"}
    assert result.beside()["truth"]["tau"] < 0.2


def test_one_vote_for_the_bad_ocr_turns_it_back(paths, by_name):
    bad = tuple(name for name in paths.facts.systems if name.endswith("bad"))
    result = paths.consensus(draws=0, estimator="vote", families={"bad": bad})
    assert inverted(by_name(result)) == 0
    assert result.beside()["truth"]["tau"] > 0.85


def test_two_named_blocs_of_one_vote_each_change_nothing(paths, by_name):
    ends = {
        end: tuple(name for name in paths.facts.systems if name.endswith(end))
        for end in ("good", "bad")
    }
    assert inverted(by_name(paths.consensus(draws=0, estimator="vote", families=ends))) == 12
    assert inverted(by_name(paths.consensus(draws=0, families=ends, leave_out="family"))) == 12


def test_dawid_and_skene_see_through_the_pipelines(paths, by_name):
    assert inverted(by_name(paths.consensus(draws=0, estimator="dawid-skene"))) == 0


@pytest.mark.parametrize("labels", ["01", "xyz"])
@pytest.mark.parametrize("seed", range(3))
def test_independent_systems_are_not_suspected(labels, seed, drawn):
    result = karat.read(
        drawn(seed, items=1000, labels=labels, a=0.9, b=0.85, c=0.8, d=0.75, e=0.7)
    ).consensus(draws=0, estimator="vote")
    assert not result.warnings()
    assert result.beside()["families"] == []


def test_systems_that_agree_by_chance_are_warned_of():
    rng = np.random.default_rng(0)
    result = karat.read({name: rng.integers(0, 2, 300).tolist() for name in "abc"}).consensus(
        draws=0
    )
    assert any("hardly more than by chance" in warning for warning in result.warnings())


def test_tied_systems_are_in_one_third_whatever_their_order():
    a, b, c = (
        [1, 0, 1, 0],
        [0, 1, 1, 0],
        [1, 1, 1, 0],
    )  # a and b are tied behind c; by the truth a is first, b last
    for table in ({"a": a, "b": b, "c": c}, {"b": b, "a": a, "c": c}):
        found = karat.read({"truth": [1, 0, 1, 0], **table}).consensus(draws=0, estimator="vote")
        assert found.ranks == {"c": 1, "a": 2, "b": 2}
        assert found.beside()["truth"]["tiers"] == {"top": 0.0, "middle": 0.0}


def test_a_resample_in_which_too_few_vary_together_ends_nothing(standing):
    table = {"a": [1, 1, 0, 0, 1, 0], "b": [1, 1, 0, 0, 0, 1], "c": [1, 0, 0, 0, 1, 0]}
    for row in standing(table, estimator="spectral", draws=100).values():
        assert 0 <= row["spread_low"] <= row["spread_high"] <= 1
        assert "of them undefined for some system" in row["method"]


# Sparse tables


def sparse_crowd(seed=0, items=120, workers=12, share=0.2):
    """A long table of workers who each saw some of the items, and its truth."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    rows = {"item": [], "annotator": [], "label": [], "truth": []}
    for worker in range(workers):
        skill = 0.5 + 0.4 * worker / workers
        for item in np.flatnonzero(rng.random(items) < share):
            right = rng.random() < skill
            answer = truth[item] if right else (truth[item] + rng.integers(1, 3)) % 3
            rows["item"].append(f"i{item:03}")
            rows["annotator"].append(f"w{worker:02}")
            rows["label"].append("xyz"[answer])
            rows["truth"].append("xyz"[truth[item]])
    return rows


@pytest.mark.parametrize("reading", [{}, {"missing": "skip"}])
def test_by_the_truth_each_is_judged_by_what_it_answered(reading, by_name):
    rows = sparse_crowd()
    result = karat.read(rows, **reading).consensus(draws=0, estimator="vote")
    found = by_name(result)
    judged = karat.read(rows, missing="skip").score(measure="accuracy").rows()
    for row in judged:
        ours = found[row["system"]]
        assert ours["truth_value"] == pytest.approx(row["value"])
        assert (ours["truth_low"], ours["truth_high"]) == pytest.approx((row["low"], row["high"]))
        assert ours["truth_items"] == ours["answers"] == row["trials"]
    about = result.beside()["truth"]
    assert about["majority"]["low"] is None  # limits are of systems that answer every item
    assert about["tau_low"] < about["tau"] < about["tau_high"]


def test_yes_and_no_by_the_truth_are_of_what_was_answered(drawn, by_name):
    table = drawn(3, missing=0.4, items=200, a=0.9, b=0.7, c=0.6)
    found = by_name(karat.read(table).consensus(draws=0, estimator="vote"))
    for name in "abc":
        pairs = [(t, a) for t, a in zip(table["truth"], table[name], strict=True) if a is not None]
        hits = sum(t == a == 1 for t, a in pairs)
        assert found[name]["truth_precision"] == pytest.approx(hits / sum(a for _, a in pairs))
        assert found[name]["truth_recall"] == pytest.approx(hits / sum(t for t, _ in pairs))


def test_missing_answers_are_not_counted_as_a_label():
    with pytest.raises(OptionError, match="skip"):
        karat.read(sparse_crowd(), missing="as:x").consensus(draws=0, estimator="vote")


def test_who_gave_few_answers_is_named_as_such():
    result = karat.read(sparse_crowd(workers=6, share=0.05)).consensus(draws=0, estimator="vote")
    few = [row["system"] for row in result.rows() if (row["answers"] or 10) < 10]
    assert few
    assert any(note.startswith(f"{len(few)} of 6 systems gave fewer") for note in result.notes())
    shown = next(iter(result.parts().values()))
    assert [line["system"] for line in shown if "few" in str(line["answers"])] == few


def test_score_of_a_sparse_table_says_what_to_do():
    rows = sparse_crowd()
    notes = karat.read(rows).score().notes()
    assert any(note.startswith("warning: 78 %") and "--missing skip" in note for note in notes)
    skipped = karat.read(rows, missing="skip").score().notes()
    assert not any("--missing" in note for note in skipped)


def test_a_ranking_without_truth_comes_with_how_right_such_rankings_were():
    answers = {
        "a": ["x", "y", "x", "x", "y", "y"],
        "b": ["x", "y", "x", "y", "y", "y"],
        "c": ["x", "y", "y", "x", "y", "x"],
    }
    said = "0.07 to 0.87"
    without = karat.read(answers).consensus(draws=0)
    assert any(said in note for note in without.notes())
    other = karat.read(answers).consensus(estimator="majority", draws=0)
    assert not any(said in note for note in other.notes())
    with_truth = karat.read({"truth": answers["a"], **answers}, truth="truth").consensus(draws=0)
    assert not any(said in note for note in with_truth.notes())
