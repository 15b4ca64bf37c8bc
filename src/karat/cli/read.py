"""`karat read`: how is this file understood?"""

from karat.cli.options import Files, InputOptions, OutputOptions
from karat.cli.printing import show
from karat.cli.spread import spread


@spread
def read(tables: Files, inputs: InputOptions, output: OutputOptions) -> None:
    """Show how karat understands a file, before anything is computed.

    For example:
      karat read digits.csv
      karat read is_eight.csv --kind score --systems svm,knn
    """
    from karat.cli.reading import read_quietly  # noqa: PLC0415 (loads the engine)

    show(read_quietly(tables, inputs).describe(), output)
