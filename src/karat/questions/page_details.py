"""Where systems go wrong, for a page: classes, items on which they differ, and the first items of an audit."""

from karat.ask.audit import AuditOptions
from karat.errors import KaratError
from karat.measure import usual
from karat.questions.audit import audit
from karat.tally.audit_items import audit_items
from karat.tally.counter import Counter
from karat.tally.item_fields import item_fields
from karat.tally.votes.confusion import confusions
from karat.verdict.audit.lists import AuditList
from karat.verdict.class_errors import ClassErrors, errors_of_first
from karat.verdict.disputed_items import (
    MOST_SYSTEMS,
    DisputedItems,
    disputed_items,
    disputed_places,
)

LISTED = 30
"""So many items of an audit's list are on a page."""


def page_class_errors(
    counter: Counter, order: tuple[str, ...], *, level: float
) -> tuple[ClassErrors, ...]:
    """Return where the first systems go wrong; nothing where labels have no classes."""
    facts = counter.facts
    judged_only = "correct" in facts.options
    if facts.meaning.truth_sep or judged_only or {"w", "e"} & set(facts.keys):
        return ()
    counts = counter.count(confusions)
    return errors_of_first(order, counts, level=level)


def page_disputed(counter: Counter, order: tuple[str, ...]) -> DisputedItems | None:
    """Return the items on which the first two systems differ; None where items have no names of their own."""
    try:
        items = counter.count(audit_items)
        places, number = disputed_places(items, *order[:2])
        if not places:
            return None
        fields = counter.count(item_fields, [items.names[place] for place in places])
    except KaratError:  # saved counts know no names
        return None
    shown = order[:MOST_SYSTEMS]
    return disputed_items(items, places, fields, systems=shown, of=number)


def page_audit_list(counter: Counter, order: tuple[str, ...], *, risk: float) -> AuditList | None:
    """Return the first items that an audit of the lead draws; None where labels cannot be looked up by name."""
    first, second = order[:2]
    options = AuditOptions(claims=((first, second),), risk=risk)
    try:
        return audit(counter, usual.RIGHT_ANSWERS, options).next(LISTED)
    except KaratError:
        return None
