"""`--require`: exit code 1 where a condition is not met."""

from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli.printing import tell
from karat.errors import OptionError

if TYPE_CHECKING:
    from karat.verdict.comparisons import Comparisons
    from karat.verdict.scores import Scores

Require = Annotated[
    list[str] | None,
    typer.Option(help="Exit code 1 if this is not met; may be repeated.", metavar="CONDITION"),
]


def check_comparisons(require: list[str] | None, found: "Comparisons") -> None:
    """Leave with exit code 1 if a comparison does not say what is required."""
    from karat.verdict.require import Pairwise, parse, unmet_by_comparisons  # noqa: PLC0415 (loads the stages)

    conditions = [parse(text) for text in require or ()]
    pairwise = [one for one in conditions if isinstance(one, Pairwise)]
    if len(pairwise) < len(conditions):
        raise OptionError("compare takes --require better:NEW,OLD and no-worse:NEW,OLD,MARGIN; bounds are for score")
    _leave(unmet_by_comparisons(pairwise, found))


def check_scores(require: list[str] | None, found: "Scores") -> None:
    """Leave with exit code 1 if a lower bound does not reach what is required."""
    from karat.verdict.require import AtLeast, parse, unmet_by_scores  # noqa: PLC0415 (loads the stages)

    conditions = [parse(text) for text in require or ()]
    least = [one for one in conditions if isinstance(one, AtLeast)]
    if len(least) < len(conditions):
        raise OptionError("score takes --require such as recall[cat]>=0.9; better and no-worse are for compare")
    _leave(unmet_by_scores(least, found))


def _leave(unmet: list[str]) -> None:
    for line in unmet:
        tell(f"not met: {line}")
    if unmet:
        raise typer.Exit(1)
