"""Names of the data that a terminal would obey, that turn the text around them, or that a spreadsheet would run."""

import csv
import io
import json
import unicodedata

import pytest

import karat
from karat.words import printable

OBEYED = {
    "escape": "\x1b",
    "bell": "\x07",
    "nul": "\x00",
    "delete": "\x7f",
    "C1": "\x9b",
    "Arabic mark": "\u061c",
    "left-to-right mark": "\u200e",
    "right-to-left override": "\u202e",
    "isolate": "\u2067",
    "line separator": "\u2028",
    "zero-width space": "\u200b",
    "tag": "\U000e0041",
    "half a character": "\ud83d",
}
READABLE = ["שלום", "مرحبا", "می‌خواهم", "कि‍न", "naïve", "日本語", "👩‍🔬", "∅"]
"""Right-to-left letters, and joiners without which words and signs fall apart."""


@pytest.mark.parametrize("letter", OBEYED.values(), ids=OBEYED)
def test_what_is_obeyed_is_written_out(letter):
    text = printable(f"a{letter}b")
    assert letter not in text
    assert text.encode("ascii").startswith(b"a\\")


@pytest.mark.parametrize("text", READABLE)
def test_letters_of_every_script_stay(text):
    assert printable(text) == text


def test_every_control_and_every_change_of_direction_of_unicode_is_written_out():
    for code in range(0x110000):
        letter = chr(code)
        controls = unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"}
        turns = unicodedata.bidirectional(letter) in TURNS or letter in "\u061c\u200e\u200f"
        if controls or turns:
            assert letter not in printable(letter), hex(code)


TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
"""Unicode's classes of what embeds, overrides and isolates; the three marks are letters to it."""


SYSTEM = "\x1b[2Ja\u202eb\u2066\x9b"
LABEL = "x\x1b]0;t\x07\u200f"


@pytest.fixture
def hostile(tmp_path):
    path = tmp_path / "hostile.jsonl"
    rows = [
        {"item": f"i\u202e{k}", "truth": LABEL, SYSTEM: LABEL if k % 3 else "y", "b\n": "y"}
        for k in range(9)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


COMMANDS = [
    ["score", "--per", "class"],
    ["read"],
    ["consensus", "--draws", "0"],
    ["stability", "--label-error", "0.1"],
]
FORMS = ["--csv", "--md", "--latex", "--json", "text"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_no_form_obeys_a_name(run, hostile, command, form):
    done = run(command[0], hostile, *command[1:], *([] if form == "text" else [form]))
    assert done.code == 0
    shown = (done.out + done.err).replace("\n", "")
    assert printable(shown) == shown
    if command[0] == "score":
        name = "\\u001b[2Ja\\u202e" if form == "--json" else "x1b[2Ja"
        assert name in done.out


def test_json_gives_the_names_back(run, hostile):
    rows = json.loads(run("score", hostile, "--per", "class", "--json").out)["rows"]
    assert {row["system"] for row in rows} == {SYSTEM, "b\n"}
    assert {row["label"] for row in rows} == {LABEL, "y"}


def test_a_truth_of_votes_is_read_again_with_the_names_of_the_data(tmp_path):
    labels = [LABEL, "שלום", "two\nlines", "=1+1"]
    data = {
        "item": [f"i\u202e{k}" for k in range(12)],
        "a": [labels[k % 4] for k in range(12)],
        "b": [labels[k % 4] for k in range(12)],
    }
    path = tmp_path / "votes.csv"
    path.write_text(karat.read(data).consensus(per="item", draws=0).to_csv(), encoding="utf-8")
    scores = karat.read(data, truth=f"{path}:label").score(measure="accuracy")
    assert [(row["successes"], row["trials"]) for row in scores.rows()] == [(12, 12)] * 2


def test_a_message_about_wrong_usage_quotes_what_was_typed(run):
    for arguments in [
        ["--\x1b[2J"],
        ["sc\u202eore"],
        ["score", "--\x1b[2J"],
        ["plan", "--level", "\x1b"],
    ]:
        done = run(*arguments)
        assert done.code == 2
        assert "\x1b" not in done.err
        assert "\u202e" not in done.err


def test_a_file_name_cannot_forge_a_second_message(run):
    err = run("score", "missing\nkarat: all is well.csv").err
    assert err.count("\n") == 1


# Spreadsheets

FORMULAS = ["=1+1", "+a", "-a", "@SUM(A1)", "\uff1d1", "=cmd|' /C calc'!A0"]
NUMBERS = ["-1", "+2.5", "-1e-3"]


@pytest.fixture
def formulas(tmp_path):
    path = tmp_path / "formulas.jsonl"
    names = [*FORMULAS, *NUMBERS, "a=b", "x"]
    rows = [{"truth": name, "s": name} for name in names]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def cells(text, column):
    return {row[column] for row in csv.DictReader(io.StringIO(text, newline=""))}


def test_formulas_are_guarded_where_that_is_requested(run, formulas, tmp_path):
    command = ["score", formulas, "--per", "class", "--measure", "recall"]
    plain = run(*command, "--csv").out
    assert cells(plain, "label") == {*FORMULAS, *NUMBERS, "a=b", "x"}
    guarded = run(*command, "--csv", "--guard-formulas").out
    expected = {f"'{name}" for name in FORMULAS} | {*NUMBERS, "a=b", "x"}
    assert cells(guarded, "label") == expected
    path = tmp_path / "scores.csv"
    run(*command, "--guard-formulas", "-o", path)
    assert path.read_text(encoding="utf-8") == guarded


def test_negative_numbers_stay_numbers(run, tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("truth,a,b\n" + "x,y,x\n" * 3 + "x,x,y\n" * 2)
    rows = list(csv.DictReader(io.StringIO(run("compare", path, "--csv", "--guard-formulas").out)))
    assert any(float(row["low"]) < 0 for row in rows)


def test_formulas_are_guarded_in_csv_only(run, formulas):
    done = run("score", formulas, "--json", "--guard-formulas")
    assert (done.code, "--guard-formulas is for CSV" in done.err) == (2, True)
