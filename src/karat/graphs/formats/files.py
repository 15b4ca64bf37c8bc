"""Files that hold graphs: their format, known by the name and the first bytes, and the graphs in them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from karat.errors import InputError, NoFileError
from karat.graphs.formats import GRAPH_FORMATS
from karat.graphs.formats.formulas.latex_lines import FIRST, read_latex_lines
from karat.graphs.formats.formulas.mathml import read_mathml
from karat.graphs.formats.inkml import read_inkml
from karat.graphs.formats.label_graph import GraphReading, read_leniently
from karat.source.paths import is_a_file, is_folder
from karat.words import listing

ENDINGS = {
    ".lg": "lg", ".bg": "lg", ".inkml": "inkml", ".mml": "mathml", ".mathml": "mathml", ".tex": "latex",
    ".latex": "latex",
}  # fmt: skip
TEXT_ENDINGS = {".txt", ".tsv", ""}
"""Endings of texts, which are read as lines of LaTeX unless their first bytes show another format."""
OPEN = {".xml", ".csv", *TEXT_ENDINGS}
"""Endings that do not show the format: the first bytes decide."""
_FIRST_TAG = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
_FIRST_LG_LINE = re.compile(rb"\s*(#.*\s+)*(N|E|O|R|EO)\s*,")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def lg(path: str) -> tuple[GraphReading, ...]:
    """Return the graph of an .lg file."""
    return (read_leniently(path),)


def inkml(path: str) -> tuple[GraphReading, ...]:
    """Return the graph of a CROHME InkML file."""
    return (read_inkml(path),)


def mathml(path: str) -> tuple[GraphReading, ...]:
    """Return the graph of a MathML file, of layout or of operators."""
    return (read_mathml(path),)


def latex(path: str) -> tuple[GraphReading, ...]:
    """Return the graph of every line of a file of LaTeX; a single one without a name has that of the file."""
    readings = read_latex_lines(path)
    if len(readings) != 1 or readings[0].graph.name != FIRST:
        return readings
    graph = readings[0].graph.named(Path(path).stem)
    return (replace(readings[0], graph=graph),)


def graphs_in(path: str | Path, *, format: str | None = None) -> tuple[GraphReading, ...]:  # noqa: A002 (the option's name)
    """Return the graphs of a file, each with its malformed places."""
    read = GRAPH_FORMATS[format or format_of(path)]
    readings: tuple[GraphReading, ...] = read(str(path))
    return readings


def format_of(path: str | Path) -> str:
    """Return the format of a file."""
    ending = Path(path).suffix.lower()
    if ending in ENDINGS:
        return ENDINGS[ending]
    start = _first_bytes(path)
    if start.lstrip(_BYTE_ORDER_MARK + b" \t\r\n").startswith(b"<"):
        tag = _FIRST_TAG.search(start)
        if tag:
            return "inkml" if tag[1] == b"ink" else "mathml"
    if _FIRST_LG_LINE.match(start.removeprefix(_BYTE_ORDER_MARK)):
        return "lg"
    if ending in TEXT_ENDINGS:
        return "latex"
    raise InputError(f"the format of {path} is unclear; say --format {'|'.join(GRAPH_FORMATS)}")


def _first_bytes(path: str | Path) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(4096)
    except FileNotFoundError:
        raise NoFileError(path) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


def files_of(paths: Iterable[str | Path], *, format: str | None = None) -> tuple[str, ...]:  # noqa: A002
    """Return the files behind paths: those of a folder and of the folders in it that end as graphs do, in order.

    With a `format` all files of a folder are meant, however they end.
    """
    files: list[str] = []
    for path in map(Path, paths):
        if is_folder(path):
            inside = _visible_files(path)
            if format is None:
                inside = _ending_as_graphs(inside)
            if not inside:
                raise InputError(
                    f"{path} holds no graphs; files of graphs end with {listing(ENDINGS)}, "
                    "and of formulas with .txt or .tsv"
                )
            files += map(str, inside)
        elif is_a_file(path):
            files.append(str(path))
        else:
            raise NoFileError(path)
    return tuple(dict.fromkeys(files))


def _ending_as_graphs(files: Sequence[Path]) -> list[Path]:
    """Return the files that end as graphs do, or, if there are none, those of formulas."""
    graphs = [file for file in files if file.suffix.lower() in ENDINGS]
    if graphs:
        return graphs
    return [file for file in files if file.suffix.lower() in TEXT_ENDINGS - {""}]


def _visible_files(folder: Path) -> list[Path]:
    files = [path for path in folder.rglob("*") if is_a_file(path)]
    return sorted(file for file in files if not file.name.startswith("."))
