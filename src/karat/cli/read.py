"""`karat read`: how is this file understood?"""

from karat.cli.options import Files, OutputOptions, ReadingOptions, spread
from karat.cli.printing import show


@spread
def read(tables: Files, reading: ReadingOptions, output: OutputOptions) -> None:
    """Show how karat understands a file, before anything is computed."""
    from karat.cli.reading import bench  # noqa: PLC0415 (loads the engine)

    show(bench(tables, reading).describe(), output)
