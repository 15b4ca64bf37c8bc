"""The scores of a sample of Inspect: the one that shows whether the answer is right."""

from collections.abc import Mapping
from typing import Any

from karat.errors import InputError
from karat.source.answer_rows import verdict
from karat.source.faults import Faults
from karat.words import listing

IN_PART = "karat counts right and wrong; grade it as one of them, or leave such samples out with --lenient"


def right_or_wrong(sample: Any, scorer: str, place: str, faults: Faults) -> str | None:
    """Return whether a sample's answer is right by a scorer, or by the only one; None where no score shows it."""
    if not isinstance(sample, dict):
        faults.add(place, "not a JSON object")
        return None
    scores = sample.get("scores")
    if not isinstance(scores, dict) or not scores:
        error = f"; it ended with {str(sample['error'])[:80]!r}" if sample.get("error") else ""
        faults.add(place, f"no scores, so nothing says whether the answer is right{error}")
        return None
    values = _values(scores)
    if not values:
        faults.add(place, "its scores hold no value, so nothing says whether the answer is right")
        return None
    if not scorer and len(values) > 1:
        raise InputError(
            f"{place}: {listing(values)} could each say what is right; name one with --using scorer=NAME"
        )
    name = scorer or next(iter(values))
    if name not in values:
        faults.add(place, f"no score {name!r}; it has {listing(values)}")
        return None
    is_right = verdict(values[name])
    if is_right is None:
        what = f"the score {name!r} is {values[name]!r}, neither right (C, 1) nor wrong (I, 0)"
        faults.add(place, what, remedy=IN_PART)
    return is_right


def _values(scores: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of each scorer; one that gives several by name has each of them, as SCORER/NAME."""
    values: dict[str, Any] = {}
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else None
        if isinstance(value, dict):
            values |= {f"{scorer}/{part}": part_value for part, part_value in value.items()}
        else:
            values[scorer] = value
    return values
