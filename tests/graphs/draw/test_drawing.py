"""Drawings: edges without a direction, and labels that do not cover each other."""

from xml.etree import ElementTree as ET

import pytest

from karat.graphs.draw.arrows import Point
from karat.graphs.draw.drawing import drawing, sketches
from karat.graphs.draw.labels import label_area
from karat.graphs.draw.matrix import matrix
from karat.graphs.formats.label_graph import parse
from support.perturbed import expression, misread

ATOMS = "".join(f"O, {name}, C, 1.0, s{name}\n" for name in "abcd")
RING = ATOMS + "R, a, b, single, 1\nR, b, c, double, 1\nR, c, d, single, 1\nR, d, a, single, 1\n"
TURNED = ATOMS + "R, b, a, single, 1\nR, c, b, single, 1\nR, c, d, single, 1\nR, a, d, single, 1\n"
"""The same ring, two of whose bonds are written the other way, and one is of another kind."""


def graph(text):
    return parse(text).graph


def states(drawn):
    return sorted(arrow.state for arrow in drawn.arrows)


def test_bonds_written_the_other_way_are_right():
    for drawn in sketches(graph(TURNED), graph(RING), undirected=True):
        assert states(drawn) == ["same", "same", "same", "wrong"]
    (wrong,) = [one for one in drawn.arrows if one.state == "wrong"]
    assert wrong.text == "double ≠ single"
    with_directions = sketches(graph(TURNED), graph(RING))[0]
    assert states(with_directions).count("extra") == 3


def test_undirected_relations_are_lines_and_directed_ones_arrows():
    assert "marker-end" not in drawing(graph(RING), undirected=True)
    assert drawing(graph(RING)).count("marker-end") == 4
    ET.fromstring(drawing(graph(TURNED), graph(RING), undirected=True))  # noqa: S314 (our own)


def test_a_merge_written_one_way_holds_an_undirected_object_together():
    one_way = graph("N, a, x\nN, b, x\nE, b, a, *\n")
    both = graph("N, a, x\nN, b, x\nE, a, b, *\nE, b, a, *\n")
    for drawn in sketches(one_way, both, undirected=True):
        assert [one.state for one in drawn.symbols] == ["same"]


def test_the_matrix_of_an_undirected_graph_is_symmetric():
    rows = [
        line.split()[1:]
        for line in matrix(graph(RING), graph(TURNED), undirected=True).splitlines()
    ]
    assert rows == [list(column) for column in zip(*rows, strict=True)]
    assert rows[1][2] == "double≠single"


@pytest.mark.parametrize("seed", range(40))
def test_labels_of_arrows_do_not_cover_each_other_and_are_on_the_sheet(seed):
    truth = expression(seed)
    for drawn in sketches(misread(truth, 3, share=0.5), truth):
        areas = [label_area(Point(*one.route.label), one.text) for one in drawn.arrows]
        for place, one in enumerate(areas):
            assert one.left >= 0
            assert one.right <= drawn.width + 1
            assert all(one.overlap(other) < 12 for other in areas[:place])
