"""LaTeX: formulas as recognisers write them become trees of symbols; what is no formula is told with its column."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from karat.errors import InputError
from karat.graphs.convert.latex import latex
from karat.graphs.formats.formulas.latex import parse_latex
from karat.graphs.formats.formulas.latex_lines import captions, parse_latex_lines
from karat.graphs.model.characters import SYNONYMS, is_known

COLUMNS = "there are l, c and r"
THERE_ARE = "there are scripts, fractions, roots, limits, accents and matrices"


def paths(text):
    """Label and place of every symbol."""
    found = parse_latex(text)
    assert found.problems == ()
    return " ".join(f"{one.label}:{one.primitives[0]}" for one in found.graph.objects)


def test_other_spellings_are_those_of_known_symbols():
    assert [
        label for label in SYNONYMS.values() if label.startswith("\\") and not is_known(label)
    ] == []


def complaints(text):
    return [one.what for one in parse_latex(text).problems]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x + 1", "x:O +:OR 1:ORR"),
        ("$ x^2_i $", "x:O 2:OSup i:OSub"),
        (r"x^\frac12", "x:O -:OSup 1:OSupAbove 2:OSupBelow"),
        (r"\frac{a b}{c}d", r"-:O a:OAbove b:OAboveR c:OBelow d:OR"),
        (r"{a \over b}c", "-:O a:OAbove b:OBelow c:OR"),
        (r"\sqrt{x}", r"\sqrt:O x:OInside"),
        ("√x", r"\sqrt:O x:OInside"),
        (r"\sqrt[3]{x}", r"\sqrt:O 3:OAbove x:OInside"),
        (r"\sum_{i=1}^n i", r"\sum:O i:OBelow =:OBelowR 1:OBelowRR n:OAbove i:OR"),
        (r"\sum\nolimits_i", r"\sum:O i:OSub"),
        (r"\int_a^b", r"\int:O a:OSub b:OSup"),
        (r"\int\limits_a^b", r"\int:O a:OBelow b:OAbove"),
        (r"\lim_{n \to \infty}", r"\lim:O n:OBelow \rightarrow:OBelowR \infty:OBelowRR"),
        (r"\left( x \right]", "(:O x:OR ]:ORR"),
        (r"\left. x \right|_0", "x:O |:OR 0:ORSub"),
        (r"\mathrm{d}x \, \text{if} ~ y", "d:O x:OR i:ORR f:ORRR y:ORRRR"),
        ("f'", r"f:O \prime:OSup"),
        ("f''^2", r"f:O \prime:OSup \prime:OSupR 2:OSupRR"),
        ("f ^ { ' } ( x )", r"f:O \prime:OSup (:OR x:ORR ):ORRR"),
        ("f^{''}", r"f:O \prime:OSup \prime:OSupR"),
        ("f^'", r"f:O \prime:OSup"),
        ("f^{'2}", r"f:O \prime:OSup 2:OSupR"),
        ("f^{2'}", r"f:O 2:OSup \prime:OSupSup"),
        ("y _ { 0 } ^ { ' }", r"y:O 0:OSub \prime:OSup"),
        ("y _ { 0 } { ' }", r"y:O 0:OSub \prime:OSup"),
        (r"\frac { f ^ { ' } } { g ^ { ' } }", r"-:O f:OAbove \prime:OAboveSup g:OBelow \prime:OBelowSup"),
        (r"T ^ { ' \prime }", r"T:O \prime:OSup \prime:OSupR"),
        ("G ^ { ' } { } _ { N }", r"G:O \prime:OSup N:OSub"),
        (r"\Gamma\gamma", r"\Gamma:O \gamma:OR"),
        (r"a \le b < c, d", r"a:O \leq:OR b:ORR \lt:ORRR c:ORRRR COMMA:ORRRRR d:ORRRRRR"),
        (r"\{x\}", r"\{:O x:OR \}:ORR"),
        (r"\hat{x}\overline{ab}", r"\hat:O x:OBelow \overline:OR a:ORBelow b:ORBelowR"),
        (r"\underset{a}{x}\overset{b}{y}", "x:O a:OBelow y:OR b:ORAbove"),
        (r"\operatorname{sin} \operatorname{foo}", r"\sin:O foo:OR"),
        (r"a \not= b", r"a:O \neq:OR b:ORR"),
        ("{ab}^2", "a:O b:OR 2:ORSup"),
        (r"\lim_{x}{g(x)}", r"\lim:O x:OBelow g:OR (:ORR x:ORRR ):ORRRR"),
        (r"\pi*x", r"\pi:O \ast:OR x:ORR"),
        (r"\operatorname*{argmin}_x", "argmin:O x:OBelow"),
        (r"\mathop { \mathrm { l i m } } _ { x } \mathrm{d}", r"\lim:O x:OBelow d:OR"),
        (r"\underbrace{a}_n\overbrace{b}^m", r"\underbrace:O a:OAbove n:OBelow \overbrace:OR b:ORBelow m:ORAbove"),
        (r"\xrightarrow[a]{b}", r"\rightarrow:O b:OAbove a:OBelow"),
        (r"\left< x \right>", r"\langle:O x:OR \rangle:ORR"),
        (r"a \pmod n", "a:O (:OR mod:ORR n:ORRR ):ORRRR"),
        (r"a\hspace{1cm}\phantom{x^2}b\label{c}", "a:O b:OR"),
        ("x≤y", r"x:O \leq:OR y:ORR"),
        (r"50\%", r"5:O 0:OR \%:ORR"),
        ("数", "数:O"),
        ("", ""),
    ],
)  # fmt: skip
def test_every_symbol_has_its_place(text, expected):
    assert sorted(paths(text).split()) == sorted(expected.split())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x ^", "column 4: '^' lacks what it applies to"),
        ("x ^ {", "column 6: '}' is missing at the end"),
        ("x }", "column 3: '}' is out of place here"),
        ("^ 2", "column 1: nothing stands before '^' that it could belong to"),
        ("' x", "column 1: nothing stands before ''' that it could belong to"),
        ("x^2^3", "column 4: 'x' has two parts Sup"),
        (r"\frac{a}", "column 9: '\\frac' lacks what it applies to"),
        (r"\gama", "column 1: no symbol is called \\gama; did you mean \\gamma?"),
        (r"a & b", "column 3: '&' is out of place here"),
        (r"\frac{a & b}{c}", "column 9: '&' is out of place here"),
        (r"\begin{matrix} a & b", "column 21: '\\end' is missing at the end"),
        (r"a \end{matrix}", "column 3: '\\end' has no '\\begin' before it"),
        (r"\begin{matrix} a \end{pmatrix}", "column 18: \\begin{matrix} ends as 'pmatrix'"),
        (r"\begin{matrix} & \\ & \end{matrix}", "column 1: a matrix is empty"),
        (r"\begin{array}{c|c} a & b \end{array}", "column 14: '|' in the columns of an array is not read; " + COLUMNS),
        (r"\begin{array} a \end{array}", "column 1: '\\begin' lacks its {...}"),
        (r"\begin{matrix} a \\ \hline b \end{matrix}", "column 21: \\hline is not read; " + THERE_ARE),
        (r"\begin a", "column 1: '\\begin' lacks its {...}"),
        (r"\underset{a}{xy}", "column 1: '\\underset' is about 2 symbols; a relation leads to one"),
        ("{" * 200, "column 102: more than 100 levels of braces"),
        ("1" + r" \over 1" * 3000, "column 809: more than 100 levels of braces"),
        (r"\mathrm" * 3000, "column 708: more than 100 levels of braces"),
        (r"\left", "column 1: '\\left' lacks its bracket"),
        (r"\left( x", "column 9: '\\right' is missing at the end"),
        (r"\foo", "column 1: no symbol is called \\foo; --lenient takes it for a symbol"),
        (r"x \boxed{y}", "column 3: \\boxed is not read; " + THERE_ARE),
    ],
)  # fmt: skip
def test_what_is_no_formula_is_told_with_its_column(text, complaint):
    assert complaint in complaints(text)


def test_an_environment_that_is_not_read_is_named():
    assert (
        "column 3: the environment 'tikz' is not read; there are matrix, "
        in complaints(r"a \begin{tikz}b\end{tikz}")[0]
    )


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", r"(\begin{matrix}a&b\\c&d\end{matrix})"),
        (r"\begin{pmatrix}a&b\\c&d\end{pmatrix}^T", r"\left( \begin{array}{cc} a & b \\ c & d \end{array} \right)^T"),
        (r"\begin{cases} a & b \\ c \end{cases}", r"\left\{ \begin{array} {ll} a & b \\ [2pt] c \end{array} \right."),
        (r"\begin{vmatrix} a \end{vmatrix}", r"|\begin{matrix} a \end{matrix}|"),
        (r"\begin{matrix} a & b \end{matrix}", r"\begin{matrix} & a & & b \\[1ex] & \end{matrix}"),
        (r"\begin { m a t r i x } a \\ b \end { m a t r i x }", r"{ a \atop b }"),
        (r"\binom{n}{k}", r"\begin{pmatrix} n \\ k \end{pmatrix}"),
        (r"{n \choose k}", r"\binom n k"),
        (r"\sum_{\substack{i<n\\j}}", r"\sum_{\begin{smallmatrix} i<n \cr j \end{smallmatrix}}"),
        (r"\begin{aligned} a &= b \\ &= c \end{aligned}", r"\begin{align*} a & = b \\ & = c \end{align*}"),
        (r"\begin{aligned} & x = 1 \end{aligned}", "x = 1"),
        (r"\begin{equation*} x \end{equation*}", "x"),
        (r"\pmatrix{ a & b \cr c & d }", r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}"),
        (r"\begin{rcases} a \\ b \end{rcases}", r"\begin{matrix} a \\ b \end{matrix} \}"),
        (r"\begin{Bmatrix}[x]\\ [y]\end{Bmatrix}", r"\{\begin{matrix} [x] \\ [y] \end{matrix}\}"),
    ],
)  # fmt: skip
def test_matrices_are_the_same_however_they_are_written(text, same):
    assert paths(text) == paths(same)


def test_a_matrix_holds_rows_and_these_hold_cells():
    expected = r"*M:O *R:OInside *Cell:OInsideInside a:OInsideInsideInside *Cell:OInsideInsideNcellR *R:OInsideNrow "
    expected += (
        r"*Cell:OInsideNrowInside *Cell:OInsideNrowInsideNcellR b:OInsideNrowInsideNcellRInside"
    )
    assert paths(r"\begin{matrix} a & \\ & b \end{matrix}") == expected


def test_lines_are_named_by_number_or_by_what_stands_before_a_tab():
    assert [one.graph.name for one in parse_latex_lines("x\n\ny\n")] == ["00001", "00002", "00003"]
    assert [one.graph.name for one in parse_latex_lines("a\tx\r\nb\ty\r\n")] == ["a", "b"]
    assert parse_latex_lines("\n") == ()


def test_a_name_that_stands_twice_is_told():
    assert [
        str(one) for reading in parse_latex_lines("a\tx\na\ty", "f") for one in reading.problems
    ] == ["f, line 2: 'a' is here again; it was on line 1"]


TOKENS = [
    "x",
    "2",
    "{",
    "}",
    "^",
    "_",
    "[",
    "]",
    "'",
    "&",
    "%",
    "$",
    "\\",
    "\\\\",
    "\\frac",
    "\\sqrt",
    "\\sum",
    "\\limits",
]
TOKENS += [
    "\\nolimits",
    "\\left",
    "\\right",
    "\\over",
    "\\hat",
    "\\overset",
    "\\operatorname",
    "\\not",
    "\\begin",
    "\\mathrm",
    "\\foo",
]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(TOKENS), max_size=14).map(" ".join) | st.text(max_size=30))
@example("\\")
def test_no_text_crashes_and_what_is_a_formula_is_written_and_read_again(text):
    found = parse_latex(text)
    if found.problems:
        return
    try:
        written = latex(found.graph)
    except InputError:
        return
    again = parse_latex(written)
    assert again.problems == ()
    assert {one[1:] for one in again.graph.objects} == {one[1:] for one in found.graph.objects}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("\\left( x", "column 9: '\\right' is missing at the end"),
        ("x \\right)", "column 3: '\\right' has no '\\left' before it"),
        ("a\\over b\\over c", "column 9: a second fraction in one group is ambiguous"),
        ("x%comment", "column 2: '%' begins a comment; the character is \\%"),
        ("a#b", "column 2: '#' stands for a macro's argument; the character is \\#"),
        ("{\\alpha", "column 8: '}' is missing at the end"),
    ],
)
def test_what_latex_would_not_set_is_told_with_its_place(text, what):
    assert what in str(parse_latex(text).problems[0])


def test_a_fraction_between_brackets_stays_between_them():
    found = parse_latex(r"\left( a \over b \right) + c")
    assert found.problems == ()
    assert [one.label for one in found.graph.objects] == ["(", "-", "a", "b", ")", "+", "c"]


def test_a_formula_of_too_many_symbols_is_refused_and_not_spelt_out():
    found = parse_latex("x" * 40_001)
    assert str(found.problems[0]).endswith("the formula has 40,001 symbols; up to 5,000 are read")
    assert found.graph.objects == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\tx\nb\ty + 1", {"a": "x", "b": "y + 1"}),
        ("image\tlatex\na.png\tx", {"a.png": "x"}),
        ("18_em_1 x ^ 2\n18_em_2\n18_em_3 \\sin x\n", {"18_em_1": "x ^ 2", "18_em_2": "", "18_em_3": r"\sin x"}),
        ("img7.bmp \\frac{a}{b}", {"img7.bmp": r"\frac{a}{b}"}),
        ("a_1_2 x^{2}\nb_1_2 y", {"a_1_2": "x^{2}", "b_1_2": "y"}),
        ("n1 x\nn2 y + z", {"n1": "x", "n2": "y + z"}),
        ("%RIT_1\n$x$\n%RIT_2\n$y$", {"RIT_1": "$x$", "RIT_2": "$y$"}),
        ("%RIT_1\n", {"RIT_1": ""}),
        # No names: tokens, subscripts, numbers, a first word that stands twice.
        ("x _ 1 + 2\ny", {"00001": "x _ 1 + 2", "00002": "y"}),
        ("x_1 + 2", {"00001": "x_1 + 2"}),
        ("x_1 + 2\ny_2 = \\frac{1}{2}", {"00001": "x_1 + 2", "00002": r"y_2 = \frac{1}{2}"}),
        ("12 + 1\n12 + 2", {"00001": "12 + 1", "00002": "12 + 2"}),
        ("x\n% y", {"00001": "x", "00002": "% y"}),
        ("", {}),
    ],
)  # fmt: skip
def test_captions_are_read_as_recognisers_write_them(text, expected):
    assert {one.name: one.formula for one in captions(text)} == expected
