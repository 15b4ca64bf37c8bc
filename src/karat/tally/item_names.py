"""Which item has which pattern: the rows are read once more, for names only; no number is computed from them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from karat.errors import TallyError
from karat.table.labels import Codes
from karat.table.table import Table
from karat.tally.codes import encode, moved
from karat.tally.sql import answer_sql, has_item_names
from karat.tally.tally import tally
from karat.tally.votes.confusion import meaning
from karat.tally.votes.patterns import Patterns

MOST = 10_000_000


@tally(needs="items")
def items(table: Table, patterns: Patterns) -> tuple[Sequence[str], Codes]:
    """Return the name of every row of the table, and the place of its pattern; without names rows are numbered."""
    stored = table.engine.query(f"select {', '.join(_columns(table))} from answers")
    number = len(stored["s0"])
    if number > MOST:
        raise TallyError(f"{number:,} items are too many to list; use fewer")
    # The columns of a pattern: its truth, where there is one, and each system's answer.
    columns = [stored[f"s{system}"] for system in range(len(table.systems))]
    meanings = [meaning(table)] * len(columns)
    known = patterns.answers.astype(np.int64)
    if table.has_truth:
        columns = [stored["t"], *columns]
        meanings = [None, *meanings]
        known = np.column_stack([patterns.truth, known])
    coded, labels = encode(columns, meanings, table.labels)
    rows = np.stack([moved(codes, labels, patterns.labels) for codes in coded], axis=1)
    if has_item_names(table):
        names = [str(name) for name in np.ma.getdata(stored["item"])]
    else:
        names = [str(row) for row in range(1, number + 1)]
    return names, _places(known, rows)


def _columns(table: Table) -> list[str]:
    """Return SQL for the item's name and the truth, where there are such, and for every answer."""
    columns = []
    if has_item_names(table):
        columns.append("item")
    if table.has_truth:
        columns.append("t")
    answers = [f"{answer_sql(table, k)} as s{k}" for k in range(len(table.systems))]
    return [*columns, *answers]


def _places(known: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]) -> Codes:
    """Return the place of each row among known ones that are all different."""
    _, code = np.unique(np.concatenate([known, rows]), axis=0, return_inverse=True)
    code = code.ravel()
    place = np.empty(code.max() + 1, np.int64)
    place[code[: len(known)]] = np.arange(len(known))
    return np.asarray(place[code[len(known) :]])
