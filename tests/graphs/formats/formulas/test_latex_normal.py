"""The normal form of LaTeX: ways to write the same formula are the same tokens, and nothing is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.graphs.convert.latex import latex
from karat.graphs.formats.formulas.latex import parse_latex
from karat.graphs.formats.formulas.latex_normal import normal_tokens
from karat.graphs.model.labelling import by_star


def normal(text):
    return " ".join(normal_tokens(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Mathematics mode, spaces and styles show nothing.
        (r"$\displaystyle x \, y \quad z$", "x y z"),
        (r"\[ x \]", "x"),
        # Scripts are in braces, the lower one first; an empty one is none.
        ("x^2", "x ^ { 2 }"),
        ("x^2_i", "x _ { i } ^ { 2 }"),
        ("x_{}", "x"),
        ("f'", r"f ^ { \prime }"),
        ("f^{'}", r"f ^ { \prime }"),
        ("f^{''}", r"f ^ { \prime \prime }"),
        ("f'^2", r"f ^ { \prime 2 }"),
        ("y _ 0 { ' }", r"y _ { 0 } ^ { \prime }"),
        # Sizes of brackets.
        (r"\left( x \right)", "( x )"),
        (r"\left. x \right|", "x |"),
        (r"\big< x \big>", r"\langle x \rangle"),
        # Braces that hold nothing together.
        ("{x}{{y}}", "x y"),
        # Limits.
        (r"\sum\limits_{i}^n", r"\sum _ { i } ^ { n }"),
        (r"\int\nolimits_a", r"\int _ { a }"),
        # Synonyms and characters.
        (r"a \le b \ne c \to d, *", r"a \leq b \neq c \rightarrow d , \ast"),
        ("x≤β", r"x \leq \beta"),
        (r"a \not= b", r"a \neq b"),
        (r"a \not{\in} b \not x", r"a \notin b \not x"),
        # Fractions, roots, accents.
        (r"\dfrac12", r"\frac { 1 } { 2 }"),
        (r"{a \over b}", r"\frac { a } { b }"),
        (r"\sqrt x \sqrt[3]{y}", r"\sqrt { x } \sqrt [ 3 ] { y }"),
        (r"\hat x \stackrel{a}{=}", r"\hat { x } \overset { a } { = }"),
        # Fonts and names.
        (r"\mathrm{sin} x + \mathbf{v} + \rm d", r"\sin x + v + d"),
        (r"\operatorname{sin}\operatorname{foo}", r"\sin \operatorname { f o o }"),
        # Matrices.
        (r"\begin{array}{cc} a & b \\ c & d \end{array}", r"\begin{matrix} a & b \\ c & d \end{matrix}"),
        (r"\begin{pmatrix} a \end{pmatrix}", r"( \begin{matrix} a \end{matrix} )"),
        # What is not balanced stays so.
        ("x }", "x }"),
        ("{ x", "{ x"),
        (r"\frac { 1 } { 2", r"\frac { 1 } { 2"),
        ("x ^", "x ^"),
        (r"\foo", r"\foo"),
        ("", ""),
    ],
)  # fmt: skip
def test_every_token_has_its_normal_form(text, expected):
    assert normal(text) == expected


PIECES = st.sampled_from(
    [
        "x", "2", "+", r"\alpha ", r"\leq ", "^{a}", "_i", "_{j k}", "'", r"\frac{1}{y}", r"\sqrt{z}", r"\sqrt[3]{q}",
        r"\left( b \right)", r"\sum_{i=1}^n ", r"\hat{x}", r"\mathrm{lim}", "{ab}", r"\dfrac12 ", r"\,",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=9).map(lambda parts: "u" + "".join(parts)))
def test_the_normal_form_is_the_same_formula_and_its_own_normal_form(text):
    tokens = normal_tokens(text)
    again = " ".join(tokens)
    assert normal_tokens(again) == tokens
    given_formula = parse_latex(text)
    if given_formula.problems:
        return  # Two scripts of one kind.
    assert parse_latex(again).problems == ()
    assert by_star(parse_latex(again).graph) == by_star(given_formula.graph)
    # What LaTeX the graph of the formula is written as, it has the same tokens.
    assert normal_tokens(latex(given_formula.graph)) == tokens


@given(
    st.lists(
        st.sampled_from(
            ["{", "}", "^", "_", "x", "'", r"\frac", r"\left", "[", r"\sqrt", r"\begin", "&"]
        )
    )
)
def test_whatever_is_unbalanced_has_tokens_and_a_normal_form(words):
    tokens = normal_tokens(" ".join(words))
    assert normal_tokens(" ".join(tokens)) is not None
    assert sum(map(words.count, ("x",))) == tokens.count("x") or r"\begin" in words


def test_deep_nesting_ends():
    assert len(normal_tokens("{" * 5000)) == 5000
    assert normal_tokens("x^{" * 5000)[:3] == ("x", "^", "{")
