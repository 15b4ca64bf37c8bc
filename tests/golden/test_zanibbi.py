"""Zanibbi, Mouchère and Viard-Gaudin (2013): the paper's distances, and the exact values where it errs."""

import json
from pathlib import Path

import numpy as np
import pytest

from karat.graphs.compare.comparison import GraphComparison, compare, prepare
from karat.graphs.compare.counts import Census, Graphs
from karat.graphs.compare.distance import of_counts
from karat.graphs.compare.rates import share
from karat.graphs.compare.rules import Rules
from karat.graphs.compare.summary import summary
from karat.graphs.model.structure import LabelGraph

ENTRIES = [
    entry
    for entry in json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
    if entry["paper"] == "002"
]
PAIRS = [entry for entry in ENTRIES if entry["fn"] == "lg_compare"]
OBJECTS = [entry for entry in ENTRIES if entry["fn"] == "lg_object_scores"]
SUMS = [
    entry for entry in ENTRIES if entry["id"].startswith("ZM-T3-") and "sigma" not in entry["id"]
]


def identify(entry):
    return entry["id"]


def graph(given):
    edges = {tuple(pair.split(",")): {label: 1.0} for pair, label in given["edges"].items()}
    return LabelGraph(
        nodes={name: {label: 1.0} for name, label in given["nodes"].items()}, edges=edges
    )


def test_every_entry_with_a_function_is_here():
    assert {entry["fn"] for entry in ENTRIES} == {"", "lg_compare", "lg_object_scores"}
    assert (len(PAIRS), len(OBJECTS)) == (18, 5)


@pytest.mark.parametrize("entry", PAIRS, ids=identify)
def test_the_distances_of_the_figures(entry):
    exact, given = entry["exact"], entry["inputs"]
    rules = Rules(absent_edges=given["absent_edges"])
    found = compare(prepare(graph(given["g1"]), rules), prepare(graph(given["g2"]), rules), rules)
    names = ("dC", "dS", "dR", "dL", "dB", "dBn", "dE")
    values = {name: of_counts(found, name, rules) for name in names}
    assert found.n == exact["n"]
    assert values == pytest.approx({name: exact[name] for name in names}, abs=entry["tolerance"])
    assert found.dC + found.pairs == exact["dB_undirected"]
    assert found.n * (found.n + 1) // 2 == exact["labels_undirected"]
    assert values["dE"] * (3 if found.n > 1 else 1) == pytest.approx(
        exact["dE_printed"], abs=entry["tolerance"]
    )


@pytest.mark.parametrize("entry", OBJECTS, ids=identify)
def test_the_objects_and_relations_of_random_graphs(entry):
    exact, rules = entry["exact"], Rules()
    found = compare(
        *(prepare(graph(entry["inputs"][name]), rules) for name in ("out", "gt")), rules
    )
    counts = (found.found_objects, found.objects, found.right_objects, found.right_classes)
    assert counts == tuple(
        exact[name] for name in ("n_out", "n_gt", "seg_correct", "class_correct")
    )
    links = (found.found_relations, found.relations, found.right_relations)
    assert links == tuple(exact[name] for name in ("rel_out", "rel_gt", "rel_correct"))
    assert share(found.right_objects, found.objects) == exact["seg_recall"]
    assert share(found.right_relations, found.found_relations) == exact["rel_precision"]


@pytest.mark.parametrize("entry", SUMS, ids=identify)
def test_the_sums_of_table_3(entry):
    counts = dict.fromkeys(GraphComparison._fields, 0) | entry["inputs"] | {"n": 8832}
    columns = {name: np.array([float(value)]) for name, value in counts.items()}
    census = Census(486, 8832, {}, {})
    row = summary(Graphs(Rules(), ("s",), ("s",), ("f",), ("",), (0,), columns, {"s": ()}, census))
    assert {name: row[name] for name in ("dL", "dB")} == {
        name: entry["published"][name] for name in ("dL", "dB")
    }
