"""Outputs graded by a judge and some by people, grades missing anywhere: counts against loops over every output."""

import numpy as np
import pytest

from karat.doubt.consensus.stratified_difference import Strata, pooled
from karat.verdict.judged.graded import GradedOutputs

SEEDS = range(4)
PAIRS = [(0, 1), (2, 0), (1, 2)]


def graded(seed, items=60):
    """Grades of three systems: 1 right, 0 wrong, -1 not graded; rows that stand for several items."""
    random = np.random.default_rng(seed)
    judge = random.choice([1, 0, -1], (items, 3), p=[0.55, 0.3, 0.15])
    people = random.choice([1, 0, -1], (items, 3), p=[0.35, 0.25, 0.4])
    number = random.integers(1, 5, items).astype(float)
    return GradedOutputs(("a", "b", "c"), judge, people, number)


def total(found, chosen):
    """The items of the rows that are chosen, by the grades of judge and people and the number of the row."""
    rows = zip(found.judge.tolist(), found.people.tolist(), found.number.tolist(), strict=True)
    return sum(number for judge, people, number in rows if chosen(judge, people))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("place", range(3))
def test_a_systems_counts_are_by_the_judges_grade(seed, place):
    found = graded(seed)
    share = found.share(place)
    for stratum, grade in enumerate((1, 0)):
        assert share.items[stratum] == total(found, lambda j, _, g=grade: j[place] == g)
        assert share.checked[stratum] == total(
            found, lambda j, p, g=grade: j[place] == g and p[place] in {0, 1}
        )
        assert share.right[stratum] == total(
            found, lambda j, p, g=grade: j[place] == g and p[place] == 1
        )
    assert share.total == total(found, lambda j, _: j[place] in {0, 1})
    assert share.by_judge == total(found, lambda j, _: j[place] == 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_pairs_counts_are_by_both_grades_of_the_judge(seed):
    found = graded(seed)
    counts = np.zeros((4, len(PAIRS), 4))
    for pair, (one, other) in enumerate(PAIRS):
        for stratum, grades in enumerate(((1, 1), (1, 0), (0, 1), (0, 0))):
            by_people = [{(1, 0)}, {(0, 1)}, {(1, 1), (1, 0), (0, 1), (0, 0)}]
            for kind, wanted in enumerate(by_people):
                counts[kind, pair, stratum] = total(
                    found,
                    lambda j, p, g=grades, w=wanted, a=one, b=other: (
                        (j[a], j[b]) == g and (p[a], p[b]) in w
                    ),
                )
            counts[3, pair, stratum] = total(
                found, lambda j, _, g=grades, a=one, b=other: (j[a], j[b]) == g
            )
    wanted = pooled(Strata(*counts, counts[3].sum(axis=-1)))
    strata = found.strata(PAIRS)
    for name in Strata.__slots__:
        np.testing.assert_array_equal(getattr(strata, name), getattr(wanted, name))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_known_and_what_is_still_to_grade(seed):
    found = graded(seed)
    rows = list(zip(found.judge.tolist(), found.people.tolist(), strict=True))
    both = [[j >= 0 and p >= 0 for j, p in zip(*row, strict=True)] for row in rows]
    assert found.known.tolist() == [any(row) for row in both]
    assert found.checked_items == sum(
        number for row, number in zip(both, found.number, strict=True) if any(row)
    )
    for one, other in PAIRS:
        open_rows = [
            judge[one] >= 0 and judge[other] >= 0 and (people[one] < 0 or people[other] < 0)
            for judge, people in rows
        ]
        assert found.differing(one, other).tolist() == open_rows


@pytest.mark.parametrize("seed", SEEDS)
def test_how_often_the_judge_grades_as_people_do_and_errs(seed):
    found = graded(seed)
    same = outputs = both = 0
    errors = np.zeros((3, 4))
    for judge, people, number in zip(found.judge, found.people, found.number, strict=True):
        for place, (by_judge, by_people) in enumerate(zip(judge, people, strict=True)):
            outputs += number * (by_judge >= 0)
            if by_judge < 0 or by_people < 0:
                continue
            both += number
            same += number * (by_judge == by_people)
            kind = 2 * by_people
            errors[place, kind] += number
            errors[place, kind + 1] += number * (by_judge != by_people)
    assert found.record() == (same, both)
    assert found.sampled == both
    assert found.outputs == outputs
    np.testing.assert_array_equal(found.errors(), errors)
    for place in range(3):
        others = [errors[other] for other in range(3) if other != place]
        np.testing.assert_array_equal(found.errors_elsewhere(place), np.sum(others, axis=0))


@pytest.mark.parametrize("seed", SEEDS)
def test_passes_among_what_people_graded_and_others(seed):
    found = graded(seed)
    for place, feature in enumerate(found.features()):
        wanted = [
            total(found, lambda j, p, k=place, t=passes, s=seen: j[k] in t and (p[k] >= 0) == s)
            for seen in (True, False)
            for passes in ({1}, {0, 1})
        ]
        assert feature.name == f"the judge passes {found.systems[place]!r}"
        assert [
            feature.labelled_with,
            feature.labelled,
            feature.others_with,
            feature.others,
        ] == wanted
