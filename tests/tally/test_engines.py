"""Every engine and every kind of input gives the counts of a plain Python loop over the rows."""

import csv
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.table.options import TableOptions
from karat.tally.votes.confusion import confusions
from karat.tally.votes.pairs import pairs_of

CHANCE = random.Random(2015)  # noqa: S311
NOTHING = "∅"


@dataclass(frozen=True)
class Case:
    """Rows as a person writes them down, and what the user says about them."""

    name: str
    columns: dict[str, list[Any]]
    systems: tuple[str, ...] = ("a", "b", "c")
    options: dict[str, Any] = field(default_factory=dict)
    spark: tuple[str, ...] = ("csv",)
    """The kinds of input in which Spark counts it too."""

    @property
    def item(self) -> str:
        return self.options.get("item", "item")

    @property
    def reading(self) -> TableOptions:
        return TableOptions(**self.options)

    def some(self, chosen: Sequence[int]) -> "Case":
        """The same case with some of its rows, or all of them in another order."""
        return replace(
            self,
            columns={name: [values[k] for k in chosen] for name, values in self.columns.items()},
        )

    def halves(self) -> list["Case"]:
        items = self.columns[self.item]
        first = set(items[: len(items) // 2])
        return [
            self.some([k for k, item in enumerate(items) if (item in first) is side])
            for side in (True, False)
        ]

    def shuffled(self) -> "Case":
        order = list(range(len(self.columns[self.item])))
        random.Random(7).shuffle(order)  # noqa: S311
        return self.some(order)


def drawn(values: Sequence[Any], number: int = 60) -> list[Any]:
    return CHANCE.choices(values, k=number)


def wide(values: Sequence[Any], *, truths: Sequence[Any] | None = None) -> dict[str, list[Any]]:
    columns = {"item": [f"i{k}" for k in range(60)], "truth": drawn(truths or values)}
    return columns | {system: drawn(values) for system in "abc"}


def long() -> dict[str, list[Any]]:
    """A row an answer; a few (item, system) pairs are absent, and a few answers are empty."""
    columns: dict[str, list[Any]] = {
        "item": [],
        "model": [],
        "truth": [],
        "group": [],
        "answer": [],
    }
    for k in range(40):
        truth, group = CHANCE.choice(["cat", "dog", None]), CHANCE.choice(["x", "y"])
        for system in CHANCE.sample("abc", CHANCE.choice([1, 2, 3, 3])):
            row = (f"i{k}", system, truth, group, CHANCE.choice(["cat", "dog", "bird", None]))
            for values, value in zip(columns.values(), row, strict=True):
                values.append(value)
    return columns


HOSTILE = [
    '"; drop table answers; --',
    "it's",
    "a b",
    "c0",
    "ß 日本",
    'x,"y"\nz',
    "--5",
    "null",
    "3D",
    "1_000",
    " a ",
]
HOSTILE_SYSTEMS = ("it's", "c0", "日本, ∅")
EVERYWHERE = ("csv", "parquet", "pyspark", "pandas")
NOWHERE = ()
"""Nothing in its SQL is new."""

CASES = [
    Case("yesno", wide([0, 1])),
    Case("truths", wide([True, False, None]), spark=NOWHERE),
    Case(
        "words", wide(["cat", "dog", "bird"]) | {"c": drawn(["cat", "dog", "fish"])}, spark=NOWHERE
    ),
    Case("missing", wide([3, 9, 10, None], truths=[3, 9, 10, 11, None]), spark=EVERYWHERE),
    Case("skipped", wide(["x", "y", None]), options={"missing": "skip"}, spark=NOWHERE),
    Case("instead", wide(["x", "y", None]), options={"missing": "as:b"}, spark=NOWHERE),
    Case(
        "sets",
        wide(["cat", "dog", "cow", None], truths=["cat", "cat dog", "bird dog"]),
        options={"truth_sep": " "},
    ),
    Case("nothing", wide(["x", "y", NOTHING])),
    Case(
        "counts",
        wide(["x", "y", None]) | {"times": drawn([0, 1, 2, 50])},
        options={"count": "times"},
    ),
    Case(
        "keys",
        wide(["x", "y"]) | {"page": drawn([9, 10, 11]), "group": drawn(["g", "h", None])},
        options={"cluster": "page"},
    ),
    Case(
        "numbers",
        wide(["x", "y"]) | {"part": drawn([1, 2, 10, None])},
        options={"group": "part"},
        spark=("pandas",),
    ),
    Case("long", long(), spark=("csv", "pyspark")),
    Case(
        "hostile",
        {"a b": [f"'{k}\"" for k in range(60)], "; --": drawn(HOSTILE)}
        | {name: drawn([*HOSTILE, None]) for name in HOSTILE_SYSTEMS},
        tuple(sorted(HOSTILE_SYSTEMS)),
        {"item": "a b", "truth": "; --", "systems": HOSTILE_SYSTEMS},
        ("csv", "parquet", "pyspark"),
    ),
]
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@dataclass(frozen=True)
class Row:
    """One thing that was judged."""

    truth: str | None
    answers: dict[str, str | None]
    times: int
    keys: dict[str, str]


def text(value: Any) -> str | None:
    return None if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def plainly(case: Case) -> list[Row]:
    """The rows of a case, long or wide, read by a plain loop."""
    names, said = list(case.columns), case.options
    rows = [dict(zip(names, row, strict=True)) for row in zip(*case.columns.values(), strict=True)]
    if "model" in names:
        items: dict[str, dict[str, Any]] = {}
        for row in rows:
            one = items.setdefault(
                row["item"], dict.fromkeys(case.systems) | {k: row[k] for k in ("truth", "group")}
            )
            one[row["model"]] = row["answer"]
        rows = list(items.values())
    columns = {"g": said.get("group", "group"), "c": said.get("cluster")}
    return [
        Row(
            text(row[said.get("truth", "truth")]),
            {name: text(row[name]) for name in case.systems},
            row[said["count"]] if "count" in said else 1,
            {key: text(row[name]) or "(no group)" for key, name in columns.items() if name in row},
        )
        for row in rows
    ]


def judged(row: Row, system: str, case: Case) -> tuple[str, str | None] | None:
    """The truth and the answer that count for a system, or nothing."""
    truth, answer = row.truth, row.answers[system]
    missing, separator = case.options.get("missing", "wrong"), case.options.get("truth_sep")
    if truth is None or (answer is None and missing == "skip"):
        return None
    if separator:
        members = truth.split(separator)
        truth = answer if answer in members else members[0]
    if answer is None and missing.startswith("as:"):
        answer = missing[3:]
    return None if truth == answer == NOTHING else (truth, answer)


def plain_cells(case: Case, system: str, keys: str = "") -> Counter:
    """Truth x answer by a plain loop."""
    cells: Counter = Counter()
    for row in plainly(case):
        if cell := judged(row, system, case):
            cells[(*(row.keys[key] for key in keys), *cell)] += row.times
    return +cells


def cells_of(tally, keys: str = "") -> Counter:
    """What a confusion holds."""
    labels = [*tally.labels, None]
    split = [[str(value) for value in tally.keys[key]] for key in keys]
    places = zip(*split, tally.truth, tally.answer, strict=True)
    named = [(*place[:-2], labels[place[-2]], labels[place[-1]]) for place in places]
    assert len(set(named)) == len(named), "a cell occurs twice"
    return +Counter(dict(zip(named, tally.number.tolist(), strict=True)))


def keys_of(case: Case) -> str:
    return "".join(plainly(case)[0].keys)


@every_case
def test_confusion(case, read, reference):
    counted = read(case)
    assert counted.table.systems == case.systems
    for system, tally in counted.confusions.items():
        assert cells_of(tally) == plain_cells(case, system)
        assert tally.without_truth == sum(row.times for row in plainly(case) if row.truth is None)
        assert tally.digest() == reference(case).confusions[system].digest()


@every_case
def test_confusion_by_keys(case, read, reference):
    tally, keys, first = read(case).by_keys, keys_of(case), case.systems[0]
    assert cells_of(tally, keys) == plain_cells(case, first, keys)
    assert tally.digest() == reference(case).by_keys.digest()
    assert cells_of(tally.plain()) == plain_cells(case, first)
    for key in keys:
        parts = tally.by(key)
        assert sum(part.total for part in parts.values()) == tally.total
        whole = plain_cells(case, first, key)
        assert {
            (value, *cell): n
            for value, part in parts.items()
            for cell, n in cells_of(part.plain()).items()
        } == whole


@every_case
def test_patterns(case, read, reference):
    tally, keys = read(case).patterns, keys_of(case)
    labels, middle = [*tally.labels, None], 1 + len(case.systems)
    columns = [tally.truth, *tally.answers.T, *(tally.keys[key] for key in keys)]
    found = [
        (*(labels[code] for code in row[:middle]), *row[middle:])
        for row in zip(*columns, strict=True)
    ]
    assert len(set(found)) == len(found)
    expected: Counter = Counter()
    for row in plainly(case):
        expected[row.truth, *row.answers.values(), *row.keys.values()] += row.times
    assert +Counter(dict(zip(found, tally.number.tolist(), strict=True))) == +expected
    assert tally.digest() == reference(case).patterns.digest()


@every_case
def test_a_confusion_is_a_marginal_of_the_patterns(case, read):
    counted, keys = read(case), keys_of(case)
    for system, tally in counted.confusions.items():
        assert counted.patterns.confusion(system).digest() == tally.digest()
    assert (
        counted.patterns.confusion(case.systems[0], keys=keys).digest() == counted.by_keys.digest()
    )


@every_case
def test_pairs(case, read, reference):
    counted, (first, second, *_) = read(case), case.systems
    tally = counted.pairs
    labels = [*tally.labels, None]
    found = zip(tally.truth, *tally.answers.T, tally.number.tolist(), strict=True)
    expected: Counter = Counter()
    for row in plainly(case):
        if row.truth is not None:
            expected[row.truth, row.answers[first], row.answers[second]] += row.times
    assert +Counter({(labels[t], labels[a], labels[b]): n for t, a, b, n in found}) == +expected
    assert tally.digest() == reference(case).pairs.digest()
    assert tally.digest() == pairs_of(counted.patterns, first, second).digest()


@every_case
def test_who_was_right(case, read):
    expected: Counter = Counter()
    for row in plainly(case):
        answers = [row.answers[system] for system in case.systems[:2]]
        separator = case.options.get("truth_sep")
        members = (row.truth or "").split(separator) if separator else [row.truth]
        if row.truth is not None and {row.truth, *answers} != {NOTHING}:
            expected[tuple(answer in members for answer in answers)] += row.times
    sides = ((True, True), (True, False), (False, True), (False, False))
    assert read(case).pairs.counts() == tuple(expected[side] for side in sides)


@every_case
def test_tallies_add(case, read, again):
    one, other = (again(half) for half in case.halves())
    whole, first = read(case), case.systems[0]
    assert (one.patterns + other.patterns).digest() == whole.patterns.digest()
    assert (one.confusions[first] + other.confusions[first]).digest() == whole.confusions[
        first
    ].digest()
    assert (one.by_keys + other.by_keys).digest() == whole.by_keys.digest()


@every_case
def test_the_order_of_rows_does_not_matter(case, read, again):
    shuffled, whole = again(case.shuffled()), read(case)
    assert shuffled.patterns.digest() == whole.patterns.digest()
    assert shuffled.by_keys.digest() == whole.by_keys.digest()
    assert shuffled.pairs.digest() == whole.pairs.digest()


@pytest.mark.parametrize("kind", ["csv", "pandas", "numpy"])
def test_names_that_differ_only_in_case_are_two_systems(kind, readers):
    systems = ("Net", "net")
    columns = wide(["x", "y"]) | {name: drawn(["x", "y"]) for name in systems}
    case = Case("case", columns, systems, {"systems": systems})
    for system, tally in readers("duckdb", kind)(case).confusions.items():
        assert cells_of(tally) == plain_cells(case, system)


@pytest.mark.parametrize("label", ["\n", "\r", "\r\n", "\n日", "\r日"])
def test_a_cell_may_hold_the_end_of_a_line(label, table, as_text, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_bytes(as_text({"truth": ["word", label], "a": [label, label]}, ",", "\r\n").encode())
    tally = confusions(table(str(path), TableOptions()))["a"]
    assert cells_of(tally) == Counter([("word", label), (label, label)])


LABEL = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc"]) | st.sampled_from("\",;|\t\n\r' \\"),
    min_size=1,
    max_size=8,
)
WRITING = st.sampled_from(
    [("\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_MINIMAL)]
)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(rows=st.lists(st.tuples(LABEL, LABEL), min_size=1, max_size=12), writing=WRITING)
def test_labels_come_back_from_a_file_as_they_were_written(
    rows, writing, table, as_text, tmp_path_factory
):
    rows = [("a word", "a word"), *rows]  # so that no file holds only numbers, where 3.0 would be 3
    truths, answers = ([row[side] for row in rows] for side in (0, 1))
    path = tmp_path_factory.getbasetemp() / "labels.csv"
    path.write_bytes(as_text({"truth": truths, "a": answers}, ",", *writing).encode())
    tally = confusions(table(str(path), TableOptions(systems=("a",))))["a"]
    assert cells_of(tally) == Counter(zip(truths, answers, strict=True))
