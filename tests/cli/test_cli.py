"""The command line: what it prints where, what it writes, and how it ends."""

import csv
import io
import json

import pytest

TABLE = """item,truth,a,b,subject
1,cat,cat,dog,x
2,dog,dog,dog,x
3,cat,dog,,y
4,cat,cat,cat,y
"""
ROW = {
    "system",
    "measure",
    "label",
    "successes",
    "trials",
    "value",
    "low",
    "high",
    "level",
    "method",
}
FORMS = ["--json", "--csv", "--md", "--latex"]


@pytest.fixture
def done(run):
    """Run a command that succeeds; return its standard output."""

    def command(*arguments):
        code, out, err = run(*arguments)
        assert code == 0, err
        return out

    return command


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    return path


def parts(table):
    """The table in two files."""
    head, *rows = TABLE.splitlines(keepends=True)
    paths = [table.with_name(f"part{number}.csv") for number in (1, 2)]
    for path, chosen in zip(paths, (rows[:3], rows[3:]), strict=True):
        path.write_text(head + "".join(chosen))
    return paths


def rows_of(out):
    return json.loads(out)["rows"]


# score


def test_score_shows_every_system_its_counts_and_what_is_missing(done, table):
    out = done("score", table, "--measure", "accuracy")
    assert "3/4" in out
    assert "0.7500" in out
    assert "4 items, 2 systems; 1 answer of 'b' missing, counted as wrong" in out


def test_score_takes_counts_alone(done):
    row = rows_of(done("score", "42/100", "--json"))[0]
    # Clopper and Pearson for 42 of 100, as R's binom.test(42, 100) gives it.
    assert (row["successes"], row["trials"], row["value"]) == (42, 100, 0.42)
    assert (round(row["low"], 4), round(row["high"], 4)) == (0.3220, 0.5229)


def test_counts_may_be_several_and_one_sided(done):
    rows = rows_of(
        done(
            "score",
            "42/100",
            "0/10",
            "--side",
            "lower",
            "--level",
            "0.9",
            "--bound",
            "wilson",
            "--json",
        )
    )
    assert [(row["system"], row["high"], row["method"]) for row in rows] == [
        ("42/100", 1.0, "wilson"),
        ("0/10", 1.0, "wilson"),
    ]


def test_more_successes_than_trials_are_refused(run):
    code, out, err = run("score", "42/41")
    assert (code, out) == (2, "")
    assert "more successes than trials" in err


def test_json_is_one_object_with_what_it_takes_to_repeat_it(done, table):
    found = json.loads(done("score", table, "--json"))
    assert {"karat", "command", "signature", "input", "rows"} <= set(found)
    assert {"items", "systems", "missing", "without_truth"} <= set(found["input"])
    assert found["input"]["missing"] == {"a": 0, "b": 1}
    assert all(set(row) >= ROW for row in found["rows"])
    assert {row["measure"] for row in found["rows"]} == {
        "accuracy",
        "macro-precision",
        "macro-recall",
        "macro-f1",
    }


def test_the_same_command_gives_the_same_bytes(done, table):
    assert done("score", table, "--json") == done("score", table, "--json")


def test_csv_has_the_rows_of_the_json(done, table):
    rows = list(csv.DictReader(io.StringIO(done("score", table, "--csv"))))
    expected = rows_of(done("score", table, "--json"))
    assert [float(row["value"]) for row in rows] == [row["value"] for row in expected]
    assert rows[0]["label"] == ""


def test_labels_of_several_lines_survive_in_csv(done, tmp_path):
    labels = ["a\rb", "a\nb", "a\r\nb", 'a"b', "a,b"]
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(json.dumps({"truth": label, "s": label}) + "\n" for label in labels))
    out = done("score", path, "--per", "class", "--measure", "recall", "--csv")
    assert {row["label"] for row in csv.DictReader(io.StringIO(out, newline=""))} == set(labels)


def test_markdown_and_latex_are_tables(done, table):
    assert "| rank | system | counts | value | interval |" in done("score", table, "--md")
    assert done("score", table, "--latex").count(r"\end{tabular}") == 4


@pytest.mark.parametrize("form", FORMS)
def test_only_the_result_goes_to_standard_output(run, table, form):
    _, out, err = run("score", table, form)
    assert "truth = 'truth', by its name" in err
    assert "by its name" not in out


def test_per_class_has_a_row_for_every_class(done, table):
    rows = rows_of(done("score", table, "--per", "class", "--json"))
    assert {(row["system"], row["measure"], row["label"]) for row in rows} == {
        (system, measure, label)
        for system in "ab"
        for measure in ("precision", "recall", "f1")
        for label in ("cat", "dog")
    }
    assert "undefined" not in done("score", table, "--per", "class", "--csv")


def test_per_group_has_a_row_for_every_group_and_the_mean(done, table):
    rows = rows_of(done("score", table, "--per", "group", "--measure", "accuracy", "--json"))
    found = {(row["system"], row["group"]): row["value"] for row in rows}
    assert found == {
        ("a", "x"): 1.0,
        ("a", "y"): 0.5,
        ("a", "(mean)"): 0.75,
        ("b", "x"): 0.5,
        ("b", "y"): 0.5,
        ("b", "(mean)"): 0.5,
    }


def test_options_reach_the_table(done, table):
    rows = rows_of(
        done(
            "score", table, "--missing", "skip", "--systems", "b", "--measure", "accuracy", "--json"
        )
    )
    assert [(row["system"], row["successes"], row["trials"]) for row in rows] == [("b", 2, 3)]


