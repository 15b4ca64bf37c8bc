"""Every label graph and InkML of the shared sets through convert, check, graph and show: nothing is lost in silence."""

from collections import Counter
from pathlib import Path

import pytest

from karat.graphs.compare.comparison import compare, prepare
from karat.graphs.compare.rules import Rules
from karat.graphs.convert import GRAPH_FORMS
from karat.graphs.convert.conversion import convert
from karat.graphs.draw.drawing import sketches
from karat.graphs.formats.check import CheckedFolder
from karat.graphs.formats.files import files_of, graphs_in
from karat.graphs.formats.label_graph import parse
from karat.graphs.model.labelling import by_class, by_star
from karat.graphs.model.scenes.scene import has_levels, scene

DATA = Path(__file__).parents[3] / "shared" / "data" / "labelgraphs"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not DATA.is_dir(), reason="needs the data sets beside the project"),
]
pytest.importorskip("lxml")
SETS = sorted({str(Path(file).parent) for file in files_of([DATA])}) if DATA.is_dir() else []


def files_in(folder):
    return [file for file in files_of([folder]) if str(Path(file).parent) == folder]


@pytest.fixture(scope="module", params=SETS, ids=lambda folder: str(Path(folder).relative_to(DATA)))
def readings(request):
    """Every file of a folder with its graph and what was wrong with it."""
    return {file: graphs_in(file)[0] for file in files_in(request.param)}


def test_all_files_are_here():
    endings = Counter(Path(file).suffix for file in files_of([DATA]))
    assert endings == {".lg": 4190, ".inkml": 548}


def test_what_is_written_reads_back_as_the_same_labels(readings):
    for file, reading in readings.items():
        found = convert([file], to="lg", lenient=True)
        (text,) = found.texts.values()
        assert len(found.problems) == len(reading.problems)
        assert len(found.contradictions) == len(reading.contradictions)
        again = parse(text)
        assert again.problems == ()
        assert by_star(again.graph) == by_star(reading.graph), file
        assert by_class(again.graph) == by_class(reading.graph), file


@pytest.mark.parametrize("form", [form for form in GRAPH_FORMS if form != "lg"])
def test_every_graph_is_written_or_named(readings, form):
    for file in readings:
        found = convert([file], to=form, lenient=True)
        assert len(found.texts) + len(found.failed) == 1, file
        assert all(text.strip() for text in found.texts.values()) or found.empty, file


def test_check_reads_every_file_and_tells_what_the_reader_told(readings):
    for file, reading in readings.items():
        checked = CheckedFolder(file)
        assert checked.files == 1
        kinds = Counter(fault.kind for fault in checked.faults)
        assert kinds["malformed"] == len(reading.problems)
        assert kinds["contradiction"] == len(reading.contradictions)


@pytest.mark.parametrize("semantics", ["paper", "lgeval"])
def test_every_graph_is_like_itself(readings, semantics):
    rules = Rules(semantics=semantics)
    for file, reading in readings.items():
        own = prepare(reading.graph, rules)
        counts = compare(own, own, rules)
        assert counts.n == len(reading.graph.primitives())
        assert (counts.dC, counts.dS, counts.dR) == (0, 0, 0), file


def test_every_object_and_relation_is_drawn_or_noted(readings):
    for file, reading in readings.items():
        graph = reading.graph
        whole = scene(graph, levels=has_levels(graph))
        (drawn,) = sketches(graph)
        assert len(drawn.symbols) == len(whole.things), file
        noted = sum(
            int(note.split()[2].replace(",", "")) for note in drawn.notes if "inherited" in note
        )
        in_boxes = len(whole.relations) - noted - len(drawn.arrows)
        # Only a relation Inside of a part of a matrix is shown by its box rather than by an arrow.
        assert in_boxes == 0 or has_levels(graph) or "*M" in str(whole.things), file
