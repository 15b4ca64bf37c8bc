"""Whether a question fits a table, and if not, what to do."""

from collections.abc import Sequence
from typing import Literal

from karat.errors import KaratError, OptionError
from karat.measure.quantity import COMMA, Quantity
from karat.table.kinds import label
from karat.table.kinds import score as scores_kind
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.words import listing

Per = Literal["total", "class", "group"]
AREAS = "or compare areas, karat compare --measure roc-area"
OPTIONS = {"c": "cluster", "w": "weight", "e": "error", "r": "run"}
"""The option that a key of the table comes from."""


def require_truth(facts: Facts, per: Per | None) -> Facts:
    """Return the facts of a table that can be scored, or refuse it; `per` is None where there is no choice of rows."""
    if not facts.has_truth:
        raise OptionError(f"{facts.origin} has no truth to score by; {facts.truth_remedy()}")
    if per is None:
        return facts
    if facts.kind == scores_kind and (per != "total" or "r" in facts.keys):
        raise OptionError(
            f"{facts.origin} holds scores; for groups or runs judge it with --threshold"
        )
    if per not in {"total", "class", "group"}:
        raise OptionError(f"--per is {per!r}; it takes total, class or group")
    if per == "group" and "g" not in facts.keys:
        raise OptionError("--per group needs groups; name their column with --group COL")
    return facts


def quantities_named(measure: str | Sequence[str]) -> list[Quantity]:
    """Return the measures that a text or several name."""
    texts = COMMA.split(measure) if isinstance(measure, str) else measure
    return [Quantity.parse(text.strip()) for text in texts]


def are_over_units(measure: str | Sequence[str]) -> bool:
    """Return whether measures of texts or of samples are named, and nothing else; refuse a mixture."""
    try:
        quantities = quantities_named(measure)
    except KaratError:
        # Measures of rankings are parsed elsewhere, which also refuses what is no measure.
        return False
    over_units: list[Quantity] = []
    others: list[Quantity] = []
    for one in quantities:
        own = over_units if one.traits.over_units else others
        own.append(one)
    if over_units and others:
        first = over_units[0]
        raise OptionError(
            f"{first} is of {first.counted_from}, {others[0]} of single answers; ask for each by itself"
        )
    return bool(over_units)


def areas_requested(facts: Facts, measure: str | Sequence[str]) -> bool:
    """Return whether measures of scores are named, and nothing else; refuse a mixture."""
    texts = COMMA.split(measure) if isinstance(measure, str) else measure
    of_scores_only: list[str] = []
    others: list[str] = []
    for text in texts:
        own = of_scores_only if Quantity.parse(text.strip()).counted_from == "curve" else others
        own.append(text.strip())
    if of_scores_only and others:
        raise OptionError(
            f"{of_scores_only[0]} is of scores, {others[0]} of answers; compare by one kind at a time"
        )
    if of_scores_only and "threshold" in facts.options:
        raise OptionError(f"{of_scores_only[0]} is of scores as they are; leave --threshold out")
    return bool(of_scores_only)


def refuse_scores(facts: Facts, measure: str | Sequence[str]) -> None:
    """Refuse a table of scores, and measures of scores, where answers are compared."""
    texts = COMMA.split(measure) if isinstance(measure, str) else measure
    for text in texts:
        name = text.strip()
        if Quantity.parse(name).counted_from == "curve":
            raise OptionError(
                f"{name} is of scores, not of answers; areas are compared by karat compare and karat skew"
            )
    if facts.kind == scores_kind:
        remedy = "give the score from which on an answer is yes with --threshold"
        if facts.options.get("source", "").startswith("trec"):
            remedy += " (of TREC runs, with --using depth=10)"
        raise OptionError(f"{facts.origin} holds scores; {remedy}; {AREAS}")


