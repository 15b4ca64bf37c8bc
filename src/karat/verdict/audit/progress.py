"""How far a capital is, and how many checks it may still take."""

import numpy as np

from karat.doubt.audit.forecast import errors_seen, simulated_checks
from karat.verdict.audit.walk import Walk
from karat.words import counted

RUNS = 100
FORECAST = 5000
"""How many checks a forecast looks ahead."""


def progress(walk: Walk, pair: int) -> str:
    """Return how far a capital is, and how many checks it may still take."""
    capital = float(walk.capitals.capital[pair])
    so_far = f"capital {capital:.2g} of {walk.setup.needed:g}"
    left = int(walk.capitals.left[pair])
    if not left:
        return f"{so_far}; all disputed items were looked at, and some labels cannot be decided"
    if not walk.counts[pair].checked:
        return f"{so_far}; {counted(left, 'disputed item')}"
    more = checks_to_come(walk, pair)
    if more is None:
        return f"{so_far}; over {FORECAST:,} more if errors go on as seen"
    return f"{so_far}; about {more:,} more if errors go on as seen"


def checks_to_come(walk: Walk, pair: int) -> int | None:
    """Return the median number of further checks, if errors go on as seen; None where it is beyond the forecast."""
    key = (pair, walk.position)
    if key not in walk.forecasts:
        walk.forecasts[key] = _simulated(walk, pair)
    return walk.forecasts[key]


def _simulated(walk: Walk, pair: int) -> int | None:
    lanes = np.full(RUNS, pair)
    ahead = simulated_checks(
        walk.capitals.repeated(lanes),
        walk.opposite.repeated(lanes),
        errors_seen(walk.capitals, lanes),
        risk=walk.setup.risk,
        most=FORECAST,
        seed=1,
    )
    median = int(np.median(ahead.checks))
    return median if median < FORECAST else None
