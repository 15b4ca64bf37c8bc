"""The figures of the paper as files, compared under both semantics (the values that hold, and those that do not)."""

from pathlib import Path

import pytest

from karat.graphs.compare.comparison import compare, prepare
from karat.graphs.compare.distance import of_counts
from karat.graphs.compare.rules import Rules
from karat.graphs.formats.label_graph import read_lg

FOLDER = Path(__file__).with_name("paper_examples")
PAPER = {
    ("fig3a", "fig1a_chain"): (1, 0, 5, 6),  # the paper's six: a ? row, and no inherited relation
    ("fig3a", "fig1b"): (1, 0, 6, 7),  # the pair that the caption names
    ("fig3a", "fig1a_seg"): (1, 0, 5, 6),  # two R too many, three ?
    ("fig3b", "fig1b"): (2, 2, 3, 5),  # as printed
    ("fig3c", "fig1c"): (2, 2, 4, 6),  # Arg2 to both strokes: printed as 7
    ("fig3c", "fig1c_asprinted"): (2, 2, 5, 7),  # as printed, with the misprint of Fig. 2(d)
    ("fig3c_baseonly", "fig1c"): (2, 2, 5, 7),  # as printed, with Arg2 to the base alone
    ("emp", "fig1b"): (4, 2, 12, 16),
}
LGEVAL = {
    ("fig3a", "fig1a_chain"): (1, 0, 2, 3),
    ("fig3a", "fig1b"): (1, 0, 3, 4),
    ("fig3b", "fig1b"): (2, 2, 3, 5),
    ("fig3c", "fig1c"): (2, 2, 4, 6),
    ("fig3c", "fig1c_asprinted"): (2, 2, 5, 7),
    ("emp", "fig1b"): (4, 2, 7, 11),
}


def found(output, truth, rules):
    return compare(
        *(prepare(read_lg(FOLDER / f"{name}.lg"), rules) for name in (output, truth)), rules
    )


@pytest.mark.parametrize(("semantics", "pairs"), [("paper", PAPER), ("lgeval", LGEVAL)])
def test_dc_ds_dl_and_db(semantics, pairs):
    rules = Rules(semantics=semantics)
    for (output, truth), (classes, merges, links, total) in pairs.items():
        one = found(output, truth, rules)
        assert (one.dC, one.dS, one.dS + one.dR) == (classes, merges, links), (output, truth)
        assert of_counts(one, "dB", rules) == total


def test_an_empty_output_is_wrong_in_every_label():
    one = found("emp", "fig1b", Rules())
    assert of_counts(one, "dBn", Rules()) == 1
    assert of_counts(
        found("emp", "fig1b", Rules(semantics="lgeval")), "dE", Rules()
    ) == pytest.approx(0.724, abs=5e-4)


def test_both_ways_round_is_the_same():
    for output, truth in PAPER:
        for rules in (Rules(), Rules(semantics="lgeval")):
            there, back = found(output, truth, rules), found(truth, output, rules)
            assert there[2:9] == back[2:9]
