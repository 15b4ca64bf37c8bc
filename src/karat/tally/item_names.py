"""Which item is of which pattern: the table is asked once more, for names and never for a number."""

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
    systems = range(len(table.systems))
    columns = [f"{answer_sql(table, system)} as s{system}" for system in systems]
    if table.has_truth:
        columns.insert(0, "t")
    if has_item_names(table):
        columns.insert(0, "item")
    stored = table.engine.query(f"select {', '.join(columns)} from answers")
    values = [stored[f"s{system}"] for system in systems]
    meanings = [meaning(table)] * len(values)
    known = patterns.answers.astype(np.int64)
    if len(values[0]) > MOST:
        raise TallyError(f"{len(values[0]):,} items are too many to list; ask about fewer")
    if table.has_truth:
        values.insert(0, stored["t"])
        meanings.insert(0, None)
        known = np.column_stack([patterns.truth, known])
    coded, labels = encode(values, meanings, table.labels)
    rows = np.stack([moved(codes, labels, patterns.labels) for codes in coded], axis=1)
    if has_item_names(table):
        names = [str(name) for name in np.ma.getdata(stored["item"])]
    else:
        names = [str(number) for number in range(1, len(rows) + 1)]
    return names, _places(known, rows)


def _places(known: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]) -> Codes:
    """Return the place of each row among known ones that are all different."""
    _, code = np.unique(np.concatenate([known, rows]), axis=0, return_inverse=True)
    code = code.ravel()
    place = np.empty(code.max() + 1, np.int64)
    place[code[: len(known)]] = np.arange(len(known))
    return np.asarray(place[code[len(known) :]])
