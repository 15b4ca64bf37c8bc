"""A session: labels in the order of the draws, each counted once, whatever happens."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import karat
from karat.ask.checked_lists import read_lists
from karat.errors import InputError
from karat.serve.session import LabelRequest, RefusedError
from support.served import opened, opened_second, rows_of


@pytest.fixture
def path(tmp_path):
    return tmp_path / "list.csv"


def give(session, right=None, *, draw=None, note="", sequence=None):
    """Label the item that is shown, or that of a draw, with its given label unless another is named."""
    state = session.state(draw)
    entry = state["entry"]
    request = LabelRequest(
        sequence=state["sequence"] + 1 if sequence is None else sequence,
        draw=entry["draw"],
        right=entry["given"] if right is None else right,
        note=note,
    )
    return session.label(request)


def test_the_list_it_writes_is_the_one_that_apply_takes(audit, path):
    session = opened(audit, path)
    session_labels = []
    while session.state()["entry"]:
        entry = session.state()["entry"]
        right = "9" if entry["item"] == "digit-0439" else entry["given"]
        session_labels.append((entry["item"], right))
        give(session, right)
    audited = audit.apply(read_lists([path]))
    assert [(row["item"], row["right"]) for row in rows_of(path)] == session_labels
    assert len(session_labels) == 15
    assert audited.rows()[0]["verdict"] == "settled"
    assert session.standing()["rows"] == audited.rows()
    assert session.standing()["verdict"] == "settled"
    session.close()


def test_items_come_as_on_the_list(audit, path):
    session = opened(audit, path)
    listed = audit.next(10).rows()
    for row in listed:
        entry = session.state()["entry"]
        assert (entry["draw"], entry["item"], entry["given"]) == (
            row["draw"],
            row["item"],
            row["given"],
        )
        give(session, "(undecidable)")
    assert [float(row["q"]) for row in rows_of(path)] == [row["q"] for row in listed]
    session.close()


@pytest.mark.parametrize("claim", ["best", "order"])
def test_several_claims_go_on_as_lists_made_after_every_label_do(digits, path, claim):
    audit = digits.audit(claim=claim, seed=3, random=0.2)
    session = opened(audit, path)
    plain = audit
    for _ in range(60):
        (row,) = plain.next(1).rows()
        entry = session.state()["entry"]
        assert (entry["draw"], entry["item"]) == (row["draw"], row["item"])
        give(session)
        plain = plain.apply({row["item"]: row["given"]})
    assert session.standing()["rows"] == plain.rows()
    session.close()


def test_a_repeated_request_changes_nothing(audit, path):
    session = opened(audit, path)
    first = session.state()
    after = give(session, "3", note="why")
    content = path.read_bytes()
    again = give(session, "3", draw=first["entry"]["draw"], note="why", sequence=1)
    assert again == after
    assert path.read_bytes() == content
    assert session.checked == 1
    session.close()


def test_a_window_left_behind_is_refused(audit, path):
    session = opened(audit, path)
    old = session.state()["entry"]
    give(session, "3")
    give(session, "4")
    late = LabelRequest(sequence=1, draw=old["draw"], right="5", note="")
    for request in (late, LabelRequest(sequence=9, draw=old["draw"], right="5", note="")):
        with pytest.raises(RefusedError, match="another window has gone on") as refused:
            session.label(request)
        assert refused.value.status == 409
    assert [row["right"] for row in rows_of(path)] == ["3", "4"]
    session.close()


def test_no_draw_can_be_labelled_before_its_turn(audit, path):
    session = opened(audit, path)
    for draw in (2, 60, 1000, 0, -1):
        with pytest.raises(RefusedError, match="not the next one"):
            session.label(LabelRequest(sequence=1, draw=draw, right="5", note=""))
    assert rows_of(path) == []
    session.close()


def test_many_requests_at_once_count_once(audit, path):
    session = opened(audit, path)
    request = LabelRequest(sequence=1, draw=1, right="5", note="")
    others = LabelRequest(sequence=1, draw=1, right="6", note="")

    def send(one):
        try:
            return session.label(one)["sequence"]
        except RefusedError as error:
            return error.status

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(send, [request, others] * 20))
    assert sorted(set(found)) == [1, 409]
    assert found.count(1) == found.count(409) == 20
    assert len(rows_of(path)) == 1
    session.close()


def test_back_shows_a_label_and_another_one_replaces_it(audit, path):
    session = opened(audit, path)
    for _ in range(3):
        give(session)
    assert session.state()["back"] == 3
    second = session.state(2)
    assert (second["back"], second["forward"]) == (1, 3)
    assert session.state(3)["forward"] == 4
    after = give(session, "(other)", draw=2, note="a smudge")
    assert after["entry"]["draw"] == 4
    assert session.state(2)["entry"]["right"] == "(other)"
    assert [row["right"] for row in rows_of(path)][1] == "(other)"
    assert [row["note"] for row in rows_of(path)] == ["", "a smudge", ""]
    assert session.standing()["rows"] == audit.apply(read_lists([path])).rows()
    session.close()
    again = opened(audit, path)
    assert again.state(2)["entry"]["note"] == "a smudge"
    again.close()


def test_a_label_the_table_does_not_have_is_refused_with_the_nearest(path):
    table = {"truth": ["cat", "dog"] * 9, "a": ["cat"] * 18, "b": ["dog"] * 18}
    audit = karat.read(table).audit(claim=("a", "b"), seed=1)
    session = opened(audit, path)
    with pytest.raises(RefusedError, match="did you mean 'cat'"):
        give(session, "catt")
    with pytest.raises(RefusedError, match="no label was given"):
        give(session, "  ")
    with pytest.raises(RefusedError, match="at most 10,000 characters"):
        give(session, "cat", note="x" * 10_001)
    assert session.checked == 0
    session.close()


def test_answers_are_shown_only_when_asked_for_and_the_list_says_so(audit, path):
    session = opened(audit, path)
    assert "answers" not in str(session.state()["entry"]).replace("answersSeen", "")
    answers = session.answers(1)
    assert {one["system"] for one in answers} == set(audit.setup.items.systems)
    give(session)
    give(session)
    assert [row["answers_seen"] for row in rows_of(path)] == ["yes", "no"]
    with pytest.raises(RefusedError):
        session.answers(9)
    session.close()
    again = opened(audit, path)
    assert again.state(1)["entry"]["answersSeen"]
    again.close()


def test_blind_hides_the_given_label_everywhere(audit, path):
    session = opened(audit, path, blind=True)
    assert session.state()["entry"]["given"] is None
    give(session, "3")
    assert rows_of(path)[0]["given"] == ""
    assert audit.apply(read_lists([path])).rows()[0]["checked"] == 1
    session.close()


def test_a_list_that_was_begun_elsewhere_goes_on(audit, path):
    rows = audit.next(5).rows()
    half = [{**row, "right": "7" if place < 3 else ""} for place, row in enumerate(rows)]
    lines = [",".join(half[0])] + [",".join(str(value) for value in row.values()) for row in half]
    path.write_text("\n".join(lines) + "\n")
    session = opened(audit, path)
    assert session.checked == 3
    assert session.state()["entry"]["draw"] == 4
    session.close()


def test_without_its_journal_the_list_is_enough(audit, path):
    session = opened(audit, path)
    for _ in range(4):
        give(session)
    session.close()
    before = rows_of(path)
    (path.parent / "list.csv.journal").unlink()
    again = opened(audit, path)
    assert again.state()["entry"]["draw"] == 5
    assert rows_of(path) == before
    again.close()


def test_a_list_that_lags_behind_its_journal_catches_up(audit, path, tmp_path):
    session = opened(audit, path)
    give(session, "3")
    give(session, "4")
    shutil.copy(path, tmp_path / "old.csv")
    give(session, "5", draw=2)
    give(session, "6")
    session.close()
    (tmp_path / "old.csv").replace(path)
    again = opened(audit, path)
    assert [row["right"] for row in rows_of(path)] == ["3", "5", "6"]
    again.close()


def test_a_list_that_contradicts_its_journal_is_refused(audit, path):
    session = opened(audit, path)
    give(session, "3")
    session.close()
    text = path.read_text().replace(",3,", ",4,")
    path.write_text(text)
    with pytest.raises(InputError, match=r"is '4' here and '3' in list\.csv\.journal"):
        opened(audit, path)
    assert path.read_text() == text


def test_what_is_no_list_of_this_audit_is_never_written_over(audit, digits, path):
    path.write_text("precious,data\n1,2\n")
    with pytest.raises(InputError, match="not a list of karat audit"):
        opened(audit, path)
    assert path.read_text() == "precious,data\n1,2\n"
    assert not (path.parent / "list.csv.journal").exists()
    other = digits.audit(claim=("svm", "knn"), seed=1).next(3).to_csv()
    path.write_text(other)
    with pytest.raises(InputError, match="made for another table, claim"):
        opened(audit, path)
    assert path.read_text() == other


def test_a_list_that_cannot_be_written_is_told_and_nothing_is_lost(audit, path, monkeypatch):
    session = opened(audit, path)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("karat.serve.list_file.write_durably", full)
    state = give(session, "3")
    assert state["warning"] == (
        "list.csv cannot be written: No space left on device. 1 label in list.csv.journal for now"
    )
    monkeypatch.undo()
    assert give(session, "4")["warning"] == ""
    assert [row["right"] for row in rows_of(path)] == ["3", "4"]
    session.close()


def test_a_label_is_synchronised_in_both_files_before_it_is_confirmed(audit, path, monkeypatch):
    session = opened(audit, path)
    real = os.fsync
    synchronised = []

    def recorded(handle):
        name = Path(f"/proc/self/fd/{handle}").readlink()
        synchronised.append((name.suffix, b'"right": "3"' in journal.read_bytes()))
        real(handle)

    journal = path.parent / "list.csv.journal"
    monkeypatch.setattr(os, "fsync", recorded)
    give(session, "3")
    monkeypatch.undo()
    assert synchronised == [(".journal", True), (".karat-part", True)]
    assert rows_of(path)[0]["right"] == "3"
    session.close()


def test_a_label_that_cannot_be_written_is_not_counted(audit, path, monkeypatch):
    session = opened(audit, path)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RefusedError, match=r"No space left on device\. Not saved"):
        give(session, "3")
    monkeypatch.undo()
    assert session.state()["sequence"] == 0
    assert give(session, "3")["sequence"] == 1
    session.close()
    again = opened(audit, path)
    assert again.checked == 1
    again.close()


def test_labels_of_earlier_lists_come_first(audit, path, tmp_path):
    first = opened(audit, tmp_path / "first.csv")
    for _ in range(4):
        give(first)
    first.close()
    known = audit.apply(read_lists([tmp_path / "first.csv"]))
    session = opened(known, path)
    assert session.state()["entry"]["draw"] == 5
    assert session.state()["back"] is None
    give(session)
    both = read_lists([tmp_path / "first.csv", path])
    assert session.standing()["rows"] == audit.apply(both).rows()
    session.close()


def test_a_second_checker_sees_a_random_part_and_not_the_first_labels(audit, path, tmp_path):
    first = opened(audit, path)
    for place in range(9):
        give(first, "3" if place == 1 else None, note="secret")
    first.close()
    before = path.read_bytes()
    second = opened_second(audit, path, tmp_path / "second.csv", number=4)
    shown = []
    while second.state()["entry"]:
        entry = second.state()["entry"]
        assert entry["right"] is None
        assert entry["note"] == ""
        shown.append(entry["draw"])
        give(second)
    assert len(set(shown)) == 4
    assert shown != sorted(shown)
    assert path.read_bytes() == before
    assert [int(row["draw"]) for row in rows_of(tmp_path / "second.csv")] == sorted(shown)
    assert second.state()["back"] == shown[-1]
    third = second.state(shown[2])
    assert (third["back"], third["forward"]) == (shown[1], shown[3])
    standing = second.standing()
    assert {row["labels"] for row in standing["rows"]} == {"first", "second", "either"}
    same = len(shown) - (2 in shown)
    assert f"agree on {same} of {len(shown)} items" in standing["sentences"][0]
    second.close()
