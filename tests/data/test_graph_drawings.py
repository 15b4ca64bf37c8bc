"""Drawing, voting and searching on real label graphs."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import karat
from karat.graphs.compare.search import GraphSearch
from karat.graphs.compare.vote import merged_set
from karat.graphs.draw.drawing import drawing
from karat.graphs.formats.folder import read_set

DATA = Path(__file__).parents[3] / "shared" / "data" / "labelgraphs"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not DATA.is_dir(), reason="needs the data sets beside the project"),
]


@pytest.mark.parametrize("form", ["lg_tree", "lg_inherited_ne"])
def test_every_query_finds_itself_first(form):
    graphs = read_set(DATA / "crohme2012_test" / form).graphs
    shelf = GraphSearch(graphs)
    first = {name: shelf.find(graph.named(name), most=1)[0] for name, graph in graphs.items()}
    assert len(first) == 488
    assert all(one.name == name and one.distance == 0 for name, one in first.items())


def test_every_perturbed_expression_is_drawn_at_about_page_width():
    truth, output = (read_set(DATA / "perturbed_2012" / name) for name in ("gt", "light/out"))
    for name, graph in truth.graphs.items():
        picture = ET.fromstring(drawing(output.graph(name), graph))  # noqa: S314 (our own)
        assert float(picture.get("width")) <= 901
        # What is wider is shrunk, and stays legible down to two thirds.
        assert float(picture.get("viewBox").split()[2]) <= 1350, name


def test_a_vote_of_two_perturbed_systems_and_the_truth_is_better_than_either():
    sets = [
        read_set(DATA / "perturbed_2012" / name, name=name)
        for name in ("light/out", "heavy/out", "gt")
    ]
    vote = merged_set(sets, {})
    systems = {one.name: one.graphs for one in sets[:2]}
    rows = karat.read_graphs(sets[2].graphs, {**systems, "merged": vote.graphs}).graph().rows()
    assert rows[0]["system"] == "merged"
    assert rows[0]["expression_rate"] > rows[1]["expression_rate"]
