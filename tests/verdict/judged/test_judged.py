"""A judge of items without truth: counts by strata against loops over items, and verdicts against the formulas."""

from itertools import combinations

import numpy as np
import pytest

import karat
from karat.doubt.consensus.stratified_difference import Strata, pooled, stratified_difference
from karat.doubt.consensus.stratified_share import stratified_share
from karat.errors import KaratError


def crowd(seed, *, items=400, labelled=60, missing=0.0, labels="xyz", **accuracy):
    """Answers of systems to items of which some have a truth."""
    random = np.random.default_rng(seed)
    truth = random.choice(list(labels), items)
    columns = {"item": [f"i{k:04d}" for k in range(items)]}
    known = set(random.choice(items, labelled, replace=False).tolist())
    columns["truth"] = [str(label) if k in known else None for k, label in enumerate(truth)]
    for name, share in accuracy.items():
        other = random.choice(list(labels), items)
        answers = np.where(random.random(items) < share, truth, other)
        gone = random.random(items) < missing
        columns[name] = [None if no else str(one) for one, no in zip(answers, gone, strict=True)]
    return columns


def most_frequent(answers):
    """The majority; of several labels with as many votes the first one."""
    known = [answer for answer in answers if answer is not None]
    if not known:
        return None
    return min(set(known), key=lambda label: (-known.count(label), label))


def slow_pair(columns, first, second, judge, *, skip):
    """The strata of two systems, item by item: [judge with the first, the second, neither]."""
    counts = np.zeros((4, 3))
    total = 0
    for k in range(len(columns["item"])):
        one, other, label = columns[first][k], columns[second][k], judge[k]
        truth = columns["truth"][k]
        if skip and (one is None or other is None):
            continue
        total += 1
        if one == other:
            continue
        with_whom = [label is not None and label == answer for answer in (one, other)]
        place = [*with_whom, True].index(True)
        counts[3, place] += 1
        if truth is not None:
            counts[2, place] += 1
            counts[0, place] += one == truth
            counts[1, place] += other == truth
    return pooled(Strata(*counts[:, None], np.array([float(total)])))


SYSTEMS = {"a": 0.9, "b": 0.8, "c": 0.75, "d": 0.5}


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("rule", ["wrong", "skip"])
@pytest.mark.parametrize("judge", ["majority", "d"])
def test_every_pair_is_by_its_own_strata(judge, rule, missing):
    columns = crowd(1, missing=missing, **SYSTEMS)
    votes = [[columns[name][k] for name in SYSTEMS] for k in range(400)]
    labels = [most_frequent(row) for row in votes] if judge == "majority" else columns["d"]
    found = karat.read(columns, judge=judge, missing=rule).compare()
    rows = {(row["first"], row["second"]): row for row in found.rows()}
    names = [name for name in SYSTEMS if name != judge]
    assert len(rows) == len(names) * (len(names) - 1) // 2
    for pair in combinations(names, 2):
        first, second = pair if pair in rows else pair[::-1]
        row = rows[first, second]
        strata = slow_pair(columns, first, second, labels, skip=rule == "skip")
        right = stratified_difference(strata)
        assert row["difference"] == pytest.approx(float(right.difference[0]))
        assert (row["low"], row["high"]) == pytest.approx((right.low[0], right.high[0]))
        assert row["p_value"] == pytest.approx(float(right.p_value[0]), abs=1e-12)
        assert row["differ"] == strata.items.sum()
        assert row["labelled"] == strata.checked.sum()
        assert row["items"] == strata.total[0]


@pytest.mark.parametrize("rule", ["wrong", "skip"])
def test_every_accuracy_is_by_agreement_with_the_judge(rule):
    columns = crowd(2, missing=0.1, **SYSTEMS)
    labels = [most_frequent([columns[name][k] for name in SYSTEMS]) for k in range(400)]
    for row in karat.read(columns, judge="majority", missing=rule).score().rows():
        counts = np.zeros((3, 2))
        answered = 0
        for answer, label, truth in zip(
            columns[row["system"]], labels, columns["truth"], strict=True
        ):
            if answer is None:
                continue
            answered += 1
            place = 0 if answer == label else 1
            counts[2, place] += 1
            if truth is not None:
                counts[1, place] += 1
                counts[0, place] += answer == truth
        total = np.array(answered if rule == "skip" else 400)
        value, interval = stratified_share(*counts, total)
        assert row["value"] == pytest.approx(float(value))
        assert (row["low"], row["high"]) == pytest.approx(
            (float(interval.low), float(interval.high))
        )
        assert (row["successes"], row["trials"]) == (counts[0].sum(), counts[1].sum())


