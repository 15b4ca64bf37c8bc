"""Files of LaTeX lines, what handwriting recognisers write: a formula a line, maybe with its name before a tab."""

from pathlib import Path

from karat.graphs.formats.label_graph import Problem, Reading, text_of
from karat.graphs.formats.latex import parse_latex

FIRST = "00001"
"""What the first formula is called where the file names none."""


def read_latex_lines(path: str | Path) -> tuple[Reading, ...]:
    """Return the tree of every formula of a file, named in the file, or by its line."""
    return parse_latex_lines(text_of(path), str(path))


def parse_latex_lines(text: str, file: str = "the text") -> tuple[Reading, ...]:
    r"""Return the tree of every line; a blank one is an empty formula, so that lines of two files stay side by side.

    >>> [one.graph.name for one in parse_latex_lines("x^2\n\ny")]
    ['00001', '00002', '00003']
    >>> [one.graph.name for one in parse_latex_lines("a.png\tx^2\nb.png\ty")]
    ['a.png', 'b.png']
    """
    lines = (
        text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")
        if text.strip()
        else []
    )
    named = all("\t" in line for line in lines if line.strip())
    found: list[Reading] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if named and not line.strip():
            continue
        name, _, formula = line.partition("\t") if named else (f"{number:05d}", "", line)
        name = name.strip()
        reading = parse_latex(formula, file, line=number, name=name)
        if name in seen:
            what = f"{name!r} stands here again; it was on line {seen[name]}"
            reading = Reading(reading.graph, (*reading.problems, Problem(file, number, what)))
        seen.setdefault(name, number)
        found.append(reading)
    return tuple(found)
