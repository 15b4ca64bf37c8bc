"""From the paths and options of a command to a bench."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from karat.ask.reading_for_measure import reading_for
from karat.bench import Bench, read
from karat.boxes import hold_boxes
from karat.cli.options import InputOptions
from karat.cli.printing import tell
from karat.cli.progress import watch
from karat.errors import OptionError
from karat.graphs import GraphOptions
from karat.table.option_help import flag, flags_given, helps
from karat.words import any_of

if TYPE_CHECKING:
    from karat.boxes import BoxBench
    from karat.cli.boxes import BoxInputs
    from karat.graphs import GraphBench

OF_BOXES = {"--truth", "--format", "--using", "--lenient", "--systems"}
"""The options of reading that boxes take."""
OF_BOTH = {"--graphs", "--lenient", "--engine", "--master"}
"""The options of reading that tables and graphs take."""


def read_inputs(paths: list[str], inputs: InputOptions, *, measure: str | None = None) -> Bench:
    """Read the tables, or the folders of graphs; report on standard error what was inferred and left out.

    Where all measures are of texts, or of entities in documents, these are read whole.
    """
    if measure is not None and not inputs.graphs:
        inputs = _as_measured(paths, inputs, measure)
    bench = read_quietly(paths, inputs)
    if inputs.graphs:
        report_faults(bench)  # type: ignore[arg-type]
    tell_notes(bench)
    return bench


def tell_notes(bench: Bench) -> None:
    """Report what was inferred and left out; of boxes without making a table of them, which not all questions need."""
    own = getattr(bench, "notes", None)
    for note in bench.facts.notes if own is None else own():
        tell(note)


def _as_measured(paths: list[str], inputs: InputOptions, measure: str) -> InputOptions:
    using = inputs.using or {}
    form, options = reading_for(
        measure, paths, form=inputs.format, using=using, is_long=bool(inputs.long)
    )
    if options is using:
        return inputs
    return replace(inputs, format=form, using=dict(options))


def read_quietly(paths: list[str], inputs: InputOptions) -> Bench:
    """Read the tables, or the folders of graphs."""
    _check_graph_options(inputs)
    if inputs.graphs:
        where = {"engine": inputs.engine, "master": inputs.master, "watch": watch}
        return read_folders(paths, lenient=inputs.lenient, **where, **inputs.rules())
    if hold_boxes(paths, inputs.truth, inputs.format):
        _check_box_options(inputs)
        return read_boxes_of(paths, inputs)
    return read(paths, **{"watch": watch, **inputs.keywords()})


def _check_graph_options(inputs: InputOptions) -> None:
    """Refuse options that mean nothing for what is read."""
    flags = set(flags_given(inputs)) - OF_BOTH
    graph_flags = {flag(GraphOptions, name) for name in helps(GraphOptions)}
    if inputs.graphs:
        of_tables = sorted(flags - graph_flags)
        if of_tables:
            raise OptionError(
                f"{of_tables[0]} is for tables; --graphs reads folders of label graphs"
            )
    else:
        of_graphs = sorted(flags & graph_flags)
        if of_graphs:
            raise OptionError(
                f"{of_graphs[0]} is for label graphs; say --graphs, and name their folders"
            )


def _check_box_options(inputs: InputOptions) -> None:
    """Refuse options that mean nothing for boxes."""
    for one in flags_given(inputs):
        if one not in OF_BOXES:
            raise OptionError(f"{one} is for tables; boxes take {any_of(sorted(OF_BOXES))}")


def read_boxes_of(paths: list[str], inputs: "InputOptions | BoxInputs") -> "BoxBench":
    """Read boxes: a truth by --truth or before the systems, and of these those that are chosen."""
    from karat.boxes import read_boxes  # noqa: PLC0415 (loads the readers of boxes)

    truth, systems = inputs.truth, list(paths)
    if truth is None:
        truth, *systems = paths
    if not systems:
        raise OptionError(
            f"{truth} stands alone; name the truth of the boxes with --truth FILE, and the results of a system"
        )
    bench = read_boxes(
        truth, systems, format=inputs.format, lenient=inputs.lenient, using=inputs.using
    )
    return bench if inputs.systems is None else bench.chosen(inputs.systems)


def read_folders(paths: list[str], **options: Any) -> "GraphBench":
    """Read the graphs of the truth, or none for -, and of each system."""
    from karat.graphs import read_graphs  # noqa: PLC0415 (loads the readers of graphs)

    truth, *systems = paths
    if not systems:
        raise OptionError(
            f"{truth} is the only folder; name the truth's, or -, and then those of the systems"
        )
    return read_graphs(None if truth == "-" else truth, systems, **options)


def report_faults(bench: "GraphBench") -> None:
    """Report on standard error which lines of graphs were left out, and which graphs could not be read."""
    graph_sets = bench.sets()
    for graph_set in graph_sets:
        for problem in graph_set.problems:
            tell(f"left out: {problem}")
    for graph_set in graph_sets:
        for reason in graph_set.unreadable.values():
            tell(f"unreadable: {reason}")
