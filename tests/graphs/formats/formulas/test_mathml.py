"""MathML: how a formula looks becomes rows of symbols, what it means a tree of operators; nothing is dropped."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.errors import InputError
from karat.graphs.model.formula import formula_of, walk

pytest.importorskip("lxml")

from karat.graphs.convert.latex import latex
from karat.graphs.formats.formulas.latex import parse_latex
from karat.graphs.formats.formulas.mathml import parse_mathml, read_mathml


def math(inside):
    return parse_mathml(f"<math>{inside}</math>")


def as_latex(inside):
    found = math(inside)
    assert found.problems == ()
    return latex(found.graph)


def complaints(inside):
    return [f"{one.line}: {one.what}" for one in math(inside).problems]


X, Y, TWO = "<mi>x</mi>", "<mi>y</mi>", "<mn>2</mn>"


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (X + "<mo>+</mo><mn>12</mn>", "x+12"),
        ("<mi>sin</mi><mo>&#x2061;</mo>" + X, r"\sin x"),
        (f"<msup>{X}{TWO}</msup>", "x^{2}"),
        (f"<msub>{X}{TWO}</msub>", "x_{2}"),
        (f"<msubsup>{X}{TWO}{Y}</msubsup>", "x_{2}^{y}"),
        (f"<munder><mo>lim</mo>{X}</munder>", r"\lim_{x}"),
        (f"<mover>{X}{Y}</mover>", r"\overset{y}{x}"),
        (f"<munderover><mo>∑</mo>{X}{Y}</munderover>", r"\sum_{x}^{y}"),
        (f"<mfrac>{X}{Y}</mfrac>", r"\frac{x}{y}"),
        (f"<msqrt>{X}<mo>+</mo>{Y}</msqrt>", r"\sqrt{x+y}"),
        (f"<mroot>{X}{TWO}</mroot>", r"\sqrt[2]{x}"),
        (f"<mover><mrow>{X}{Y}</mrow><mo>¯</mo></mover>", r"\overline{xy}"),
        (f"<munder>{X}<mo>&#x2015;</mo></munder>", r"\underline{x}"),
        (f"<mstyle><mrow>{X}<mspace/></mrow></mstyle>", "x"),
        (f"<semantics>{X}<annotation>x</annotation></semantics>", "x"),
        (f"<mfenced>{X}{Y}</mfenced>", "(x,y)"),
        (f"<mfenced open='[' close='' separators=''>{X}{Y}</mfenced>", "[xy"),
        (f"<msup><mrow><mo>(</mo>{X}<mo>)</mo></mrow>{TWO}</msup>", "(x)^{2}"),
        (
            f"<mtable><mtr><mtd>{X}</mtd></mtr><mtr><mtd/><mtd>{Y}</mtd></mtr></mtable>",
            r"\begin{matrix} x &  \\  & y \end{matrix}",
        ),
        (
            f"<mfenced><mtable><mtr><mtd>{X}{Y}</mtd></mtr></mtable></mfenced>",
            r"\begin{pmatrix} xy \end{pmatrix}",
        ),
        (
            f"<msup><mtable><mtr><mtd>{X}</mtd></mtr></mtable>{TWO}</msup>",
            r"\begin{matrix} x \end{matrix}^{2}",
        ),
        (
            f"<mo>(</mo><mfrac linethickness='0'>{X}{Y}</mfrac><mo>)</mo>",
            r"\begin{pmatrix} x \\ y \end{pmatrix}",
        ),
        ("<mi>&alpha;</mi><mo>&InvisibleTimes;</mo><mo>&le;</mo><mo>&amp;</mo>", r"\alpha\leq\&"),
        ("<mi>&#x1d465;</mi><mi>&#x1d6fc;</mi>", r"x\alpha"),
        (f"<mmultiscripts>{X}{TWO}<none/></mmultiscripts>", "x_{2}"),
        (f"<mphantom>{X}</mphantom>{Y}", "y"),
        (f"<mfrac bevelled='true'>{X}{Y}</mfrac>", "x/y"),
        (
            f"<mover>{X}<mo>→</mo></mover><mover><mrow>{X}{Y}</mrow><mo>→</mo></mover>",
            r"\vec{x}\overrightarrow{xy}",
        ),
        (f"<mover><mrow>{X}{Y}</mrow><mo>&#x20d7;</mo></mover>", r"\vec{xy}"),
        (f"<mover>{X}<mrow><mo>→</mo></mrow></mover>", r"\overset{\rightarrow}{x}"),
        ("<mi>&#x393;</mi><mi>&#x3b3;</mi>", r"\Gamma\gamma"),
        ("<mo>&lt;</mo><mo>≤</mo><mo>&#x2212;</mo><mo>,</mo>", r"<\leq-,"),
        ("", ""),
    ],
)
def test_what_is_shown_is_read(inside, expected):
    assert as_latex(inside) == expected


def test_what_is_under_is_below_and_children_of_a_root_stand_side_by_side():
    """Both are wrong in the converter of 2012: munder was above, the root's children had no relation."""
    found = math(
        "<munder><mi>lim</mi><mi>n</mi></munder><msqrt><mn>1</mn><mn>2</mn><mn>3</mn></msqrt>"
    ).graph
    assert [(step.symbol.label, step.path) for step in walk(formula_of(found))] == [
        ("\\lim", "O"),
        ("n", "OBelow"),
        ("\\sqrt", "OR"),
        ("1", "ORInside"),
        ("2", "ORInsideR"),
        ("3", "ORInsideRR"),
    ]


