"""Arrow IPC files and streams; PyArrow reads them."""

from collections.abc import Sequence
from pathlib import Path

from karat.errors import InputError
from karat.source.files.memory import frame
from karat.source.origin import Source, files, shown


def arrow(patterns: str | Path | Sequence[str | Path]) -> Source:
    """Columns of Arrow IPC files, memory-mapped."""
    try:
        import pyarrow as pa  # noqa: PLC0415 (optional)
    except ImportError:
        raise InputError("Arrow files need PyArrow: pip install pyarrow") from None
    paths = files(patterns)
    try:
        table = pa.concat_tables([_table(path) for path in paths])
        table.validate(full=True)  # a damaged file would otherwise end the process, not the reading
        table.column_names  # noqa: B018 (fails where a name is no UTF-8)
        return frame(table, origin=shown(paths))
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{shown(paths)} is not an Arrow file, or its parts differ: {error}"
        ) from None


def _table(path: str) -> object:
    import pyarrow as pa  # noqa: PLC0415

    with pa.memory_map(path) as file:
        try:
            return pa.ipc.open_file(file).read_all()
        except (pa.ArrowException, OSError):
            file.seek(0)
            return pa.ipc.open_stream(file).read_all()
