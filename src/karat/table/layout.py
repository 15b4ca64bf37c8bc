"""How relations become the rows that are counted: SQL for the table `answers`.

Its columns are `item`, `t` (truth), `s0`, `s1`, ... (answers), and where the user names them `g` (group),
`c` (cluster), `w` (weight), `n` (count), `r` (run), `e` (error) and `u` (a second truth); `p0` is a confidence beside
`s0`, `q0_1` the confidence of system 0 in the label with the number 1. Names from the data are never part of the SQL.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.engine import Engine, OpenedSource, Stored
from karat.table.kinds import Profile, says_absent, score
from karat.table.roles import LongRoles

SHORT = {
    "truth": "t",
    "group": "g",
    "cluster": "c",
    "weight": "w",
    "count": "n",
    "run": "r",
    "error": "e",
    "second_truth": "u",
    "grade": "d",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A column in a query: the alias of its relation there, the relation, and its name."""

    alias: str
    relation: OpenedSource
    column: str

    @property
    def stored(self) -> Stored:
        """How the column is stored."""
        return self.relation.stored[self.relation.columns.index(self.column)]


def cell(place: Place) -> str:
    """Return SQL for a column as it is stored."""
    return f"{place.alias}.c{place.relation.columns.index(place.column)}"


def value(place: Place, profile: Profile, *, kind: str | None = None) -> str:
    """Return SQL for a column of answers or truth, as a number where all its values are numbers."""
    if kind == score:
        return f"cast({cell(place)} as double)"
    text_of_integers = profile.stored == "text" and 0 < profile.filled == profile.integers
    whole_fractions = profile.stored == "fraction" and profile.whole
    if text_of_integers or whole_fractions:
        return f"cast({cell(place)} as bigint)"
    return cell(place)


def stored_as(place: Place, profile: Profile, *, kind: str | None = None) -> Stored:
    """Return how the values of `value` are stored."""
    if kind == score:
        return "fraction"
    if value(place, profile) != cell(place):
        return "whole"
    return place.stored


def answered(table: OpenedSource, columns: Sequence[str], values: int) -> str:
    """Return the table with cells of these columns empty where they hold one of the values that mean no answer."""
    no_answers = [f"(select value from no_answer where k = {k})" for k in range(values)]
    cells = []
    for number, name in enumerate(table.columns):
        sql = f"c{number}"
        if name in columns:
            equal = [f"cast(c{number} as string) = {value}" for value in no_answers]
            sql = f"case when {' or '.join(equal)} then null else c{number} end"
        cells.append(f"{sql} as c{number}")
    return f"select {', '.join(cells)} from {table.name}"


def without_absent(table: OpenedSource, columns: Sequence[str]) -> str:
    """Return the table with cells of these columns of text empty where the text means that there is no value."""
    cells = []
    for number, name in enumerate(table.columns):
        sql = f"c{number}"
        if name in columns:
            sql = f"case when {says_absent(sql)} then null else {sql} end"
        cells.append(f"{sql} as c{number}")
    return f"select {', '.join(cells)} from {table.name}"


def likeliest(shares: Mapping[int, Place]) -> str:
    """Return SQL for the number of the likeliest label of a distribution; of two, that of the first in `shares`."""
    cells = {number: f"cast({cell(place)} as double)" for number, place in shares.items()}
    best, *others = cells.values()
    if others:
        best = f"greatest({', '.join(cells.values())})"
    cases = [f"when {sql} = {best} then {number}" for number, sql in cells.items()]
    return f"case {' '.join(cases)} end"


def columns(parts: Mapping[str, str]) -> str:
    """Return the columns of the rows that are counted."""
    return ", ".join(f"{sql} as {name}" for name, sql in parts.items())


def joined(columns: str, table: str, join: str, engine: Engine) -> str:
    """Return rows with the columns of other relations, in the order of the table where its engine keeps one."""
    if not engine.ordered:
        return f"select {columns} from {table} as a{join}"
    placed = f"(select *, {engine.row} as place_in_file from {table})"
    return f"select {columns} from {placed} as a{join} order by a.place_in_file"


def join(left: Place, right: Place) -> str:
    """Return the SQL that finds each item's row in a second relation, whatever type its name is stored in."""
    stored = {left.stored, right.stored}
    comparable = len(stored) == 1 or stored == {"whole", "fraction"}
    as_key = cell if comparable else _name
    equal = f"{as_key(left)} = {as_key(right)}"
    return f" left join {right.relation.name} as {right.alias} on {equal}"


