"""The page of measures is made from the index, and says of each how its interval is really made."""

import runpy

import pytest

from docs.test_docs import ROOT
from karat.measure import MEASURES
from karat.measure.quantity import measure_named
from measure.test_every_measure import ANSWERED, SCORE, ask, source

MADE = runpy.run_path(str(ROOT / "scripts" / "measures_page.py"))
METHODS = {"exact": ("exact",), "t over": ("t over", "no spread over")}
"""What the output calls a method that the page calls by another name."""


def test_the_page_is_made_from_the_index():
    now = MADE["PAGE"].read_text(encoding="utf-8")
    assert now == MADE["page"](), "run scripts/measures_page.py"


@pytest.mark.parametrize("name", MEASURES.built_in)
def test_every_measure_has_a_question_and_a_formula(name):
    question, formula, _ = MADE["described"](measure_named(name))
    assert question.endswith("?")
    assert formula


@pytest.mark.parametrize(
    "name", [name for name in MEASURES.built_in if SCORE in ANSWERED[source(name)]]
)
def test_the_interval_is_made_as_the_page_says(name):
    (*_, last) = ask(SCORE, name, None).rows()
    said = MADE["interval"](measure_named(name)).split(", ")
    starts = []
    for word in said:
        known = word.replace(" items", "").replace(" queries", "")
        starts += METHODS.get(known, (known,))
    assert last["method"].startswith(tuple(starts))
