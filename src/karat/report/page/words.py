"""What the page says: every number and sentence that its script writes anew, written here first.

The script fills the same templates with the same words, so that the page reads the same with and without it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from karat.measure import usual
from karat.verdict.compare.result import BETTER, NO_WORSE, WORSE

FIRM, PARTLY, OPEN = "firm", "partly", "open"
SIGNS = {FIRM: "✓", PARTLY: "◐", OPEN: "?"}
"""Signs that do not need a colour to be told apart."""
TEMPLATES = {
    "better": "{first} is better than {second}: yes, {p}.",
    "worse": "{first} is worse than {second}: {p}.",
    "no worse": "{first} is no worse than {second}.",
    "undecided": "Is {first} better than {second}? Undecided, {p}; at most {more} more such items would settle it.",
    "unsettled": "Is {first} better than {second}? Undecided, {p}.",
    "no value": "{first} or {second} has no value here: nothing is to be compared.",
    "level": "{first} and {second} are level: no number of such items would settle it.",
    "survives": "The order survives up to {critical} wrong labels; at {error} it is kept with probability {kept}.",
    "no order": "There is no order that wrong labels could change.",
    "best": "{first} {leads}: right on {value} of the items. Its true share lies between {low} and {high}; statements "
    "of this kind are wrong in at most {risk} of 100 cases (level {level}).",
    "best by": "{first} {leads} by {measure}: {value}, between {low} and {high}; statements of this kind are wrong in "
    "at most {risk} of 100 cases (level {level}).",
    "best without": "There is no truth here, only a vote: {first} is first by what all systems say together. What most "
    "of them have wrong together cannot be seen.",
    "right": "If {yes} means that a system was right, read the table with --correct.",
    "apart": "It is told apart from {apart} of the {others} others.",
    "few": "{settled} of {pairs} neighbouring orders are settled: between equally good systems, so large a difference "
    "would be found in at most {risk} of 100 cases (p at most {most}), all pairs counted together.",
    "wrong": "If {error} of the labels are wrong, {kept_orders} of {orders} neighbouring orders are those of the true "
    "labels with a probability of {level} or more; the weakest order survives {weakest} wrong labels.",
    "ranks": "Each cell is the probability that the row's system has the column's rank by the true labels, for "
    "the items counted and {share} wrong labels ({method}). It was computed beforehand for {shares}; the nearest to "
    "the share supposed is shown.",
    "no orders": "No two neighbours have an order that wrong labels could change.",
    "balance": "Where {balance} of the items are positive, {first} {leads} with an area of {area}. Scores given at "
    "random have {random} there, and no system can have less than {least}.",
    "few by area": "{settled} of {pairs} neighbouring orders by the area under the precision-recall curve are settled: "
    "their difference keeps its sign at the level {level}, if the items are drawn anew.",
    "no balance": "No two systems change places by the area under the precision-recall curve: {first} is first at "
    "every class balance.",
    "one leads": "{first} is first at every class balance by the area under the precision-recall curve; {changing} of "
    "{pairs} pairs of systems change places.",
    "leaders": "Who is best by the area under the precision-recall curve depends on the share of positives: {spans}. "
    "{changing} of {pairs} pairs of systems change places.",
    "one": "There is one system, and nothing to compare it with.",
}
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
    r"""Return a share in three digits.

    >>> rough(0.08849), rough(1e-6), rough(0.5)
    ('8.85\xa0%', '<\xa00.01\xa0%', '50\xa0%')
    """
    if value is None:
        return NONE
    return f"<{SPACE}0.01{SPACE}%" if 0 < value < 1e-4 else f"{_digits(100 * value)}{SPACE}%"


def chance(value: float | None) -> str:
    r"""Return a probability.

    >>> chance(0.99961), chance(0.78793), chance(1.0)
    ('>\xa00.999', '0.788', '1')
    """
    if value is None:
        return NONE
    if 0.999 < value < 1:
        return f">{SPACE}0.999"
    return f"<{SPACE}0.001" if 0 < value < 0.001 else _digits(value)


def p(value: float | None) -> str:
    r"""Return a p-value.

    >>> p(0.58312), p(1e-9)
    ('p\xa0=\xa00.583', 'p\xa0<\xa00.0001')
    """
    if value is None:
        return UNDEFINED
    return f"p{SPACE}<{SPACE}0.0001" if value < 1e-4 else f"p{SPACE}={SPACE}{_digits(value)}"


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


def difference(value: float | None) -> str:
    """Return a difference of shares in points of a hundred.

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


FORMS: dict[str, Callable[[Any], str]] = {
    "percent": percent,
    "rough": rough,
    "chance": chance,
    "p": p,
    "bare": bare,
    "count": count,
    "further": further,
    "difference": difference,
    "area": area,
    "signed": signed,
    "text": str,
}


def _digits(value: float) -> str:
    return f"{float(f'{value:.3g}'):g}"


