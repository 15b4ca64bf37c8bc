"""What the page says: every sentence that its script rewrites when a slider moves.

The script (words.js) fills the same templates with the same words, so that the page reads the same without it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from karat.measure import usual
from karat.report.page.number_forms import FORMS, about, area, chance, count, digits, p, rough
from karat.verdict.compare.comparison import BETTER, NO_WORSE, WORSE
from karat.verdict.stability.informed_result import SAFE
from karat.verdict.stability.result import StabilityResult

FIRM, PARTLY, OPEN = "firm", "partly", "open"
RIGHT_ANSWERS = usual.RIGHT_ANSWERS
SIGNS = {FIRM: "✓", PARTLY: "◐", OPEN: "?"}
"""Signs that differ without their colours."""
TEMPLATES = {
    "better": "{first} is better than {second}: yes, {p}.",
    "worse": "{first} is worse than {second}: {p}.",
    "no worse": "{first} is no worse than {second}.",
    "undecided": "Is {first} better than {second}? Undecided, {p}; about {more} more such items would settle it, "
    "{likely} more with a chance of 80 %.",
    "unsettled": "Is {first} better than {second}? Undecided, {p}.",
    "no value": "{first} or {second} has no value here, so they cannot be compared.",
    "level": "{first} and {second} are tied: no number of such items would settle which is better.",
    "robust": "If errors lie by chance, the kindest case, the order of these items is robust up to {critical} wrong "
    "labels; at {error} it is kept with probability {kept}.",
    "informed safe": "If {share} of the labels are wrong where systems contradict them, the order of these items is "
    "safe: reversed with a probability under 0.01 (simulated).",
    "informed open": "If {share} of the labels are wrong where systems contradict them, the order of these items is "
    "open: reversed with probability {reversed} (simulated).",
    "no order": "They are tied: there is no order that wrong labels could change.",
    "ahead": "{first} {leads} of {second}: right on {value} of the items against {other}.",
    "ahead by": "{first} {leads} of {second} by {measure}: {value} against {other}.",
    "hardly ahead": "{first} {leads} of {second} by next to nothing: both are right on {value} of the items.",
    "hardly ahead by": "{first} {leads} of {second} by next to nothing: both have a {measure} of {value}.",
    "tied first": "{first} {leads}: right on {value} of the items.",
    "tied first by": "{first} {leads} by {measure}: {value}.",
    "best": "The true share lies between {low} and {high}; such statements are wrong in at most {risk} of 100 cases "
    "(level {level}).",
    "best by": "Its true value lies between {low} and {high}; such statements are wrong in about {risk} of 100 cases "
    "(level {level}).",
    "matters": "The doubt that matters most: {doubt}.",
    "nothing open": "None of the doubts that were looked at is open.",
    "holds": "Holds: {first} is better than {second}, {p}.",
    "holds not": "{first} is worse than {second}, {p}.",
    "open": "Open, {p}: about {more} more such items would settle it, {likely} more with a chance of 80 %.",
    "open only": "Open, {p}.",
    "settled": "Settled are {all} of all {pairs} pairs of systems, and {neighbours} of the {orders} pairs of "
    "neighbours.",
    "labels safe": "Holds: if {share} of the labels are wrong where systems contradict them, the order is reversed "
    "with a probability under 0.01 (simulated).",
    "labels open": "Open: if {share} of the labels are wrong where systems contradict them, the order is reversed with "
    "probability {reversed} (simulated).",
    "audit": "An audit of about {checks} labels would settle it.",
    "audit long": "An audit of more than {checks} labels would settle it.",
    "safe in all": "{safe} of {orders} pairs of neighbours are safe from such errors.",
    "clusters": "Allowed for: every interval and test goes over clusters, not over items.",
    "over groups": "{verdict}: if the {groups} groups are a sample of such groups, {first} is ahead by {difference} "
    "points, between {low} and {high}.",
    "looks clustered": "Open: items that share a value of {column} may be correlated, and intervals then be too "
    "narrow.",
    "independent": "Not looked at: items are taken to be independent of each other.",
    "best without": "There is no truth here: {first} is first by the consensus of all systems.",
    "matters without": "The doubt that matters most: errors that most systems share, which nothing shows without a "
    "truth.",
    "right": "If {yes} means that a system was right, this is another question: then the answers say who was right.",
    "different": "It is significantly different from {different} of the {others} others.",
    "wrong": "If {error} of the labels are wrong by chance, the kindest case, {kept_orders} of {orders} pairs of "
    "neighbours have the same order by the true labels of these items with probability {level} or more; the weakest "
    "order is robust up to {weakest} wrong labels. Real errors lie where systems contradict the label, and reverse "
    "more.",
    "ranks": "Each cell is the probability that the row's system has the column's rank by the true labels, for "
    "the items counted and {share} labels that are wrong by chance ({method}). These were computed for {shares}; shown "
    "are those nearest to the share chosen.",
    "no orders": "All neighbours are tied: there is no order that wrong labels could change.",
    "prevalence": "Where {prevalence} of the items are positive, {first} {leads} with an area of {area}{interval}. "
    "Random scores have {random} there, and no system can have less than {least}.",
    "interval": ", between {low} and {high}",
    "few by area": "{verdict}: by the area under the precision-recall curve, where {prevalence} are positive, {first} "
    "is ahead of {second} by {difference}, between {low} and {high} (resampled items, level {level}).",
    "settled by area": "Settled are {all} of all {pairs} pairs of systems, and {settled} of the {neighbours} pairs of "
    "neighbours.",
    "same order": "No two systems change places by the area under the precision-recall curve: {first} is first at "
    "every prevalence.",
    "one leads": "On these items {first} is first by the area under the precision-recall curve at every prevalence; "
    "{changing} of {pairs} pairs of systems change places.",
    "leads where": "{first}, first by the area under the precision-recall curve in the data, leads {where}. Over all "
    "prevalences: {spans}. {changing} of {pairs} pairs of systems change places.",
    "one": "There is one system, and nothing to compare it with.",
}
SETTLED = (BETTER, WORSE, NO_WORSE)


def isolated(name: str) -> str:
    """Return a short name, isolated so that its direction of writing does not change the text around it."""
    return f"\u2068{shortened(name)}\u2069"


def shortened(name: str, most: int = 48) -> str:
    """Return a name or its beginning.

    >>> shortened("abcdef", most=4)
    'abc…'
    """
    flat = " ".join(name.split()) or "(no name)"
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


Statement = tuple[str, str]
"""How firm a statement is, and its sentence."""


def few_items(first: str, second: str, pair: Mapping[str, Any]) -> Statement:
    """Return whether two neighbours are significantly different."""
    values = {"first": isolated(first), "second": isolated(second), "p": p(pair["adjusted"])}
    if pair["verdict"] in SETTLED:
        return FIRM, TEMPLATES[pair["verdict"]].format(**values)
    if pair["more"] is not None:
        return OPEN, TEMPLATES["undecided"].format(
            **values, more=about(pair["more"]), likely=about(pair["likely"])
        )
    if pair["difference"] is None:
        template = TEMPLATES["no value"]
    elif pair["difference"]:
        template = TEMPLATES["unsettled"]
    else:
        template = TEMPLATES["level"]
    return OPEN, template.format(**values)


def wrong_labels(pair: Mapping[str, Any], state: Mapping[str, Any]) -> Statement:
    """Return how robust the order of two neighbours is to wrong labels."""
    if pair["kept"] is None:
        return OPEN, TEMPLATES["no order"]
    text = TEMPLATES["robust"].format(
        critical=rough(pair["critical"]), error=rough(state["error"]), kept=chance(pair["kept"])
    )
    # Errors by chance are the kindest case: they alone never make an order firm.
    return PARTLY if pair["kept"] >= state["level"] else OPEN, text


def informed_order(result: StabilityResult, first: str, second: str) -> Statement:
    """Return whether an order is safe if errors lie where systems contradict the labels; no slider moves it."""
    for pair in result.pairs:
        if (pair.better, pair.worse) != (first, second) or pair.verdict is None:
            continue
        share = pair.label_error if isinstance(pair.label_error, float) else 0.0
        values = {"share": rough(share), "reversed": chance(pair.reversed)}
        if pair.verdict == SAFE:
            return FIRM, TEMPLATES["informed safe"].format(**values)
        return OPEN, TEMPLATES["informed open"].format(**values)
    return OPEN, TEMPLATES["no order"]


def best(
    names: Sequence[str],
    numbers: Mapping[str, Any],
    level: float,
    measure: str = RIGHT_ANSWERS,
    form: str = "percent",
) -> str:
    """Return which system is ahead of which, how good it is, and from how many others it is significantly different."""
    first = numbers["systems"][0]
    write = FORMS[form]
    template = TEMPLATES["best" if measure == RIGHT_ANSWERS else "best by"]
    text = f"{_ahead(names, numbers['systems'], measure, write)} " + template.format(
        low=write(first["low"]), high=write(first["high"]), level=f"{level}", risk=_risk(level)
    )
    if len(names) == 1:
        return f"{text} {TEMPLATES['one']}"
    if "different" not in numbers or len(names) == 2:
        return text  # of two systems the doubt below says it
    different = count(numbers["different"])
    others = count(len(names) - 1)
    return f"{text} {TEMPLATES['different'].format(different=different, others=others)}"


def _ahead(
    names: Sequence[str],
    systems: Sequence[Mapping[str, Any]],
    measure: str,
    write: Callable[[float | None], str],
) -> str:
    """Return which systems are first, and which comes next."""
    by = "" if measure == RIGHT_ANSWERS else " by"
    words = leaders(names, systems)
    value = write(systems[0]["value"])
    for name, system in zip(names, systems, strict=True):
        if system["value"] != systems[0]["value"]:
            words["leads"] = words["leads"].replace("is first", "is ahead")
            words["leads"] = words["leads"].replace(
                "share the first place", "share the first place, ahead"
            )
            other = write(system["value"])
            ahead = "ahead" if value != other else "hardly ahead"
            return TEMPLATES[f"{ahead}{by}"].format(
                **words,
                second=isolated(name),
                value=value,
                other=other,
                measure=measure,
            )
    return TEMPLATES[f"tied first{by}"].format(**words, value=value, measure=measure)


def leaders(names: Sequence[str], systems: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return which systems share the first place."""
    highest = systems[0]["value"]
    values = [system["value"] for system in systems]
    return first_place(
        [name for name, value in zip(names, values, strict=True) if value == highest]
    )


