"""How relations become the rows that are counted: SQL for the table `answers`.

Its columns are `item`, `t` (truth), `s0`, `s1`, ... (answers), and where the user names them `g` (group),
`c` (cluster), `w` (weight), `n` (count), `r` (run), `e` (error) and `u` (a second truth); `p0` is a confidence beside
`s0`, `q0_1` the confidence of system 0 in the label with the number 1. Names from the data are never part of the SQL.
"""

from collections.abc import Mapping, Sequence

from karat.engine import Engine, Relation, Stored
from karat.table.kinds import Profile, score
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
}
Place = tuple[str, Relation, str]
"""A column: the alias of its relation in the query, the relation, its name."""


def cell(place: Place) -> str:
    """Return SQL for a column as it is stored."""
    alias, relation, name = place
    return f"{alias}.c{relation.columns.index(name)}"


def value(place: Place, profile: Profile, *, kind: str | None = None) -> str:
    """Return SQL for a column of answers or truth, as a number where all its values are numbers."""
    if kind == score:
        return f"cast({cell(place)} as double)"
    text_of_integers = profile.stored == "text" and 0 < profile.filled == profile.integers
    if text_of_integers or (profile.stored == "fraction" and profile.whole):
        return f"cast({cell(place)} as bigint)"
    return cell(place)


def answered(table: Relation, columns: Sequence[str], values: int) -> str:
    """Return the table with cells of these columns empty where they hold one of the values that mean no answer."""
    cells = {f"c{number}": f"c{number}" for number in range(len(table.columns))}
    for number in (table.columns.index(name) for name in columns if name in table.columns):
        none = [f"(select value from no_answer where k = {k})" for k in range(values)]
        meant = " or ".join(f"cast(c{number} as string) = {value}" for value in none)
        cells[f"c{number}"] = f"case when {meant} then null else c{number} end"
    return (
        f"select {', '.join(f'{sql} as {name}' for name, sql in cells.items())} from {table.name}"
    )


def likeliest(shares: Mapping[int, Place]) -> str:
    """Return SQL for the number of the likeliest label of a distribution; of two, that of the first in `shares`."""
    cells = {number: f"cast({cell(place)} as double)" for number, place in shares.items()}
    best = (
        f"greatest({', '.join(cells.values())})" if len(cells) > 1 else next(iter(cells.values()))
    )
    return f"case {' '.join(f'when {sql} = {best} then {number}' for number, sql in cells.items())} end"


def columns(parts: Mapping[str, str]) -> str:
    """Return the columns of the rows that are counted."""
    return ", ".join(f"{sql} as {name}" for name, sql in parts.items())


def joined(columns: str, table: str, join: str, engine: Engine) -> str:
    """Return rows with what other relations say of them, in the order of the table where its engine keeps one."""
    if not engine.ordered:
        return f"select {columns} from {table} as a{join}"
    placed = f"(select *, {engine.row} as place_in_file from {table})"
    return f"select {columns} from {placed} as a{join} order by a.place_in_file"


def join(left: Place, right: Place) -> str:
    """Return the SQL that finds each item's row in a second relation, whatever type its name is stored in."""
    stored = [relation.stored[relation.columns.index(name)] for _, relation, name in (left, right)]
    alike = len(set(stored)) == 1 or {*stored} == {"whole", "fraction"}
    sides = [
        cell(place) if alike else _name(cell(place), kind)
        for place, kind in zip((left, right), stored, strict=True)
    ]
    return f" left join {right[1].name} as {right[0]} on {' = '.join(sides)}"


def _name(cell: str, stored: Stored) -> str:
    """Return SQL for an item's name as text: 3 for a 3.0 that a gap elsewhere in its column made a fraction."""
    text = f"cast({cell} as string)"
    if stored != "fraction":
        return text
    whole = f"abs({cell}) < 9e15 and {cell} = floor({cell})"
    return f"case when {whole} then cast(cast({cell} as bigint) as string) else {text} end"


def votes(row: str, table: Relation, roles: LongRoles) -> str:
    """Return one row per answer: item, the system's number k, the answer, and its position.

    Answers of systems that were not asked for stay, without a number: their items are items still.
    """
    columns = {
        "item": roles.item,
        "answer": roles.answer,
        **{SHORT[role]: name for role, name in roles.named.items()},
    }
    parts = {short: f"c{table.columns.index(name)}" for short, name in columns.items()}
    parts["system"] = f"cast(c{table.columns.index(roles.system)} as string)"
    if roles.share:
        parts["p"] = f"cast(c{table.columns.index(roles.share)} as double)"
    parts["place_in_file"] = row
    numbered = ", ".join(f"{sql} as {short}" for short, sql in parts.items())
    rows = f"(select {numbered} from {table.name}) as a"
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
"""Stands for the answer of a system that was not asked: it has no such run, or gave fewer answers to the item."""


def pivot(systems: int, named: tuple[str, ...], *, keep: bool, ordered: bool) -> str:
    """Return one row per item (and per run or repetition), a column per system; maybe in the order of the file."""
    answer = ", ".join(
        f"{_answer(k, run='run' in named, keep=keep)} as c{k + 1}" for k in range(systems)
    )
    keys = ["item"] + ["r"] * ("run" in named) + ["turn"] * keep
    extra = "".join(
        f", {'r' if role == 'run' else f'max({SHORT[role]})'} as c{number}"
        for number, role in enumerate(named, systems + 1)
    )
    rows = "votes left join took using (r)" if "run" in named else "votes"
    grouped = f"select item as c0, {answer}{extra} from {rows} group by {', '.join(keys)}"
    return grouped + " order by min(place_in_file)" * ordered


def spread(cells: tuple[tuple[int, int], ...]) -> str:
    """Return one row per item: the confidence of system k in the label with the number j, as qk_j."""
    parts = ", ".join(
        f"max(case when k = {k} and j = {j} then p end) as q{k}_{j}" for k, j in cells
    )
    rows = (
        "all_votes left join share_labels on cast(all_votes.answer as string) = share_labels.label"
    )
    return f"select item, {parts} from {rows} group by item"


def took(systems: int) -> str:
    """Return for each run which systems took part in it."""
    parts = ", ".join(f"max(case when k = {k} then 1 end) as k{k}" for k in range(systems))
    return f"select r, {parts} from votes group by r"


def _answer(system: int, *, run: bool, keep: bool) -> str:
    """Return SQL for a system's answer in a group of votes."""
    own = f"case when k = {system} then answer end"
    if not run and not keep:
        return f"max({own})"
    here = f"max(case when k = {system} then 1 end)"
    absent = " or ".join([f"max(k{system}) is null"] * run + ["min(turn) > 1"] * keep)
    unasked = "concat(chr(1), 'not asked', chr(1))"
    return f"case when {here} is null and ({absent}) then {unasked} else max(cast({own} as string)) end"
