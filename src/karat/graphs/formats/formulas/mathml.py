"""MathML files: the one formula of a file as a graph, of presentation or of content MathML, known by its tags."""

from pathlib import Path

from karat.graphs.formats.formulas.content_mathml import ContentReader, is_content
from karat.graphs.formats.formulas.presentation_mathml import PresentationReader
from karat.graphs.formats.label_graph import FileProblem, GraphReading
from karat.graphs.model.formula import Row, graph_of, too_long
from karat.source.xml_tree import Element, line_of, name_of, parse_xml, root_of


def read_mathml(path: str | Path) -> GraphReading:
    """Return the graph of a file of MathML, and what is wrong with it."""
    return _reading(root_of(path), str(path))


def parse_mathml(text: str | bytes, file: str = "the text") -> GraphReading:
    """Return the graph of MathML, and what is wrong with it."""
    data = text.encode() if isinstance(text, str) else text
    return _reading(parse_xml(data, file), file)


def _reading(root: Element, file: str) -> GraphReading:
    problems: list[FileProblem] = []
    formulas = _formulas(root)
    if len(formulas) != 1:
        what = f"there are {len(formulas)} tags <math>; a file holds one"
        problems.append(FileProblem(file, line_of(root), what))
    row = read_math(formulas[0], file, problems) if formulas else []
    refusal = too_long(row)
    if refusal:
        row = []
        problems = [FileProblem(file, line_of(root), refusal)]
    return GraphReading(graph_of(row, Path(file).name), tuple(problems))


def _formulas(root: Element) -> list[Element]:
    if name_of(root) == "math":
        return [root]
    return [element for element in root.iter() if name_of(element) == "math"]


def read_math(
    math: Element, file: str, problems: list[FileProblem], *, strokes: frozenset[str] | None = None
) -> Row:
    """Return the rows of a <math>, adding what is wrong with it to the problems.

    With `strokes`, the ids of what was drawn, each token is one symbol with its id; without, a token's text decides
    how many symbols it is.
    """

    def complain(element: Element, what: str) -> None:
        problems.append(FileProblem(file, line_of(element), what))

    if is_content(math):
        return ContentReader(complain, strokes).read(math)
    return PresentationReader(complain, whole_tokens=strokes is not None).row([math])
