"""From the command line's words to a bench."""

from typing import Any

from karat.bench import Bench, read
from karat.cli.options import ReadingOptions
from karat.cli.printing import tell
from karat.cli.progress import watch
from karat.errors import OptionError
from karat.graphs import GraphBench, read_graphs

OF_GRAPHS = {"unit", "semantics", "inherit", "absent_edges", "undirected", "labels"}


def bench(tables: list[str], options: ReadingOptions, *, second_truth: str | None = None) -> Bench:
    """Read the tables, or the folders of graphs."""
    _check_graph_options(options)
    if options.graphs:
        return graph_bench(
            tables, lenient=options.lenient, **{name: getattr(options, name) for name in OF_GRAPHS}
        )
    return read(
        tables,
        truth=options.truth,
        scores=options.scores,
        format=options.format,
        using=_using(options.using or []),
        engine=options.engine,
        master=options.master,
        lenient=options.lenient,
        watch=watch,
        systems=_names(options.systems),
        item=options.item,
        group=options.group,
        cluster=options.cluster,
        weight=options.weight,
        count=options.count,
        run=options.run,
        error=options.error,
        second_truth=second_truth,
        long=_three(options.long),
        repeats=options.repeats,
        positive=options.positive,
        kinds=_kinds(options.kind or []),
        missing=options.missing,
        nothing=options.nothing,
        truth_sep=options.truth_sep,
        no_truth=tuple(options.no_truth or ()),
        no_answer=tuple(options.no_answer or ()),
        correct=options.correct,
        duplicate_check=options.duplicate_check,
    )


def _check_graph_options(options: ReadingOptions) -> None:
    """Refuse options that mean nothing for what is read."""
    changed = options.changed()
    if options.graphs and (other := changed - OF_GRAPHS - {"graphs", "lenient"}):
        raise OptionError(
            f"--{min(other).replace('_', '-')} is for tables; with --graphs folders are all that is read"
        )
    if not options.graphs and (other := changed & OF_GRAPHS):
        name = min(other).replace("_", "-")
        raise OptionError(f"--{name} is for label graphs; say --graphs, and name their folders")


def graph_bench(paths: list[str], **options: Any) -> GraphBench:
    """Read the graphs of the truth, or none for -, and of each system."""
    truth, *systems = paths
    if not systems:
        raise OptionError(
            f"{truth} is the only folder; name the truth's, or -, and then those of the systems"
        )
    return read_graphs(None if truth == "-" else truth, systems, **options)


def told(found: Bench) -> Bench:
    """Say on standard error what was inferred."""
    if isinstance(found, GraphBench):
        tell_faults(found)
    for note in found.facts.notes:
        tell(note)
    return found


def tell_faults(found: GraphBench) -> None:
    """Say which lines of graphs were left out, and what could not be read."""
    for problem in (problem for one in found.sets() for problem in one.problems):
        tell(f"left out: {problem}")
    for reason in (reason for one in found.sets() for reason in one.unreadable.values()):
        tell(f"unreadable: {reason}")


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())


def _three(text: str | None) -> tuple[str, str, str] | None:
    if text is None:
        return None
    names = tuple(name.strip() for name in text.split(","))
    if len(names) != 3:
        raise OptionError(f"--long is {text!r}; it names three columns, as ITEM,SYSTEM,ANSWER")
    return names


def _using(texts: list[str]) -> dict[str, str]:
    for text in texts:
        if "=" not in text:
            raise OptionError(
                f"--using is {text!r}; write OPTION=VALUE, with an option that karat sources lists"
            )
    return {
        name.strip().replace("-", "_"): value
        for name, _, value in (text.partition("=") for text in texts)
    }


def _kinds(texts: list[str]) -> dict[str, str]:
    return {name: kind for text in texts for name, _, kind in [text.rpartition("=")]}
