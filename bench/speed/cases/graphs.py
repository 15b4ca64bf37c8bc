"""Label graphs: files compared, and InkML to graphs."""

import csv
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

from case import Case, Way
from common import made
from lxml import etree

from karat.graphs.compare.counts import graphs
from karat.graphs.compare.rules import Rules
from karat.graphs.compare.summary import summary
from karat.graphs.formats.folder import read_set
from karat.graphs.formats.inkml import parse_inkml
from karat.graphs.formats.label_graph_text import to_lg
from karat.graphs.model.structure import LabelGraph, Object, Relation

FILES, STROKES, SYMBOLS, POINTS = 488, 18, 13, 40
"""As many files, and about as many strokes, symbols and points in each, as the sets of CROHME 2012 have."""


def sets() -> Path:
    return made("graphs", _write_sets)


def _write_sets(home: Path) -> None:
    home.mkdir()
    for seed, name in enumerate(("truth", "output")):
        (home / name).mkdir()
        chance = Random(seed)  # noqa: S311 (no secret)
        for number in range(FILES):
            (home / name / f"e{number}.lg").write_text(to_lg(_chain(chance)))


def _chain(chance: Random) -> LabelGraph:
    """Return symbols of two strokes in a row, with some relations that lead up."""
    number = STROKES // 2
    objects = tuple(
        Object(f"o{k}", chance.choice("xyz12+-"), 1.0, (f"s{2 * k}", f"s{2 * k + 1}"))
        for k in range(number)
    )
    relations = tuple(
        Relation(f"o{k}", f"o{k + 1}", "Sup" if chance.random() < 0.1 else "Right", 1.0)
        for k in range(number - 1)
    )
    return LabelGraph(objects=objects, relations=relations)


def compared(home: Path) -> int:
    return len(summary(graphs(read_set(home / "truth"), [read_set(home / "output")], Rules())))


def fields(home: Path) -> int:
    number = 0
    for path in sorted(home.glob("*/*.lg")):
        with path.open(encoding="utf-8") as file:
            number += sum(len(row) for row in csv.reader(file))
    return number


def inks() -> list[bytes]:
    return [_ink(seed) for seed in range(FILES)]


def _ink(seed: int) -> bytes:
    """Return a file of symbols side by side, every second with a superscript; one to two strokes each."""
    chance = Random(seed)  # noqa: S311 (no secret)
    strokes: list[str] = []
    groups = []
    math = ""
    for number in reversed(range(SYMBOLS)):
        token = f'<mi xml:id="x_{number}">x</mi>'
        row = "msup" if math and number % 2 else "mrow"
        math = f"<{row}>{token}{math}</{row}>"
        own = range(len(strokes), len(strokes) + chance.randint(1, 2))
        points = ", ".join(f"{chance.random():.5f} {chance.random():.5f}" for _ in range(POINTS))
        strokes += [f'<trace id="{name}">\n{points}\n</trace>' for name in own]
        views = "".join(f'<traceView traceDataRef="{name}"/>' for name in own)
        label = f'<annotation type="truth">x</annotation>{views}<annotationXML href="x_{number}"/>'
        groups.append(f"<traceGroup>{label}</traceGroup>")
    start = f'<ink xmlns="http://www.w3.org/2003/InkML"><annotationXML type="truth"><math>{math}</math></annotationXML>'
    return f"{start}{''.join(strokes)}<traceGroup>{''.join(groups)}</traceGroup></ink>".encode()


def drawn(files: list[bytes]) -> int:
    return sum(len(to_lg(parse_inkml(data).graph)) for data in files)


def trees(files: list[bytes]) -> int:
    plain = etree.XMLParser(collect_ids=False)
    return sum(len(etree.fromstring(data, plain)) for data in files)


def trees_of_python(files: list[bytes]) -> int:
    return sum(len(ET.fromstring(data)) for data in files)  # noqa: S314 (our own bytes)


CASES = (
    Case(
        "488 pairs of label graphs, all metrics, from files", sets, compared,
        Way("Python's csv, every field", fields),
        reason="graphs are built, checked and compared label by label and relation by relation in Python",
    ),
    Case(
        "488 InkML files to label graphs", inks, drawn, Way("lxml, the bare tree of tags", trees),
        Way("Python's ElementTree, the bare tree", trees_of_python),
        reason="traces and MathML become symbols and relations, with every check",
    ),
)  # fmt: skip
