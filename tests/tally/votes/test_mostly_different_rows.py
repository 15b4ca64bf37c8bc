"""Tables whose rows are mostly different: read column by column, and the same counts as grouped by the engine."""

import numpy as np
import pytest

import karat
from karat.errors import TallyError
from karat.table import distinct_rows
from karat.tally.codes import distinct_places, gather
from karat.tally.votes import patterns as module
from karat.tally.votes.patterns import patterns

NAMES = np.array(["cat", "dog", "", "eel"])


@pytest.fixture
def path(tmp_path):
    random = np.random.default_rng(4)
    cells = NAMES[random.integers(0, 4, (400, 6))].tolist()
    lines = [",".join([str(k), *row, f"g{k % 3}"]) for k, row in enumerate(cells)]
    lines.insert(0, "item,truth,a,b,c,d,e,g")
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "t.csv"


def counted(path, keys="", **options):
    bench = karat.read(path, group="g", **options)
    return bench.counter.count(patterns, keys=keys)


@pytest.mark.parametrize("keys", ["", "g"])
@pytest.mark.parametrize("options", [{}, {"threshold": 1}, {"missing": "as:cat"}])
def test_column_by_column_is_as_grouped(path, monkeypatch, keys, options):
    threshold = options.pop("threshold", None)
    if threshold:
        text = path.read_text().replace("cat", "0").replace("dog", "1").replace("eel", "2")
        path.write_text(text)
        options = {"kinds": "score", "positive": "1", "no_truth": "2"}

    def count():
        bench = karat.read(path, group="g", **options)
        return bench.at(threshold).count(patterns, keys=keys)

    grouped = count()
    monkeypatch.setattr(module, "SAMPLE", 10)
    by_column = count()
    assert by_column.labels == grouped.labels
    assert by_column.digest() == grouped.digest()
    assert by_column.answers.dtype == grouped.answers.dtype


def test_too_many_patterns_are_refused_before_they_leave_the_engine(path, monkeypatch):
    bench = karat.read(path, group="g")
    engine = bench.counter.table.engine
    asked = []
    query = engine.query

    def noted(sql):
        asked.append(sql)
        return query(sql)

    monkeypatch.setattr(module, "MOST", 100)
    monkeypatch.setattr(engine, "query", noted)
    with pytest.raises(TallyError, match="distinct patterns are over 100; choose fewer systems"):
        bench.counter.count(patterns)
    assert asked == ["select count(*) as n from counted_patterns"]


def test_a_large_table_of_few_patterns_is_counted_as_before(path, monkeypatch):
    whole = counted(path).marginal("")
    monkeypatch.setattr(module, "MOST", 399)
    monkeypatch.setattr(distinct_rows, "SAMPLE", 10)
    assert counted(path).digest() == whole.digest()


def test_many_columns_are_gathered_as_tuples_are():
    random = np.random.default_rng(2)
    columns = [random.integers(-2, 3, 500).astype(np.int32) for _ in range(40)]
    columns.insert(7, np.array([f"g{k}" for k in random.integers(0, 2, 500)], dtype=object))
    columns = [np.concatenate([column, column[:100]]) for column in columns]
    number = np.arange(600)
    expected = {}
    for place, row in enumerate(zip(*columns, strict=True)):
        expected[row] = expected.get(row, 0) + place
    distinct, total = gather(columns, number)
    assert list(zip(*distinct, strict=True)) == sorted(expected)
    assert total.tolist() == [expected[row] for row in sorted(expected)]
    first, places = distinct_places(columns)
    rows = list(zip(*columns, strict=True))
    assert [rows[place] for place in first] == sorted(expected)
    assert all(rows[first[place]] == row for place, row in zip(places, rows, strict=True))
