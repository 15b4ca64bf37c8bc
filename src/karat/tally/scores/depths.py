"""Which documents are among the first k of a system's list for their query: a yes, and all others a no."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import OptionError, TallyError
from karat.table.table import Table
from karat.tally.codes import encode
from karat.tally.sql import has_item_names, judged_labels, numbers
from karat.tally.tally import tally
from karat.tally.votes.patterns import Patterns, gathered

SQL = """
select {truth}{depths}, count(*) as n from (select {truth}{places} from answers) as listed group by {truth}{numbers}"""
PLACE = (
    "case when s{k} is not null then "
    "row_number() over (partition by g order by s{k} desc nulls last, item desc) end"
)


@tally(needs="ranked lists")
def depths(table: Table, cuts: Sequence[int]) -> dict[int, Patterns]:
    """Count the distinct rows of truth and answers where the first so many of every list are retrieved.

    Documents are ordered by score, of equal ones the later name first, as trec_eval has it. What a system does not
    list it does not retrieve; a document without truth has its place in the lists.
    """
    _check(table, cuts)
    systems = range(len(table.systems))
    ordered_cuts = sorted({*cuts})
    depth_sql = [_depth(system, ordered_cuts) for system in systems]
    sql = SQL.format(
        truth="t, " if table.has_truth else "",
        places=", ".join(f"{PLACE.format(k=system)} as p{system}" for system in systems),
        depths=", ".join(f"{sql} as d{system}" for system, sql in enumerate(depth_sql)),
        numbers=", ".join(depth_sql),
    )
    counted = table.engine.query(sql)
    number = numbers(counted)
    if table.has_truth:
        truth = counted["t"]
    else:
        truth = np.full(len(number), None, dtype=object)
    depth_of = [numbers(counted, f"d{system}") for system in systems]
    by_cut: dict[int, Patterns] = {}
    for place, cut in enumerate(ordered_cuts):
        retrieved = [depth <= place for depth in depth_of]
        by_cut[cut] = _at(table, truth, retrieved, number)
    return by_cut


def _check(table: Table, cuts: Sequence[int]) -> None:
    if "g" not in table.keys or not has_item_names(table):
        raise TallyError(
            "lists need queries and items; name their columns with --group COL and --item COL"
        )
    if "n" in table.keys:
        raise OptionError("a list names a document once; leave --count out")
    for cut in cuts:
        if cut != int(cut) or cut < 1:
            raise OptionError(f"--cutoffs has {cut:g}; of a list the first 1 or more are retrieved")
    if not cuts:
        raise OptionError(
            "no cut-off is given; choose how many documents of each list are retrieved with --cutoffs 5,10"
        )


def _depth(system: int, cuts: Sequence[int]) -> str:
    """Return SQL for the first cut-off that a document's place is within, or for one more than the last."""
    cases = " ".join(f"when p{system} <= {int(cut)} then {place}" for place, cut in enumerate(cuts))
    return f"case {cases} else {len(cuts)} end"


def _at(
    table: Table,
    truth: npt.NDArray[Any],
    yes: list[npt.NDArray[np.bool_]],
    number: npt.NDArray[np.int64],
) -> Patterns:
    labels = judged_labels(table)
    answers = [one.astype(np.int64) for one in yes]
    no_and_yes = tuple(reversed(labels.pair or ()))
    meanings = [None, *[no_and_yes] * len(answers)]
    columns, names = encode([truth, *answers], meanings, labels)
    ungathered = Patterns(
        table.systems, names, columns[0], np.empty((0, 0), np.int32), number, labels
    )
    return gathered(ungathered, columns, number)
