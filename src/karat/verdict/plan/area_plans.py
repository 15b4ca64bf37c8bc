"""How many positives and negatives are needed for ROC areas, in numbers and in words."""

from collections.abc import Mapping
from typing import Any

from karat.errors import OptionError
from karat.planning.areas import (
    PlannedAreas,
    area_power,
    items_for_area,
    items_for_areas,
    width_of_area,
)

Given = Mapping[str, Any]
"""The numbers of a question, by the names of their options."""
Answer = tuple[dict[str, Any], str]
"""A row, and the same in words."""
AREA_POWER = 0.8
"""The power of a plan to tell two areas apart, where nobody requests another."""
NOT_ENOUGH = "No number of items is enough."
WIDTH_CAUTION = (
    "For normal scores, if exactly this area is observed; in simulations of such scores the mean width was 0.96 to "
    "1.01 times this."
)
POWER_CAUTION = (
    "For normal scores, approximate: in simulations of such scores DeLong's test attained 0.80 to 0.88 where 0.80 was "
    "planned."
)


def for_area(given: Given, level: float, power: float | None) -> Answer:
    """How many positives and negatives does an area need to have so narrow an interval?"""
    if power is not None or given["score_correlation"] is not None:
        raise OptionError("the width of one area takes neither --power nor --score-correlation")
    (area,) = given["area"]
    width = given["width"]
    prevalence = _or(given["prevalence"], 0.5)
    needed = items_for_area(area, width, prevalence=prevalence, level=level)
    question = {"area": area, "width": width, "prevalence": prevalence}
    attained = None
    if needed.positives is not None and needed.negatives is not None:
        attained = width_of_area(area, needed.positives, needed.negatives, level=level)
    row = _area_row(needed, question) | {"expected_width": attained, "power": None, "level": level}
    if needed.items is None:
        return row, NOT_ENOUGH
    what = f"make the interval of level {level:g} no wider than {width:g}."
    return row, f"{_sides(needed)} {what} {WIDTH_CAUTION}"


def for_areas(given: Given, level: float, power: float | None) -> Answer:
    """How many positives and negatives tell two areas apart?"""
    first, second = given["area"]
    prevalence = _or(given["prevalence"], 0.5)
    correlation = _or(given["score_correlation"], 0.0)
    chance = _or(power, AREA_POWER)
    needed = items_for_areas(
        first, second, prevalence=prevalence, correlation=correlation, level=level, power=chance
    )
    question = {
        "first_area": first,
        "second_area": second,
        "prevalence": prevalence,
        "score_correlation": correlation,
    }
    attained = None
    if needed.positives is not None and needed.negatives is not None:
        attained = area_power(
            first,
            second,
            needed.positives,
            needed.negatives,
            correlation=correlation,
            level=level,
        )
    row = _area_row(needed, question) | {"power": chance, "attained": attained, "level": level}
    if needed.items is None:
        return row, NOT_ENOUGH
    what = f"tell the areas apart with probability {chance:g}."
    return row, f"{_sides(needed)} {what} {POWER_CAUTION}"


def _or(value: float | None, default: float) -> float:
    return default if value is None else value


def _area_row(needed: PlannedAreas, question: Given) -> dict[str, Any]:
    return {
        "trials": needed.items,
        "positives": needed.positives,
        "negatives": needed.negatives,
        **question,
        "method": needed.method,
    }


def _sides(needed: PlannedAreas) -> str:
    return f"{needed.positives:,} positives and {needed.negatives:,} negatives"