@pytest.mark.parametrize(
    ("inside", "complaint"),
    [
        ("\n<mtable/>", "2: a matrix is empty"),
        (
            f"<mtable><mtr>\n{X}</mtr></mtable>",
            "2: <mi> in <mtr> is not understood; there is <mtd>",
        ),
        (
            f"<mtable>\n<mlabeledtr/><mtr><mtd>{X}</mtd></mtr></mtable>",
            "2: <mlabeledtr> in <mtable> is not understood; there is <mtr>",
        ),
        (
            f"<mtable><mtr><mtd columnspan='2'>{X}</mtd></mtr></mtable>",
            "1: a cell with columnspan='2' is not understood",
        ),
        (
            "<mtable><mtr><mtd>x</mtd></mtr></mtable>",
            "1: the text 'x' is not inside a token in <mtd>; put it into <mi> or <mo>",
        ),
        ("<mtd/>", "1: <mtd> is not a tag that karat understands here"),
        ("\n\n<mfrac><mi>x</mi></mfrac>", "3: <mfrac> has 1 part; it needs 2"),
        ("<msup><mrow/><mn>2</mn></msup>", "1: <msup> has no base, so nothing has these scripts"),
        (f"<msup><msup>{X}{TWO}</msup>{TWO}</msup>", "1: 'x' has two parts Sup"),
        (
            f"<munder><mrow>{X}{Y}</mrow>{TWO}</munder>",
            "1: <munder> has a base of 2 symbols; a relation leads to one",
        ),
        (
            "<mrow>x</mrow>",
            "1: the text 'x' is not inside a token in <mrow>; put it into <mi> or <mo>",
        ),
        ("<msup>" * 110 + X + f"{TWO}</msup>" * 110, "1: more than 100 levels of tags"),
        (
            "<msqrt>" * 101 + f"<mrow>{X}</mrow>" + "</msqrt>" * 101,
            "1: more than 100 levels of tags",
        ),
        (
            f"<mmultiscripts>{X}<mprescripts/>{Y}<none/></mmultiscripts>",
            "1: scripts before a symbol are not read",
        ),
        (
            f"<semantics><annotation/>{X}</semantics>",
            "1: <semantics> does not begin with a formula as it is shown",
        ),
        (
            f"{X}\n<mspace linebreak='newline'/>{Y}",
            "2: a formula on several lines is not read; set these in rows of an <mtable>",
        ),
        (
            f"<menclose notation='box'>{X}</menclose>",
            "1: <menclose> is not a tag that karat understands here",
        ),
        ("<mi><b>x</b></mi>", "1: <b> inside <mi> is not understood"),
    ],
)
def test_what_is_not_understood_is_told_with_its_line(inside, complaint):
    assert complaint in complaints(inside)


