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
    """How many items are needed, or what can a number of items show? Or a figure of the paper.

    To guarantee a share: lower and estimate. To beat a system on other items: baseline and increase. Two systems on
    the same items: alone. ROC areas: area and width, or two areas. What so many items show: trials, with estimate or
    baseline.

    estimate: the share that is or will be observed.
    trials: the number of items, or two numbers for two samples, the baseline's first.
    baseline, increase: the share of the system to be beaten, and by how much.
    lower: the share to be guaranteed.
    alone: the shares of items that only the first and only the second of two systems has right.
    margin: with alone, by how much a system may be worse and still be no worse.
    cluster_size, correlation: the number of items a cluster, and how far these are correlated.
    area: an ROC area, or two that are compared on the same items.
    width: with one area, how wide its interval may be.
    prevalence: with areas, the share of positives; 0.5 unless given.
    score_correlation: with two areas, the correlation of the systems' scores; 0 unless given.
    figure: 1 or 2, the figures of the paper.
    power: the probability with which it is to succeed; unless given, if exactly these shares are observed.
    level: the confidence level.

    >>> plan(baseline=0.8, increase=0.1, power=0.8).rows()[0]["trials"]
    214
    """
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
        header = about("plan", [], None, {"figure": str(figure), "level": str(level)}, [])
        return Figure(figure, curves(figure, level), header)
    row, sentence = answer(**question, level=level)
    options = {name: str(value) for name, value in given.items()}
    header = about("plan", [], None, {**options, "level": str(level)}, [])
    return Plan((row,), sentence, header)