def test_a_word_that_per_does_not_know_is_refused(run, table):
    assert run("score", table, "--per", "clas")[0] == 2


# read


def test_read_shows_how_the_file_is_understood(run, table):
    code, out, _ = run("read", table)
    assert code == 0
    for word in ("item", "truth", "system", "group", "label", "by its name"):
        assert word in out


def test_read_gives_one_row_a_column(done, table):
    rows = rows_of(done("read", table, "--json"))
    assert {row["column"]: row["role"] for row in rows} == {
        "item": "item",
        "truth": "truth",
        "subject": "group",
        "a": "system",
        "b": "system",
    }


# tally


def test_tallies_of_the_parts_score_as_the_whole_table_does(run, done, table):
    for path in parts(table):
        done("tally", path, "-o", path.with_suffix(".tally"))
    whole = json.loads(done("score", table, "--json"))
    for given in ([table.with_name("part*.tally")], sorted(table.parent.glob("part*.tally"))):
        code, out, _ = run("score", *given, "--json")
        assert code == 0
        assert json.loads(out)["rows"] == whole["rows"]
        assert json.loads(out)["input"]["missing"] == whole["input"]["missing"]


def test_equal_tables_give_equal_tallies(done, table):
    for name in ("one.tally", "two.tally"):
        done("tally", table, "-o", table.with_name(name))
    assert table.with_name("one.tally").read_bytes() == table.with_name("two.tally").read_bytes()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--systems", "a"), "different systems"),
        (("--missing", "skip"), "missing"),
        (("--positive", "cat"), "positive"),
    ],
)
def test_tallies_that_do_not_fit_are_refused_with_the_reason(run, done, table, options, reason):
    first, second = parts(table)
    done("tally", first, "-o", first.with_suffix(".tally"))
    done("tally", second, "-o", second.with_suffix(".tally"), *options)
    code, out, err = run("score", first.with_suffix(".tally"), second.with_suffix(".tally"))
    assert (code, out) == (2, "")
    assert "part2.tally does not fit" in err
    assert reason in err


def test_a_damaged_tally_is_refused(run, done, table):
    path = table.with_name("whole.tally")
    done("tally", table, "-o", path)
    path.write_bytes(path.read_bytes()[:-40])
    code, out, err = run("score", path)
    assert (code, out) == (2, "")
    assert "count the table again with karat tally" in err


def test_tables_and_tallies_are_not_read_together(run, done, table):
    path = table.with_name("whole.tally")
    done("tally", table, "-o", path)
    code, _, err = run("score", path, table)
    assert code == 2
    assert "count the tables first with karat tally" in err


def test_a_tally_is_known_by_its_ending(run, table):
    code, _, err = run("tally", table, "-o", table.with_name("whole.json"))
    assert code == 2
    assert "does not end in .tally" in err
    assert not table.with_name("whole.json").exists()


# demo, cite and the rest


def test_the_demo_ranks_nine_recognisers(done):
    rows = rows_of(done("demo", "--json"))
    assert len({row["system"] for row in rows}) == 9
    assert (rows[0]["rank"], rows[0]["system"], rows[0]["trials"]) == (1, "svm", 1497)


def test_cite_names_the_paper(done):
    assert (
        done("cite", "exact")
        == "exact: Clopper & Pearson, Biometrika 26, 1934. doi:10.1093/biomet/26.4.404\n"
    )
    assert "Junker" in done("cite")


def test_cite_knows_what_it_does_not_know(run):
    code, out, err = run("cite", "nonsense")
    assert (code, out) == (2, "")
    assert "no method is called 'nonsense'" in err


def test_help_and_version_are_success(done):
    assert "score" in done("--help")
    assert "--measure" in done("score", "--help")
    assert done("--version").startswith("karat ")


@pytest.mark.parametrize(
    "arguments", [("nonsense",), ("score",), ("score", "t.csv", "--nonsense"), ()]
)
def test_wrong_usage_ends_with_two(run, arguments):
    assert run(*arguments)[0] == 2


# -o


@pytest.mark.parametrize(
    ("ending", "form"), [("json", "--json"), ("csv", "--csv"), ("md", "--md"), ("tex", "--latex")]
)
def test_the_ending_of_a_file_says_its_form(run, done, table, ending, form):
    path = table.with_name(f"out.{ending}")
    code, out, err = run("score", table, "-o", path)
    assert (code, out) == (0, "")
    assert "wrote" in err
    assert path.read_text() == done("score", table, form)


def test_an_ending_that_says_nothing_is_refused(run, table):
    code, _, err = run("score", table, "-o", table.with_name("out.xyz"))
    assert code == 2
    assert "say --json, --csv, --md or --latex" in err


def test_a_file_that_cannot_be_written_leaves_nothing_behind(run, table):
    taken = table.with_name("taken.json")
    taken.mkdir()
    before = sorted(table.parent.rglob("*"))
    for path in (table.with_name("nowhere") / "out.json", taken, table / "out.json"):
        code, out, err = run("score", table, "-o", path)
        assert (code, out) == (2, "")
        assert "cannot be written" in err
        assert "name another file with -o" in err
    assert sorted(table.parent.rglob("*")) == before


def test_what_was_there_stays_until_the_new_file_is_whole(run, table):
    old = table.with_name("out.json")
    old.write_text("old")
    assert run("score", table, "--measure", "nonsense", "-o", old)[0] == 2
    assert old.read_text() == "old"
    assert run("score", table, "-o", old)[0] == 0
    assert json.loads(old.read_text())["command"] == "score"
    assert not [path for path in table.parent.iterdir() if path.name.startswith(".")]
