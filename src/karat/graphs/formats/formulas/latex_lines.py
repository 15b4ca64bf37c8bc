"""Files of LaTeX formulas, as recognisers and data sets write them: a formula a line, with its name or without.

A name stands before a tab, or as the first word of lines whose other words are single tokens; or before its formula on
a line of its own that begins with %.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from karat.graphs.formats.formulas.latex import parse_latex
from karat.graphs.formats.formulas.latex_tokens import tokens_of
from karat.graphs.formats.label_graph import FileProblem, GraphReading, text_of

FIRST = "00001"
"""What the first formula is called where the file names none."""
NAME_HEADS = {"name", "image", "img", "file", "filename", "file_name", "id", "key", "path"}
FORMULA_HEADS = {"formula", "latex", "label", "caption", "text", "tex", "expression", "prediction"}
"""What the columns of a table of captions may be called."""
_NO_LATEX = re.compile(
    r"\w[^\W_]*_\w[^\W_]*_\w+|[\w.-]+\.(png|jpe?g|bmp|gif|tiff?|inkml|lg|txt)",
    re.IGNORECASE,
)
"""Names that no formula begins with: of three parts, since a symbol has one subscript, or ending as files do."""
_NAME = re.compile(r"[\w.-]{2,}")


class Caption(NamedTuple):
    """A formula, what it is called, and its line."""

    name: str
    formula: str
    line: int


def read_latex_lines(path: str | Path) -> tuple[GraphReading, ...]:
    """Return the tree of every formula of a file, named in the file, or by its line."""
    return parse_latex_lines(text_of(path), str(path))


def parse_latex_lines(text: str, file: str = "the text") -> tuple[GraphReading, ...]:
    r"""Return the tree of every formula.

    >>> [one.graph.name for one in parse_latex_lines("x^2\n\ny")]
    ['00001', '00002', '00003']
    >>> [one.graph.name for one in parse_latex_lines("a.png\tx^2\nb.png\ty")]
    ['a.png', 'b.png']
    """
    readings: list[GraphReading] = []
    first_line: dict[str, int] = {}
    for name, formula, line in captions(text):
        reading = parse_latex(formula, file, line=line, name=name)
        if name in first_line:
            what = f"{name!r} is here again; it was on line {first_line[name]}"
            problems = (*reading.problems, FileProblem(file, line, what))
            reading = replace(reading, problems=problems)
        first_line.setdefault(name, line)
        readings.append(reading)
    return tuple(readings)


def captions(text: str) -> list[Caption]:
    r"""Return the formulas of a file with their names.

    >>> captions("18_em_1 x ^ { 2 }\n18_em_2 y")[0]
    Caption(name='18_em_1', formula='x ^ { 2 }', line=1)
    >>> captions("%18_em_1\n$x$")
    [Caption(name='18_em_1', formula='$x$', line=2)]
    """
    lines = _lines(text)
    filled = [line for line in lines if line.strip()]
    if _alternate(filled):
        return _after_comments(lines)
    if filled and all("\t" in line for line in filled):
        return _named(lines, "\t")
    if _begin_with_names(filled):
        return _named(lines, None)
    # A blank line is an empty formula, so that lines of two files stay side by side.
    return [Caption(f"{number:05d}", line, number) for number, line in enumerate(lines, 1)]


def _lines(text: str) -> list[str]:
    if not text.strip():
        return []
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.rstrip("\n").split("\n")


def _alternate(lines: Sequence[str]) -> bool:
    """Return whether every second line, beginning with the first, is a comment."""
    comments = [line.lstrip().startswith("%") for line in lines]
    return bool(lines) and all(comments[::2]) and not any(comments[1::2])


def _after_comments(lines: Sequence[str]) -> list[Caption]:
    """Return formulas that are named by the comment before them; the last name may be that of nothing."""
    found = []
    name = ""
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("%"):
            name = line.strip().lstrip("%").strip() or f"{number:05d}"
        elif line.strip():
            found.append(Caption(name, line, number))
            name = ""
    if name:
        found.append(Caption(name, "", len(lines)))
    return found


def _named(lines: Sequence[str], separator: str | None) -> list[Caption]:
    """Return the formulas of lines that begin with a name; headings of columns are not names."""
    found: list[Caption] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        name, *rest = line.strip(" ").split(separator, 1)
        formula = rest[0] if rest else ""
        is_head = name.strip().lower() in NAME_HEADS and formula.strip().lower() in FORMULA_HEADS
        if not found and is_head:
            continue
        found.append(Caption(name.strip(), formula, number))
    return found


def _begin_with_names(lines: Sequence[str]) -> bool:
    """Return whether the first word of every line is a name.

    It is one if no formula begins so; or if all words after the first ones are single tokens, so that a formula would
    not begin with several tokens in one word either.
    """
    first_words = []
    other_words = []
    for line in lines:
        first, *others = line.split()
        first_words.append(first)
        other_words += others
    are_different = len(set(first_words)) == len(first_words)
    if not are_different or not other_words:
        return False
    if all(_NO_LATEX.fullmatch(word) for word in first_words):
        return True
    if len(lines) < 2 or not all(_NAME.fullmatch(word) for word in first_words):
        return False
    return all(_is_token(word) for word in other_words)


def _is_token(word: str) -> bool:
    return len(tokens_of(word)) == 1
