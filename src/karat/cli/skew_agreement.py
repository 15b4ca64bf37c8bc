"""`karat skew agreement`: how good are systems by what one, two, ... annotators marked?"""

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


@spread
def skew_agreement(
    table: Annotated[
        str, typer.Argument(metavar="TABLE", help="A file of marks and of systems' scores.")
    ],
    output: OutputOptions,
    deployment: DeploymentOptions,
    annotators: Annotated[
        str, typer.Option(metavar="A,B,...", help="The columns of the annotators' marks.")
    ],
    systems: Annotated[
        str, typer.Option(metavar="A,B,...", help="The columns of the systems' scores.")
    ],
) -> None:
    """How good are systems by what at least one, two, ... annotators marked, at other prevalences?

    For example:
      karat skew agreement marks.csv --annotators ann,bob,eve --systems detector
      karat skew agreement marks.csv --annotators ann,bob --systems detector --to 1%
    """
    columns = names(systems)
    if not columns:
        raise OptionError("--systems is empty; name the columns of scores, as a,b")
    show(agreement(table, annotators, columns, deployment), output)


def agreement(
    table: str, annotators: str, systems: "Sequence[str]", deployment: DeploymentOptions
) -> "Result":
    """Return the curves by each level of annotators' agreement as the truth."""
    from karat.questions.agreement_levels import agreement_levels  # noqa: PLC0415 (loads the stages)

    return agreement_levels(
        table,
        annotators=list(names(annotators)),
        systems=list(systems),
        **deployment.prevalences(),
    )