def first_place(names: Sequence[str]) -> dict[str, str]:
    """Return the words for those who are first, be it one or several."""
    first = [isolated(name) for name in names]
    if len(first) == 1:
        return {"first": first[0], "leads": "is first"}
    together = f"{', '.join(first[:-1])} and {first[-1]}"
    return {"first": together, "leads": "share the first place"}


def at_prevalence(names: Sequence[str], numbers: Mapping[str, Any]) -> str:
    """Return which system is first at a prevalence, with its area and that of chance."""
    first = [place for place, system in enumerate(numbers["systems"]) if system["rank"] == 1]
    best_system = numbers["systems"][first[0]]
    interval = ""
    if best_system.get("low") is not None:
        ends = {"low": area(best_system["low"]), "high": area(best_system["high"])}
        interval = TEMPLATES["interval"].format(**ends)
    return TEMPLATES["prevalence"].format(
        **first_place([names[place] for place in first]),
        interval=interval,
        prevalence=rough(numbers["prevalence"]),
        area=area(numbers["systems"][first[0]]["area"]),
        random=area(numbers["random"]),
        least=area(numbers["least"]),
    )


def few_for_lead(names: Sequence[str], numbers: Mapping[str, Any]) -> Statement:
    """Return whether the first two are significantly different, and of how many pairs that can be said."""
    pair = numbers["pairs"][0]
    values = {
        "first": isolated(names[0]),
        "second": isolated(names[1]),
        "p": p(pair["adjusted"]),
    }
    if pair["verdict"] in SETTLED:
        template = "holds not" if pair["verdict"] == WORSE else "holds"
        text = TEMPLATES[template].format(**values)
    elif pair["more"] is not None:
        text = TEMPLATES["open"].format(
            **values, more=about(pair["more"]), likely=about(pair["likely"])
        )
    elif pair["difference"] is not None and not pair["difference"]:
        text = TEMPLATES["level"].format(**values)
    else:
        text = TEMPLATES["open only"].format(**values)
    if len(numbers["pairs"]) > 1:
        text += f" {_settled(numbers)}"
    return FIRM if pair["verdict"] in SETTLED else OPEN, text


