"""What a checker sees of an item: its other columns, by its name, or by its row where items have no names."""

import pytest

import karat
from karat.tally.audit_items import audit_items
from karat.tally.item_fields import item_fields

PAGES = ["first", "second", None, "fourth"]
TABLE = {
    "truth": ["x", "y", "x", "y"],
    "a": ["x", "x", "x", "y"],
    "b": ["y", "y", "x", "x"],
    "page": PAGES,
}


@pytest.mark.parametrize("named", [True, False])
def test_the_page_of_an_item_is_that_of_its_row(named):
    table = TABLE | ({"item": ["p", "q", "r", "s"]} if named else {})
    counter = karat.read(table, group="page").counter
    names = counter.count(audit_items).names
    assert names == (("p", "q", "r", "s") if named else ("1", "2", "3", "4"))
    found = counter.count(item_fields, names=names[::-1])
    assert [fields["page"] for fields in found] == [page or "" for page in PAGES[::-1]]


def test_what_may_be_an_answer_is_not_shown():
    table = {name: column for name, column in TABLE.items() if name != "page"}
    counter = karat.read(table | {"c": TABLE["a"]}, systems=["a", "b"]).counter
    assert list(counter.count(item_fields, names=["1", "2"])) == [{}, {}]
