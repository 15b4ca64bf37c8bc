"""Sums of votes and of products of votes, for each set of systems that answered: all that the vote is made of."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.engine import Arrays
from karat.errors import OptionError, TallyError
from karat.table.distinct_rows import Rows
from karat.table.kinds import PAIRS, score, yesno
from karat.table.table import Table
from karat.tally.codes import MISSING
from karat.tally.digest import digest, joined
from karat.tally.sql import answer_sql, block_sql, named_rows, numbers
from karat.tally.tally import marginal_tally, tally
from karat.tally.votes.patterns import Patterns, patterns

SQL = """
select {block}{silent}, cast({n} as bigint) as n, {sums} from (select {votes} from {rows}) as votes
group by {block}{sets}"""
UNIT = 1_000_000_000
"""Votes are summed as whole billionths: exactly, so that engines and orders of rows agree."""
EXACT = 2**53
"""Up to here every whole number is one among the fractions of 64 bits."""
AT_ONCE = 300
"""Sums in one query; more make it slower to plan than to run."""
BLOCKS = 256
NOBODY_SAYS_YES = -10
"""A code that no answer has."""
FEW_SYSTEMS = 12
"""Up to so many yes/no systems have fewer patterns than products of votes cost."""
MOST_CELLS = 20_000_000
"""Up to how many sums there may be."""
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Covotes:
    """For each set of systems that answered: how many items, and the sums of their votes and of products of two."""

    systems: tuple[str, ...]
    answered: npt.NDArray[np.bool_]
    """One row a set, one column a system."""
    number: Counts
    products: Counts
    """products[set, j, k]: Σ S_j S_k in billionths; the last place is a vote of 1 on every item, so it has Σ S_j."""

    def __add__(self, other: "Covotes") -> "Covotes":
        """Return the sums of both; they must be of the same systems."""
        if self.systems != other.systems:
            raise TallyError(
                f"the tallies are of different systems: {self.systems} and {other.systems}"
            )
        answered = np.concatenate([self.answered, other.answered])
        number = np.concatenate([self.number, other.number])
        products = np.concatenate([self.products, other.products])
        return _gathered(self.systems, answered, number, products)

    def digest(self) -> str:
        """Return a short hash of the sums."""
        return digest([joined(self.systems), self.answered, self.number, self.products])


@dataclass(frozen=True, slots=True, eq=False)
class BlockedCovotes:
    """The same for each block of items separately: number[set, block], products[set, block, j, k]."""

    systems: tuple[str, ...]
    answered: npt.NDArray[np.bool_]
    number: Counts
    products: Counts

    def whole(self) -> Covotes:
        """Return the sums over all blocks."""
        return Covotes(
            self.systems, self.answered, self.number.sum(axis=1), self.products.sum(axis=1)
        )


def covotes_of(patterns: Patterns) -> Covotes:
    """Return the marginal of patterns of yes/no answers."""
    if patterns.meaning.pair is None:
        raise TallyError("the answers are labels; votes are yes or no, or confidences from 0 to 1")
    yes = patterns.meaning.positive or patterns.meaning.pair[0]
    code = patterns.labels.index(yes) if yes in patterns.labels else NOBODY_SAYS_YES
    answered = patterns.answers > MISSING
    everywhere = np.ones(len(answered), bool)
    votes = np.column_stack([patterns.answers == code, everywhere]).astype(np.int64)
    sets, place = np.unique(answered, axis=0, return_inverse=True)
    place = place.ravel()
    products = np.zeros((len(sets), votes.shape[1], votes.shape[1]), np.int64)
    for number in range(len(sets)):
        own = place == number
        products[number] = votes[own].T @ (votes[own] * patterns.number[own, None])
    return Covotes(patterns.systems, sets, products[:, -1, -1].copy(), products * UNIT)


@marginal_tally(covotes_of)
def covotes(table: Table) -> Covotes:
    """Count sums of votes and of products of two: of few yes/no systems quicker from their patterns."""
    if table.kind == yesno and len(table.systems) <= FEW_SYSTEMS:
        return covotes_of(patterns(table))
    return summed(table)


def summed(table: Table) -> Covotes:
    """Count the same by summing in the engine, however many systems there are."""
    return _whole(table, _counted(table, ""))


@tally(needs="items")
def covotes_by_block(table: Table) -> BlockedCovotes:
    """Sum the votes of each block of items separately; refuse where too many sets of systems answered for that."""
    block = block_sql(table)
    _check_sets(table)
    parts = _counted(table, block)
    blocks = np.unique(np.ma.getdata(parts[0]["block"]).astype(str))
    by_block = [_whole(table, [_only(part, block) for part in parts]) for block in blocks]
    answered = np.concatenate([one.answered for one in by_block])
    sets, set_of_row = np.unique(answered, axis=0, return_inverse=True)
    set_of_row = set_of_row.ravel()
    block_of_row = np.repeat(np.arange(len(blocks)), [len(one.answered) for one in by_block])
    shape = (len(sets), len(blocks))
    number = np.zeros(shape, np.int64)
    products = np.zeros((*shape, *by_block[0].products.shape[1:]), np.int64)
    number[set_of_row, block_of_row] = np.concatenate([one.number for one in by_block])
    products[set_of_row, block_of_row] = np.concatenate([one.products for one in by_block])
    return BlockedCovotes(table.systems, sets, number, products)


def _check_sets(table: Table) -> None:
    size = len(table.systems)
    silent = ", ".join(f"s{k} is null" for k in range(size))
    each = f"select count(*) as n from {table.rows.name} group by {silent}"
    counted = table.engine.query(f"select count(*) as n from ({each}) as sets")
    sets = int(counted["n"][0])
    if sets * BLOCKS * (size + 1) ** 2 > MOST_CELLS:
        raise TallyError(f"{sets:,} sets of systems answered, too many to be summed by block")


def _only(found: Arrays, block: str) -> Arrays:
    own = np.ma.getdata(found["block"]).astype(str) == block
    return {name: column[own] for name, column in found.items()}


def _places(table: Table) -> list[list[tuple[int, int]]]:
    """Return which products are summed, query by query; the last place is a vote of 1 on every item."""
    systems = range(len(table.systems))
    with_all = [(system, len(table.systems)) for system in systems]
    with_itself = [(system, system) for system in systems]
    places = [*with_all, *with_itself, *combinations(systems, 2)]
    return [places[start : start + AT_ONCE] for start in range(0, len(places), AT_ONCE)]


def _counted(table: Table, block: str) -> list[Arrays]:
    """Return what each query found."""
    if table.kind not in {score, yesno}:
        raise TallyError(
            f"the answers are of the kind {table.kind}; votes are yes or no, or confidences from 0 to 1"
        )
    # Of fractions they take two thirds of the time. Twice as many items as surely keep them exact will mostly do so.
    number = "double" if table.counts.items <= 2 * EXACT // UNIT else "bigint"
    parts = []
    for some in _places(table):
        found = table.engine.query(_sql(table, some, block, number=number))
        _check(found, table)
        if not _are_exact(found):
            number = "bigint"
            found = table.engine.query(_sql(table, some, block, number=number))
        parts.append(found)
    return parts


def _are_exact(found: Arrays) -> bool:
    """Return whether all sums are exact, although whole numbers were added as fractions, in any order.

    Votes are not negative, so no sum on the way is greater than the last.
    """
    for name, column in found.items():
        are_fractions = name.startswith("g") and column.dtype.kind == "f"
        if are_fractions and np.ma.compressed(column).max(initial=0) >= EXACT:
            return False
    return True


def _whole(table: Table, parts: list[Arrays]) -> Covotes:
    size = len(table.systems)
    sums = [_part(table, some, found) for some, found in zip(_places(table), parts, strict=True)]
    # The number of items is in every part.
    whole = np.sum([one.products for one in sums], axis=0)
    whole[:, size, size] = sums[0].number * UNIT
    return Covotes(table.systems, sums[0].answered, sums[0].number, whole)


def _sql(table: Table, places: list[tuple[int, int]], block: str, *, number: str) -> str:
    size = len(table.systems)
    silent = [f"v{system} is null" for system in range(size)]
    votes = [f"{_vote(table, system)} as v{system}" for system in range(size)]
    rows = named_rows(table) if block else table.rows
    if rows.number != "1":
        votes.append(rows.number)
    if block:
        votes.append(f"{block} as block")
    sums = [_sum(size, rows, j, k, number) for j, k in places]
    for j, k in places:
        if k == size:
            sums += [f"min(v{j}) as min{j}", f"max(v{j}) as max{j}"]
    return SQL.format(
        block="block, " if block else "",
        silent=", ".join(f"{sql} as a{system}" for system, sql in enumerate(silent)),
        n=rows.total,
        rows=rows.name,
        sums=", ".join(sums),
        votes=", ".join(votes),
        sets=", ".join(silent),
    )


def _sum(size: int, rows: Rows, j: int, k: int, number: str) -> str:
    """Return SQL for the sum of the products of two votes, in whole billionths, added as such a number."""
    product = f"v{j}" if k == size else f"v{j} * v{k}"
    # Floor before the cast: one engine rounds where the other cuts off.
    billionths = f"cast(floor({product} * {UNIT}e0 + 0.5e0) as {number})"
    if rows.number != "1":
        billionths = f"{rows.number} * {billionths}"
    return f"cast(sum({billionths}) as {number}) as g{j}_{k}"


def _vote(table: Table, system: int) -> str:
    """Return SQL for a vote from 0 to 1."""
    answer = answer_sql(table, system)
    pair = table.labels.pair
    if table.kind == score or table.threshold is not None or pair is None:
        return f"cast({answer} as double)"
    side = 0 if table.labels.positive in {None, pair[0]} else 1
    words = []
    for yes_and_no in PAIRS:
        word = yes_and_no[side]
        words.append(f"'{word}'")
        if yes_and_no[0] == "1":
            words.append(f"'{word}.0'")
    is_yes = f"lower(cast({answer} as string)) in ({', '.join(words)})"
    return f"case when {is_yes} then 1e0 when {answer} is not null then 0e0 end"


def _check(found: Arrays, table: Table) -> None:
    """Refuse a vote that is not a confidence."""
    for system, name in enumerate(table.systems):
        for end in (f"min{system}", f"max{system}"):
            if end in found:
                _check_confidences(name, np.ma.compressed(found[end]))


def _check_confidences(system: str, values: npt.NDArray[Any]) -> None:
    for value in values:
        if not 0 <= value <= 1:
            raise OptionError(
                f"a score of {system!r} is {value:g}; confidences that vote lie from 0 to 1: turn others into yes "
                "and no with --threshold, or cut lists of queries with --per depth"
            )


def _part(table: Table, places: list[tuple[int, int]], found: Arrays) -> Covotes:
    """Return the sums of some products, the others 0."""
    size = len(table.systems)
    number = numbers(found)
    if len(number) * (size + 1) ** 2 > MOST_CELLS:
        raise TallyError(
            f"{len(number):,} sets of systems answered; choose fewer systems with --systems"
        )
    silent = np.stack([np.ma.getdata(found[f"a{k}"]).astype(bool) for k in range(size)], axis=1)
    products = np.zeros((len(number), size + 1, size + 1), np.int64)
    for j, k in places:
        products[:, j, k] = products[:, k, j] = np.ma.filled(found[f"g{j}_{k}"], 0)
    return _gathered(table.systems, ~silent, number, products)


def _gathered(
    systems: tuple[str, ...], answered: npt.NDArray[Any], number: Counts, products: Counts
) -> Covotes:
    """Return every set once, in an order that does not depend on the engine."""
    sets, place = np.unique(answered, axis=0, return_inverse=True)
    total = np.zeros(len(sets), np.int64)
    sums = np.zeros((len(sets), *products.shape[1:]), np.int64)
    np.add.at(total, place.ravel(), number)
    np.add.at(sums, place.ravel(), products)
    return Covotes(systems, sets, total, sums)
