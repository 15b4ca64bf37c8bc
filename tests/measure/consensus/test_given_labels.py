"""The labels given to each row, against a table of rows by labels."""

import numpy as np

from karat.measure.consensus.given_labels import given_labels


def test_entries_are_the_nonzero_cells_of_a_table_of_votes():
    random = np.random.default_rng(3)
    for classes in (1, 2, 7, 1000):
        codes = random.integers(-2, classes, (60, 9))
        found = given_labels(codes, random.integers(1, 5, 60))
        table = np.zeros((60, classes), int)
        for row, answers in enumerate(codes):
            for code in answers[answers >= 0]:
                table[row, code] += 1
        row, label = np.nonzero(table)
        assert found.row.tolist() == row.tolist()
        assert found.label.tolist() == label.tolist()
        assert found.votes.tolist() == table[row, label].tolist()
        assert found.given.tolist() == table.sum(axis=1).tolist()
        assert found.most().tolist() == table.max(axis=1).tolist()
        assert ((found.entry < 0) == (codes < 0)).all()
        answered = codes >= 0
        assert found.label[found.entry[answered]].tolist() == codes[answered].tolist()
        assert found.row[found.entry[answered]].tolist() == np.nonzero(answered)[0].tolist()
        givers = [np.flatnonzero(codes[i] == code) for i, code in zip(row, label, strict=True)]
        assert found.system.tolist() == np.concatenate(givers).tolist()
        assert given_labels(found) is found


def test_nobody_answers():
    found = given_labels([[-1, -1], [-1, -2]])
    assert found.most().tolist() == [0, 0]
    assert found.given.tolist() == [0, 0]
