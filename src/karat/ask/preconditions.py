"""Whether a table can be asked a question, and if not, what to do."""

from collections.abc import Sequence
from typing import Literal

from karat.errors import OptionError
from karat.measure.quantity import COMMA, Quantity
from karat.table.kinds import label
from karat.table.kinds import score as scores_kind
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.words import listing

Per = Literal["total", "class", "group"]


def judged(facts: Facts, per: Per | None) -> Facts:
    """Return the facts of a table that can be scored; None is of the answers as numbers."""
    if not facts.has_truth:
        raise OptionError(f"{facts.origin} has no truth to score by; {facts.untold()}")
    if per is None:
        return facts
    if facts.kind == scores_kind and (per != "total" or {"c", "w", "r"} & set(facts.keys)):
        raise OptionError(
            f"{facts.origin} holds scores; for groups, clusters, weights or runs judge it with --threshold"
        )
    if per not in {"total", "class", "group"}:
        raise OptionError(f"--per is {per!r}; it takes total, class or group")
    if per == "group" and "g" not in facts.keys:
        raise OptionError("--per group needs groups; name their column with --group COL")
    return facts


def yes_or_label(facts: Facts, measure: str | Sequence[str]) -> None:
    """Refuse a table of scores, and measures of scores, where answers are compared."""
    texts = COMMA.split(measure) if isinstance(measure, str) else measure
    areas = "areas under the precision-recall curve are compared by karat skew"
    for text in texts:
        if Quantity.parse(text.strip()).counted_from == "curve":
            raise OptionError(f"{text.strip()} is of scores, not of answers; {areas}")
    if facts.kind == scores_kind:
        remedy = "say from which on an answer is yes with --threshold"
        remedy += " (of TREC runs, with --using depth=10)" * facts.options.get(
            "source", ""
        ).startswith("trec")
        raise OptionError(f"{facts.origin} holds scores; {remedy}; {areas}")


def of_scores(facts: Facts) -> Facts:
    """Return the facts of a table of scores that has curves."""
    judged(facts, None)
    if facts.kind != scores_kind:
        what = f"{facts.origin} holds {facts.kind} answers"
        shares = [use.column for use in facts.uses if use.role in {"share", "confidence"}]
        example = f", such as {listing(shares, most=3)}" if shares else ""
        words = facts.kind == label and not facts.meaning.whole
        remedy = (
            f"name columns of scores with --systems{example}"
            if words
            else "read them with --kind score"
        )
        raise OptionError(f"{what}; a curve is of scores: {remedy}")
    if unfit := {"c", "w", "e", "r"} & set(facts.keys):
        raise OptionError(f"curves count every item once; leave {option(unfit)} out")
    check_missing(facts)
    return facts


def check_missing(facts: Facts) -> None:
    """Refuse another meaning of missing scores than that of every curve."""
    if facts.meaning.missing != "wrong":
        raise OptionError("a missing score is below every other; leave --missing out")


def option(keys: set[str]) -> str:
    """Return the option that a key of the table comes from."""
    return f"--{ {'c': 'cluster', 'w': 'weight', 'e': 'error', 'r': 'run'}[min(keys)] }"


def voting(counter: Counter, threshold: float | None) -> Counter:
    """Return the counter of a table whose systems can judge each other."""
    found = counter if threshold is None else counter.at(threshold)
    if {"c", "w"} & set(found.facts.keys):
        raise OptionError(
            "a vote counts every item once; leave --cluster, --run, --weight and --repeats keep out"
        )
    return found


def no_part(facts: Facts) -> tuple[str, ...]:
    """Return in words what was said of a table and plays no part where the systems judge each other."""
    labels = facts.kind != scores_kind and facts.meaning.pair is None
    sets = facts.has_truth and facts.meaning.truth_sep is not None
    return (
        *["The truth is a set of labels an item, and is not set beside the vote, which is on one."]
        * sets,
        *["Groups are pooled; --per group reports them separately."] * ("g" in facts.keys),
        *["The truth is taken as it stands: the vote does not take --error."]
        * ("e" in facts.keys and facts.has_truth),
        *["The vote is on all labels alike, whatever --positive says."]
        * (labels and facts.meaning.positive is not None),
    )


def cutting(counter: Counter) -> Counter:
    """Return the counter of a table whose systems can judge each other, and whose scores can be cut."""
    found = voting(counter, None)
    if found.facts.kind != scores_kind:
        raise OptionError(
            f"--per cutoff and --per depth are for scores; these answers are {found.facts.kind}"
        )
    return found
