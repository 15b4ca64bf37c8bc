"""Several levels of structure over the same primitives: recognised, counted each by itself, or refused."""

import re

import pytest

import karat
from karat.errors import InputError
from karat.graphs.compare.comparison import prepare
from karat.graphs.compare.rules import Rules
from karat.graphs.formats.label_graph import parse
from karat.graphs.model.shared_primitives import by_themselves, holding_labels, matrix_levels

MATRIX = """O, 1_1, 1, 1.0, s2
O, 7_1, 7, 1.0, s3
O, 4_1, 4, 1.0, s4, s5
O, 2_1, 2, 1.0, s6
O, *M_1, *M, 1.0, s2, s3, s4, s5, s6
O, *R_1, *R, 1.0, s2, s3
O, *R_2, *R, 1.0, s4, s5, s6
O, *Cell_1, *Cell, 1.0, s2
O, *Cell_2, *Cell, 1.0, s3
O, *Cell_4, *Cell, 1.0, s4, s5, s6
O, *C_1, *C, 1.0, s2
O, *C_2, *C, 1.0, s3, s4, s5, s6
R, 4_1, 2_1, Sup, 1.0
R, *R_1, *R_2, Nrow, 1.0
R, *Cell_1, *Cell_2, NcellR, 1.0
R, *C_1, *C_2, Ncol, 1.0
R, *Cell_2, *Cell_4, NcellC, 1.0
"""
CHANGED = (
    MATRIX.replace("1_1, 1,", "1_1, 9,").replace("7_1, 7,", "7_1, 1,").replace("4_1, 4,", "4_1, y,")
)
"""Three of the four digits are read as others; the parts of the matrix are right."""
WORDS = """O, w, WORD, 1.0, s1, s2
O, v, WORD, 1.0, s3
O, a, a, 1.0, s1
O, b, b, 1.0, s2
O, c, c, 1.0, s3
R, w, v, Next, 1.0
R, a, b, Right, 1.0
"""


def graphs(text):
    return {"f": parse(text).graph}


def bench(truth, output, **rules):
    return karat.read_graphs(graphs(truth), {"mine": graphs(output)}, **rules)


def test_the_levels_of_a_matrix_are_each_counted_by_itself():
    scores = bench(MATRIX, CHANGED).graph()
    found = {row["system"].removeprefix("mine: "): row for row in scores.rows()}
    assert list(found) == ["symbols", "cells", "rows", "columns", "matrices"]
    # Three of four symbols are wrong, one of them of two strokes.
    assert (found["symbols"]["dC"], found["symbols"]["SYM_Rec"]) == (4, 0.25)
    assert (found["symbols"]["REL-1"], found["symbols"]["REL-3"]) == (0.0, 1.0)
    assert all(found[name]["EXP"] == 1.0 for name in ("cells", "rows", "columns", "matrices"))
    assert "right on all levels: mine 0 of 1." in scores.notes()[-1]


def test_levels_may_be_mixed_on_request_and_as_lgeval_mixes_them():
    (row,) = bench(MATRIX, CHANGED).graph(levels="mixed").rows()
    assert (row["EXP"], row["SYM_Rec"]) == (
        0.0,
        1.0,
    )  # The strokes are one object, of the class *M.
    by_class = bench(MATRIX, CHANGED, semantics="lgeval").graph()
    assert len(by_class.rows()) == 1
    assert any("levels of structure" in each for each in by_class.warnings())


def test_the_same_levels_on_lines_of_primitives():
    text = "N, a, x\nN, a, *Cell\nN, b, y\nN, b, *Cell\nE, a, b, *Cell\nE, b, a, *Cell\n"
    assert list(matrix_levels(graphs(text).values())) == ["cells"]
    rows = bench(text, text.replace("N, a, x", "N, a, z")).graph().rows()
    assert {row["system"]: row["dC"] for row in rows} == {"mine: symbols": 1, "mine: cells": 0}


def test_other_objects_that_hold_others_are_refused_with_the_option_that_settles_it():
    with pytest.raises(InputError, match=re.escape("level= 'upper=WORD,Next'")):
        bench(WORDS, WORDS).graph()
    rows = bench(WORDS, WORDS).graph(levels={"words": ["WORD", "Next"]}).rows()
    assert [row["system"] for row in rows] == ["mine: symbols", "mine: words"]
    assert bench(WORDS, WORDS).graph(levels="mixed").rows()[0]["dB"] == 0


def test_alternatives_of_a_system_are_no_levels():
    flat = "O, a, a, 1.0, s1\nO, b, b, 1.0, s2\n"
    (row,) = bench(flat, flat + "O, m, m, 0.5, s1, s2\n").graph().rows()
    assert row["system"] == "mine"
    assert holding_labels(graphs(flat)["f"]) is None


def test_objects_of_every_level_are_rows_of_their_own():
    whole = bench(MATRIX, CHANGED, unit="object")
    assert whole.score(measure="accuracy").rows()[0]["successes"] == 12 - 3
    confusions = whole.confusions("object").rows()
    assert sorted((row["truth"], row["output"]) for row in confusions) == [
        ("1", "9"),
        ("4", "y"),
        ("7", "1"),
    ]
    alone = by_themselves(graphs(MATRIX)["f"])
    assert len(prepare(alone, Rules()).segments.objects) == 12
