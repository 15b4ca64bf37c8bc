"""From the paths and options of a command to a bench."""

from typing import TYPE_CHECKING, Any

from karat.bench import Bench, read
from karat.cli.options import InputOptions
from karat.cli.printing import tell
from karat.cli.progress import watch
from karat.errors import OptionError
from karat.graphs import GraphOptions
from karat.table.option_help import flag, flags_given, helps

if TYPE_CHECKING:
    from karat.graphs import GraphBench


def read_inputs(paths: list[str], inputs: InputOptions) -> Bench:
    """Read the tables, or the folders of graphs; report on standard error what was inferred and left out."""
    bench = read_quietly(paths, inputs)
    if inputs.graphs:
        report_faults(bench)  # type: ignore[arg-type]
    for note in bench.facts.notes:
        tell(note)
    return bench


def read_quietly(paths: list[str], inputs: InputOptions) -> Bench:
    """Read the tables, or the folders of graphs."""
    _check_graph_options(inputs)
    if inputs.graphs:
        return read_folders(paths, lenient=inputs.lenient, **inputs.rules())
    return read(paths, **{"watch": watch, **inputs.keywords()})


def _check_graph_options(inputs: InputOptions) -> None:
    """Refuse options that mean nothing for what is read."""
    flags = set(flags_given(inputs)) - {"--graphs", "--lenient"}
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
