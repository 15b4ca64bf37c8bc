"""The page's numbers at a state of its sliders: counts by plain loops, and what the commands say of such a table."""

from itertools import pairwise

import numpy as np
import pytest

import karat
from karat.tally import TALLIES
from karat.verdict.whatif import KINDS, State, sliders, tallies, whatif

SYSTEMS = ("a", "b", "c", "d")


def table_of(items, seed):
    """Four systems on three labels, some truths and answers missing, two systems alike on most items."""
    random = np.random.default_rng(seed)
    truth = random.choice(list("xyz"), items).tolist()
    table = {"truth": [None if random.random() < 0.1 else label for label in truth]}
    for system, right in zip(SYSTEMS, (0.5, 0.9, 0.3, 0.75), strict=True):
        guess = random.choice(list("xyz"), items).tolist()
        answers = np.where(random.random(items) < right, truth, guess).tolist()
        table[system] = [None if random.random() < 0.15 else answer for answer in answers]
    return table


def counted(table):
    return tallies(karat.read(table).counter.count(TALLIES["patterns"]))


def kind_of(truth, better, worse):
    """The kind of an item of two systems, by words: who is right, and who says nothing."""
    if worse == truth != better:
        return "only_worse_silent" if better is None else "only_worse"
    if better == truth != worse:
        return "only_better_silent" if worse is None else "only_better"
    if better == worse:
        return None
    if better is None:
        return "neither_worse_answers"
    return "neither_better_answers" if worse is None else "neither_differ"


@pytest.mark.parametrize("seed", range(4))
def test_the_counts_under_a_ranking_are_those_of_plain_loops(seed):
    table = table_of(70, seed)
    found = counted(table)
    items = [place for place in range(70) if table["truth"][place] is not None]
    truth = [table["truth"][place] for place in items]
    answers = {system: [table[system][place] for place in items] for system in SYSTEMS}
    right = {
        system: [answer == label for answer, label in zip(answers[system], truth, strict=True)]
        for system in SYSTEMS
    }
    assert found.items == len(items)
    assert list(found.hits) == sorted((sum(hits) for hits in right.values()), reverse=True)
    assert [sum(right[system]) for system in found.systems] == list(found.hits)
    for row, first in enumerate(found.systems):
        for column, second in enumerate(found.systems):
            pairs = zip(right[first], right[second], strict=True)
            assert found.only[row, column] == sum(one and not other for one, other in pairs)
    for (better, worse), kinds in zip(pairwise(found.systems), found.kinds, strict=True):
        told = [kind_of(*row) for row in zip(truth, answers[better], answers[worse], strict=True)]
        assert kinds == {name: told.count(name) for name in KINDS}


@pytest.fixture(scope="module", params=[(1, 0.95, 1), (1, 0.95, 3), (2, 0.8, 1), (2, 0.8, 3)])
def beside(request):
    """The numbers for so many times the items, and the table that is so many times as long."""
    seed, level, times = request.param
    table = table_of(70, seed)
    known = [place for place in range(70) if table["truth"][place]]
    table = {name: [column[place] for place in known] for name, column in table.items()}
    found = counted(table)
    numbers = whatif(found, State(level=level, error=0.05, items=times * found.items))
    return (
        numbers,
        found,
        karat.read({name: column * times for name, column in table.items()}),
        level,
    )


def test_systems_are_those_of_score_on_a_table_so_many_times_as_long(beside):
    numbers, _, bench, level = beside
    rows = bench.score(measure="accuracy", level=level).rows()
    for system, row in zip(numbers["systems"], rows, strict=True):
        assert (system["hits"], system["trials"]) == (row["successes"], row["trials"])
        for name in ("value", "low", "high"):
            assert system[name] == pytest.approx(row[name], abs=1e-12)


def test_neighbours_are_those_of_compare(beside):
    numbers, found, bench, level = beside
    rows = bench.compare(measure="accuracy", level=level).rows()
    compared = {(row["first"], row["second"]): row for row in rows}
    for pair, names in zip(numbers["pairs"], pairwise(found.systems), strict=True):
        row = compared[names]
        for name in ("only_first", "only_second", "verdict"):
            assert pair[name] == row[name]
        assert pair["more"] == row["more_items"]
        if (
            row["items"] == found.items
        ):  # likely numbers go by what was counted, so many times or not
            assert pair["likely"] == row["more_items_80"]
        for name, of_row in (("p", "p_value"), ("adjusted", "p_adjusted")):
            assert pair[name] == pytest.approx(row[of_row])
        for name in ("difference", "low", "high"):
            assert pair[name] == pytest.approx(row[name], abs=1e-9)


def test_what_is_settled_is_what_compare_settles(beside):
    numbers, found, bench, level = beside
    rows = bench.compare(measure="accuracy", level=level).rows()
    better = {(row["first"], row["second"]) for row in rows if row["verdict"] == "better"}
    settled = {"neighbours": len(better & set(pairwise(found.systems))), "all": len(better)}
    assert numbers["settled"] == settled | {"pairs": 6}
    assert numbers["different"] == sum(first == found.systems[0] for first, _ in better)
    assert [len(row) for row in numbers["adjusted"]] == [3, 2, 1]


def test_robustness_is_that_of_stability(beside):
    numbers, found, bench, level = beside
    rows = bench.stability(measure="accuracy", label_error=0.05, level=level).rows()
    for pair, names, row in zip(numbers["pairs"], pairwise(found.systems), rows, strict=True):
        assert (row["better"], row["worse"]) == names
        for name in ("kept", "tie", "reversed"):
            assert pair[name] == pytest.approx(row[name], abs=1e-9)
        assert pair["tolerated"] == row["safe_errors"]
        assert pair["critical"] == pytest.approx(row["critical_label_error"], abs=1e-6)


def test_no_numbers_without_an_item_or_where_systems_answer_other_items():
    assert counted({"truth": ["x", None], "a": ["x", "x"], "b": ["y", "x"]}).items == 1
    assert counted({"truth": ["x", "y"], "a": ["x", None], "b": ["y", "x"]}).hits == (1, 0)


def test_the_levels_of_the_slider_hold_the_level_asked_for_once():
    found = counted(table_of(70, 1))
    levels = [one.level for one in sliders(found, State(level=0.97, items=found.items)).levels]
    assert levels == sorted({*levels, 0.95, 0.97})
    normal = {0.95: 1.959963984540054, 0.97: 2.1700903775845606}
    for one in sliders(found, State(level=0.97, items=found.items)).levels:
        if one.level in normal:
            assert one.z == pytest.approx(normal[one.level])
            assert one.error == pytest.approx(1 - one.level)
