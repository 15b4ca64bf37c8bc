"""Numbers that were published come out again, as docs/versions.md promises: those of `kept_numbers.json` stay.

Nothing here says that they are right, which the other tests do. A change on purpose is named in the changelog, and
`python tests/golden/test_kept_numbers.py` then writes what karat says now; look at the difference.
"""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.kept_questions import QUESTIONS

KEPT = Path(__file__).with_name("kept_numbers.json")
OF_THE_VERSION = {"karat", "signature"}


def answered(name):
    """Return what a question gives, as JSON has it."""
    found = QUESTIONS[name]()
    if hasattr(found, "to_json"):
        whole = json.loads(found.to_json())
        return {key: value for key, value in whole.items() if key not in OF_THE_VERSION}
    return {"moves": found.moves, "by_label": found.by_label}


def leaves(found, place=""):
    """Return every number and word of JSON by its place in it."""
    if isinstance(found, dict):
        parts = {f"{place}/{key}": value for key, value in found.items()}
    elif isinstance(found, list):
        parts = {f"{place}/{number}": value for number, value in enumerate(found)}
    else:
        return {place: found}
    return {key: leaf for name, part in parts.items() for key, leaf in leaves(part, name).items()}


def numbers(leaves):
    return {place: leaf for place, leaf in leaves.items() if isinstance(leaf, int | float)}


def words(leaves):
    return {place: leaf for place, leaf in leaves.items() if not isinstance(leaf, int | float)}


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_is_the_one_that_was_kept(name):
    kept = leaves(json.loads(KEPT.read_text(encoding="utf-8"))[name])
    found = leaves(answered(name))
    assert words(found) == words(kept)
    assert numbers(found) == pytest.approx(numbers(kept), rel=1e-9, abs=1e-12)


def test_every_kept_answer_is_of_a_question():
    assert list(json.loads(KEPT.read_text(encoding="utf-8"))) == list(QUESTIONS)


def rounded(found):
    """Return JSON whose numbers have twelve digits, more than another platform may change."""
    if isinstance(found, dict):
        return {key: rounded(value) for key, value in found.items()}
    if isinstance(found, list):
        return [rounded(value) for value in found]
    return float(f"{found:.12g}") if isinstance(found, float) else found


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(rounded(answered(name)))}" for name in QUESTIONS]
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
