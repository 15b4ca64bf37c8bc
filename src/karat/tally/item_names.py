"""Which item is of which pattern: the table is asked once more, for names and never for a number."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from karat.errors import TallyError
from karat.table.labels import Codes
from karat.table.table import Table
from karat.tally.codes import answer_sql, encode, moved
from karat.tally.tally import tally
from karat.tally.votes.confusion import meaning
from karat.tally.votes.patterns import Patterns

MOST = 10_000_000


@tally(needs="items")
def items(table: Table, patterns: Patterns) -> tuple[Sequence[str], Codes]:
    """Return the name of every row of the table, and the place of its pattern; without names rows are numbered."""
    named = any(use.role == "item" for use in table.uses)
    answers = ", ".join(f"{answer_sql(table, k)} as s{k}" for k in range(len(table.systems)))
    parts = [*["item"] * named, *["t"] * table.has_truth, answers]
    found = table.engine.query(f"select {', '.join(parts)} from answers")
    columns = [found[f"s{k}"] for k in range(len(table.systems))]
    if len(columns[0]) > MOST:
        raise TallyError(f"{len(columns[0]):,} items are too many to list; ask about fewer")
    truth = [found["t"]] if table.has_truth else []
    coded, labels = encode(
        [*truth, *columns], [*[None] * len(truth), *[meaning(table)] * len(columns)], table.labels
    )
    rows = np.stack([moved(codes, labels, patterns.labels) for codes in coded], axis=1)
    known = np.column_stack([*[patterns.truth] * len(truth), patterns.answers.astype(np.int64)])
    names = (
        [str(name) for name in np.ma.getdata(found["item"])]
        if named
        else [str(k + 1) for k in range(len(rows))]
    )
    return names, _places(known, rows)


def _places(known: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]) -> Codes:
    """Return the place of each row among known ones that are all different."""
    _, code = np.unique(np.concatenate([known, rows]), axis=0, return_inverse=True)
    code = code.ravel()
    place = np.empty(code.max() + 1, np.int64)
    place[code[: len(known)]] = np.arange(len(known))
    return np.asarray(place[code[len(known) :]])
