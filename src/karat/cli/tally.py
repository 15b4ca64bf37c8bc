"""`karat tally`: count now, ask later."""

from typing import Annotated

import typer

from karat.cli.options import Files, InputOptions
from karat.cli.spread import Without, spread


@spread
def tally(
    tables: Files,
    inputs: Annotated[InputOptions, Without("scores", "judge")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE.tally", help="The file to write.")
    ],
    threshold: Annotated[
        float | None, typer.Option(help="The score from which an answer is yes.")
    ] = None,
) -> None:
    """Count a table once and save the counts; other commands read such files as they read tables, and add them.

    For example:
      karat tally digits.csv -o digits.tally
      karat tally is_eight.csv --threshold 0.5 -o eights.tally
    """
    from karat.cli.printing import tell  # noqa: PLC0415
    from karat.cli.reading import read_inputs  # noqa: PLC0415 (loads the engine)
    from karat.errors import OptionError  # noqa: PLC0415

    if not output.endswith(".tally"):
        raise OptionError(f"{output} does not end in .tally; such files are known by it")
    read_inputs(tables, inputs).save(output, threshold=threshold)
    tell(f"wrote {output}")
