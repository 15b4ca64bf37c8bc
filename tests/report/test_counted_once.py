"""A page counts each tally once, however many questions take it."""

from collections import Counter

import karat
from karat.questions.page import ReportOptions, findings


class Noting:
    """A counter that notes what it is asked for."""

    def __init__(self, counter):
        self._counter = counter
        self.facts = counter.facts
        self.asked = Counter()

    def count(self, tally, *args, **options):
        keys = [key for key in options.pop("keys", "") if key in self.facts.keys]
        self.asked[tally.__name__, str(args), "".join(keys), str(options)] += 1
        return (
            self._counter.count(tally, *args, keys="".join(keys), **options)
            if keys
            else self._counter.count(tally, *args, **options)
        )

    def at(self, threshold):
        return self._counter.at(threshold)


def test_nothing_is_counted_twice():
    table = {
        "item": list("abcdefgh"),
        "group": list("xxxxyyyy"),
        "truth": list("pqrpqrpq"),
        "one": list("pqrpqrqq"),
        "two": list("pqpqqrqq"),
        "three": list("rqpqqrqp"),
    }
    noting = Noting(karat.read(table).counter)
    findings(noting, ReportOptions(draws=100))
    assert {name for name, *_ in noting.asked} >= {"patterns", "confusions", "audit_items"}
    assert [asked for asked, times in noting.asked.items() if times > 1] == []