def _name(place: Place) -> str:
    """Return SQL for an item's name as text: 3 for a 3.0 that a gap elsewhere in its column made a fraction."""
    number = cell(place)
    text = f"cast({number} as string)"
    if place.stored != "fraction":
        return text
    whole = f"abs({number}) < 9e15 and {number} = floor({number})"
    return f"case when {whole} then cast(cast({number} as bigint) as string) else {text} end"


def votes(row: str, table: OpenedSource, roles: LongRoles) -> str:
    """Return one row per answer: item, the system's number k, the answer, and its position.

    Answers of systems that were not requested stay, without a number: their items are items still.
    """

    def stored(name: str) -> str:
        return f"c{table.columns.index(name)}"

    parts = {"item": stored(roles.item), "answer": stored(roles.answer)}
    for role, name in roles.named.items():
        parts[SHORT[role]] = stored(name)
    parts["system"] = f"cast({stored(roles.system)} as string)"
    if roles.share:
        parts["p"] = f"cast({stored(roles.share)} as double)"
    parts["place_in_file"] = row
    rows = f"(select {columns(parts)} from {table.name}) as a"
    return f"select a.*, systems.k from {rows} left join systems on a.system = systems.name"


SETTLED = {
    "first": """
        select * from (
            select *, row_number() over (partition by {keys} order by place_in_file) as turn from all_votes
        ) as ranked where turn = 1""",
    "majority": """
        select * from (
            select *, row_number() over (
                partition by {keys} order by often desc, answer nulls last, place_in_file
            ) as turn
            from (select *, count(*) over (partition by {keys}, answer) as often from all_votes) as counted
        ) as ranked where turn = 1""",
    "keep": """
        select *, case when k is null then 1 else row_number() over (partition by {keys} order by place_in_file) end
            as turn
        from all_votes""",
    "likeliest": """
        select * from (
            select *, row_number() over (
                partition by {keys} order by p desc nulls last, answer nulls last
            ) as turn from all_votes
        ) as ranked where turn = 1""",
}
"""What several answers of one system for one item (in one run, if there are runs) count for."""


UNASKED = "\x01not asked\x01"
"""The answer of a system that was not given the item: it has no such run, or gave fewer answers to the item."""


def pivot(systems: int, named: tuple[str, ...], *, keep: bool, ordered: bool) -> str:
    """Return one row per item (and per run or repetition), a column per system; maybe in the order of the file."""
    has_runs = "run" in named
    cells = ["item as c0"]
    answers = [_answer(k, run=has_runs, keep=keep) for k in range(systems)]
    cells += [f"{sql} as c{number}" for number, sql in enumerate(answers, 1)]
    for number, role in enumerate(named, systems + 1):
        # The roles of an item are the same in all its rows, which was checked.
        sql = "r" if role == "run" else f"max({SHORT[role]})"
        cells.append(f"{sql} as c{number}")
    keys = ["item"]
    rows = "votes"
    if has_runs:
        keys.append("r")
        rows = "votes left join systems_of_runs using (r)"
    if keep:
        keys.append("turn")
    query = f"select {', '.join(cells)} from {rows} group by {', '.join(keys)}"
    if ordered:
        query += " order by min(place_in_file)"
    return query


def spread(cells: tuple[tuple[int, int], ...]) -> str:
    """Return one row per item: the confidence of system k in the label with the number j, as qk_j."""
    parts = ", ".join(
        f"max(case when k = {k} and j = {j} then p end) as q{k}_{j}" for k, j in cells
    )
    rows = (
        "all_votes left join share_labels on cast(all_votes.answer as string) = share_labels.label"
    )
    return f"select item, {parts} from {rows} group by item"


def systems_of_runs(systems: int) -> str:
    """Return SQL for the systems that took part in each run."""
    parts = ", ".join(f"max(case when k = {k} then 1 end) as k{k}" for k in range(systems))
    return f"select r, {parts} from votes group by r"


def _answer(system: int, *, run: bool, keep: bool) -> str:
    """Return SQL for a system's answer in a group of votes."""
    own = f"case when k = {system} then answer end"
    if not run and not keep:
        return f"max({own})"
    has_none = f"max(case when k = {system} then 1 end) is null"
    reasons = []
    if run:
        reasons.append(f"max(k{system}) is null")
    if keep:
        reasons.append("min(turn) > 1")
    not_asked = "concat(chr(1), 'not asked', chr(1))"
    condition = f"{has_none} and ({' or '.join(reasons)})"
    return f"case when {condition} then {not_asked} else max(cast({own} as string)) end"
