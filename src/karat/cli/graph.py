"""`karat graph`: what went wrong inside?"""

from typing import Annotated

import typer

from karat.cli.options import OutputOptions, spread
from karat.cli.printing import show, tell
from karat.errors import OptionError
from karat.words import counted

QUESTIONS = ("--confusion", "--common", "--distances", "--parts")
Folders = Annotated[
    list[str],
    typer.Argument(
        metavar="TRUTH_DIR SYSTEM_DIR...",
        help="Folders of .lg or InkML files, or files of LaTeX lines; NAME=DIR names one.",
    ),
]


@spread
def graph(
    folders: Folders,
    output: OutputOptions,
    semantics: Annotated[
        str, typer.Option(help="What a difference is: paper, or lgeval (version 0.3.8).")
    ] = "paper",
    inherit: Annotated[
        bool, typer.Option("--inherit", help="Close all graphs by inheritance first.")
    ] = False,
    absent_edges: Annotated[
        bool,
        typer.Option(
            help="Pairs that an absent primitive begins are wrong; else they have no label."
        ),
    ] = True,
    undirected: Annotated[
        bool, typer.Option("--undirected", help="Edges have no direction.")
    ] = False,
    distinct: Annotated[
        bool,
        typer.Option("--distinct", help="REL-k counts each label of the truth once, as in 2012."),
    ] = False,
    labels: Annotated[
        str, typer.Option(help="Of sets of labels: all, best, top:K or expected.")
    ] = "all",
    level: Annotated[
        list[str] | None,
        typer.Option(help="NAME=LABEL,LABEL: a level of structure by itself; may be repeated."),
    ] = None,
    confusion: Annotated[
        str | None,
        typer.Option(help="Which labels stand for which: primitive, pair, object or all."),
    ] = None,
    common: Annotated[
        bool, typer.Option("--common", help="Which errors the systems share.")
    ] = False,
    distances: Annotated[
        str | None,
        typer.Option(
            help="How far systems and truth are from each other: dC, dS, dR, dL, dB, dBn, dE."
        ),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            metavar="DIR", help="Write a file of metrics and one of differences per graph."
        ),
    ] = None,
    parts: Annotated[
        str | None,
        typer.Option(
            metavar="SIZES", help="Which parts of 1, 2, ... objects are read as what: 1,2,3."
        ),
    ] = None,
    draw: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Draw every output and its truth, one SVG a file."),
    ] = None,
    per_file: Annotated[
        bool, typer.Option("--per-file", help="A row per system and file.")
    ] = False,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Leave lines that mean nothing out, and list them.")
    ] = False,
) -> None:
    """What went wrong inside? Labels, objects and relations of label graphs, compared with those of the truth."""
    from karat.cli.progress import steps  # noqa: PLC0415 (loads the stages)
    from karat.cli.reading import graph_bench, tell_faults  # noqa: PLC0415

    if folders[0] == "-":
        raise OptionError(
            "karat graph compares with a truth; without one ask karat consensus --graphs - DIR..."
        )
    with steps() as say:
        say("reading")
        found = graph_bench(
            folders,
            lenient=lenient,
            semantics=semantics,
            inherit=inherit,
            absent_edges=absent_edges,
            undirected=undirected,
            labels=labels,
        )
        say("comparing")
        found.tally  # noqa: B018 (counted once, while a terminal sees that something is done)
    if level and (metrics or draw):
        raise OptionError(
            f"--{'metrics' if metrics else 'draw'} is about whole graphs; ask it without --level"
        )
    asked = zip(QUESTIONS, (confusion, common, distances, parts), strict=True)
    _one_question([name for name, value in asked if value], alone=not (per_file or level))
    tell_faults(found)
    if metrics:
        tell(f"wrote the metrics of {counted(found.write_metrics(metrics), 'graph')} to {metrics}")
    if draw:
        tell(f"drew {counted(found.draw(draw), 'graph')} into {draw}")
    if parts:
        show(found.browse(sizes=_sizes(parts)), output)
    elif confusion:
        show(found.confusions(*([] if confusion == "all" else confusion.split(","))), output)
    elif common:
        show(found.common_errors(), output)
    elif distances:
        show(found.distances(distances), output)  # type: ignore[arg-type]
    else:
        show(found.graph(per_file=per_file, distinct=distinct, levels=_levels(level or [])), output)


def _one_question(asked: list[str], *, alone: bool) -> None:
    if len(asked) > 1 or (asked and not alone):
        others = [name for name in (*QUESTIONS, "--per-file", "--level") if name != asked[0]]
        raise OptionError(
            f"{asked[0]} is a question of its own; ask it without {', '.join(others[:-1])} or {others[-1]}"
        )


def _sizes(text: str) -> list[int]:
    """Return the numbers of objects of the parts."""
    try:
        return sorted({int(size) for size in text.split(",")})
    except ValueError:
        raise OptionError(
            f"--parts is {text!r}; it takes numbers of objects, such as 1,2"
        ) from None


def _levels(texts: list[str]) -> dict[str, list[str]]:
    """Return the labels of each level."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, labels = text.partition("=")
        named = [label.strip() for label in labels.split(",") if label.strip()]
        if not equals or not named or name.strip() in found:
            raise OptionError(f"--level is {text!r}; it takes NAME=LABEL,LABEL, each name once")
        found[name.strip()] = named
    return found
