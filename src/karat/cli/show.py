"""`karat show`: what does a label graph or a mask look like, and where does it differ from another?"""

from pathlib import Path
from typing import Annotated

import typer

from karat.cli.printing import put, tell
from karat.errors import ChoiceError, OptionError
from karat.table.text_forms import source_options

FORMS = ("svg", "html", "matrix")
ENDINGS = {"svg": "svg", "html": "html", "txt": "matrix"}


def show(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A label graph (.lg), InkML, MathML or LaTeX; or a mask or score map.",
        ),
    ],
    other: Annotated[
        str | None,
        typer.Argument(
            metavar="[TRUTH]", help="The graph it should be; the mask, or a folder of masks."
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Which formula of a file with several: its name, or its line."
        ),
    ] = None,
    ink: Annotated[
        str | None, typer.Option(metavar="FILE", help="The strokes, from an InkML file.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--as", metavar="FORM", help="svg, html, or matrix: the adjacency matrix as text."
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to a file; its extension decides the format.",
        ),
    ] = None,
    undirected: Annotated[
        bool, typer.Option("--undirected", help="Edges have no direction: bonds, flowcharts.")
    ] = False,
    browser: Annotated[
        bool, typer.Option("--browser", help="Open the drawing in the browser.")
    ] = False,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave unreadable lines out.")] = False,
    threshold: Annotated[
        float | None,
        typer.Option(
            help="Of a score map: the score from which on a pixel is marked.",
            show_default="where F1 is best",
        ),
    ] = None,
    photo: Annotated[
        str | None, typer.Option(metavar="FILE", help="The photograph beside a mask or score map.")
    ] = None,
    using: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OPTION=VALUE",
            help="An option of images, as karat sources pixels lists it; may be repeated.",
        ),
    ] = None,
) -> None:
    """What does a label graph look like, and where does it differ from another? Draws to SVG; needs no GraphViz.

    A mask or score map is drawn beside its truth, with hits, misses and false alarms.

    For example:
      karat show truth/00001.lg --as matrix
      karat show parser-b/00001.lg truth/00001.lg -o differences.svg
    """
    from karat.graphs import show_graph  # noqa: PLC0415 (loads the stages)
    from karat.questions.pixel_picture import is_image  # noqa: PLC0415
    from karat.report.writing import write  # noqa: PLC0415

    if is_image(file):
        _show_image(file, other, output, threshold=threshold, photo=photo, using=using or [])
        return
    if threshold is not None or photo or using:
        raise OptionError("--threshold, --photo and --using are for images; leave them out here")
    chosen = _form(form, output, browser=browser)
    drawing, problems = show_graph(
        file, other, only=only, ink=ink, form=chosen, undirected=undirected, lenient=lenient
    )
    for problem in problems:
        tell(f"left out: {problem}")
    if browser:
        _open(drawing)
    elif output:
        write(output, drawing)
        tell(f"wrote {output}")
    else:
        put(drawing)


def _show_image(
    file: str,
    truth: str | None,
    output: str | None,
    *,
    threshold: float | None,
    photo: str | None,
    using: list[str],
) -> None:
    """Draw a mask or score map beside its truth."""
    from karat.questions.pixel_picture import pixel_picture  # noqa: PLC0415 (loads the stages)
    from karat.report.pictures import png, svg  # noqa: PLC0415
    from karat.report.writing import write  # noqa: PLC0415

    if truth is None:
        raise OptionError("name the truth beside the image: karat show IMAGE TRUTH -o FILE.png")
    forms = {"png": png, "svg": svg}
    ending = (output or "").rpartition(".")[2].lower()
    if output is None or ending not in forms:
        raise OptionError("a picture of an image is written with -o FILE.png or FILE.svg")
    picture = pixel_picture(
        file, truth, photo=photo, threshold=threshold, using=source_options(using)
    )
    write(output, forms[ending](picture))
    for note in picture.notes():
        tell(note)
    (row,) = picture.rows()
    tell(
        f"{row['image']}: {row['hits']:,} hits, {row['misses']:,} misses, {row['false_alarms']:,} false alarms"
    )
    tell(f"wrote {output}")


def _form(form: str | None, output: str | None, *, browser: bool) -> str:
    """Return the form of the output: the requested one, or that of the file's ending."""
    if browser:
        if output or form not in {None, "html"}:
            raise OptionError("--browser shows a page and keeps none; leave -o and --as out")
        return "html"
    if form:
        if form not in FORMS:
            raise ChoiceError("--as", form, FORMS)
        return form
    if not output:
        return "svg"
    ending = output.rpartition(".")[2].lower()
    if ending not in ENDINGS:
        raise OptionError(f"the form of {output} is unclear; end it with .svg, .html or .txt")
    return ENDINGS[ending]


def _open(page: str) -> None:
    """Show a page that stays until the system clears its temporary files."""
    import tempfile  # noqa: PLC0415
    import webbrowser  # noqa: PLC0415

    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(page)
    if not webbrowser.open(Path(file.name).as_uri()):
        raise OptionError("no browser could be opened here; write the drawing with -o FILE.svg")
    tell(f"opened {file.name}")
