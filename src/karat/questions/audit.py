"""Which labels should be checked, and when is a ranking settled?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.audit import AuditOptions
from karat.ask.opening import columns_of
from karat.ask.preconditions import option, refuse_pixels, refuse_scores
from karat.errors import InputError, OptionError
from karat.measure.quantity import Quantity, choose
from karat.report.signature import about
from karat.tally.audit_items import AuditItems, audit_items
from karat.tally.codes import MISSING
from karat.tally.counter import Counter
from karat.tally.digest import digest, joined
from karat.tally.facts import Facts
from karat.tally.item_fields import item_fields
from karat.tally.votes.patterns import patterns
from karat.verdict.audit.audit import Audit
from karat.verdict.audit.lists import FieldsOf
from karat.verdict.audit.plan import AuditPlan, neighbours_plan_of
from karat.verdict.audit.setup import AuditSetup, audit_setup
from karat.words import counted, listing

ITEMS = ("item", "id")


def audit(
    counter: Counter, measure: str, options: AuditOptions, *, fields: str | Path | None = None
) -> Audit:
    """Return the audit of some claims before its first label; `fields` is a file of what a checker sees of items."""
    facts = counter.facts
    refuse_scores(facts, measure)
    _check(facts, options)
    (quantity,) = choose([measure], positive=facts.meaning.positive)
    items = counter.count(audit_items)
    by_vote = not facts.has_truth
    if by_vote:
        items = replace(items, given=voted(items.answers))
    setup = audit_setup(
        items,
        quantity,
        options.claims,
        risk=options.risk,
        seed=options.seed,
        random=options.share_of_all,
        new_items=options.new_items,
        judged="correct" in facts.options,
        by_vote=by_vote,
        guide=options.guide,
    )
    _check_new_items(setup)
    return Audit(
        setup,
        about=_about(facts, setup, quantity),
        remarks=_remarks(facts),
        fields_of=_fields_of(counter, fields),
    )


def neighbours_plan(
    counter: Counter, measure: str, *, label_error: float, risk: float
) -> AuditPlan:
    """Return how many checks the order of each two neighbours takes, from counts alone: nobody's name is needed."""
    rows = counter.count(patterns).filled()
    answers = np.repeat(rows.answers, rows.number, axis=0)
    items = AuditItems(
        names=tuple(str(place) for place in range(len(answers))),
        systems=rows.systems,
        labels=rows.labels,
        given=np.repeat(rows.truth, rows.number),
        answers=answers,
        meaning=rows.meaning,
    )
    judged = "correct" in counter.facts.options
    return neighbours_plan_of(
        items, Quantity(measure), label_error=label_error, risk=risk, judged=judged
    )


def _remarks(facts: Facts) -> tuple[str, ...]:
    """Return how much there is; items without truth are no less part of a claim than others."""
    without = facts.counts.without_truth
    if not facts.has_truth or not without:
        return facts.remarks()
    all_counted = replace(facts, counts=replace(facts.counts, without_truth=0))
    note = f"{counted(without, 'item')} without truth: in the claim, too, with no given label to begin with."
    return (*all_counted.remarks(), note)


def _check(facts: Facts, options: AuditOptions) -> None:
    """Refuse tables whose labels cannot be looked up one by one."""
    refuse_pixels(facts)
    if facts.meaning.missing == "skip":
        raise OptionError(
            "systems that are judged on different items have no common lead; leave --missing skip out"
        )
    if "r" in facts.keys:
        raise OptionError(f"an audit is about one answer an item; leave {option({'r'})} out")
    if options.new_items and "w" in facts.keys:
        raise OptionError(
            "McNemar's test counts every item once; leave --weight or --new-items out"
        )


def _check_new_items(setup: AuditSetup) -> None:
    if setup.new_items and setup.disputes.scoring.rule.of_class:
        raise OptionError(
            f"--new-items is for right and wrong answers; {setup.quantity} is of one class. Name accuracy"
        )


def voted(answers: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Return the label that most systems give to each item; none (-1) where two have as many votes, or nobody answers.

    >>> voted(np.array([[0, 1, 1], [0, 1, -1], [-1, -1, -1]])).tolist()
    [1, -1, -1]
    """
    labels = np.unique(answers[answers >= 0])
    votes = np.stack([(answers == label).sum(axis=1) for label in labels], axis=1)
    most = votes.max(axis=1)
    alone = (votes == most[:, None]).sum(axis=1) == 1
    chosen = labels[votes.argmax(axis=1)].astype(np.int64)
    return np.where(alone & (most > 0), chosen, MISSING)


def _about(facts: Facts, setup: AuditSetup, quantity: Quantity) -> dict[str, Any]:
    settings = {
        "claims": joined(claim.text for claim in setup.claims).replace("\0", ";"),
        "risk": repr(setup.risk),
        "seed": setup.seed,
        "random": str(setup.random),
        "guide": setup.guide or "0",
    }
    given = {**facts.options, **{name: text for name, text in settings.items() if text != "0"}}
    return about("audit", [str(quantity)], None, given, [digest([setup.list_hash])], facts)


def _fields_of(counter: Counter, path: str | Path | None) -> FieldsOf:
    """Return where the fields of items come from: a file, or the table's own columns."""

    def of_table(names: Sequence[str]) -> Sequence[Mapping[str, Any]]:
        return counter.count(item_fields, names)

    if path is None:
        return of_table
    return _fields_of_file(path, counter.facts)


def _fields_of_file(path: str | Path, facts: Facts) -> FieldsOf:
    """Return the columns of a file as the fields of items; nothing of an item that it does not name."""
    columns = columns_of(path)
    item = _item_column(columns, path, facts)
    hidden = {item, *facts.systems, *_columns_with_role(facts, "truth")}
    shown = [
        name for name in columns if name not in hidden and not name.lower().startswith("truth")
    ]
    places = {str(name): place for place, name in enumerate(columns[item])}

    def of_file(names: Sequence[str]) -> Sequence[Mapping[str, Any]]:
        fields: list[dict[str, Any]] = []
        for name in names:
            place = places.get(name)
            fields.append({one: "" if place is None else columns[one][place] for one in shown})
        return fields

    return of_file


def _item_column(columns: Mapping[str, Any], path: str | Path, facts: Facts) -> str:
    """Return the column that names the items: as in the table, else one called item or id."""
    for name in _columns_with_role(facts, "item"):
        if name in columns:
            return name
    for name in columns:
        if name.lower() in ITEMS:
            return name
    raise InputError(
        f"{path} has no column that names the items, such as item; it has {listing(columns)}"
    )


def _columns_with_role(facts: Facts, role: str) -> list[str]:
    return [use.column for use in facts.uses if use.role == role]
