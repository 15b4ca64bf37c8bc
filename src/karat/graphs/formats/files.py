"""Files that hold graphs: which format each has, told by its name and its first bytes, and the graphs in them."""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from karat.errors import InputError
from karat.graphs.formats import GRAPH_FORMATS
from karat.graphs.formats.inkml import read_inkml
from karat.graphs.formats.label_graph import Reading, read_leniently
from karat.graphs.formats.latex_lines import FIRST, read_latex_lines
from karat.graphs.formats.mathml import read_mathml
from karat.words import listing

ENDINGS = {
    ".lg": "lg", ".bg": "lg", ".inkml": "inkml", ".mml": "mathml", ".mathml": "mathml", ".tex": "latex",
    ".latex": "latex",
}  # fmt: skip
LINES = {".txt", ""}
"""Endings of texts, which are taken for lines of LaTeX where their first bytes do not say better."""
OPEN = {".xml", ".csv", *LINES}
"""Endings that say nothing: there the first bytes decide."""
_XML = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
_LINE = re.compile(rb"\s*(#.*\s+)*(N|E|O|R|EO)\s*,")


def lg(path: str) -> tuple[Reading, ...]:
    """Return the graph of an .lg file."""
    return (read_leniently(path),)


def inkml(path: str) -> tuple[Reading, ...]:
    """Return the graph of a CROHME InkML file."""
    return (read_inkml(path),)


def mathml(path: str) -> tuple[Reading, ...]:
    """Return the graph of a MathML file, of layout or of operators."""
    return (read_mathml(path),)


def latex(path: str) -> tuple[Reading, ...]:
    """Return the graph of every line of a file of LaTeX; a single one without a name has that of the file."""
    found = read_latex_lines(path)
    if len(found) == 1 and found[0].graph.name == FIRST:
        return (replace(found[0], graph=found[0].graph.named(Path(path).stem)),)
    return found


def graphs_in(path: str | Path, *, format: str | None = None) -> tuple[Reading, ...]:  # noqa: A002 (the option's name)
    """Return the graphs of a file, each with what in it means nothing."""
    found: tuple[Reading, ...] = GRAPH_FORMATS[format or format_of(path)](str(path))
    return found


def format_of(path: str | Path) -> str:
    """Return the format of a file."""
    ending = Path(path).suffix.lower()
    if ending in ENDINGS:
        return ENDINGS[ending]
    try:
        with Path(path).open("rb") as file:
            start = file.read(4096)
    except FileNotFoundError:
        raise InputError(
            f"there is no file {path}; check its name and the folder you are in"
        ) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    tag = _XML.search(start) if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") else None
    if tag:
        return "inkml" if tag[1] == b"ink" else "mathml"
    if _LINE.match(start.removeprefix(b"\xef\xbb\xbf")):
        return "lg"
    if ending in LINES:
        return "latex"
    raise InputError(f"the format of {path} is unclear; say --format {'|'.join(GRAPH_FORMATS)}")


def files_of(paths: Iterable[str | Path], *, format: str | None = None) -> tuple[str, ...]:  # noqa: A002
    """Return the files behind paths: of a folder and those in it all with an ending that graphs have, in order."""
    found: list[str] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(
                one for one in path.rglob("*") if one.is_file() and not one.name.startswith(".")
            )
            graphs = inside if format else [one for one in inside if one.suffix.lower() in ENDINGS]
            if not graphs:
                raise InputError(
                    f"{path} holds no graphs; files of graphs end with {listing(ENDINGS)}"
                )
            found += map(str, graphs)
        elif path.is_file():
            found.append(str(path))
        else:
            raise InputError(f"there is no file {path}; check its name and the folder you are in")
    return tuple(dict.fromkeys(found))
