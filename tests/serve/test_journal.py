"""The journal: what was confirmed is there, however the run ended."""

import os
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from karat.errors import InputError, OptionError
from karat.serve.journal import Journal, SavedLabel

LABEL = SavedLabel(
    sequence=1, draw=3, item="i3", right="cat", note="", q=0.25, answers_seen=False, time="now"
)
TEXTS = st.text(max_size=20)


def reread(path, list_hash="abc"):
    journal = Journal(path, list_hash)
    journal.close()
    return journal


def test_what_was_added_is_read_again(tmp_path):
    path = tmp_path / "list.csv.journal"
    journal = Journal(path, "abc")
    second = replace(LABEL, sequence=2, right="a\nb\u2028", note="ß\x00")
    journal.add_label(LABEL)
    journal.add_answers(3)
    journal.add_answers(3)
    journal.add_label(second)
    journal.close()
    assert reread(path).labels == [LABEL, second]
    assert reread(path).answers_seen == {3}
    assert path.read_bytes().count(b"\n") == 4


@given(texts=st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4), data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_cut_anywhere_it_holds_the_labels_before_the_cut(tmp_path, texts, data):
    path = tmp_path / "cut.journal"
    path.unlink(missing_ok=True)
    journal = Journal(path, "abc")
    ends = [path.stat().st_size]
    labels = []
    for number, (right, note) in enumerate(texts, 1):
        labels.append(replace(LABEL, sequence=number, right=right, note=note))
        journal.add_label(labels[-1])
        ends.append(path.stat().st_size)
    journal.close()
    cut = data.draw(st.integers(0, ends[-1]))
    os.truncate(path, cut)
    whole = sum(end <= cut for end in ends[1:])
    assert reread(path).labels == labels[:whole]
    again = Journal(path, "abc")
    again.add_label(labels[0])
    again.close()
    assert reread(path).labels == [*labels[:whole], labels[0]]


def test_one_run_at_a_time(tmp_path):
    path = tmp_path / "a.journal"
    journal = Journal(path, "abc")
    with pytest.raises(OptionError, match="held by another karat audit"):
        Journal(path, "abc")
    journal.close()
    reread(path)


def test_a_journal_of_another_audit_is_refused(tmp_path):
    path = tmp_path / "a.journal"
    reread(path)
    before = path.read_bytes()
    with pytest.raises(InputError, match="line 1: the journal is of the list 'abc'"):
        Journal(path, "other")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "line", [b"{}", b"x", b"[1]", b'{"kind": "label"}', b'{"kind": "label", "sequence": 1}']
)
def test_a_line_that_is_none_is_named(tmp_path, line):
    path = tmp_path / "a.journal"
    reread(path)
    with path.open("ab") as file:
        file.write(line + b"\n")
    with pytest.raises(InputError, match="line 2 is no line of a journal"):
        Journal(path, "abc")


def test_a_label_that_cannot_be_written_leaves_no_trace(tmp_path, monkeypatch):
    path = tmp_path / "a.journal"
    journal = Journal(path, "abc")
    journal.add_label(LABEL)
    before = path.read_bytes()
    real = os.write

    calls = []

    def full(handle, data):
        calls.append(data)
        if len(calls) == 1:
            return real(handle, data[:20])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        journal.add_label(replace(LABEL, sequence=2))
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert journal.labels == [LABEL]
    journal.close()
