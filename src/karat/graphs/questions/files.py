"""Files about every output: LgEval's metrics and differences, and drawings."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from karat.errors import InputError
from karat.graphs.compare.metrics_files import metrics_files
from karat.graphs.compare.rules import Rules
from karat.graphs.draw.drawing import drawing
from karat.graphs.formats.folder import GraphSet
from karat.graphs.formats.pairing import paired
from karat.report.writing import folder, write


def write_metrics(
    truth: GraphSet, systems: Sequence[GraphSet], rules: Rules, into: str | Path
) -> int:
    """Write a file of metrics and one of differences per graph, as LgEval does; return how many graphs."""
    places = _places(truth, systems, into)
    for system in systems:
        for name, (metrics, differences) in metrics_files(truth, system, rules):
            place = places[system.name, name]
            write(f"{place}.csv", metrics)
            if differences:
                write(f"{place}.diff", differences)
            else:
                Path(f"{place}.diff").unlink(missing_ok=True)
    return len(places)


def write_drawings(
    truth: GraphSet, systems: Sequence[GraphSet], rules: Rules, into: str | Path
) -> int:
    """Write a drawing of every output and its truth, one SVG per file; return how many."""
    places = _places(truth, systems, into)
    for system in systems:
        for name, own_name in paired(truth, system).items():
            output = system.graph(own_name).named(f"{own_name}.lg")
            picture = drawing(output, truth.graphs[name], undirected=rules.undirected)
            write(f"{places[system.name, name]}.svg", picture)
    return len(places)


def _places(
    truth: GraphSet, systems: Sequence[GraphSet], into: str | Path
) -> dict[tuple[str, str], Path]:
    """Return where files about a system's graph go, without their endings: all of them inside the folder."""
    places: dict[tuple[str, str], Path] = {}
    for system in systems:
        home = folder(Path(into) / _plain(system.name) if len(systems) > 1 else into)
        for name in truth.graphs:
            places[system.name, name] = home / _plain(name)
    twice = [place for place, number in Counter(places.values()).items() if number > 1]
    if twice:
        raise InputError(
            f"two graphs would be written to {twice[0]}; slashes become _, so give them other names"
        )
    return places


def _plain(name: str) -> str:
    """Return a name as that of a file, which names no other folder."""
    return name.replace("/", "_").replace("\\", "_")
