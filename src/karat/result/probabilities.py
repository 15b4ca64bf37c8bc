"""Probabilities as people read them: only what is certain reads as 0 or 1. JSON and CSV have all digits."""

import re
from math import floor, log10, nextafter

SMALL = 1e-4
"""Nearer to 0 or 1 a probability is not printed as a number."""
DRAWS = re.compile(r"simulation.*\(draws=(\d+)")


def chance(value: float) -> str:
    """Return a probability in two digits, or in as many as distinguish it from 1; only 0 and 1 read as such.

    >>> chance(0.0123), chance(0.99609), chance(0.9999), chance(0.99996), chance(3e-20), chance(1.0)
    ('0.012', '0.996', '0.9999', '> 0.9999', '< 0.0001', '1')
    """
    if 0 < value < SMALL:
        return f"< {SMALL:.4f}"
    rest = 1 - value
    if 0 < rest < SMALL * (1 - 1e-9):
        return f"> {1 - SMALL:.4f}"
    if 0 < rest < 0.01:
        decimals = -floor(log10(rest) + 1e-9)
        return f"{value:.{decimals}f}"
    return f"{value:.2g}"


def p_alone(value: float) -> str:
    """Return a p-value in a table; none is 0, but one too small for a floating-point number is stored so.

    >>> p_alone(0.0123), p_alone(0.0), p_alone(1.0)
    ('0.012', '< 0.0001', '1')
    """
    return chance(max(value, nextafter(0, 1)))


def p_words(value: float) -> str:
    """Return a p-value in a sentence.

    >>> p_words(0.0123), p_words(2e-9), p_words(0.0)
    ('p = 0.012', 'p < 0.0001', 'p < 0.0001')
    """
    text = p_alone(value)
    return f"p {text}" if text[0] in "<>" else f"p = {text}"


def likely(value: float, method: str) -> str:
    """Return a probability as text; of simulated ones what the number of draws can tell.

    Where none of n draws shows a thing, its probability lies below 3/n (at the level 0.95).
    >>> simulated = "simulation (draws=10000, seed=0)"
    >>> likely(1.0, simulated), likely(0.0, simulated), likely(0.0, "exact"), likely(0.25, "exact")
    ('> 0.999', '< 0.001', '0', '0.25')
    """
    simulated = DRAWS.match(method)
    if value not in {0, 1} or not simulated:
        return chance(value)
    digits = int(log10(int(simulated[1]) / 3))
    if digits < 1:
        return chance(value)
    return f"> 0.{'9' * digits}" if value else f"< {10**-digits:.{digits}f}"


def likely_or_none(value: float | None, method: str) -> str | None:
    """Return a probability as text; None where there is none."""
    return None if value is None else likely(value, method)
