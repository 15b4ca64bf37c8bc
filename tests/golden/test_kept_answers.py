"""Answers that were kept come out again: numbers of more questions and methods, and what a person reads of them.

As in `test_kept_numbers.py` nothing here says that they are right, which the other tests do, and
`python tests/golden/test_kept_answers.py` writes what karat says now. Intervals whose coverage was measured
(docs/coverage.md) are among them: one that changes is another interval, and is to be measured again.
"""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from karat.result import Result
from support.kept_answers import in_short, leaves, plain, rounded, words_of
from support.kept_further_questions import FURTHER
from support.kept_matrix import MATRIX
from support.kept_methods import METHODS
from support.kept_questions import QUESTIONS
from support.kept_rarer import RARER

NUMBERS = Path(__file__).with_name("kept_answers.json")
WORDS = Path(__file__).with_name("kept_words.json")
ASKED = FURTHER | METHODS | RARER | MATRIX
"""Of `QUESTIONS` the words only: `test_kept_numbers.py` has their numbers."""


def is_number(leaf):
    return isinstance(leaf, int | float) and not isinstance(leaf, bool)


def kept(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", QUESTIONS | ASKED)
def test_an_answer_is_the_one_that_was_kept(name):
    found = (QUESTIONS | ASKED)[name]()
    if name in ASKED:
        before = leaves(kept(NUMBERS)[name])
        now = leaves(in_short(plain(found)))
        assert list(now) == list(before)
        for place, leaf in before.items():
            assert is_number(leaf) == is_number(now[place]), place
            wanted = pytest.approx(leaf, rel=1e-7, abs=1e-10) if is_number(leaf) else leaf
            assert now[place] == wanted, place
    if isinstance(found, Result):
        assert words_of(found) == kept(WORDS)[name]


def test_every_answer_that_is_kept_is_of_a_question():
    assert list(kept(NUMBERS)) == list(ASKED)
    assert kept(WORDS).keys() <= QUESTIONS.keys() | ASKED.keys()


def written(path, answers):
    lines = [f"{json.dumps(name)}: {json.dumps(answer)}" for name, answer in answers.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    found = {name: ask() for name, ask in (QUESTIONS | ASKED).items()}
    written(NUMBERS, {name: rounded(in_short(plain(found[name])), 10) for name in ASKED})
    results = {name: one for name, one in found.items() if isinstance(one, Result)}
    written(WORDS, {name: words_of(one) for name, one in results.items()})