def test_the_adjusted_p_value_decides_and_the_verdict_follows_the_interval():
    columns = crowd(3, items=3000, labelled=300, a=0.95, b=0.7)
    row = karat.read(columns, judge="majority").compare().rows()[0]
    assert (row["first"], row["verdict"]) == ("a", "better")
    assert row["low"] > 0
    assert row["p_adjusted"] == row["p_value"] < 0.05
    assert row["more_labels"] is None


def test_more_labels_are_named_and_are_items_on_which_the_two_differ():
    columns = crowd(4, labelled=40, a=0.8, b=0.75, c=0.7)
    found = karat.read(columns, judge="majority").compare(seed=3)
    beside = found.beside()
    place = {name: k for k, name in enumerate(columns["item"])}
    assert beside["next"]
    for one in beside["next"]:
        first, second = columns[one["first"]], columns[one["second"]]
        candidates = [
            name
            for name, k in place.items()
            if columns["truth"][k] is None and first[k] != second[k]
        ]
        assert one["of"] == len(candidates)
        assert set(one["items"]) <= set(candidates)
        assert len(set(one["items"])) == min(20, len(candidates))
    order = np.random.default_rng(0).permutation(400)
    shuffled = {name: [column[k] for k in order] for name, column in columns.items()}
    again = karat.read(shuffled, judge="majority").compare(seed=3)
    assert again.to_json() == found.to_json()


def test_a_sample_that_is_none_is_seen():
    columns = crowd(5, items=1000, labelled=100, a=0.9, b=0.8, c=0.7)
    fine = karat.read(columns, judge="majority").score()
    assert fine.beside()["sample"]["looks_random"]
    assert not any(note.startswith("warning: the 100 items") for note in fine.notes())
    truths = [columns["truth"][k] or columns["a"][k] for k in range(1000)]
    only_x = [k for k in range(1000) if columns["a"][k] == "x"][:100]
    columns["truth"] = [truths[k] if k in only_x else None for k in range(1000)]
    found = karat.read(columns, judge="majority").score()
    sample = found.beside()["sample"]
    assert not sample["looks_random"]
    assert sample["checked_of"] == 100
    assert any(note.startswith("warning: the 100 items with truth") for note in found.notes())


def test_with_a_margin_no_worse_is_said_as_elsewhere():
    columns = crowd(6, items=4000, labelled=800, a=0.9, b=0.9, c=0.6)
    rows = karat.read(columns, judge="majority").compare(margin=0.1, baseline="b").rows()
    row = next(row for row in rows if row["first"] == "a")
    assert row["verdict"] in {"no worse", "better"}
    assert row["p_no_worse"] < 0.05


def outputs(seed, *, items=600, graded=120, unpaired=False, kinder=None):
    """Outputs of two systems, graded by a judge, and some of them by people."""
    random = np.random.default_rng(seed)
    rows = {"item": [], "system": [], "judge": [], "human": []}
    chosen = {
        name: set(random.choice(items, graded, replace=False).tolist()) for name in ("p", "q", "r")
    }
    for k in range(items):
        for name, share in (("p", 0.7), ("q", 0.6), ("r", 0.5)):
            right = random.random() < share
            passes = 0.5 if name == kinder else 0.15
            verdict = random.random() < (0.92 if right else passes)
            people = k in chosen[name if unpaired else "p"]
            rows["item"].append(f"i{k:03d}")
            rows["system"].append(name)
            rows["judge"].append(int(verdict))
            rows["human"].append(int(right) if people else None)
    return rows


def slow_outputs(rows):
    """By item and system: the judge's grade and people's."""
    return {
        (item, system): (judge, human)
        for item, system, judge, human in zip(*rows.values(), strict=True)
    }


