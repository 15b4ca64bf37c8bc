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
from support.kept_answers import in_short, leaves, plain, rounded, words_of
from support.kept_further_questions import FURTHER
from support.kept_methods import METHODS
from support.kept_questions import QUESTIONS

ANSWERS = Path(__file__).with_name("kept_answers.json")
WORDS = Path(__file__).with_name("kept_words.json")
OF_NUMBERS = FURTHER | METHODS
OF_WORDS = {
    name: ask
    for name, ask in (QUESTIONS | FURTHER).items()
    if name.partition(",")[0] not in {"mistakes", "page", "findings", "required"}
    and name != "stability, second truth"
}
"""Questions whose answers are results; the others are plain values."""


def is_number(leaf):
    return isinstance(leaf, int | float) and not isinstance(leaf, bool)


def kept(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_the_numbers_are_those_that_were_kept(name):
    before = leaves(kept(ANSWERS)[name])
    now = leaves(in_short(plain(OF_NUMBERS[name]())))
    assert list(now) == list(before)
    for place, leaf in before.items():
        assert is_number(leaf) == is_number(now[place])
        if is_number(leaf):
            assert now[place] == pytest.approx(leaf, rel=1e-7, abs=1e-10), place
        else:
            assert now[place] == leaf, place


@pytest.mark.parametrize("name", OF_WORDS)
def test_a_person_reads_what_was_kept(name):
    assert words_of(OF_WORDS[name]()) == kept(WORDS)[name]


def test_every_answer_that_is_kept_is_of_a_question():
    assert list(kept(ANSWERS)) == list(OF_NUMBERS)
    assert list(kept(WORDS)) == list(OF_WORDS)


def written(path, answers):
    lines = [f"{json.dumps(name)}: {json.dumps(answer)}" for name, answer in answers.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    written(
        ANSWERS, {name: rounded(in_short(plain(ask())), 10) for name, ask in OF_NUMBERS.items()}
    )
    written(WORDS, {name: words_of(ask()) for name, ask in OF_WORDS.items()})
