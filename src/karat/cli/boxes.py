"""`karat boxes`: which boxes are found, and which of them are named right?"""

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from karat.boxes import BOX_FORMATS
from karat.cli.help import DATA
from karat.cli.options import OutputOptions
from karat.cli.printing import show, tell
from karat.cli.spread import spread
from karat.table.option_help import Help
from karat.table.text_forms import names, source_options
from karat.words import any_of, counted


@dataclass(frozen=True, kw_only=True)
class BoxInputs:
    """How files of boxes are read."""

    truth: Annotated[
        str | None, Help("PATH", "The true boxes; or name them before the systems.")
    ] = None
    systems: Annotated[tuple[str, ...] | None, Help("A,B", "Only these systems.", parse=names)] = (
        None
    )
    format: Annotated[
        str | None,
        Help("NAME", f"{any_of(BOX_FORMATS)}, where it cannot be recognised."),
    ] = None
    using: Annotated[
        dict[str, Any] | None,
        Help(
            "OPTION=VALUE",
            "matching, most, overlap, sure; of YOLO sizes and names, of hOCR element.",
            parse=source_options,
            repeated=True,
        ),
    ] = None
    lenient: Annotated[
        bool, Help(None, "Leave results for images out that the truth does not have.")
    ] = False

    @classmethod
    def panel(cls, name: str) -> str:
        """Return the section of the help that an option belongs to."""
        del name
        return DATA


@spread
def boxes(
    tables: Annotated[
        list[str],
        typer.Argument(
            metavar="RESULTS...",
            help="Boxes of each system: COCO's JSON, a folder of YOLO's text, PAGE-XML or hOCR, or a plain table; "
            "NAME=FILE names one.",
        ),
    ],
    inputs: BoxInputs,
    output: OutputOptions,
    matching: Annotated[
        str, typer.Option(metavar="WHICH", help="How boxes are matched: greedy, optimal or both.")
    ] = "both",
    level: Annotated[float, typer.Option(help="The confidence level.")] = 0.95,
    draw: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Draw the errors of every image, one SVG per file."),
    ] = None,
) -> None:
    """Which boxes are found, and which of these have the right class?

    For example:
      karat boxes layout_a.json layout_b.json --truth layout.json
      karat boxes layout.json new=layout_b.json --using overlap=0.75
    """
    from karat.cli.reading import read_boxes_of, tell_notes  # noqa: PLC0415 (loads the stages)

    bench = read_boxes_of(tables, inputs)
    tell_notes(bench)
    result = bench.boxes(matching=matching, level=level)
    if draw:
        tell(f"drew {counted(bench.draw(draw), 'image')} into {draw}")
    show(result, output)
