"""`karat demo`: a real ranking of real recognisers."""

from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from karat.cli.options import OutputOptions
from karat.cli.output_paths import check_file
from karat.cli.printing import show, tell
from karat.cli.spread import spread
from karat.report import writing


@spread
def demo(
    output: OutputOptions,
    level: Annotated[float, typer.Option(help="The confidence level.")] = 0.95,
    page: Annotated[
        str, typer.Option(metavar="FILE", help="Where the page goes.")
    ] = "karat-demo.html",
    examples: Annotated[
        str | None,
        typer.Option(
            "--files", metavar="DIR", help="Only write the files that the examples of --help read."
        ),
    ] = None,
) -> None:
    """Rank nine recognisers of handwritten digits, from answers that come with karat; then make a page of it.

    For example:
      karat demo
      karat demo --files .
    """
    from karat.bench import read  # noqa: PLC0415 (loads the stages)

    if examples is not None:
        write_files(Path(examples))
        tell(
            f"wrote the files of the examples into {examples}; begin there with: karat score digits.csv"
        )
        return
    with_page = output.form() == "text"
    if with_page:
        check_file(page, "--page")
    with as_file(files("karat.demo") / "digits.csv") as path:
        tell(
            "nine recognisers, trained on 300 handwritten digits, tested on 1,497 others (scikit-learn's digits)"
        )
        tell(f"the same by hand: karat score {path} --measure accuracy,macro-f1")
        bench = read(str(path))
        show(bench.score(measure="accuracy,macro-f1", level=level), output)
        if with_page:
            bench.report(page, level=level)
            tell(f"wrote {page}: open it in a browser. By hand: karat report {path} -o {page}")


def write_files(folder: Path) -> None:
    """Write the tables, rankings and label graphs that the examples of `--help` read."""
    with as_file(files("karat.demo")) as demo:
        examples = demo / "examples"
        inside = [path for path in examples.rglob("*") if path.is_file()]
        targets = {path: folder / path.relative_to(examples) for path in inside}
        for path in demo.glob("*.csv"):
            targets[path] = folder / path.name
        for path, target in targets.items():
            writing.folder(target.parent)
            writing.write(target, path.read_bytes())
