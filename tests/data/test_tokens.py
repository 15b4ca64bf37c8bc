"""Real formulas as tokens: the normal form keeps them, and rates are those of an independent edit distance."""

from pathlib import Path

import pytest

import karat
from karat.graphs.convert.latex import latex
from karat.graphs.formats.folder import read_set
from karat.graphs.formats.formulas.latex import parse_latex
from karat.graphs.formats.formulas.latex_normal import normal_tokens
from karat.graphs.model.labelling import by_star
from support.edits import slow_distance

DATA = Path(__file__).parents[3] / "shared" / "data" / "labelgraphs"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not DATA.is_dir(), reason="needs the data sets beside the project"),
]
pytest.importorskip("lxml")
pytest.importorskip("rapidfuzz")


def test_the_normal_form_of_every_real_formula_is_the_same_formula():
    number = 0
    for graph in read_set(DATA / "crohme2012_test" / "inkml", lenient=True).graphs.values():
        text = latex(graph)
        tokens = normal_tokens(text)
        again = " ".join(tokens)
        assert normal_tokens(again) == tokens
        # The place of limits is not counted.
        plain = text.replace("\\nolimits", "").replace("\\limits", "")
        assert by_star(parse_latex(again).graph) == by_star(parse_latex(plain).graph)
        number += 1
    assert number == 488


@pytest.mark.parametrize("name", ["light", "heavy"])
def test_the_table_of_rates_is_that_of_the_slow_distance(name):
    folders = DATA / "perturbed_2012" / "gt", {name: DATA / "perturbed_2012" / name / "out"}
    bench = karat.read_graphs(*folders)
    scores = bench.tokens()
    (system,) = bench.systems
    slow = []
    for formula in scores.counts.formulas:
        wanted = normal_tokens(latex(bench.truth.graphs[formula]))
        output = ()
        if formula not in scores.counts.absent[name]:
            output = normal_tokens(latex(system.graphs[formula]))
        slow.append(slow_distance(wanted, output))
    assert len(slow) == 488
    assert scores.counts.distances[0].tolist() == slow
    for row in scores.rows()[:4]:
        most = 0 if row["measure"] == "ExpRate" else int(row["measure"][-1])
        assert row["successes"] == sum(number <= most for number in slow)
    assert scores.rows()[4]["successes"] == sum(slow)