def require_scores(facts: Facts) -> Facts:
    """Return the facts of a table of scores that has curves, or refuse it."""
    require_truth(facts, None)
    if facts.kind != scores_kind:
        answers = f"{facts.origin} holds {facts.kind} answers"
        raise OptionError(f"{answers}; a curve is of scores: {_how_to_get_scores(facts)}")
    unsupported = {"e", "r"} & set(facts.keys)
    if unsupported:
        raise OptionError(f"curves count every item once; leave {option(unsupported)} out")
    if facts.options.get("repeats") == "keep":
        raise OptionError("curves count every item once; leave --repeats keep out")
    check_missing(facts)
    return facts


def _how_to_get_scores(facts: Facts) -> str:
    """Return which option reads scores from a table of other answers."""
    are_words = facts.kind == label and not facts.meaning.whole
    if not are_words:
        return "read them with --kind score"
    remedy = "name columns of scores with --systems"
    columns = [use.column for use in facts.uses if use.role in {"share", "confidence"}]
    if columns:
        remedy += f", such as {listing(columns, most=3)}"
    return remedy


def refuse_judge(facts: Facts) -> None:
    """Refuse a judge where it is not corrected for its errors."""
    if "judge" in facts.options:
        raise OptionError("--judge is for score and compare; leave it out here")


def refuse_pixels(facts: Facts) -> None:
    """Refuse wrong labels of single pixels, where these are the items: annotators err by objects."""
    is_of_images = facts.options.get("source", "").startswith("pixels")
    if is_of_images and facts.options.get("cluster"):
        raise OptionError(
            "a wrong label is not one pixel: annotators miss objects, add them, or move boundaries by some pixels. "
            "Ask about objects with --using unit=object; what a moved boundary changes is seen with "
            "--using tolerance=2 in karat score and karat compare. (--using clusters=none takes pixels as independent.)"
        )


def check_missing(facts: Facts) -> None:
    """Refuse `--missing` where missing scores always rank below every other."""
    if facts.meaning.missing != "wrong":
        raise OptionError("a missing score is below every other; leave --missing out")


def option(keys: set[str]) -> str:
    """Return the option that a key of the table comes from; runs are clustered, and are named as runs."""
    key = "r" if "r" in keys else min(keys)
    return f"--{OPTIONS[key]}"


def voting_counter(counter: Counter, threshold: float | None) -> Counter:
    """Return the counter of a table whose systems can judge each other by a vote, or refuse it."""
    if threshold is not None:
        counter = counter.at(threshold)
    if {"c", "w"} & set(counter.facts.keys):
        _refuse_images(counter.facts)
        raise OptionError(
            "a vote counts every item once; leave --cluster, --run, --weight and --repeats keep out"
        )
    return counter


def _refuse_images(facts: Facts) -> None:
    """Say how images are read for a vote, where the source made clusters of them."""
    if facts.options.get("source", "").startswith("pixels"):
        objects = ", or objects with --using unit=object" if facts.has_truth else ""
        raise OptionError(
            "a vote counts every item once, and images are clusters here; let pixels vote with "
            f"--using clusters=none{objects}"
        )


def ignored_options(facts: Facts) -> tuple[str, ...]:
    """Return notes on the options of a table that have no effect where the systems judge each other."""
    labels = facts.kind != scores_kind and facts.meaning.pair is None
    notes = []
    if facts.has_truth and facts.meaning.truth_sep is not None:
        notes.append(
            "The truth is a set of labels for each item; the vote is on one, and is not compared with it."
        )
    if "g" in facts.keys:
        notes.append("Groups are pooled; --per group reports them separately.")
    if "e" in facts.keys and facts.has_truth:
        notes.append("The truth is taken as it is: the vote does not take --error.")
    if labels and facts.meaning.positive is not None:
        notes.append("The vote treats all labels equally, whatever --positive says.")
    return tuple(notes)


def cutoff_counter(counter: Counter) -> Counter:
    """Return the counter of a table of scores whose systems can judge each other at any cutoff, or refuse it."""
    counter = voting_counter(counter, None)
    kind = counter.facts.kind
    if kind != scores_kind:
        raise OptionError(f"--per cutoff and --per depth are for scores; these answers are {kind}")
    return counter
