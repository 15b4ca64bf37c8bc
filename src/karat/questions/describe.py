"""How is the file understood?"""

from karat.questions.remarks import unusual_labels
from karat.table.kinds import label as label_kind
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.tally.preview import first_rows, uses
from karat.tally.votes.patterns import patterns
from karat.verdict.read.understanding import TableDescription
from karat.version import VERSION

MOST_ITEMS = 1_000_000
"""Up to how many items labels are checked here; in larger tables the other questions check them."""
FIRST_ROWS = 5


def describe(counter: Counter) -> TableDescription:
    """Return the role of each column, the first rows, and what is unusual about the labels."""
    facts = counter.facts
    remarks = [*facts.notes, *facts.remarks()]
    if not facts.has_truth:
        remarks.append(f"No truth was found; {facts.truth_remedy()}.")
    if facts.kind == label_kind and facts.counts.items <= MOST_ITEMS:
        remarks += unusual_labels(facts, counter.count(patterns))
    about = {"karat": VERSION, "command": "read", "input": facts.about()}
    if _is_saved(facts):
        return TableDescription(facts.uses, (), about, tuple(remarks))
    columns = counter.count(uses)
    first = counter.count(first_rows, FIRST_ROWS)
    return TableDescription(columns, first, about, tuple(remarks))


def _is_saved(facts: Facts) -> bool:
    """Return whether the table is a saved tally: then no column was examined, and none has a reason for its role."""
    return all(use.why == "" and use.role == "system" for use in facts.uses)
