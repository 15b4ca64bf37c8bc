"""A table is scanned a fixed number of times, however many systems there are, and equal rows are counted once."""

import random
from unittest import mock

import pytest
from hypothesis import given, settings, strategies

import karat
from karat.table import distinct_rows
from karat.tally.scores.binned_curve import binned
from karat.tally.scores.bins import ROUNDS
from karat.tally.scores.curve import curves
from karat.tally.votes.confusion import confusions
from karat.tally.votes.covotes import covotes
from karat.tally.votes.pairs import pairs
from karat.tally.votes.patterns import patterns


def labels(systems, items=60, seed=1):
    """Answers of systems that are right four times in five."""
    draw = random.Random(seed)  # noqa: S311
    truth = [draw.choice("xyz") for _ in range(items)]
    columns = {"item": [f"i{number}" for number in range(items)], "truth": truth}
    for place in range(systems):
        columns[f"s{place}"] = [
            right if draw.random() < 0.8 else draw.choice("xyz") for right in truth
        ]
    return columns


def lists(systems, items=60, seed=1):
    """Ranked lists of three queries."""
    columns = scores(systems, items, seed)
    return columns | {"query": [f"q{number % 3}" for number in range(items)]}


def scores(systems, items=60, seed=1):
    """Scores of systems that tell yes from no, but not always."""
    draw = random.Random(seed)  # noqa: S311
    truth = [draw.randint(0, 1) for _ in range(items)]
    columns = {"item": [f"i{number}" for number in range(items)], "truth": truth}
    for place in range(systems):
        columns[f"s{place}"] = [right + draw.gauss(0, 1) for right in truth]
    return columns


def pages(systems, items=60, seed=1):
    """Scores of items that come from ten pages, with weights."""
    columns = scores(systems, items, seed)
    columns |= {"page": [f"p{number % 10}" for number in range(items)]}
    return columns | {"weight": [1 + number % 3 for number in range(items)]}


@pytest.fixture
def queries(monkeypatch):
    """Every statement that DuckDB is given."""
    from karat.engine.duckdb import DuckDB

    seen = []
    run = DuckDB._run

    def counted(self, sql):
        seen.append(sql)
        return run(self, sql)

    monkeypatch.setattr(DuckDB, "_run", counted)
    return seen


QUESTIONS = {
    "score": (labels, lambda bench: bench.score()),
    "score, by group": (labels, lambda bench: bench.score(per="class")),
    "compare": (labels, lambda bench: bench.compare(draws=100)),
    "stability": (labels, lambda bench: bench.stability(label_error=0.1)),
    "score of scores": (scores, lambda bench: bench.score(draws=100)),
    "areas compared": (scores, lambda bench: bench.compare(measure="roc-area", draws=100)),
    "score of clusters": (pages, lambda bench: bench.score(draws=100)),
    "clusters compared": (pages, lambda bench: bench.compare(measure="roc-area", draws=100)),
    "skew of clusters": (pages, lambda bench: bench.skew(to=0.1, draws=100)),
    "retrieval": (lists, lambda bench: bench.retrieval()),
    "skew": (scores, lambda bench: bench.skew(to=0.1, draws=100)),
    "skew, in bins": (scores, lambda bench: bench.skew(to=0.1, bins=50, draws=100)),
}

OPTIONS = {lists: {"group": "query"}, pages: {"cluster": "page"}}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_number_of_queries_does_not_grow_with_the_systems(question, queries):
    make, ask = QUESTIONS[question]
    numbers = []
    for systems in (2, 4, 12 if make in {scores, pages} else 50):  # curves are compared two by two
        queries.clear()
        ask(karat.read(make(systems), **OPTIONS.get(make, {})))
        numbers.append(len(queries))
    # Bins are sought in a few rounds, however many systems there are: how many depends on the scores.
    rounds = 2 * ROUNDS if question == "skew, in bins" else 0
    assert max(numbers) <= min(numbers) + rounds, numbers
    assert min(numbers) <= 15


