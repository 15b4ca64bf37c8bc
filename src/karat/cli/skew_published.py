"""`karat skew published`: what becomes of a published precision where positives are rarer?"""

from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli.deployment_options import DeploymentOptions, point_of
from karat.cli.options import OutputOptions
from karat.cli.printing import show
from karat.cli.spread import spread

if TYPE_CHECKING:
    from karat.result import Result


@spread
def skew_published(
    output: OutputOptions,
    deployment: DeploymentOptions,
    precision: Annotated[float, typer.Option(help="The published precision.")],
    from_: Annotated[
        str, typer.Option("--from", metavar="P", help="The prevalence it was measured at.")
    ],
    recall: Annotated[
        float | None, typer.Option(help="The recall that was published with it.")
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(metavar="PRECISION,RECALL", help="Can any system reach this point?"),
    ] = None,
) -> None:
    """How large would a published precision be where positives are rarer or more frequent? Needs no table.

    For example:
      karat skew published --precision 0.73 --from 0.5 --to 0.01
      karat skew published --precision 0.9 --recall 0.8 --from 1:1 --to 1:99
    """
    show(published(precision, from_, deployment, recall=recall, check=check), output)


def published(
    precision: float,
    old: str,
    deployment: DeploymentOptions,
    *,
    recall: float | None,
    check: str | None,
) -> "Result":
    """Return what becomes of a published precision at other prevalences."""
    from karat.questions.published import skew_of_precision  # noqa: PLC0415 (loads the stages)

    return skew_of_precision(
        precision, old=old, recall=recall, check=point_of(check), **deployment.prevalences()
    )