@pytest.mark.parametrize("levels", [99, 100, 101, 102, 150, 240])
def test_empty_tags_in_each_other_never_crash(levels):
    assert math("<msqrt>" * levels + "</msqrt>" * levels).graph.objects


def test_what_is_inside_an_unknown_tag_is_not_dropped():
    assert [one.label for one in math(f"<mblock>{X}{Y}</mblock>").graph.objects] == ["x", "y"]


def test_operators_have_arguments():
    found = math("<apply><plus/><cn>2</cn><apply><power/><ci>x</ci><cn>2</cn></apply></apply>")
    assert found.problems == ()
    assert [(one.label, *one.primitives) for one in found.graph.objects] == [
        ("+", "O"),
        ("2", "OArg1"),
        ("x", "OArg2"),
        ("2", "OArg2Expt"),
    ]


def test_bound_variables_and_limits_are_parts_of_their_own():
    found = math(
        "<apply><sum/><bvar><ci>i</ci></bvar><lowlimit><cn>1</cn></lowlimit><uplimit><ci>n</ci></uplimit><ci>i</ci></apply>"
    )
    assert [one.label for one in found.graph.relations] == ["Bvar", "Lowlimit", "Uplimit", "Arg1"]


@pytest.mark.parametrize(
    ("inside", "complaint"),
    [
        (
            "\n<apply><frobnicate/><cn>2</cn></apply>",
            "2: <frobnicate> is not a tag that karat understands here",
        ),
        ("<apply/>", "1: <apply> is empty; it needs an operator"),
        (
            "<apply><power/><ci>x</ci></apply>",
            "1: <power> is not written, so it needs two arguments to stand between",
        ),
        ("<ci>x</ci><ci>y</ci>", "1: <math> holds 2 expressions; it needs one"),
        ("<ci/>", "1: <ci> is empty"),
    ],
)
def test_operators_that_are_not_understood_are_told_with_their_line(inside, complaint):
    assert complaint in complaints(inside)


def test_formulas_may_stand_in_a_page(tmp_path):
    page = tmp_path / "page.xml"
    page.write_text(
        f"<html><p><m:math xmlns:m='http://www.w3.org/1998/Math/MathML'>{X.replace('mi', 'm:mi')}</m:math></p></html>"
    )
    assert [one.label for one in read_mathml(page).graph.objects] == ["x"]
    page.write_text("<html/>")
    assert read_mathml(page).problems[0].what == "there are 0 tags <math>; a file holds one"


def test_named_characters_are_known_where_a_doctype_allows_them():
    found = parse_mathml(
        '<!DOCTYPE math PUBLIC "-//W3C//DTD MathML 2.0//EN" "mathml2.dtd"><math><mo>&times;</mo></math>'
    )
    assert [one.label for one in found.graph.objects] == ["\\times"]


TAGS = [
    "mrow",
    "mi",
    "mn",
    "mo",
    "msup",
    "msubsup",
    "munder",
    "mover",
    "munderover",
    "mfrac",
    "msqrt",
    "mroot",
    "mfenced",
]
TAGS += ["mtable", "semantics", "apply", "ci", "cn", "plus", "power", "bvar", "interval", "x"]
TREES = st.recursive(
    st.sampled_from(["", "x", "12", "&lt;", "sin", "\\"]),
    lambda inside: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(TAGS),
        st.lists(inside, max_size=3),
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(TREES)
def test_no_tree_of_tags_crashes(tree):
    found = math(tree).graph
    with contextlib.suppress(InputError):
        assert parse_latex(latex(found)).problems == ()
