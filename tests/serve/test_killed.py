"""The command as people run it, killed at any moment while labels come in: nothing is lost, nothing counted twice."""

import json
import os
import random
import signal
import subprocess
import sys

import pytest

from karat.ask.checked_lists import read_lists
from support.package_files import DIGITS
from support.served import rows_of

KILLS = 20
COMMAND = (
    sys.executable,
    "-m",
    "karat",
    "audit",
    str(DIGITS),
    "--claim",
    "order",
    "--seed",
    "7",
    "--serve",
)


@pytest.fixture
def started(tmp_path):
    """Start the command as often as one likes; what still runs at the end is ended."""
    processes = []

    def start():
        process = subprocess.Popen(  # noqa: S603
            [*COMMAND, "-o", "list.csv"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), process.stderr.read()
        return process, address

    yield start
    for process in processes:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def right_of(item):
    """What the checker says of an item: mostly a digit that the name decides, sometimes that it cannot be told."""
    number = int(item[-2:])
    return "u" if number % 7 == 0 else str(number % 10)


def written(key):
    return "(undecidable)" if key == "u" else key


def shown_item(page):
    return page.inner_text("#title")


def wait(page, is_so, most=400):
    for _ in range(most):
        if is_so():
            return True
        page.wait_for_timeout(10)
    return False


def label_until_killed(page, process, confirmed, chance):
    """Label item after item; at one of the next few clicks the process is killed at a random moment."""
    clicks = chance.randint(1, 4)
    for click in range(clicks):
        assert wait(page, lambda: shown_item(page).startswith("digit-"))
        page.wait_for_timeout(210)
        item = shown_item(page)
        page.keyboard.press(right_of(item))
        if click == clicks - 1:
            page.wait_for_timeout(chance.choice([0, 0, 1, 2, 4, 8, 15, 30, 60]))
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            page.wait_for_timeout(100)
            if shown_item(page) != item:  # the next item is there: so the label was confirmed
                confirmed.append(item)
            return item
        assert wait(page, lambda item=item: shown_item(page) != item)
        confirmed.append(item)
    return None


def test_killed_at_twenty_random_clicks_nothing_is_lost_or_counted_twice(
    started, browser, digits, tmp_path
):
    chance = random.Random(11)  # noqa: S311
    confirmed = []
    for _ in range(KILLS):
        process, address = started()
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(address)
            assert wait(page, lambda page=page: shown_item(page).startswith("digit-"))
            before = [row["item"] for row in rows_of(tmp_path / "list.csv")]
            assert shown_item(page) not in before
            last = label_until_killed(page, process, confirmed, chance)
        # The label that was on its way may or may not have arrived; what was confirmed has.
        on_disk = lines_of(tmp_path / "list.csv.journal")
        assert on_disk in (confirmed, [*confirmed, last])
        confirmed = list(on_disk)
    process, _ = started()
    process.kill()
    process.wait()
    rows = rows_of(tmp_path / "list.csv")
    assert [row["item"] for row in rows] == confirmed
    assert len(set(confirmed)) == len(confirmed) >= KILLS / 2
    assert [row["right"] for row in rows] == [written(right_of(item)) for item in confirmed]
    audit = digits.audit(claim="order", seed=7)
    at_once = audit.apply({item: written(right_of(item)) for item in confirmed})
    from_list = audit.apply(read_lists([tmp_path / "list.csv"]))
    assert from_list.rows() == at_once.rows()
    assert len(from_list.walk.counted) == len(confirmed)


def lines_of(journal):
    """The items of a journal in their order, read plainly; a last line without its end does not count."""
    items = []
    for line in journal.read_bytes().split(b"\n")[:-1]:
        event = json.loads(line)
        if event["kind"] == "label":
            items.append(event["item"])
    return items


def test_a_second_command_on_the_same_list_is_refused(started, tmp_path):
    started()
    done = subprocess.run(  # noqa: S603
        [*COMMAND, "-o", "list.csv"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "held by another karat audit --serve" in done.stderr


@pytest.fixture
def heard():
    """What is started here hears Ctrl-C, though these tests themselves may run where it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_it_without_a_word(started, tmp_path, number):
    process, _ = started()
    process.send_signal(number)
    process.wait(timeout=30)
    assert process.returncode == -number
    assert "Traceback" not in process.stderr.read()
    assert rows_of(tmp_path / "list.csv") == []
