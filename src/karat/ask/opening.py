"""Opens what a user gives, so that it can be counted: files, frames, columns, or tallies counted before."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from karat.ask.read_options import ReadOptions
from karat.engine import ENGINES, Engine, Watch
from karat.errors import InputError, OptionError
from karat.scratch import without_scratch
from karat.source.each import Each
from karat.source.origin import Source, file_and_column
from karat.source.paths import exists
from karat.source.recognise import has_truth_first, is_file, recognise
from karat.source.truth_and_systems import NONE, matches_files
from karat.table.build import build
from karat.table.option_help import flag, given
from karat.table.options import TableOptions
from karat.tally.counter import Counter, from_saved, from_table

IGNORED_BY_TALLIES = {"format", "engine", "master", "lenient", "watch"}
"""Options that change nothing of what was counted before."""


@dataclass(frozen=True, slots=True)
class _Truth:
    """Where the truth is: a column of the table, or another source and maybe a column of it."""

    source: Source | None = None
    column: str | None = None
    fault: InputError | None = None
    """Why what looks like a file cannot be read; raised unless the table has a column of that name."""


def open_table(data: Any, options: ReadOptions) -> Counter:
    """Return who counts the rows of what was given; messages name files of archives as the archives do."""
    try:
        return _open_table(data, options)
    except InputError as error:
        lines = tuple(map(without_scratch, error.lines))
        if lines == error.lines:
            raise
        raise InputError(*lines) from None


def _open_table(data: Any, options: ReadOptions) -> Counter:
    if tallies := _tallies(data):
        _check_tally_options(options)
        return from_saved(tallies)
    data, options = _truth_before_systems(data, options)
    table_options = options.of_table()
    source = recognise(
        data,
        format=options.format,
        using=options.using,
        context=_context(table_options, options),
    )
    if "nothing" in table_options and "nothing" in source.roles:
        own = source.roles["nothing"]
        raise OptionError(
            f"--nothing is {own} for what is read here: what was lost or added; leave the option out"
        )
    truth = _truth(options.truth)
    scores = recognise(options.scores) if options.scores is not None else None
    sources = [one for one in (source, truth.source, scores) if one]
    engine = _engine(options, sources)
    roles = dict(source.roles) | table_options
    if truth.column is not None:
        roles["truth"] = truth.column
    if truth.source:
        roles["truth"] = None
    described = TableOptions(**roles)
    relation = engine.open(source)
    if truth.fault and truth.column not in relation.columns:
        raise truth.fault
    table = build(
        engine,
        relation,
        described,
        truth=(engine.open(truth.source), truth.column) if truth.source else None,
        scores=engine.open(scores) if scores else None,
    )
    notes = (*source.notes, *table.notes)
    return from_table(replace(table, notes=notes, images=source.images))


def _truth_before_systems(data: Any, options: ReadOptions) -> tuple[Any, ReadOptions]:
    """Return the paths with that of --truth before them, where a source takes TRUTH SYSTEM...: folders of text, say."""
    truth = options.truth
    several = data if isinstance(data, list | tuple) else [data]
    are_paths = all(isinstance(path, str | Path) for path in several)
    if not isinstance(truth, str | Path) or not are_paths:
        return data, options
    if not exists(truth) and not matches_files(str(truth)):
        return data, options
    systems = [str(path) for path in several if str(path) != NONE]
    paths = [str(truth), *systems]
    if not has_truth_first(paths, options.format):
        return data, options
    return paths, replace(options, truth=None)


def open_checked(path: str | Path) -> Counter:
    """Return the counter of a file of checked labels: the columns given and true, and maybe count or share."""
    source = recognise(path)
    columns = ENGINES["duckdb"](paths=source.paths).open(source).columns
    for name in ("given", "true"):
        if name not in columns:
            raise OptionError(
                f"{path} has no column {name!r}; labels checked again are in given and true"
            )
    weight = "share" if "share" in columns else None
    count = "count" if weight is None and "count" in columns else None
    options = ReadOptions(
        truth="given",
        systems=("true",),
        weight=weight,
        count=count,
        kinds={"": "label"},
        duplicate_check=False,
    )
    return open_table(path, options)


def columns_of(path: str | Path) -> dict[str, list[Any]]:
    """Return the columns of a file as they are, by name; nothing where a cell is empty."""
    source = recognise(path)
    engine = ENGINES["duckdb"](paths=source.paths)
    opened = engine.open(source)
    stored = engine.query(f"select * from {opened.name}")
    columns = {}
    for number, name in enumerate(opened.columns):
        values = stored[f"c{number}"]
        columns[name] = ["" if value is None else value for value in values.tolist()]
    return columns


def _tallies(data: Any) -> tuple[str, ...]:
    """Return the paths of tallies, if these are what was given."""
    several = data if isinstance(data, list | tuple) else [data]
    if not all(isinstance(path, str | Path) for path in several):
        return ()
    paths = tuple(str(path) for path in several)
    tallies = tuple(path for path in paths if path.endswith(".tally"))
    if tallies and len(tallies) < len(paths):
        raise OptionError(
            "tables and tallies cannot be read together; count the tables first with karat tally"
        )
    return tallies


def _check_tally_options(options: ReadOptions) -> None:
    """Refuse options of reading that would have to be known when the tally was counted."""
    for name, value in given(options).items():
        is_empty = name == "using" and not value
        if name not in IGNORED_BY_TALLIES and not is_empty:
            raise OptionError(
                f"a tally was counted with its own options; {flag(ReadOptions, name)} cannot be changed: "
                "count the table again with it"
            )


def _context(table_options: Mapping[str, Any], options: ReadOptions) -> dict[str, Any]:
    """Return what a source may need to know beside its own options."""
    columns = [table_options.get(role) for role in ("item", "group", "cluster")]
    context = {
        "each": readers(options.engine, options.master, options.watch),
        "lenient": options.lenient,
        "asked": frozenset(str(column) for column in columns if column is not None),
        "systems": table_options.get("systems"),
    }
    if isinstance(options.truth, str):
        context["truth"] = options.truth
    return context


def readers(engine: str, master: str | None, watch: Watch) -> Each:
    """Return who reads files that no query reads: this process, or the workers of a cluster."""

    def each(function: Callable[[Any], Any], things: Iterable[Any]) -> Iterator[Any]:
        place: Engine = ENGINES[engine](master=master, watch=watch)
        return place.each(function, things)

    return each


def _truth(truth: Any) -> _Truth:
    """Return where the truth is.

    What looks like a file but is none may yet be a column of the table.
    """
    if truth is None:
        return _Truth()
    if isinstance(truth, str) and not is_file(truth):
        return _Truth(column=truth)
    if not isinstance(truth, str | Path):
        return _Truth(source=recognise(truth))
    file, column = file_and_column(str(truth))
    try:
        return _Truth(source=recognise(file), column=column)
    except InputError as fault:
        return _Truth(column=str(truth), fault=fault)


def _engine(options: ReadOptions, sources: Sequence[Source]) -> Engine:
    """Return the engine that holds the data: the cluster's own for a PySpark frame."""
    for one in sources:
        if type(one.data).__module__.startswith("pyspark"):
            session = one.data.sparkSession
            cluster: Engine = ENGINES["spark"](
                session=session, lenient=options.lenient, watch=options.watch
            )
            return cluster
    paths = [path for one in sources for path in one.paths]
    engine: Engine = ENGINES[options.engine](
        paths=paths, lenient=options.lenient, master=options.master, watch=options.watch
    )
    return engine
