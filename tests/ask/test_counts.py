"""Counts in place of a table: what a word, or a row of a leaderboard, says of successes and trials."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import karat
from karat.ask.counts import leaderboard, parse_count
from karat.errors import InputError, OptionError


def ends(count):
    return count.least, count.most, count.trials


@given(some.integers(1, 400), some.integers(1, 4), some.data())
@settings(derandomize=True, deadline=None, max_examples=200)
def test_a_rounded_share_is_that_of_all_counts_that_round_to_it(trials, digits, data):
    successes = data.draw(some.integers(0, trials))
    unit = Fraction(1, 10**digits)
    share = f"{successes / trials:.{digits}f}"

    def fits(number):  # half up and half down both do
        return abs(Fraction(number, trials) - Fraction(share)) <= unit / 2

    fitting = [number for number in range(trials + 1) if fits(number)]
    count = parse_count(f"{share}/{trials}")
    assert ends(count) == (min(fitting), max(fitting), trials)
    assert count.least <= successes <= count.most


def test_per_cents_and_names_are_read():
    assert ends(parse_count("a b=85.3%/5000")) == ends(parse_count("0.853/5000"))
    assert parse_count("a b=85.3%/5000").name == "a b"
    assert ends(parse_count("85%/100")) == (85, 85, 100)  # 84.5 and 85.5 are no counts
    assert parse_count("0.90/10").share is None
    for word in ("t.csv", "a=t.csv", "out/5", "a/b=1/2", "1/2/3"):
        assert parse_count(word) is None


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("3/2", "more successes than trials"),
        ("1.2/7", "1.2 is not a share"),
        ("0.33/7", "no number of successes out of 7 is 0.33"),
    ],
)
def test_what_cannot_be_is_refused(word, message):
    with pytest.raises(OptionError, match=message):
        parse_count(word)


def test_the_interval_of_a_rounded_share_holds_those_of_all_that_fit():
    count = parse_count("a=0.853/5000")
    (row,) = karat.score_counts([count]).rows()
    singles = karat.score_counts([(k, 5000) for k in range(4263, 4268)]).rows()
    assert row["low"] == min(one["low"] for one in singles)
    assert row["high"] == max(one["high"] for one in singles)
    assert (row["system"], row["value"], row.get("successes")) == ("a", 0.853, None)


def test_which_counts_fit_is_told_with_the_result():
    counts = [parse_count("a=0.853/5000"), parse_count("b=4300/5000")]
    expected = [{"system": "a", "share": 0.853, "least": 4263, "most": 4267, "trials": 5000}]
    for result in (karat.score_counts(counts), karat.compare_counts(counts)):
        assert json.loads(result.to_json())["rounded"] == expected
    assert "rounded" not in json.loads(karat.score_counts([(1, 2)]).to_json())


def test_names_are_those_of_the_rows_and_differ():
    counts = [parse_count("a=40/50"), parse_count("b=92/100")]
    (row,) = karat.compare_counts(counts).rows()
    (plain,) = karat.compare_counts([(40, 50), (92, 100)]).rows()
    assert (row["first"], row["second"]) == ("a", "b")
    assert row["p_value"] == plain["p_value"]
    with pytest.raises(OptionError, match="two counts are called 'a'"):
        karat.score_counts([counts[0], counts[0]])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("model,accuracy,n\nx,0.50,4\n", {"x": (2, 2, 4)}),
        ("System,Correct,Total\nx,3,4\ny,0,4\n", {"x": (3, 3, 4), "y": (0, 0, 4)}),
        ("id,model,correct\n1,x,1\n", {}),
        ("model,accuracy,n,f1\nx,0.50,4,0.1\n", {}),
    ],
)
def test_a_table_of_a_leaderboard_is_counts(tmp_path, text, expected):
    path = tmp_path / "board.csv"
    path.write_text(text)
    assert {count.name: ends(count) for count in leaderboard(str(path))} == expected


@pytest.mark.parametrize("row", ["x,1,5000", "x,85,5000", "x,high,5000"])
def test_an_accuracy_is_never_taken_for_a_count(tmp_path, row):
    path = tmp_path / "board.csv"
    path.write_text(f"model,accuracy,n\n{row}\n")
    with pytest.raises(InputError, match=r"board\.csv, line 2: .* is not a count"):
        leaderboard(str(path))


def test_accuracies_with_decimals_above_1_are_in_per_cent(tmp_path):
    path = tmp_path / "board.csv"
    path.write_text("model,accuracy,n\nx,85.3,1000\ny,80%,1000\nz,80,1000\n")
    assert [ends(count) for count in leaderboard(str(path))] == [
        (853, 853, 1000),
        (795, 805, 1000),
        (795, 805, 1000),
    ]


def test_a_leaderboard_without_its_items_is_refused_with_what_to_add(tmp_path):
    path = tmp_path / "board.csv"
    path.write_text("Model,Accuracy\nx,0.85\n")
    with pytest.raises(InputError, match="without its number of items; add a column n"):
        leaderboard(str(path))


def test_only_line_ends_end_the_names_of_a_leaderboard(tmp_path):
    path = tmp_path / "board.csv"
    path.write_bytes(b"model,accuracy,n\x0bb\nx,0.85,100\n")
    assert leaderboard(str(path)) == []


def test_a_leaderboard_with_lines_of_old_macs_is_refused_with_what_to_do(tmp_path):
    path = tmp_path / "board.csv"
    path.write_bytes(b"model,accuracy,n\rx,0.85,100\r")
    with pytest.raises(InputError, match=r"board\.csv, line 1: a carriage return alone"):
        leaderboard(str(path))
