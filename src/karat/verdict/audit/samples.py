"""Which checked labels are a uniform random sample: of all disputed items, and of all items."""

from dataclasses import dataclass

from karat.verdict.audit.pair_verdict import CheckCounts
from karat.verdict.audit.walk import Walk


@dataclass(frozen=True, slots=True)
class RandomSamples:
    """The labels that were drawn evenly, in the order of their draws up to the first that was not looked up."""

    of_disputed: CheckCounts
    of_all: CheckCounts


def samples(walk: Walk) -> RandomSamples:
    """Return the two samples; labels that wait for a blank one do not count here, either.

    Once a claim is decided, its items are left out of the lists: there the sample of the disputed items ends.
    """
    order = walk.setup.draws
    is_blank = walk.needed_items().any()
    end = walk.position if is_blank else len(order.item)
    counts = {True: CheckCounts(), False: CheckCounts()}
    goes_on = {True: True, False: True}
    for place in range(end):
        item = int(order.item[place])
        from_all = bool(order.from_all[place])
        right = walk.labels.get(item)
        if right is None:
            goes_on[from_all] = False
        elif goes_on[from_all]:
            counts[from_all] = counts[from_all].plus(walk.setup.reader.given(item), right)
        if not any(goes_on.values()):
            break
    return RandomSamples(counts[False], counts[True])
