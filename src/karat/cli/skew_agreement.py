"""`karat skew agreement`: how good are systems by what one, two, ... annotators marked?"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli.deployment_options import DeploymentOptions
from karat.cli.options import OutputOptions
from karat.cli.printing import show
from karat.cli.spread import spread
from karat.errors import OptionError
from karat.table.text_forms import names

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


@spread
def skew_agreement(
    table: Annotated[
        str, typer.Argument(metavar="TABLE", help="A file of marks and of systems' scores.")
    ],
    output: OutputOptions,
    deployment: DeploymentOptions,
    options: AgreementOptions,
    systems: Annotated[
        str, typer.Option(metavar="A,B,...", help="The columns of the systems' scores.")
    ],
) -> None:
    """How good are systems by what at least one, two, ... annotators marked, at other prevalences?

    A mark is 1, none is 0; an empty cell is an annotator who did not look.

    For example:
      karat skew agreement marks.csv --annotators ann,bob,eve --systems detector
      karat skew agreement marks.csv --annotators ann,bob --systems detector --to 1%
    """
    columns = names(systems)
    if not columns:
        raise OptionError("--systems is empty; name the columns of scores, as a,b")
    show(agreement(table, columns, deployment, options), output)


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
