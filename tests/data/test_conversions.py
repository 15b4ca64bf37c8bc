"""CROHME's own files: our conversions against those of its converters, but for the defects these are known for."""

from pathlib import Path

import pytest

from karat.graphs.convert.latex import latex
from karat.graphs.convert.mathml import mathml
from karat.graphs.formats.formulas.latex import parse_latex
from karat.graphs.formats.label_graph import read_lg
from karat.graphs.model.formula import formula_of, walk
from karat.graphs.model.labelling import by_star
from karat.graphs.model.reshape import as_inherited, as_tree, renamed

pytest.importorskip("lxml")

from karat.graphs.formats.formulas.mathml import parse_mathml
from karat.graphs.formats.inkml import read_inkml, traces
from karat.source.xml_tree import name_of, root_of

GRAPHS = Path(__file__).parents[3] / "shared" / "data" / "labelgraphs"
if not GRAPHS.is_dir():
    pytest.skip(f"the real data sets are not at {GRAPHS}", allow_module_level=True)

pytestmark = pytest.mark.shared
TEST = GRAPHS / "crohme2012_test"
FILES = sorted((TEST / "inkml").iterdir()) if TEST.is_dir() else []
ROOTS = {
    "formulaire040-equation041",
    "formulaire043-equation003",
    "formulaire045-equation016",
    "formulaire045-equation063",
    "formulaire045-equation066",
    "formulaire055-equation048",
}
"""A root with two children in MathML: one converter gives the second two parents, the other no R between them."""
OTHERWISE = {
    "crohme_f042-eq067": "a + is in the LaTeX only",
    "formulaire040-equation051": "limits of integrals are below and above in MathML",
    "formulaire042-equation068": "a fraction's bar is called = in MathML",
    "formulaire046-equation062": "limits of a sum are at its corners in MathML",
    "formulaire048-equation049": "scripts are below and above in MathML",
    "formulaire050-equation037": "scripts are below and above in MathML",
    "formulaire050-equation057": "limits of an integral are below and above in MathML",
    "formulaire057-equation003": "an a is an alpha in MathML",
    "formulaire057-equation018": "scripts are below and above in MathML",
}
"""Files whose LaTeX is not what their symbols and MathML say."""


@pytest.fixture(scope="module")
def read():
    return {file.stem: read_inkml(file) for file in FILES}


def graphs(read):
    return {name: one.graph for name, one in read.items()}


def places(graph):
    return {step.path: step.symbol.label for step in walk(formula_of(graph))}


def differing(ours, theirs):
    """The labels of every pair on which two graphs differ: ours, theirs."""
    assert ours.nodes == theirs.nodes
    pairs = {**ours.edges, **theirs.edges}
    return {
        (*ours.edges.get(pair, "_"), *theirs.edges.get(pair, "_"))
        for pair in pairs
        if ours.edges.get(pair) != theirs.edges.get(pair)
    }


def test_all_files_of_the_test_set_are_understood(read):
    assert len(read) == 488
    assert [name for name, one in read.items() if one.problems] == []


def test_trees_are_those_of_the_converter_but_for_six_roots(read):
    found = {
        name: differing(by_star(one), by_star(read_lg(TEST / "lg_tree" / f"{name}.lg")))
        for name, one in graphs(read).items()
    }
    assert {name: what for name, what in found.items() if what} == dict.fromkeys(
        ROOTS, frozenset({("_", "Inside")})
    )


def test_inherited_relations_are_those_of_the_converter_but_for_six_roots_and_what_is_under(read):
    found = {
        name: differing(
            by_star(renamed(as_inherited(one), "short")),
            by_star(read_lg(TEST / "lg_inherited_ne" / f"{name}.lg")),
        )
        for name, one in graphs(read).items()
    }
    wrong = {name: what for name, what in found.items() if what}
    under = {
        name for name, file in zip(found, FILES, strict=True) if "<munder>" in file.read_text()
    }
    assert wrong == dict.fromkeys(ROOTS, frozenset({("R", "_")})) | dict.fromkeys(
        under, frozenset({("B", "A")})
    )


def test_inherited_relations_can_be_taken_away_again(read):
    for one in graphs(read).values():
        assert by_star(as_tree(as_inherited(one))) == by_star(one)


def test_latex_and_mathml_read_back_as_the_same_tree(read):
    for one in graphs(read).values():
        for found in (parse_latex(latex(one)), parse_mathml(mathml(one))):
            assert found.problems == ()
            assert places(found.graph) == places(one)


def test_the_latex_of_a_file_is_its_tree_but_for_nine_that_contradict_themselves(read):
    found = set()
    for name, file in zip(read, FILES, strict=True):
        truth = next(
            one.text
            for one in root_of(file)
            if name_of(one) == "annotation" and one.get("type") == "truth"
        )
        parsed = parse_latex(truth)
        assert parsed.problems == ()
        found |= {name} if places(parsed.graph) != places(read[name].graph) else set()
    assert found == OTHERWISE.keys()


def test_every_stroke_of_a_graph_is_drawn(read):
    for name, file in list(zip(read, FILES, strict=True))[::20]:
        assert set(read[name].graph.primitives()) == traces(file).keys()


@pytest.mark.parametrize(
    ("folder", "named"),
    [
        ("crohme2016_small/inkml", {}),
        ("dprl2013_toy/inkml_gt", {}),
        ("dprl2014_33/inkml_gt", {"501_em_18": 1, "514_em_343": 1, "RIT_2014_51": 2}),
        ("lgeval_tests", {"crohme_f004-eq035": 2}),
    ],
)
def test_files_that_are_not_understood_are_named(folder, named):
    found = {
        file.stem: len(read_inkml(file).problems)
        for file in sorted((GRAPHS / folder).glob("*.inkml"))
    }
    assert {name: number for name, number in found.items() if number} == named