def isolated(name: str) -> str:
    """Return a name that cannot turn the text around it, and is no longer than one reads."""
    return f"\u2068{shortened(name)}\u2069"


def shortened(name: str, most: int = 48) -> str:
    """Return a name or its beginning.

    >>> shortened("abcdef", most=4)
    'abc…'
    """
    flat = " ".join(name.split()) or "(no name)"
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


Said = tuple[str, str]
"""How firm something is, and the sentence."""


def few_items(first: str, second: str, pair: Mapping[str, Any]) -> Said:
    """Return whether two neighbours are told apart."""
    names = {"first": isolated(first), "second": isolated(second), "p": p(pair["adjusted"])}
    if pair["verdict"] in {BETTER, WORSE, NO_WORSE}:
        return FIRM, TEMPLATES[pair["verdict"]].format(**names)
    if pair["more"] is not None:
        return OPEN, TEMPLATES["undecided"].format(**names, more=count(pair["more"]))
    which = (
        "no value" if pair["difference"] is None else "unsettled" if pair["difference"] else "level"
    )
    return OPEN, TEMPLATES[which].format(**names)


def wrong_labels(pair: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    """Return what the order of two neighbours survives."""
    if pair["kept"] is None:
        return OPEN, TEMPLATES["no order"]
    said = TEMPLATES["survives"].format(
        critical=rough(pair["critical"]), error=rough(state["error"]), kept=chance(pair["kept"])
    )
    return FIRM if pair["kept"] >= state["level"] else OPEN, said


def best(
    names: Sequence[str], found: Mapping[str, Any], level: float, measure: str = usual.RIGHT_ANSWERS
) -> str:
    """Return who is first, how good it is, and from how many others it is told apart."""
    first = found["systems"][0]
    said = TEMPLATES["best" if measure == usual.RIGHT_ANSWERS else "best by"].format(
        measure=measure,
        **leaders(names, found["systems"]),
        value=percent(first["value"]),
        low=percent(first["low"]),
        high=percent(first["high"]),
        level=f"{level}",
        risk=_risk(level),
    )
    if len(names) == 1:
        return f"{said} {TEMPLATES['one']}"
    if "apart" not in found:
        return said
    return f"{said} {TEMPLATES['apart'].format(apart=count(found['apart']), others=count(len(names) - 1))}"


def leaders(names: Sequence[str], systems: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return who is first, alone or together."""
    return _together(
        [
            name
            for name, one in zip(names, systems, strict=True)
            if one["value"] == systems[0]["value"]
        ]
    )


def _together(names: Sequence[str]) -> dict[str, str]:
    first = [isolated(name) for name in names]
    together = ", ".join(first[:-1]) + f" and {first[-1]}" if len(first) > 1 else first[0]
    return {"first": together, "leads": "is first" if len(first) == 1 else "share the first place"}


def balance_said(names: Sequence[str], found: Mapping[str, Any]) -> str:
    """Return who is first at a class balance, and between what its area lies."""
    first = [place for place, one in enumerate(found["systems"]) if one["rank"] == 1]
    said = {name: area(found[name]) for name in ("random", "least")}
    said |= {"balance": rough(found["balance"]), "area": area(found["systems"][first[0]]["area"])}
    return TEMPLATES["balance"].format(**_together([names[place] for place in first]), **said)


def few_in_all(pairs: Sequence[Mapping[str, Any]], level: float) -> Said:
    """Return how many neighbouring orders are settled."""
    settled = sum(pair["verdict"] in {BETTER, WORSE, NO_WORSE} for pair in pairs)
    most = _digits(1 - level)
    said = TEMPLATES["few"].format(
        settled=count(settled), pairs=count(len(pairs)), risk=_risk(level), most=most
    )
    return _firmness(settled, len(pairs)), said


def wrong_in_all(pairs: Sequence[Mapping[str, Any]], state: Mapping[str, Any]) -> Said:
    """Return how many neighbouring orders the supposed share of wrong labels leaves."""
    orders = [pair for pair in pairs if pair["kept"] is not None]
    if not orders:
        return OPEN, TEMPLATES["no orders"]
    kept = sum(pair["kept"] >= state["level"] for pair in orders)
    said = TEMPLATES["wrong"].format(
        error=rough(state["error"]),
        kept_orders=count(kept),
        orders=count(len(orders)),
        level=f"{state['level']}",
        weakest=rough(min(pair["critical"] for pair in orders)),
    )
    return _firmness(kept, len(orders)), said


def ranks(grid: Sequence[float], method: str, error: float) -> str:
    """Return how likely each rank is, and at which of the simulated shares of wrong labels."""
    nearest = min(grid, key=lambda share: abs(share - error))
    return TEMPLATES["ranks"].format(
        share=rough(nearest), method=method, shares=", ".join(rough(share) for share in grid)
    )


def _risk(level: float) -> str:
    return _digits(100 * (1 - level))


def _firmness(part: int, whole: int) -> str:
    return FIRM if part == whole else PARTLY if part else OPEN
