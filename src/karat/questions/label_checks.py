"""How many labels are wrong, by labels that were checked again or by two annotators?"""

from karat.ask.checked_labels import of_checked, of_shares
from karat.ask.label_errors import LabelErrorRates, of_annotators
from karat.ask.preconditions import require_truth
from karat.errors import OptionError
from karat.tally.counter import Counter
from karat.tally.votes.agreement import agreement, crosstable
from karat.tally.votes.confusion import confusions
from karat.tally.votes.patterns import patterns


def mistakes(counter: Counter, *, model: str | None = None, level: float = 0.95) -> LabelErrorRates:
    """Return the label errors by a check: the truth of the table holds the given labels, its system the right ones."""
    facts = require_truth(counter.facts, "total")
    if len(facts.systems) != 1:
        raise OptionError(
            f"{len(facts.systems)} columns were named where one holds the checked labels; name one with --checked COL"
        )
    (cells,) = counter.count(confusions, keys="w").values()
    table = crosstable(cells)
    if "w" not in facts.keys:
        return of_checked(cells.labels, table, model=model or "uniform", level=level)
    if model not in {None, "matrix"}:
        raise OptionError(
            f"shares of true labels are a matrix; --model {model} is for counts of checked labels"
        )
    return of_shares(cells.labels, table)


def disagreement(counter: Counter, *, level: float = 0.95) -> LabelErrorRates:
    """Return the label errors by two annotators of the same items: the systems of the table."""
    systems = counter.facts.systems
    if len(systems) != 2:
        raise OptionError(
            f"two annotators are compared; name them with --annotators A,B, not {len(systems)}"
        )
    first, second = systems
    table = agreement(counter.count(patterns))
    return of_annotators(table, (first, second), level=level)
