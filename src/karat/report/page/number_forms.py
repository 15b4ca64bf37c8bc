"""How the page writes numbers; its script (words.js) writes them in the same way."""

from collections.abc import Callable
from typing import Any

TINY = 1e-12
"""A probability below this reads as 0: so many places the page's script computes."""
NEARLY_ALL = 0.9995
"""A share from here on has more than three digits before it differs from 1."""
UNDEFINED = "undefined"
NONE = "-"
SPACE = "\u00a0"
"""Between a number and what belongs to it."""


def percent(value: float | None) -> str:
    r"""Return a share as people read it.

    >>> percent(0.95257), percent(None)
    ('95.26\xa0%', 'undefined')
    """
    return UNDEFINED if value is None else f"{100 * value:.2f}{SPACE}%"


def rough(value: float | None) -> str:
    r"""Return a share in three digits; only what is all reads as 100 %.

    >>> rough(0.08849), rough(1e-6), rough(0.5), rough(0.99997), rough(1.0)
    ('8.85\xa0%', '<\xa00.01\xa0%', '50\xa0%', '>\xa099.9\xa0%', '100\xa0%')
    """
    if value is None:
        return NONE
    if 0 < value < 1e-4:
        return f"<{SPACE}0.01{SPACE}%"
    if NEARLY_ALL <= value < 1:
        return f">{SPACE}99.9{SPACE}%"
    return f"{digits(100 * value)}{SPACE}%"


def chance(value: float | None) -> str:
    r"""Return a probability.

    >>> chance(0.99961), chance(0.78793), chance(1.0), chance(1e-20)
    ('>\xa00.999', '0.788', '>\xa00.999', '0')
    """
    if value is None:
        return NONE
    if value > 0.999:
        return f">{SPACE}0.999"
    if TINY < value < 0.001:
        return f"<{SPACE}0.001"
    return digits(round(value, 12))


def p(value: float | None) -> str:
    r"""Return a p-value.

    >>> p(0.58312), p(1e-9)
    ('p\xa0=\xa00.583', 'p\xa0<\xa00.0001')
    """
    if value is None:
        return UNDEFINED
    if value < 1e-4:
        return f"p{SPACE}<{SPACE}0.0001"
    return f"p{SPACE}={SPACE}{digits(value)}"


def bare(value: float | None) -> str:
    r"""Return a p-value under the heading p.

    >>> bare(0.58312), bare(1e-9)
    ('0.583', '<\xa00.0001')
    """
    return p(value).removeprefix(f"p{SPACE}").removeprefix(f"={SPACE}")


def further(value: float | None) -> str:
    """Return a number of further things; a dash where none are needed.

    >>> further(1764), further(None)
    ('1,764', '-')
    """
    return NONE if value is None else count(value)


def count(value: float | None) -> str:
    """Return a number of things.

    >>> count(1497)
    '1,497'
    """
    return UNDEFINED if value is None else f"{value:,}"


def about(value: int | None) -> str:
    """Return a number of things in two digits.

    >>> about(43_494_320), about(1250), about(37)
    ('43,000,000', '1,300', '37')
    """
    if value is None:
        return UNDEFINED
    step = 10 ** max(0, len(str(value)) - 2)
    return count((2 * value + step) // (2 * step) * step)


def difference(value: float | None) -> str:
    """Return a difference of shares in percentage points.

    >>> difference(0.00334)
    '+0.33'
    """
    return UNDEFINED if value is None else f"{100 * value:+.2f}"


def area(value: float | None) -> str:
    """Return an area.

    >>> area(0.86217)
    '0.8622'
    """
    return UNDEFINED if value is None else f"{value:.4f}"


def signed(value: float | None) -> str:
    """Return a difference of areas.

    >>> signed(0.00334)
    '+0.0033'
    """
    return UNDEFINED if value is None else f"{value:+.4f}"


def score(value: float | None) -> str:
    """Return a score as a threshold, in four digits.

    >>> score(0.123456), score(12.0)
    ('0.1235', '12')
    """
    return "-" if value is None else plain(float(f"{value:.4g}"))


def short(value: float | None) -> str:
    """Return a number in three digits.

    >>> short(0.48912), short(139.2), short(None)
    ('0.489', '139', '-')
    """
    return "-" if value is None else plain(float(f"{value:.3g}"))


def plain(value: float) -> str:
    """Return a number as a browser writes it: without an exponent unless it is very small or very large."""
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    if abs(value) >= 1e-6:
        return f"{value:.12f}".rstrip("0")
    mantissa, _, exponent = f"{value:e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


FORMS: dict[str, Callable[[Any], str]] = {
    "percent": percent,
    "rough": rough,
    "chance": chance,
    "p": p,
    "bare": bare,
    "count": count,
    "about": about,
    "further": further,
    "difference": difference,
    "area": area,
    "signed": signed,
    "score": score,
    "short": short,
    "text": str,
}


def digits(value: float) -> str:
    """Return a number in three digits, without zeros at its end.

    >>> digits(0.12349), digits(5.0)
    ('0.123', '5')
    """
    return f"{float(f'{value:.3g}'):g}"
