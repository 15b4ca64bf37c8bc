"""Where a system goes wrong, against a plain loop over the items."""

from collections import Counter

import numpy as np
import pytest

import karat
from karat.verdict.class_errors import MOST_CLASSES, NO_ANSWER


def table(classes, items=600, seed=0):
    random = np.random.default_rng(seed)
    truth = random.integers(classes, size=items)
    wrong = random.random(items) < 0.4
    answers = np.where(wrong, random.integers(classes, size=items), truth)
    texts = [f"c{code}" if random.random() > 0.05 else None for code in answers]
    return {
        "item": [f"i{k}" for k in range(items)],
        "text": [
            f"A longer text about the item with the number {k}, for people." for k in range(items)
        ],
        "truth": [f"c{code}" for code in truth],
        "a": texts,
        "b": [f"c{code}" for code in truth],
    }


@pytest.mark.parametrize("classes", [2, 5, 40])
def test_confusions_and_classes_are_those_of_a_loop(classes):
    data = table(classes)
    found = {one.system: one for one in karat.read(data).findings().class_errors}
    assert found["b"].wrong == 0
    one = found["a"]
    pairs = list(zip(data["truth"], data["a"], strict=True))
    counted = Counter((truth, answer or NO_ANSWER) for truth, answer in pairs if truth != answer)
    assert one.wrong == counted.total()
    for entry in one.confusions:
        assert counted[entry.truth, entry.answer] == entry.number
        assert data["truth"].count(entry.truth) == entry.of
    most = sorted(counted.values(), reverse=True)
    assert [entry.number for entry in one.confusions] == most[: len(one.confusions)]
    for row in one.classes:
        mine = [answer for truth, answer in pairs if truth == row.label]
        assert (row.items, row.wrong) == (len(mine), sum(answer != row.label for answer in mine))
        said = [truth for truth, answer in pairs if answer == row.label]
        assert row.precision == pytest.approx(said.count(row.label) / len(said))
        assert row.low <= row.recall <= row.high
    assert [row.wrong for row in one.classes] == sorted(
        (row.wrong for row in one.classes), reverse=True
    )
    assert len(one.rows) == min(classes, MOST_CLASSES)
    for label, numbers in zip(one.rows, one.matrix, strict=True):
        assert sum(numbers) == data["truth"].count(label)
        assert numbers[one.rows.index(label)] == pairs.count((label, label))
        assert numbers[-1] == pairs.count((label, None))


def test_disputed_items_are_those_that_one_of_the_first_two_has_right_with_their_fields():
    data = table(4)
    found = karat.read(data).findings().disputed
    rows = {name: place for place, name in enumerate(data["item"])}
    disputed = [k for k in range(600) if data["a"][k] != data["truth"][k]]
    assert found.of == len(disputed)
    assert found.systems == ("b", "a")
    for one in found.items:
        place = rows[one.name]
        assert one.given == data["truth"][place]
        assert one.right == (True, False)
        assert one.answers == (data["b"][place], data["a"][place] or "")
        assert one.fields["text"] == data["text"][place]


def test_the_audits_first_items_are_those_of_the_command():
    bench = karat.read(table(4))
    found = bench.findings().audit_list
    listed = bench.audit(claim=("b", "a")).next(30)
    assert found.rows() == listed.rows()
