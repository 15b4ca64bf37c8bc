"""A page counts each tally once, however many questions take it."""

from collections import Counter
from dataclasses import fields

import karat
from karat.questions.page import ReportOptions, findings
from karat.report.findings import Findings
from karat.report.page.build import NOT_OF_LABELS
from karat.report.panels import PANELS

TABLE = {
    "item": list("abcdefgh"),
    "group": list("xxxxyyyy"),
    "truth": list("pqrpqrpq"),
    "one": list("pqrpqrqq"),
    "two": list("pqpqqrqq"),
    "three": list("rqpqqrqp"),
}


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
    noting = Noting(karat.read(TABLE).counter)
    findings(noting, ReportOptions(draws=100))
    assert {name for name, *_ in noting.asked} >= {"patterns", "confusions", "audit_items"}
    assert [asked for asked, times in noting.asked.items() if times > 1] == []


def test_what_the_model_informed_says_of_known_pairs_is_what_it_says_alone():
    bench = karat.read(TABLE)
    on_page = findings(bench.counter, ReportOptions(draws=1000, label_error=0.05)).informed
    alone = bench.stability(label_error=0.05, model="informed", draws=1000)
    assert on_page.rows() == alone.rows()
    assert [one.about() for one in on_page.rankings] == [one.about() for one in alone.rankings]


def test_panels_that_need_a_finding_are_panels_and_findings_that_there_are():
    assert set(NOT_OF_LABELS) <= set(PANELS)
    assert set(NOT_OF_LABELS.values()) <= {field.name for field in fields(Findings)}
