"""InkML files to label graphs, against a plain parse of the same bytes, which knows no symbol and no relation."""

import sys
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line
from lxml import etree

from karat.graphs.formats.inkml import parse_inkml
from karat.graphs.formats.label_graph_text import to_lg
from karat.graphs.model.labelling import by_star

REAL = Path(__file__).parents[3] / "shared" / "data" / "labelgraphs" / "crohme2012_test" / "inkml"
FILES, SYMBOLS, POINTS = 488, 13, 40
"""As many files, and about as many symbols and points in each, as CROHME 2012 has."""


def drawn(seed: int) -> bytes:
    """A file of symbols side by side, every second with a superscript; one to two strokes each."""
    chance = Random(seed)  # noqa: S311 (no secret)
    strokes, groups, math = [], [], ""
    for number in reversed(range(SYMBOLS)):
        token = f'<mi xml:id="x_{number}">x</mi>'
        math = (
            f"<msup>{token}{math}</msup>" if math and number % 2 else f"<mrow>{token}{math}</mrow>"
        )
        own = range(len(strokes), len(strokes) + chance.randint(1, 2))
        points = ", ".join(f"{chance.random():.5f} {chance.random():.5f}" for _ in range(POINTS))
        strokes += [f'<trace id="{name}">\n{points}\n</trace>' for name in own]
        views = "".join(f'<traceView traceDataRef="{name}"/>' for name in own)
        groups.append(
            f'<traceGroup><annotation type="truth">x</annotation>{views}<annotationXML href="x_{number}"/></traceGroup>'
        )
    start = '<ink xmlns="http://www.w3.org/2003/InkML"><annotationXML type="truth">'
    end = f"{''.join(strokes)}<traceGroup>{''.join(groups)}</traceGroup></ink>"
    return f"{start}<math>{math}</math></annotationXML>{end}".encode()


def measured(what: str, files: list[bytes]) -> None:
    size = sum(map(len, files)) / 1e6
    plain = etree.XMLParser(collect_ids=False)
    print(f"  {what}: {len(files)} files, {size:.1f} MB")
    bare = clock(lambda: [etree.fromstring(data, plain) for data in files], times=5)
    other = clock(lambda: [ET.fromstring(data) for data in files], times=5)  # noqa: S314 (our own bytes)
    graphs = clock(lambda: [parse_inkml(data) for data in files], times=5)
    whole = clock(lambda: [to_lg(parse_inkml(data).graph) for data in files], times=5)
    for name, seconds in (
        ("lxml, the bare tree of tags", bare),
        ("xml.etree, the bare tree of tags", other),
    ):
        line(name, seconds, f"{len(files) / seconds[1]:,.0f} files per CPU second")
    for name, seconds in (
        ("karat, graphs with every check", graphs),
        ("karat, graphs written as .lg", whole),
    ):
        line(
            name,
            seconds,
            f"{len(files) / seconds[1]:,.0f} files per CPU second, {seconds[1] / bare[1]:.1f}x the bare parse",
        )
    assert not any(parse_inkml(data).problems for data in files)
    assert all(by_star(parse_inkml(data).graph).nodes for data in files[:10])


header("InkML files to label graphs", "lxml")
measured("made up", [drawn(seed) for seed in range(FILES)])
if REAL.is_dir():
    measured("CROHME 2012, test", [file.read_bytes() for file in sorted(REAL.iterdir())])
