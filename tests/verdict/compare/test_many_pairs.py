"""Comparisons of very many pairs: quick, told once, and written piece by piece."""

import json
from itertools import combinations, permutations

import numpy as np
import pytest

import karat
from karat.result.plain import json_parts
from karat.verdict.compare.compare import MOST_PLANNED, PLANNED_NEXT
from karat.verdict.compare.groups import groups


@pytest.fixture(scope="module")
def many():
    """2,016 pairs of systems that differ little."""
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 60)
    answers = {f"s{k:02d}": np.where(random.random(60) < 0.3, 1 - truth, truth) for k in range(64)}
    return karat.read({"item": np.arange(60), "truth": truth, **answers}).compare(ranks=False)


def test_of_very_many_pairs_only_neighbours_are_planned(many):
    assert len(many) > MOST_PLANNED
    (order,) = [one.order for one in many.rankings]
    place = {name: number for number, name in enumerate(order)}
    planned = [one for one in many.comparisons if one.more_items is not None]
    assert planned
    assert all(place[one.second] == place[one.first] + 1 for one in planned)
    assert PLANNED_NEXT in many.notes()


def test_few_pairs_are_all_planned():
    data = {
        "truth": [1, 0, 1, 1] * 9,
        "a": [1, 0, 0, 1] * 9,
        "b": [1, 1, 1, 1] * 9,
        "c": [0, 0, 1, 1] * 9,
    }
    found = karat.read(data).compare()
    assert PLANNED_NEXT not in found.notes()


def test_the_pieces_are_the_whole(many):
    pieces = list(json_parts(many))
    assert len(pieces) == len(many) + 2
    whole = {**many.beside(), "rows": [dict(row) for row in many.rows()]}
    assert "".join(pieces) == json.dumps(whole, indent=1, ensure_ascii=False)


def test_a_result_without_rows_is_json_as_well():
    plan = karat.read({"truth": [1, 0], "a": [1, 0], "b": [1, 1]}).compare()
    empty = type(plan)((), (), plan.about, ())
    assert json.loads(empty.to_json())["rows"] == []


def test_groups_are_the_longest_stretches_without_a_difference():
    random = np.random.default_rng(5)
    for _ in range(200):
        number = int(random.integers(1, 12))
        different = random.random((number, number)) < 0.2
        order = [f"s{k}" for k in range(number)]
        assert groups(order, different) == slowly(order, different)


def is_free(different, start, end):
    pairs = permutations(range(start, end), 2)
    return not any(different[one, other] for one, other in pairs)


def slowly(order, different):
    """Every stretch without a difference that is in no longer one."""
    stretches = combinations(range(len(order) + 1), 2)
    free = [stretch for stretch in stretches if is_free(different, *stretch)]
    longest = []
    for start, end in free:
        if not any((a <= start and end <= b) and (a, b) != (start, end) for a, b in free):
            longest.append(tuple(order[start:end]))
    return tuple(longest)
