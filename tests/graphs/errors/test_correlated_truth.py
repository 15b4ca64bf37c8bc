"""Which rows of a truth are wrong together."""

import pytest

from karat.graphs.compare.rules import Rules
from karat.graphs.compare.table import OWNER
from karat.graphs.errors.correlated_truth import owned_rows
from karat.graphs.formats.folder import of_graphs
from karat.graphs.formats.label_graph import parse

CHAIN = """N, a, x
N, b, y
N, c, z
N, d, 2
E, a, b, Inside
E, b, c, Right
E, c, d, Right
"""


def owners(text, **rules):
    """What the rows of one graph that are no pairs without a relation are wrong with."""
    truth = of_graphs("truth", {"f": parse(text).graph})
    columns = owned_rows(truth, [truth], "pair", Rules(**rules)).columns
    related = [name for name in columns[OWNER] if name != "(firm)"]
    return sorted(map(related.count, set(related)))


@pytest.mark.parametrize("written", ["", "E, a, c, Inside\n", "E, a, c, Inside\nE, a, d, Inside\n"])
def test_inherited_relations_are_wrong_with_the_first_edge_whether_written_or_not(written):
    # a to b, c and d are wrong together, b to c and d, and c to d by itself.
    assert owners(CHAIN + written, inherit=True) == [1, 2, 3]


def test_a_written_inherited_relation_has_no_error_of_its_own():
    assert owners(CHAIN) == [1, 1, 1]
    assert owners(CHAIN + "E, a, c, Inside\n") == [1, 1, 2]
    assert owners(CHAIN + "E, a, c, Sup\n") == [1, 1, 1, 1]
