"""Claims as they are written: names with commas, and what is no claim."""

import pytest

from karat.errors import OptionError
from karat.verdict.audit.claims import parse_pair


@pytest.mark.parametrize(
    ("text", "systems", "pair"),
    [
        ("a,b", ["a", "b"], ("a", "b")),
        (" a , b ", ["a", "b"], ("a", "b")),
        ("a,b,c", ["a,b", "c"], ("a,b", "c")),
        ("a,b,c", ["a", "b,c"], ("a", "b,c")),
        ("a,b,c,d", ["a,b", "c,d", "a"], ("a,b", "c,d")),
        ("a,nobody", ["a", "b"], ("a", "nobody")),
    ],
)
def test_two_systems_are_read_whatever_commas_their_names_hold(text, systems, pair):
    assert parse_pair(text, systems) == pair


@pytest.mark.parametrize("text", ["a", "a,b,c", "order,best,a"])
def test_what_does_not_name_two_systems_is_refused(text):
    with pytest.raises(OptionError, match="it takes best, order or two systems, as A,B"):
        parse_pair(text, ["a", "b"])
