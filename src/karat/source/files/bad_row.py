"""The first line of a delimited file that is not a row, for an engine that does not report which it is."""

import csv
import io

from karat.source.files.delimited import Header


def first_bad_row(path: str, head: Header, *, lenient: bool) -> str | None:
    """Return the place and the fault of the first bad line; lenient reading accepts one of another length."""
    import pyarrow as pa  # noqa: PLC0415 (optional)

    with pa.input_stream(path, compression="detect") as stream:
        lines = io.TextIOWrapper(stream, "utf-8", errors="surrogateescape", newline="")
        rows = csv.reader(lines, delimiter=head.delimiter, strict=True)
        place = f"{path}, line 1"
        try:
            for row in rows:
                "".join(row).encode()  # fails where a byte was no UTF-8
                if row and len(row) != len(head.names) and not lenient:
                    return (
                        f"{place}: {len(row)} values where the header has {len(head.names)} names; "
                        "fix the line, quote values that hold the delimiter, or leave such lines out with --lenient"
                    )
                place = f"{path}, line {rows.line_num + 1}"
        except UnicodeEncodeError:
            return f"{place}: not UTF-8 text; save the file as UTF-8 (iconv -f latin1 -t utf-8)"
        except csv.Error:
            return f"{place}: a quote is opened and never closed, or closed before the value ends; fix the line"
        return None
