"""What a user may say when a table is read: where the truth is, what the files are, where to count.

With the options of the table itself (`karat.table.options`) these are all keywords of `karat.read`, and all reading
options of the command line.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any

from karat.engine import Watch, unwatched
from karat.table.option_help import Help, given
from karat.table.options import TableOptions
from karat.table.text_forms import source_options

Master = Annotated[str | None, Help("URL", "The Spark cluster, as spark://HOST:PORT.")]


@dataclass(frozen=True, kw_only=True)
class ReadOptions(TableOptions):
    """All options of reading a table."""

    truth: Annotated[
        Any,
        Help("COL|FILE|FILE:COL", "The truth: a column of the table or of another file."),
    ] = None
    """A column, a file, `FILE:COLUMN`, or a second data frame."""
    scores: Annotated[
        Any, Help("FILE", "A file of the systems' confidences, a column for each system.")
    ] = None
    """A file or data frame."""
    format: Annotated[
        str | None,
        Help("NAME", "The files' format, where their names do not say it: {sources}."),
    ] = None
    using: Annotated[
        Mapping[str, Any] | None,
        Help(
            "OPTION=VALUE",
            "An option of the format, as karat sources lists it; may be repeated.",
            parse=source_options,
            repeated=True,
        ),
    ] = None
    lenient: Annotated[bool, Help(None, "Leave unreadable lines out, and list them.")] = False
    engine: Annotated[str, Help("NAME", "Where to count: {engines}.")] = "duckdb"
    master: Master = None
    watch: Watch = unwatched
    """Shows how far a query is while it lasts."""

    def of_table(self) -> dict[str, Any]:
        """Return the options of the table that differ from their default; the truth is not among them."""
        own = {option.name for option in fields(TableOptions)} - {"truth"}
        return {name: value for name, value in given(self).items() if name in own}