def _settled(numbers: Mapping[str, Any]) -> str:
    """Return how many pairs are settled, of all and of neighbours."""
    settled = numbers["settled"]
    return TEMPLATES["settled"].format(
        all=count(settled["all"]),
        pairs=count(settled["pairs"]),
        neighbours=count(settled["neighbours"]),
        orders=count(len(numbers["pairs"])),
    )


def matters_most(doubts: Sequence[tuple[str, str]]) -> str:
    """Return which doubt matters most, from the name and the firmness of each, the gravest first.

    >>> matters_most([("Few items", FIRM), ("Wrong labels", OPEN), ("Prevalence", PARTLY)])
    'The doubt that matters most: wrong labels.'
    """
    for wanted in (OPEN, PARTLY):
        for name, firmness_of in doubts:
            if firmness_of == wanted:
                return TEMPLATES["matters"].format(doubt=name.lower())
    return TEMPLATES["nothing open"]


def wrong_in_all(pairs: Sequence[Mapping[str, Any]], state: Mapping[str, Any]) -> Statement:
    """Return how many orders of neighbours are robust to the assumed share of wrong labels."""
    orders = [pair for pair in pairs if pair["kept"] is not None]
    if not orders:
        return OPEN, TEMPLATES["no orders"]
    kept = sum(pair["kept"] >= state["level"] for pair in orders)
    text = TEMPLATES["wrong"].format(
        error=rough(state["error"]),
        kept_orders=count(kept),
        orders=count(len(orders)),
        level=f"{state['level']}",
        weakest=rough(min(pair["critical"] for pair in orders)),
    )
    return PARTLY if kept else OPEN, text


def ranks(grid: Sequence[float], method: str, error: float) -> str:
    """Return what the probabilities of the ranks are, and for which share of wrong labels they were computed."""
    nearest = min(grid, key=lambda share: abs(share - error))
    shares = ", ".join(rough(share) for share in grid)
    return TEMPLATES["ranks"].format(share=rough(nearest), method=method, shares=shares)


def firmness(part: int, whole: int) -> str:
    """Return how firm a statement about all is that holds for some.

    >>> firmness(3, 3), firmness(1, 3), firmness(0, 3)
    ('firm', 'partly', 'open')
    """
    if part == whole:
        return FIRM
    return PARTLY if part else OPEN


def _risk(level: float) -> str:
    return digits(100 * (1 - level))
