"""Lists that come back: each row is the draw it says it is, with the probability it had, or it is refused."""

from dataclasses import replace

import numpy as np
import pytest

import karat
from karat.ask.checked_lists import CheckedRow, read_lists
from karat.errors import InputError
from karat.verdict.audit.lists import add_label, labels_of_rows

RANDOM = np.random.default_rng(2)
TRUTH = RANDOM.choice(list("xyz"), 50)
TABLE = {"item": [f"i{place:02d}" for place in range(50)], "truth": TRUTH.tolist()} | {
    name: np.where(RANDOM.random(50) < right, TRUTH, RANDOM.choice(list("xyz"), 50)).tolist()
    for name, right in (("a", 0.8), ("b", 0.5), ("c", 0.4))
}
BENCH = karat.read(TABLE)
PAIR = BENCH.audit(claim=("a", "b"), seed=1)


def returned(audit, right, budget=12):
    """The rows of a list as a checker sends them back, with these right labels in turn."""
    rows = []
    for place, row in enumerate(audit.next(budget).rows()):
        label = right[place % len(right)]
        where = f"list.csv:{place + 2}"
        rows.append(
            CheckedRow(where, row["draw"], row["item"], row["given"], label, row["q"], row["list"])
        )
    return rows


def test_a_list_that_comes_back_gives_its_items_the_labels_filled_in():
    rows = returned(PAIR, ["x", "", "z"])
    labels = labels_of_rows(PAIR.setup, rows, {})
    names = PAIR.setup.items.names
    found = {names[item]: label.text for item, label in labels.items()}
    assert found == {row.item: row.right for row in rows if row.right}
    before = labels_of_rows(PAIR.setup, rows[:6], {})
    assert labels_of_rows(PAIR.setup, rows[6:], before) == labels


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"list_hash": "other"}, "the list is 'other'"),
        ({"draw": 0}, "there is no draw 0"),
        ({"draw": 10_000}, "there is no draw 10,000"),
        ({"draw": 2}, "which was not drawn there"),
        ({"item": "i99"}, "not 'i99', which was not drawn there"),
        ({"given": "q"}, "not 'q'; the list was changed"),
        ({"chance": 0.0}, "q is 0 and should be"),
        ({"chance": 1.5}, "q is 1.5 and should be"),
    ],
)
def test_a_row_that_was_changed_is_refused_with_its_place(changed, words):
    first, *others = returned(PAIR, ["x"])
    with pytest.raises(InputError, match=words) as refused:
        labels_of_rows(PAIR.setup, [replace(first, **changed), *others], {})
    assert str(refused.value).startswith("list.csv:2: ")


def test_the_last_draw_is_one_and_the_one_after_it_is_none():
    rows = returned(PAIR, ["x"], budget=1000)
    assert rows[-1].draw == len(PAIR.setup.draws.item) == len(rows)
    assert rows[-1].chance == 1
    assert len(labels_of_rows(PAIR.setup, rows, {})) == len(rows)
    with pytest.raises(InputError, match="there is no draw"):
        labels_of_rows(PAIR.setup, [replace(rows[-1], draw=len(rows) + 1)], {})


def test_a_probability_is_that_of_the_draw_to_the_digits_printed():
    first = returned(PAIR, ["x"])[0]
    disputed = len(PAIR.setup.disputes.disputed)
    assert first.chance == pytest.approx(1 / disputed, rel=1e-5)
    for chance in (1.01 / disputed, 0.99 / disputed):
        with pytest.raises(InputError, match="q is"):
            labels_of_rows(PAIR.setup, [replace(first, chance=chance)], {})


def test_a_blind_list_has_no_given_label_to_compare():
    first = returned(PAIR, ["x"])[0]
    assert len(labels_of_rows(PAIR.setup, [replace(first, given="")], {})) == 1


def test_of_several_pairs_any_probability_is_taken():
    order = BENCH.audit(claim="order", seed=1)
    first = replace(returned(order, ["x"])[0], chance=0.5)
    assert len(labels_of_rows(order.setup, [first], {})) == 1


def test_an_item_has_one_right_label():
    labels = {}
    read = PAIR.setup.reader.read
    add_label(PAIR.setup, labels, 3, read("x", "here"), "here")
    add_label(PAIR.setup, labels, 3, read("x", "here"), "here")
    with pytest.raises(InputError, match="has two labels, 'x' and 'y'; settle on one"):
        add_label(PAIR.setup, labels, 3, read("y", "there"), "there")


def test_a_cell_beyond_the_header_is_refused_unless_it_is_empty(tmp_path):
    """Spreadsheets write empty cells to the right; a comma that is not in quotes moves what follows."""
    path = tmp_path / "list.csv"
    header = "draw,item,right,q,list"
    path.write_text(f"{header}\n1,i01,x,0.5,abc,,\n,,,,,,\n")
    assert [row.item for row in read_lists([path])] == ["i01"]
    path.write_text(f"{header}\n1,Paris, France,x,0.5,abc\n")
    with pytest.raises(InputError, match="line 2: 'abc' stands beyond the last column"):
        read_lists([path])
