"""Files of LaTeX lines, as handwriting recognisers write them: a formula a line, maybe after its name and a tab."""

from pathlib import Path

from karat.graphs.formats.label_graph import FileProblem, GraphReading, text_of
from karat.graphs.formats.latex import parse_latex

FIRST = "00001"
"""What the first formula is called where the file names none."""


def read_latex_lines(path: str | Path) -> tuple[GraphReading, ...]:
    """Return the tree of every formula of a file, named in the file, or by its line."""
    return parse_latex_lines(text_of(path), str(path))


def parse_latex_lines(text: str, file: str = "the text") -> tuple[GraphReading, ...]:
    r"""Return the tree of every line; a blank one is an empty formula, so that lines of two files stay side by side.

    >>> [one.graph.name for one in parse_latex_lines("x^2\n\ny")]
    ['00001', '00002', '00003']
    >>> [one.graph.name for one in parse_latex_lines("a.png\tx^2\nb.png\ty")]
    ['a.png', 'b.png']
    """
    lines = _lines(text)
    named = all("\t" in line for line in lines if line.strip())
    readings: list[GraphReading] = []
    first_line: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        name = f"{number:05d}"
        formula = line
        if named:
            if not line.strip():
                continue
            name, _, formula = line.partition("\t")
            name = name.strip()
        reading = parse_latex(formula, file, line=number, name=name)
        if name in first_line:
            what = f"{name!r} stands here again; it was on line {first_line[name]}"
            problems = (*reading.problems, FileProblem(file, number, what))
            reading = GraphReading(reading.graph, problems)
        first_line.setdefault(name, number)
        readings.append(reading)
    return tuple(readings)


def _lines(text: str) -> list[str]:
    if not text.strip():
        return []
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.rstrip("\n").split("\n")
