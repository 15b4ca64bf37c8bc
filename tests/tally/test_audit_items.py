"""The items of an audit: the same from every engine and every kind of input, in the order of their names."""

from types import SimpleNamespace

import numpy as np
import pytest

import karat
from karat.errors import InputError, TallyError
from karat.measure.quantity import Quantity
from karat.table.options import TableOptions
from karat.tally.audit_items import audit_items
from karat.verdict.audit.setup import audit_setup

ROWS = {
    "item": ["i10", "i9", "I2", "j1", "i1", "k3", "k1", "k2"],
    "truth": ["x", "y", "x", None, "z", "y", "x", "z"],
    "a": ["x", "x", None, "y", "z", "y", "y", "z"],
    "b": ["y", "y", "x", "y", None, "x", "x", "y"],
    "w": [1.0, 0.25, 2.5, 1.0, 3.0, 1.0, 0.5, 1.0],
}
CASE = SimpleNamespace(
    name="audit", columns=ROWS, reading=TableOptions(weight="w", truth="truth"), spark=("csv",)
)


DRAWN = ["k3", "k2", "I2", "k1", "i10", "i9", "i1"]
HASH = "175a1694869b"
"""What every version of karat must draw."""


def test_items_come_in_the_order_of_their_names_with_labels_and_answers(read):
    found = audit_items(read.table(CASE))
    rows = zip(*(ROWS[name] for name in ("item", "truth", "a", "b", "w")), strict=True)
    names, truth, a, b, weights = zip(*sorted(rows, key=lambda row: row[0]), strict=True)
    code = {label: place for place, label in enumerate(found.labels)} | {None: -1}
    assert found.names == names
    assert found.given.tolist() == [code[label] for label in truth]
    assert found.answers.tolist() == [
        [code[one], code[other]] for one, other in zip(a, b, strict=True)
    ]
    assert found.weights == weights


def test_every_engine_draws_the_same_list(read):
    setup = audit_setup(
        audit_items(read.table(CASE)), Quantity("accuracy"), ["a,b"], risk=0.05, seed="5"
    )
    assert [setup.items.names[item] for item in setup.draws.item] == DRAWN
    assert setup.list_hash == HASH


def test_rows_without_names_are_numbered():
    columns = {name: values for name, values in ROWS.items() if name != "item"}
    items = karat.read(columns, weight="w").counter.count(audit_items)
    assert items.names == ("1", "2", "3", "4", "5", "6", "7", "8")


def test_a_saved_tally_has_no_items(tmp_path):
    path = tmp_path / "a.tally"
    karat.read({"truth": ["x", "y"], "a": ["x", "x"], "b": ["y", "y"]}).save(path)
    with pytest.raises(TallyError, match="holds no items"):
        karat.read(path).audit(claim=("a", "b"))


def test_an_item_that_occurs_twice_is_refused():
    columns = {"item": ["i", "i"], "truth": ["x", "y"], "a": ["x", "x"], "b": ["y", "y"]}
    with pytest.raises(InputError, match="'i' occur more than once"):
        karat.read(columns, duplicate_check=False).audit(claim=("a", "b"))


def test_a_missing_answer_may_stand_for_a_label():
    columns = {"item": ["i", "j"], "truth": ["x", "y"], "a": ["x", None], "b": ["y", "y"]}
    items = karat.read(columns, missing="as:y").counter.count(audit_items)
    assert (np.array(items.labels)[items.answers] == [["x", "y"], ["y", "y"]]).all()