def test_graded_outputs_are_by_strata_of_the_judges_grades():
    rows = outputs(1)
    grades = slow_outputs(rows)
    bench = karat.read(rows, judge="judge", truth="human")
    for row in bench.score().rows():
        counts = np.zeros((3, 2))
        for (_, system), (judge, human) in grades.items():
            if system == row["system"]:
                counts[2, 1 - judge] += 1
                counts[1, 1 - judge] += human is not None
                counts[0, 1 - judge] += human == 1
        value, interval = stratified_share(*counts)
        assert row["value"] == pytest.approx(float(value))
        assert (row["low"], row["high"]) == pytest.approx(
            (float(interval.low), float(interval.high))
        )
        assert row["by_judge"] == pytest.approx(counts[2, 0] / 600)
    items = sorted({item for item, _ in grades})
    for row in bench.compare().rows():
        counts = np.zeros((4, 4))
        for item in items:
            (one, people_one) = grades[item, row["first"]]
            (other, people_other) = grades[item, row["second"]]
            place = 2 * (1 - one) + (1 - other)
            counts[3, place] += 1
            if people_one is not None and people_other is not None:
                counts[2, place] += 1
                counts[0, place] += people_one > people_other
                counts[1, place] += people_one < people_other
        strata = pooled(Strata(*counts[:, None], np.array([600.0])))
        right = stratified_difference(strata)
        assert row["difference"] == pytest.approx(float(right.difference[0]))
        assert (row["low"], row["high"]) == pytest.approx((right.low[0], right.high[0]))
        assert (row["labelled"], row["differ"]) == (120, None)


def test_a_judge_that_is_kinder_to_one_system_is_seen():
    found = karat.read(outputs(2, items=900, graded=300, kinder="r"), judge="judge", truth="human")
    notes = found.score().notes()
    assert any("kinder" in note and "'r'" in note for note in notes)
    errors = {row["system"]: row for row in found.score().beside()["judge"]["errors"]}
    assert errors["r"]["p_passed"] < 0.05 < errors["q"]["p_failed"]
    fair = karat.read(outputs(3), judge="judge", truth="human").score()
    assert not any("kinder" in note for note in fair.notes())


def test_a_system_that_people_never_graded_borrows_the_judges_errors():
    rows = outputs(4)
    rows["human"] = [
        None if system == "r" else human
        for system, human in zip(rows["system"], rows["human"], strict=True)
    ]
    bench = karat.read(rows, judge="judge", truth="human")
    found = bench.score()
    row = next(row for row in found.rows() if row["system"] == "r")
    assert row["method"].startswith("Rogan-Gladen")
    assert row["low"] < 0.5 < row["high"]
    assert any("'r'" in note and note.startswith("warning") for note in found.notes())
    pair = next(row for row in bench.compare().rows() if row["second"] == "r")
    assert (pair["difference"], pair["verdict"]) == (None, "undecided")


def test_grades_in_words_and_as_fractions_are_the_same():
    rows = outputs(5)
    words = {**rows, "judge": ["yes" if one else "no" for one in rows["judge"]]}
    words["human"] = [None if one is None else float(one) for one in rows["human"]]
    one = karat.read(rows, judge="judge", truth="human").compare()
    other = karat.read(words, judge="judge", truth="human").compare()
    assert one.rows() == other.rows()


def test_a_judge_that_is_none_is_refused():
    with pytest.raises(KaratError, match="did you mean 'majority'"):
        karat.read(crowd(7, **SYSTEMS), judge="majorty").compare()


def test_a_label_may_stand_for_missing_answers():
    columns = crowd(7, missing=0.1, **SYSTEMS)
    found = karat.read(columns, judge="majority", missing="as:z").compare()
    full = {name: [one or "z" for one in columns[name]] for name in SYSTEMS}
    same = karat.read({**columns, **full}, judge="majority").compare()
    assert found.rows() == same.rows()


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda bench: bench.compare(measure="macro-f1"), "corrected for accuracy"),
        (lambda bench: bench.compare(test="exact"), "test of its own"),
        (lambda bench: bench.score(per="class"), "leave per"),
        (lambda bench: bench.score(side="lower"), "leave per"),
        (lambda bench: bench.stability(label_error=0.1), "for score and compare"),
        (lambda bench: bench.consensus(), "for score and compare"),
        (lambda bench: bench.audit(claim="best"), "for score and compare"),
    ],
)
def test_what_a_judge_cannot_do_is_refused(ask, words):
    bench = karat.read(crowd(8, **SYSTEMS), judge="majority")
    with pytest.raises(KaratError, match=words):
        ask(bench)


def test_without_any_truth_nobody_knows_how_often_the_judge_errs():
    columns = crowd(9, **SYSTEMS)
    del columns["truth"]
    with pytest.raises(KaratError, match="nobody knows how often the judge is wrong"):
        karat.read(columns, judge="majority").score()


def test_grades_must_be_yes_or_no_and_people_must_have_given_some():
    rows = outputs(10)
    rows["judge"] = [k % 5 for k in range(len(rows["judge"]))]
    with pytest.raises(KaratError, match="1/0, true/false or yes/no"):
        karat.read(rows, judge="judge", truth="human")
    rows = outputs(11)
    del rows["human"]
    with pytest.raises(KaratError, match="corrected by those of people"):
        karat.read(rows, judge="judge")
