"""`--require`: exit code 1 where a condition is not met."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from karat.cli.printing import tell
from karat.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from karat.verdict.compare.result import ComparisonResult
    from karat.verdict.requirement import AtLeast, AtMost, OrderKeptAtLeast, Pairwise
    from karat.verdict.score.result import ScoreResult
    from karat.verdict.stability.result import StabilityResult


def _option(forms: str) -> Any:
    return typer.Option(
        metavar="CONDITION", help=f"Exit code 1 if this is not met: {forms}; may be repeated."
    )


RequirePairs = Annotated[list[str] | None, _option("better:NEW,OLD or no-worse:NEW,OLD,MARGIN")]
RequireBounds = Annotated[list[str] | None, _option("a bound, as recall[cat]>=0.9")]
RequireKept = Annotated[list[str] | None, _option("kept>=0.95, for each pair shown")]


def pairwise_of(require: list[str] | None) -> "list[Pairwise]":
    """Return conditions on pairs, before anything is computed."""
    return _conditions(
        require,
        ("Pairwise",),
        "compare takes --require better:NEW,OLD and no-worse:NEW,OLD,MARGIN; bounds are for score",
    )


def at_least_of(require: list[str] | None) -> "list[AtLeast | AtMost]":
    """Return conditions on lower and upper bounds, before anything is computed."""
    return _conditions(
        require,
        ("AtLeast", "AtMost"),
        "score takes --require such as recall[cat]>=0.9; better and no-worse are for compare",
    )


def kept_of(require: list[str] | None) -> "list[OrderKeptAtLeast]":
    """Return conditions on the probability that an order is kept, before anything is computed."""
    return _conditions(require, ("OrderKeptAtLeast",), "stability takes --require kept>=0.95")


def _conditions(require: list[str] | None, kinds: tuple[str, ...], refusal: str) -> list[Any]:
    """Return the conditions that a command can check, all of one kind."""
    if not require:
        return []
    from karat.verdict import requirement  # noqa: PLC0415 (loads the stages)

    conditions = [requirement.parse(text) for text in require]
    allowed = tuple(getattr(requirement, kind) for kind in kinds)
    for condition in conditions:
        if not isinstance(condition, allowed):
            raise OptionError(refusal)
    return conditions


def check_stability(conditions: "list[OrderKeptAtLeast]", stability: "StabilityResult") -> None:
    """Leave with exit code 1 if an order is not kept as often as required."""
    if conditions:
        from karat.verdict.requirement import unmet_by_stability  # noqa: PLC0415 (loads the stages)

        _leave_if_any(unmet_by_stability(conditions, stability))


def check_comparisons(
    conditions: "list[Pairwise]", by_margin: "Mapping[float | None, ComparisonResult]"
) -> None:
    """Leave with exit code 1 if a comparison, made with the condition's margin, does not show what is required."""
    if conditions:
        from karat.verdict.requirement import unmet_by_comparisons  # noqa: PLC0415 (loads the stages)

        _leave_if_any(unmet_by_comparisons(conditions, by_margin))


def check_scores(conditions: "list[AtLeast | AtMost]", scores: "ScoreResult") -> None:
    """Leave with exit code 1 if a lower bound does not reach what is required."""
    if conditions:
        from karat.verdict.requirement import unmet_by_scores  # noqa: PLC0415 (loads the stages)

        _leave_if_any(unmet_by_scores(conditions, scores))


def _leave_if_any(unmet: list[str]) -> None:
    for line in unmet:
        tell(f"not met: {line}")
    if unmet:
        raise typer.Exit(1)
