"""From what was given to who counts it: files, frames, columns, or tallies counted before."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any

from karat.engine import ENGINES, Engine, Watch
from karat.errors import InputError, OptionError
from karat.source.origin import Source
from karat.source.recognise import is_file, recognise
from karat.table.build import build
from karat.table.options import Reading
from karat.tally.counter import Counter, from_saved, from_table

_UNSAID = {
    field.name: field.default if field.default is not MISSING else {} for field in fields(Reading)
}
"""What the options of reading are where nobody says anything."""


def opened(
    data: Any,
    *,
    truth: Any,
    scores: Any,
    format: str | None,  # noqa: A002 (the option's name)
    using: Mapping[str, Any] | None,
    engine: str,
    master: str | None,
    lenient: bool,
    watch: Watch,
    options: Mapping[str, Any],
) -> Counter:
    """Return who counts the rows of what was given."""
    if tallies := _tallies(data):
        given = {"truth": truth, "scores": scores, "using": using or None, **options}
        if said := [name for name, value in given.items() if value != _UNSAID.get(name)]:
            raise OptionError(
                f"a tally was counted with its own options; {said[0]} cannot be changed, so count anew"
            )
        return from_saved(tallies)
    named = {
        name: value
        for name, value in options.items()
        if name not in _UNSAID or value != _UNSAID[name]
    }
    source = recognise(
        data, format=format, using=using, said=_context(named, truth=truth, lenient=lenient)
    )
    if "nothing" in named and "nothing" in source.roles:
        own = source.roles["nothing"]
        raise OptionError(
            f"--nothing is {own} for what is read here: what was lost or added; leave the option out"
        )
    other, column, fault = _truth(truth)
    beside = recognise(scores) if scores is not None else None
    sources = [one for one in (source, other, beside) if one]
    place = _engine(engine, sources, master=master, lenient=lenient, watch=watch)
    roles = dict(source.roles) | named | ({} if column is None else {"truth": column})
    reading = Reading(**{**roles, "truth": None if other else roles.get("truth")})
    relation = place.open(source)
    if fault and column not in relation.columns:
        raise fault
    table = build(
        place,
        relation,
        reading,
        truth=(place.open(other), column) if other else None,
        scores=place.open(beside) if beside else None,
    )
    return from_table(replace(table, notes=(*source.notes, *table.notes)))


def _tallies(data: Any) -> tuple[str, ...]:
    """Return the paths of tallies, if these are what was given."""
    paths = [data] if isinstance(data, str | Path) else data
    if not isinstance(paths, list | tuple) or not all(
        isinstance(path, str | Path) for path in paths
    ):
        return ()
    named = [str(path).endswith(".tally") for path in paths]
    if any(named) and not all(named):
        raise OptionError(
            "tables and tallies cannot be read together; count the tables first with karat tally"
        )
    return tuple(map(str, paths)) if named and all(named) else ()


def _context(said: Mapping[str, Any], *, truth: Any, lenient: bool) -> dict[str, Any]:
    """Return what a source is told beside its own options."""
    asked = {str(said[role]) for role in ("item", "group", "cluster") if role in said}
    context = {"lenient": lenient, "asked": frozenset(asked), "systems": said.get("systems")}
    return context | ({"truth": truth} if isinstance(truth, str) else {})


def _truth(truth: Any) -> tuple[Source | None, str | None, InputError | None]:
    """Return the file or frame that holds the truth, if it is not in the table, and the column.

    What looks like a file but is none may yet be a column of the table; the fault is to be told if it is not.
    """
    if truth is None or (isinstance(truth, str) and not is_file(truth)):
        return None, truth, None
    if not isinstance(truth, str | Path):
        return recognise(truth), None, None
    path, colon, column = str(truth).rpartition(":")
    file, column_there = (path, column) if colon and not Path(truth).is_file() else (truth, None)
    try:
        return recognise(file), column_there, None
    except InputError as fault:
        return None, str(truth), fault


def _engine(
    name: str, sources: Sequence[Source], *, master: str | None, lenient: bool, watch: Watch
) -> Engine:
    """Return the engine that holds the data: the cluster's own for a PySpark frame."""
    sessions = [
        one.data.sparkSession for one in sources if type(one.data).__module__.startswith("pyspark")
    ]
    paths = [path for one in sources for path in one.paths]
    if sessions:
        cluster: Engine = ENGINES["spark"](session=sessions[0], lenient=lenient, watch=watch)
        return cluster
    chosen: Engine = ENGINES[name](paths=paths, lenient=lenient, master=master, watch=watch)
    return chosen