def test_four_hundred_systems_are_profiled_and_counted_in_one_query_each(queries):
    few, many = karat.read(labels(2)), karat.read(labels(400))
    assert len(many.facts.systems) == 400
    queries.clear()
    few.score()
    of_two = len(queries)
    many.score()
    assert len(queries) - of_two == of_two == 1


def gathered(enough=1):
    """Tables of so many rows are gathered: their equal rows are counted once."""
    return mock.patch.multiple(distinct_rows, SAMPLE=enough, FEW=1.0)


CELL = strategies.sampled_from(["x", "y", "Z", "1", "0", "0.5", "", "yes", None])
NUMBER = strategies.integers(0, 3)
ROWS = strategies.lists(
    strategies.tuples(CELL, CELL, CELL, NUMBER, strategies.sampled_from("gh")), min_size=2
)


def both_ways(columns, **options):
    """A table whose equal rows were gathered, and the same table as it stands."""
    with gathered():
        ours = karat.read(columns, **options).counter
    assert ours.table.rows.name == "counted_answers"
    plain = karat.read(columns, **options).counter
    assert plain.table.rows.name == "answers"
    return ours, plain


@settings(max_examples=20)
@given(ROWS)
def test_gathered_rows_give_every_count_that_the_rows_themselves_give(rows):
    columns = dict(
        zip(("truth", "a", "b", "number", "group"), zip(*rows, strict=True), strict=True)
    )
    columns = {name: list(values) for name, values in columns.items()}
    columns["truth"][0] = columns["a"][0] = columns["b"][0] = "x"
    columns["number"][0] = 1
    columns["item"] = [f"i{number}" for number in range(len(rows))]
    ours, plain = both_ways(columns, count="number", group="group", systems=["a", "b"])
    assert ours.facts == plain.facts
    for tally, options in (
        (patterns, {"keys": "g"}),
        (confusions, {"keys": "g"}),
        (confusions, {}),
    ):
        found, wanted = ours.count(tally, **options), plain.count(tally, **options)
        if tally is confusions:
            assert {name: one.digest() for name, one in found.items()} == {
                name: one.digest() for name, one in wanted.items()
            }
        else:
            assert found.digest() == wanted.digest()
    assert ours.count(pairs, "a", "b").digest() == plain.count(pairs, "a", "b").digest()


def test_gathered_rows_give_the_same_votes_and_curves():
    columns = {
        "truth": [1, 0, 1, 1, 0, 1] * 5,
        "a": [0.5, 0.25, 0.5, 1.0, 0.25, 0.5] * 5,
        "b": [0.1, 0.1, 0.9, 0.9, 0.1, 0.9] * 5,
    }
    ours, plain = both_ways(columns)
    assert ours.count(covotes).digest() == plain.count(covotes).digest()
    for tally in (curves, binned):
        found, wanted = ours.count(tally), plain.count(tally)
        assert {name: one.digest() for name, one in found.items()} == {
            name: one.digest() for name, one in wanted.items()
        }


def test_items_keep_their_names_where_equal_rows_are_gathered():
    columns = labels(3) | {"item": [f"i{number}" for number in range(60)]}
    with gathered():
        bench = karat.read(columns)
    assert bench.counter.table.rows.name == "counted_answers"
    named = bench.consensus(per="item").rows()
    assert sorted(row["item"] for row in named) == sorted(columns["item"])


def test_a_group_that_is_the_item_is_not_gathered():
    columns = labels(2)
    with gathered():
        bench = karat.read(columns, item="item", group="item")
    assert bench.counter.table.rows.name == "answers"


def test_rows_that_all_differ_are_left_as_they_stand():
    columns = labels(12, items=200)
    with mock.patch.object(distinct_rows, "SAMPLE", 100):
        bench = karat.read(columns)
    assert bench.counter.table.rows.name == "answers"
