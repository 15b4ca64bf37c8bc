"""`karat skew agreement`: how good are systems by what one, two, ... annotators marked?"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli.deployment_options import DeploymentOptions
from karat.cli.options import OutputOptions
from karat.cli.printing import show
from karat.cli.spread import spread
from karat.errors import OptionError
from karat.table.text_forms import names, source_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementOptions:
    """Which columns hold marks, and how sure the areas are."""

    annotators: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="The columns of the annotators' marks.")
    ] = None
    marked: Annotated[
        str | None,
        typer.Option(
            metavar="MARKED,LOOKED",
            help="Instead: the columns of how many marked an item, and how many looked.",
        ),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(metavar="COL", help="The column of clusters of correlated items, as images."),
    ] = None
    level: Annotated[float, typer.Option(help="The confidence level.")] = 0.95
    draws: Annotated[
        int | None,
        typer.Option(help="How many resamples; 0 for none, by default as many as are quick."),
    ] = None
    seed: Annotated[int, typer.Option(help="The seed of the simulation.")] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageOptions:
    """Where the masks of several annotators are, if the tables are folders of images."""

    truth: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="A folder that holds one of masks for each annotator of images."
        ),
    ] = None
    using: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OPTION=VALUE",
            help="An option of images, as karat sources pixels lists it; may be repeated.",
        ),
    ] = None
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Leave out images that a folder lacks.")
    ] = False


@spread
def skew_agreement(
    tables: Annotated[
        list[str],
        typer.Argument(
            metavar="TABLE|FOLDER...",
            help="A file of marks and of systems' scores; or folders of score maps, beside --truth.",
        ),
    ],
    output: OutputOptions,
    deployment: DeploymentOptions,
    options: AgreementOptions,
    images: ImageOptions,
    systems: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="The columns of the systems' scores.")
    ] = None,
) -> None:
    """How good are systems by what at least one, two, ... annotators marked, at other prevalences?

    A mark is 1, none is 0; an empty cell is an annotator who did not look. Score maps are read beside --truth FOLDER,
    which holds a folder of masks for each annotator.

    For example:
      karat skew agreement marks.csv --annotators ann,bob,eve --systems detector
      karat skew agreement marks.csv --annotators ann,bob --systems detector --to 1%
    """
    if images.truth is not None:
        show(_in_images(tables, deployment, options, images, systems), output)
        return
    if len(tables) > 1 or images.using:
        raise OptionError(
            "marks and scores are in one table; folders of images are read with --truth FOLDER"
        )
    if systems is None:
        raise OptionError("name the columns of scores with --systems, as a,b")
    columns = names(systems)
    if not columns:
        raise OptionError("--systems is empty; name the columns of scores, as a,b")
    show(agreement(tables[0], columns, deployment, options), output)


def _in_images(
    tables: list[str],
    deployment: DeploymentOptions,
    options: AgreementOptions,
    images: ImageOptions,
    systems: str | None,
) -> "Result":
    """Return the curves by each level of agreement of the annotators of images."""
    from karat.questions.agreement_levels import agreement_in_images  # noqa: PLC0415 (loads the stages)

    if options.annotators or options.marked or options.cluster not in {None, "image"}:
        raise OptionError(
            "annotators of images have a folder each inside of --truth, and images are the clusters; "
            "leave --annotators, --marked and --cluster out"
        )
    return agreement_in_images(
        [images.truth or "", *tables],
        using=source_options(images.using or ()),
        systems=names(systems) if systems else None,
        lenient=images.lenient,
        level=options.level,
        draws=options.draws,
        seed=options.seed,
        **deployment.prevalences(),
    )


def agreement(
    table: str,
    systems: "Sequence[str]",
    deployment: DeploymentOptions,
    options: AgreementOptions,
) -> "Result":
    """Return the curves by each level of annotators' agreement as the truth."""
    from karat.questions.agreement_levels import agreement_levels  # noqa: PLC0415 (loads the stages)

    return agreement_levels(
        table,
        annotators=list(names(options.annotators or "")),
        marked=list(names(options.marked or "")),
        systems=list(systems),
        cluster=options.cluster,
        level=options.level,
        draws=options.draws,
        seed=options.seed,
        **deployment.prevalences(),
    )
