"""The list of the next items to look at, and what comes back from it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from karat.ask.checked_lists import CheckedRow
from karat.errors import InputError
from karat.result import Result
from karat.verdict.audit.right_labels import RightLabel
from karat.verdict.audit.setup import AuditSetup
from karat.verdict.audit.walk import Walk
from karat.words import counted

COLUMNS = ("draw", "item", "given", "right", "q", "list")
FieldsOf = Callable[[Sequence[str]], Sequence[Mapping[str, Any]]]
"""Returns the fields of items by their names: what a checker sees of them."""
DIGITS = 6
"""How many digits the q of a list has."""
CLOSE = 1e-3
"""How far the q of a list may be from ours, as a share of it: spreadsheets round."""


def no_fields(items: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    """Return nothing beside the items."""
    return [{} for _ in items]


@dataclass(frozen=True, slots=True, repr=False)
class AuditList(Result):
    """The next items to look at, in the order of their draws."""

    read_again: ClassVar[bool] = True
    entries: tuple[Mapping[str, Any], ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row an item; `right` is to be filled in."""
        return [dict(entry) for entry in self.entries]

    def parts(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Return the list under a heading."""
        return {f"the next {counted(len(self.entries), 'item')} to look at": self.rows()}

    def beside(self) -> Mapping[str, Any]:
        """Return the input, and what was fixed before the first label."""
        return self.about

    def notes(self) -> Sequence[str]:
        """Return how to go on."""
        return self.remarks

    def to_csv(self, *, guard_formulas: bool = False) -> str:
        """Return the list as a plain CSV; an empty one has its header."""
        if self.entries:
            return Result.to_csv(self, guard_formulas=guard_formulas)
        return ",".join(COLUMNS) + "\n"


@dataclass(frozen=True, slots=True)
class _Listed:
    """One item of a list: the number of its draw, its place, and the probability with which it was drawn."""

    draw: int
    item: int
    chance: float


def next_entries(
    walk: Walk, budget: int, *, blind: bool = False, fields_of: FieldsOf = no_fields
) -> tuple[dict[str, Any], ...]:
    """Return the next items: those that were drawn and are still blank, and then new draws, up to `budget` of them."""
    setup = walk.setup
    listed = _listed(walk, budget)
    names = [setup.items.names[one.item] for one in listed]
    entries = []
    for one, name, extra in zip(listed, names, fields_of(names), strict=True):
        entry: dict[str, Any] = {
            "draw": one.draw,
            "item": name,
            "given": "" if blind else setup.reader.given(one.item).text,
            "right": "",
            "q": float(f"{one.chance:.{DIGITS}g}"),
            "list": setup.list_hash,
        }
        for column, value in extra.items():
            entry[f"field_{column}" if column in COLUMNS else column] = value
        entries.append(entry)
    return tuple(entries)


def _listed(walk: Walk, budget: int) -> list[_Listed]:
    needed = walk.needed_items()
    if not needed.any():
        return []
    setup = walk.setup
    order = setup.draws
    pulls = setup.pulls_or_ones()
    left_of_all = len(setup.items.names) - len(walk.counted)
    left_of_needed = int(pulls[needed].sum())
    left_of_needed -= sum(int(pulls[item]) for item in walk.counted if needed[item])
    passed = set(walk.counted)
    listed: list[_Listed] = []
    for place in range(walk.position, len(order.item)):
        if len(listed) == budget:
            break
        item = int(order.item[place])
        relevant = bool(order.from_all[place]) or bool(needed[item])
        if item in passed or not relevant:
            continue
        pull = int(pulls[item]) if needed[item] else 0
        chance = _chance(setup, left_of_all, left_of_needed, pull)
        passed.add(item)
        left_of_all -= 1
        left_of_needed -= pull
        if item not in walk.labels:
            listed.append(_Listed(place + 1, item, chance))
    return listed


def _chance(setup: AuditSetup, of_all: int, of_needed: int, pull: int) -> float:
    """Return the probability of an item: a share of the draws goes to all items, the rest to the disputed ones.

    `of_needed` is the sum of the pulls of what is needed and left, `pull` that of the item, 0 if it is not needed.
    """
    if not of_needed:
        return 1 / of_all
    share = float(setup.random)
    return share / of_all + (1 - share) * pull / of_needed


def labels_of_rows(
    setup: AuditSetup, rows: Iterable[CheckedRow], before: Mapping[int, RightLabel]
) -> dict[int, RightLabel]:
    """Return the labels that checked lists hold, with those known before; refuse lists that were changed."""
    labels = dict(before)
    for row in rows:
        item = _drawn_item(setup, row)
        if row.right:
            add_label(setup, labels, item, setup.reader.read(row.right, row.where), row.where)
    return labels


def add_label(
    setup: AuditSetup, labels: dict[int, RightLabel], item: int, right: RightLabel, where: str
) -> None:
    """Add a label; refuse a second one that is another."""
    known = labels.get(item)
    if known is not None and known != right:
        name = setup.items.names[item]
        raise InputError(
            f"{where}: the item {name!r} has two labels, {known.text!r} and {right.text!r}; settle on one"
        )
    labels[item] = right


def _drawn_item(setup: AuditSetup, row: CheckedRow) -> int:
    """Return the place of the item of a row, or refuse a row that this audit did not draw."""
    if row.list_hash != setup.list_hash:
        raise InputError(
            f"{row.where}: the list is {row.list_hash!r}, that of this audit is {setup.list_hash!r}: it was made for "
            "another table, claim, risk, measure, guide or seed. Give the options with which it was made"
        )
    order = setup.draws.item
    if not 1 <= row.draw <= len(order):
        raise InputError(
            f"{row.where}: there is no draw {row.draw:,}; the list was changed. Make it again, and fill in only right"
        )
    item = int(order[row.draw - 1])
    name = setup.items.names[item]
    if row.item != name:
        raise InputError(
            f"{row.where}: draw {row.draw:,} is the item {name!r}, not {row.item!r}, which was not drawn there. "
            "Lists must come back as they are, with only right filled in; a spreadsheet may have changed the names"
        )
    given = setup.reader.given(item).text
    if row.given and setup.items.meaning.label(row.given) != given:
        raise InputError(
            f"{row.where}: the given label of the item {name!r} is {given!r}, not {row.given!r}; the list was changed. "
            "The right label goes into the column right"
        )
    _check_chance(setup, row)
    return item


def _check_chance(setup: AuditSetup, row: CheckedRow) -> None:
    """Refuse a q that is no probability, or not that of the draw where one claim about a pair leaves only one."""
    is_plain = len(setup.disputes.pairs) == 1 and not setup.random
    expected = row.chance
    if is_plain:
        left = setup.pulls_or_ones()[setup.draws.item[row.draw - 1 :]]
        expected = float(left[0] / left.sum())
    is_right = 0 < row.chance <= 1 and abs(row.chance - expected) <= CLOSE * expected
    if not is_right:
        raise InputError(
            f"{row.where}: q is {row.chance:g} and should be {expected:.6g}; the list was changed"
        )
