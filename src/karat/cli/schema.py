"""`karat schema`: what does each field of the JSON mean?"""

from typing import Annotated

import typer


def schema(
    name: Annotated[
        str | None,
        typer.Argument(help="A form of the JSON, such as score or compare; none shows all."),
    ] = None,
) -> None:
    """Show the JSON Schema of what --json writes, every field described.

    For example:
      karat schema
      karat schema compare
    """
    from karat.cli.printing import put  # noqa: PLC0415 (loads the stages)
    from karat.cli.streams import JSON  # noqa: PLC0415
    from karat.result.plain import json_text  # noqa: PLC0415
    from karat.result.schema import form_schema  # noqa: PLC0415
    from karat.result.schema import schema as whole  # noqa: PLC0415

    described = whole() if name is None else form_schema(name)
    put(json_text(described) + "\n", JSON)
