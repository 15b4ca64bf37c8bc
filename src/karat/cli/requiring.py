"""`--require`: exit code 1 where a condition is not met."""

from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli.printing import tell
from karat.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from karat.verdict.compare.result import Comparisons
    from karat.verdict.requirement import AtLeast, AtMost, Kept, Pairwise
    from karat.verdict.score.scores import Scores
    from karat.verdict.stability.result import Stability

Require = Annotated[
    list[str] | None,
    typer.Option(help="Exit code 1 if this is not met; may be repeated.", metavar="CONDITION"),
]


def pairwise_of(require: list[str] | None) -> "list[Pairwise]":
    """Return conditions on pairs, before anything is computed."""
    from karat.verdict.requirement import Pairwise, parse  # noqa: PLC0415 (loads the stages)

    conditions = [parse(text) for text in require or ()]
    pairwise = [one for one in conditions if isinstance(one, Pairwise)]
    if len(pairwise) < len(conditions):
        raise OptionError(
            "compare takes --require better:NEW,OLD and no-worse:NEW,OLD,MARGIN; bounds are for score"
        )
    return pairwise


def at_least_of(require: list[str] | None) -> "list[AtLeast | AtMost]":
    """Return conditions on lower and upper bounds, before anything is computed."""
    from karat.verdict.requirement import AtLeast, AtMost, parse  # noqa: PLC0415 (loads the stages)

    conditions = [parse(text) for text in require or ()]
    least = [one for one in conditions if isinstance(one, AtLeast | AtMost)]
    if len(least) < len(conditions):
        raise OptionError(
            "score takes --require such as recall[cat]>=0.9; better and no-worse are for compare"
        )
    return least


def kept_of(require: list[str] | None) -> "list[Kept]":
    """Return conditions on what is kept, before anything is computed."""
    from karat.verdict.requirement import Kept, parse  # noqa: PLC0415 (loads the stages)

    conditions = [parse(text) for text in require or ()]
    kept = [one for one in conditions if isinstance(one, Kept)]
    if len(kept) < len(conditions):
        raise OptionError("stability takes --require kept>=0.95")
    return kept


def check_stability(conditions: "list[Kept]", found: "Stability") -> None:
    """Leave with exit code 1 if an order is not kept as often as required."""
    from karat.verdict.requirement import unmet_by_stability  # noqa: PLC0415

    _leave(unmet_by_stability(conditions, found))


def check_comparisons(
    conditions: "list[Pairwise]", found: "Mapping[float | None, Comparisons]"
) -> None:
    """Leave with exit code 1 if a comparison, made with the condition's margin, does not say what is required."""
    from karat.verdict.requirement import unmet_by_comparisons  # noqa: PLC0415

    _leave(unmet_by_comparisons(conditions, found))


def check_scores(conditions: "list[AtLeast | AtMost]", found: "Scores") -> None:
    """Leave with exit code 1 if a bound does not meet what is required."""
    from karat.verdict.requirement import unmet_by_scores  # noqa: PLC0415

    _leave(unmet_by_scores(conditions, found))


def _leave(unmet: list[str]) -> None:
    for line in unmet:
        tell(f"not met: {line}")
    if unmet:
        raise typer.Exit(1)
