"""How many items do I need, and what can so many show?"""

from collections.abc import Sequence
from typing import Any

from karat.errors import OptionError
from karat.keywords import offers_nearest
from karat.report.signature import about
from karat.verdict.plan.plans import Figure, Plan, answer, curves


@offers_nearest
def plan(
    *,
    estimate: float | None = None,
    trials: Sequence[int] | None = None,
    baseline: float | None = None,
    increase: float | None = None,
    lower: float | None = None,
    alone: Sequence[float] | None = None,
    margin: float | None = None,
    cluster_size: float | None = None,
    correlation: float | None = None,
    area: Sequence[float] | None = None,
    width: float | None = None,
    prevalence: float | None = None,
    score_correlation: float | None = None,
    figure: int | None = None,
    power: float | None = None,
    level: float = 0.95,
) -> Plan | Figure:
    """Return the number of items, or what a number of items can show; or a figure of the paper."""
    question: dict[str, Any] = {
        "estimate": estimate,
        "trials": trials,
        "baseline": baseline,
        "increase": increase,
        "lower": lower,
        "alone": alone,
        "margin": margin,
        "cluster_size": cluster_size,
        "correlation": correlation,
        "area": area,
        "width": width,
        "prevalence": prevalence,
        "score_correlation": score_correlation,
        "power": power,
    }
    given = {name: value for name, value in question.items() if value is not None}
    if figure is not None:
        if given:
            raise OptionError(
                f"a figure of the paper takes --level alone; leave --{min(given)} out"
            )
        beside = about("plan", [], None, {"figure": str(figure), "level": str(level)}, [])
        return Figure(figure, curves(figure, level), beside)
    row, sentence = answer(**question, level=level)
    options = {name: str(value) for name, value in given.items()}
    beside = about("plan", [], None, {**options, "level": str(level)}, [])
    return Plan((row,), sentence, beside)
