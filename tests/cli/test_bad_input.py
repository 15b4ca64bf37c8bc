"""What cannot be read ends with one message: the place, what was found, what to do; and with nothing half-written."""

import gzip
import io
import json
import zipfile
import zlib
from html import escape

import numpy as np
import pytest

import karat
from support.user import IS_ROOT

HOSTILE = [
    '"; drop table answers; --',
    "'); --",
    "<b>&amp;</b>",
    "a|b",
    "50%_{x}$#~^\\",
    "*bold*",
    "[red]x[/red]",
    "ß 日本",
]
TRUTH = "item,truth,a\n1,cat,cat\n2,dog,cat\n"


@pytest.fixture
def refused(run, tmp_path):
    """Run a command that must end with a message that says all of this; return the message."""

    def command(*arguments, says):
        before = sorted(tmp_path.rglob("*"))
        code, out, err = run(*arguments, "--json", "-o", tmp_path / "out.json")
        assert (code, out) == (2, "")
        assert sorted(tmp_path.rglob("*")) == before
        assert "Traceback" not in err
        message = err.splitlines()[-1]
        for words in says:
            assert words in message
        return message

    return command


# Files


def test_a_file_that_is_not_there(refused, tmp_path):
    refused("score", tmp_path / "none.csv", says=["there is no file", "none.csv", "check its name"])
    refused("score", tmp_path / "*.csv", says=["no file matches", "*.csv", "check the pattern"])
    refused(
        "score", tmp_path / "none.tally", says=["there is no file", "none.tally", "check its name"]
    )


@pytest.mark.parametrize(
    "words",
    [
        ["score", "{}.csv"],
        ["score", "{}.db:{}"],
        ["score", "{}", "--truth", "{}", "--format", "text"],
        ["skew", "published", "--precision", "0.5", "--from", "0.1", "--to", "{}"],
        ["repeat", "{}.json"],
        ["repeat", "{}"],
        ["graph", "{}", "{}"],
        ["boxes", "{}", "--truth", "{}"],
        ["demo", "--files", "{}"],
    ],
)
def test_a_name_that_is_too_long_for_a_file(run, words):
    """It was said of standard output that it cannot be written."""
    name = "a" * 300
    code, out, err = run(*(word.format(name, name) for word in words))
    assert (code, out) == (2, "")
    assert name[:60] in err
    assert "output" not in err


def test_options_of_repeat_whose_quote_does_not_end(run):
    code, _, err = run("repeat", "karat 0.1.0 | score t.csv | f1", "--with", "--truth 'a")
    assert code == 2
    assert '--with is "--truth \'a", where a quote does not end' in err


@pytest.mark.skipif(IS_ROOT, reason="root may read every file")
def test_a_file_that_may_not_be_read(refused, file):
    path = file(TRUTH)
    path.chmod(0)
    refused("score", path, says=["table.csv cannot be read: Permission denied"])


def test_a_folder(refused, tmp_path):
    refused("score", tmp_path, says=["is a folder", "name its files", "*.csv"])


@pytest.mark.parametrize(
    "name", ["table.csv", "table.tsv", "table.jsonl", "table.parquet", "table.arrow", "table.tally"]
)
def test_an_empty_file(refused, file, name):
    refused("score", file("", name), says=[f"{name} is empty", "karat needs"])


@pytest.mark.parametrize("content", [bytes(range(256)) * 20, "item,truth\n1,x\n".encode("utf-16")])
def test_a_binary_file(refused, file, content):
    refused("score", file(content), says=["table.csv is not text", "save it as UTF-8", "--format"])


@pytest.mark.parametrize(
    "name", ["table.parquet", "table.arrow", "table.tally", "table.csv.gz", "table.csv.zst"]
)
def test_a_file_that_is_not_what_its_name_says(refused, file, name):
    refused("score", file(TRUTH, name), says=[name])


def test_an_ending_that_says_nothing(refused, file):
    refused(
        "score",
        file(TRUTH, "table.dat"),
        says=["format of", "table.dat", "choose it with --format csv|tsv|jsonl|parquet|arrow"],
    )


def test_files_of_several_formats(refused, file):
    refused(
        "score",
        file(TRUTH),
        file(TRUTH, "table.tsv"),
        says=["several formats, 'csv', 'tsv'", "one format at a time"],
    )


def test_files_with_different_columns(refused, file):
    other = file("item,truth,b\n3,x,y\n", "other.csv")
    refused(
        "score", file(TRUTH), other, says=["other.csv does not have the columns of", "'a', 'b'"]
    )


# Lines


def test_a_header_and_no_rows(refused, file):
    refused(
        "score",
        file("item,truth,a\n"),
        says=["table.csv has a header but no rows", "at least one item"],
    )


def test_a_header_that_is_empty(refused, file):
    refused(
        "score",
        file("\n1,x\n"),
        says=["table.csv, line 1", "header line is empty", "name the columns"],
    )


def test_a_header_with_a_name_twice_or_none(refused, file):
    refused(
        "score", file("item,truth,a,a\n1,x,x,y\n"), says=["line 1", "'a' more than once", "rename"]
    )
    refused(
        "score",
        file("item,truth,,a\n1,x,x,y\n"),
        says=["line 1", "column 3 has no name", "give it one"],
    )


@pytest.mark.parametrize(("row", "values"), [("3,x,x,x", 4), ("3,x", 2)])
def test_a_line_with_more_or_fewer_values_than_names(refused, file, row, values):
    path = file(f"{TRUTH}{row}\n4,x,x\n")
    refused(
        "score",
        path,
        says=[f"table.csv, line 4: {values} values where the header has 3 names", "--lenient"],
    )


def test_a_title_above_the_header(refused, file):
    refused(
        "score",
        file(f"Results of run 5\n\n{TRUTH}"),
        says=["table.csv, line 3", "first line has one name", "is a title", "before the header"],
    )


def test_a_quote_that_is_never_closed(refused, file):
    refused(
        "score",
        file(f'{TRUTH}3,"x,x\n4,y,y\n'),
        says=["table.csv, line 4", "never closed", "--lenient"],
    )


def test_text_that_is_not_utf_8(refused, file):
    path = file(f"{TRUTH}3,é,é\n".encode("latin1"))
    refused("score", path, says=["table.csv, line 4: not UTF-8", "save the file as UTF-8"])


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz"])
@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (b'{"item": 3, "truth":', "not valid JSON, Expecting value at character 21"),
        (
            b'{"item": 3, "truth": "x" "a": "x"}',
            "not valid JSON, Expecting ',' delimiter at character 26",
        ),
        ('{"item": 3, "truth": "é"}'.encode("latin1"), "not UTF-8 text"),
    ],
)
def test_a_bad_line_of_json_is_named_exactly(refused, file, ending, bad, fault):
    good = [json.dumps({"item": number, "truth": "x", "a": "x"}).encode() for number in (1, 2)]
    lines = b"\n".join([*good, b"", bad, good[0], b""])
    path = file(gzip.compress(lines) if ending.endswith("gz") else lines, f"table.{ending}")
    refused("score", path, says=[f"table.{ending}, line 4: {fault}", "fix the line", "--lenient"])


@pytest.mark.parametrize("bad", ["[1, 2]", "5"])
def test_a_line_of_json_that_is_no_object(refused, file, bad):
    path = file(f'{{"item": 1, "truth": "x", "a": "x"}}\n{bad}\n', "table.jsonl")
    refused("score", path, says=["table.jsonl, line 2: not a JSON object"])


def test_lenient_reading_leaves_bad_lines_out_and_says_which(run, file):
    code, out, err = run(
        "score",
        file(f"{TRUTH}3,x,x,x\n4,cat,cat\n"),
        "--lenient",
        "--measure",
        "accuracy",
        "--json",
    )
    assert code == 0
    assert json.loads(out)["input"]["items"] == 3
    assert "line 4" in err


# Columns and values


@pytest.mark.parametrize(
    "option", ["truth", "systems", "item", "group", "cluster", "weight", "count", "run"]
)
def test_a_column_that_is_not_there(refused, file, option):
    path = file("item,truth,answers\n1,cat,cat\n")
    says = [f"table.csv has no column 'answer', which --{option} names", "did you mean 'answers'?"]
    refused("score", path, f"--{option}", "answer", says=says)


def test_columns_of_other_options_that_are_not_there(refused, file):
    path = file(TRUTH)
    refused("score", path, "--long", "item,who,a", says=["no column 'who', which --long names"])
    refused("score", path, "--long", "item,a", says=["--long is 'item,a'", "ITEM,SYSTEM,ANSWER"])
    refused(
        "score",
        path,
        "--truth",
        f"{path}:tru",
        says=["no column 'tru', which --truth FILE:COL names", "'truth'"],
    )
    refused("score", path, "--kind", "b=label", says=["no system is called 'b'", "'a'"])
    refused(
        "score", path, "--kind", "lable", says=["no kind is called 'lable'", "did you mean 'label'"]
    )


def test_a_role_that_two_columns_could_play(refused, file):
    path = file("item,gold,y_true,a\n1,cat,cat,cat\n")
    refused(
        "score",
        path,
        says=["'gold', 'y_true' could each be the truth", "settle it with --truth COL"],
    )


def test_an_item_that_occurs_twice(refused, file):
    path = file(f"{TRUTH}1,cat,cat\n")
    refused(
        "score",
        path,
        says=[
            "table.csv: item '1' occurs 2 times (rows 1 and 3)",
            "remove the copies",
            "--run COL",
        ],
    )


def test_a_score_that_is_not_a_number(refused, file):
    path = file("item,truth,a\n1,1,.9\n2,0,nan\n")
    says = ["table.csv, row 2: the score 'nan' in 'a'", "leave the cell empty"]
    refused("score", path, "--threshold", "0.5", says=says)


def test_a_truth_that_matches_no_item(refused, file):
    truth = file("item,truth\nx1,cat\nx2,dog\n", "truth.csv")
    refused(
        "score",
        file("item,a\n1,cat\n"),
        "--truth",
        truth,
        says=["like 'x1'", "like '1'", "check --item"],
    )


def test_a_table_without_truth(refused, file):
    refused(
        "score",
        file("item,a\n1,cat\n"),
        says=["has no truth to score by", "--truth COL, FILE or FILE:COL"],
    )


def test_a_hundred_thousand_classes(run, refused, file):
    rows = "".join(f"{number},c{number},c{number}\n" for number in range(100_000))
    path = file(f"item,truth,a\n{rows}")
    refused("score", path, says=["'a' holds texts, as the truth does", "--systems"])
    code, out, _ = run("score", path, "--systems", "a", "--csv")
    assert code == 0
    assert "accuracy,,100000,100000," in out


# Options


def test_options_that_exclude_each_other(run, file):
    path = file("item,truth,a,w,n\n1,cat,cat,1,1\n")
    for options, words in [
        (("--weight", "w", "--count", "n"), "--weight and --count exclude each other"),
        (("--cluster", "w", "--run", "n"), "--cluster and --run exclude each other"),
        (("--json", "--csv"), "--json and --csv exclude each other; give one of them"),
    ]:
        code, out, err = run("score", path, *options)
        assert (code, out) == (2, "")
        assert words in err


@pytest.mark.parametrize(
    ("option", "given", "says"),
    [
        ("--measure", "recal", ["no measure is called 'recal'", "did you mean 'recall'?"]),
        ("--measure", "recall[cow]", ["no class is called 'cow'", "'cat', 'dog'"]),
        (
            "--measure",
            "recall?",
            ["'recall?' is not a measure", "write accuracy, macro-f1, recall[cat]"],
        ),
        ("--measure", "macro-recall[cat]", ["an average and one class"]),
        ("--level", "95", ["level is 95.0", "strictly between 0 and 1"]),
        ("--side", "left", ["side is 'left'", "'both', 'lower' or 'upper'"]),
        ("--bound", "wilsen", ["no bound is called 'wilsen'", "did you mean 'wilson'?"]),
        ("--beta", "-1", ["--beta is -1.0", "0 or more"]),
        ("--threshold", "0.5", ["--threshold is for scores"]),
        ("--missing", "drop", ["--missing is 'drop'", "wrong, skip or as:LABEL"]),
        ("--repeats", "last", ["--repeats is 'last'", "first, majority or keep"]),
        ("--truth-sep", "", ["--truth-sep is empty"]),
        ("--engine", "duckbd", ["no engine is called 'duckbd'", "did you mean 'duckdb'?"]),
        ("--format", "cvs", ["no source is called 'cvs'", "did you mean 'csv'?"]),
        ("--per", "group", ["--per group needs groups", "--group COL"]),
    ],
)
def test_a_value_that_an_option_does_not_take(refused, file, option, given, says):
    refused("score", file(TRUTH), option, given, says=says)


# Names and labels that mean harm


@pytest.fixture
def hostile(file):
    """Systems and labels with hostile names; every answer of every system is right."""
    rows = [{"item": number, "truth": label} for number, label in enumerate(HOSTILE)]
    lines = [json.dumps({**row, **dict.fromkeys(HOSTILE, row["truth"])}) for row in rows]
    return file("\n".join(lines), "hostile.jsonl")


def test_hostile_names_and_labels_are_names_and_labels(run, hostile):
    code, out, _ = run("score", hostile, "--per", "class", "--measure", "recall", "--json")
    rows = json.loads(out)["rows"]
    assert code == 0
    assert {(row["system"], row["label"]) for row in rows} == {
        (one, other) for one in HOSTILE for other in HOSTILE
    }
    assert {row["value"] for row in rows} == {1.0}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_can_be_an_option(run, hostile, name):
    code, out, _ = run("score", hostile, "--systems", name, "--measure", "accuracy", "--json")
    assert code == 0
    assert [row["system"] for row in json.loads(out)["rows"]] == [name]


def test_a_terminal_shows_hostile_names_as_they_are(run, hostile):
    _, out, _ = run("score", hostile, "--measure", "accuracy")
    assert all(name in out for name in HOSTILE)


def test_latex_escapes_what_it_would_read(run, hostile):
    _, out, _ = run("score", hostile, "--measure", "accuracy", "--latex")
    assert r"50\%\_\{x\}\$\#\textasciitilde{}\textasciicircum{}\textbackslash{}" in out
    assert r"\textless{}b\textgreater{}\&amp;\textless{}/b\textgreater{}" in out
    assert "'); -{}-" in out


def test_markdown_escapes_what_it_would_read(run, hostile):
    _, out, _ = run("score", hostile, "--measure", "accuracy", "--md")
    for written in (
        r"a\|b",
        "&lt;b>&amp;amp;&lt;/b>",
        r"\*bold\*",
        '"; drop table answers; --',
        "'); --",
    ):
        assert f"| {written} |" in out
    lines = [line for line in out.splitlines() if line.startswith("|")]
    assert len({line.replace(r"\|", "").count("|") for line in lines}) == 1


def test_html_escapes_what_it_would_read(hostile):
    page = karat.read(hostile).score(measure="accuracy")._repr_html_()
    assert "<b>" not in page
    assert all(f">{escape(name)}</td>" in page for name in HOSTILE)


# Lenient reading


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "jsonl.zst"])
def test_lenient_reading_of_json_lines_leaves_out_and_lists_what_is_no_object(run, file, ending):
    good = [json.dumps({"item": number, "truth": "x", "a/b": "x"}) for number in (1, 2, 3)]
    text = "\n".join([good[0], "no json", good[1], "[1, 2]", "", '{"item": 9,', good[2]]) + "\n"
    path = file("", f"table.{ending}")
    if ending.endswith("zst"):
        with pytest.importorskip("pyarrow").output_stream(str(path), compression="zstd") as out:
            out.write(text.encode())
    else:
        path.write_bytes(gzip.compress(text.encode()) if ending.endswith("gz") else text.encode())
    code, out, err = run("score", path, "--lenient", "--measure", "accuracy", "--json")
    row = json.loads(out)["rows"][0]
    assert (code, row["system"], row["successes"], row["trials"]) == (0, "a/b", 3, 3)
    assert "3 unreadable lines left out" in err
    if not ending.endswith("zst"):
        assert all(f"table.{ending}, line {line}: " in err for line in (2, 4, 6))


def test_lenient_reading_of_json_lines_without_any_object_is_refused(refused, file):
    refused(
        "score", file("no json\n", "table.jsonl"), "--lenient", says=["no line is a JSON object"]
    )


@pytest.mark.parametrize("command", ["read", "score"])
def test_control_characters_of_the_data_never_reach_the_terminal(run, file, command):
    done = run(command, file("item,truth,\x1b]0;x\x07a\n1,\x1b[2Jx,\x1b[2Jx\n2,y,\x1b[2Jx\n"))
    assert done.code == 0
    assert "\\x1b]0;x\\x07a" in done.out
    assert "\x1b" not in done.out + done.err
    wrong = run("score", file("item,truth,a\n1,x,x\n"), "--truth", "\x1b[2J")
    assert "\x1b" not in wrong.err


def test_confidences_that_nothing_uses_are_told(run, file):
    answers = file("item,truth,a,a.score\n1,x,x,0.5\n2,y,x,0.6\n")
    assert "of a, not used by any question" in run("read", answers).out
    scores = file("item,a\n1,0.5\n2,0.6\n", "scores.csv")
    assert (
        "confidences, checked, but not used by any question"
        in run("score", answers, "--scores", scores).err
    )


def test_a_damaged_gzip_file(refused, tmp_path):
    """Not every damage is seen by gzip itself: some is an error of the decompression."""
    whole = bytearray(gzip.compress(("item,truth,a" + ",cat,dog" * 40 + "\n").encode()))
    path = tmp_path / "damaged.csv.gz"
    for place in range(12, len(whole)):
        broken = whole.copy()
        broken[place] ^= 0xFF
        try:
            gzip.decompress(bytes(broken))
        except zlib.error:
            path.write_bytes(broken)
            break
        except (OSError, EOFError):
            continue
    refused("score", path, says=["damaged.csv.gz cannot be read", "compress it again"])


def test_a_tally_that_asks_for_more_memory_than_there_is(refused, tmp_path):
    path = tmp_path / "counted.tally"
    karat.read({"truth": ["x", "y"], "a": ["x", "x"]}).save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    huge = io.BytesIO()
    header = {"descr": "<i8", "fortran_order": False, "shape": (10**13,)}
    np.lib.format.write_array_header_1_0(huge, header)
    parts["number.npy"] = huge.getvalue()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    refused("score", path, says=["counted.tally is not a tally, or it is damaged"])


def test_columns_without_a_name_at_the_end_are_empty_or_refused(refused, file, run):
    """Spreadsheets write a separator for every column that was once used."""
    path = file("item;truth;a;;\n1;x;x;;\n2;y;x;;\n")
    code, out, err = run("score", path, "--measure", "accuracy")
    assert code == 0
    assert "1/2" in out
    assert "column 4" not in out + err
    refused(
        "score",
        file("item,truth,a,\n1,x,x,\n2,y,y,y\n"),
        says=["line 1", "column 4 has values but no name", "give it one"],
    )
    refused("score", file(",,\n1,x,x\n"), says=["line 1", "no names"])


def test_an_item_that_is_not_named(refused, file):
    refused(
        "score",
        file(f"{TRUTH}3,x,x\n,,\n"),
        says=["1 row has no 'item'", "remove rows that are empty"],
    )


def test_a_truth_that_is_one_of_several(refused, file):
    refused(
        "score",
        file("item,truth_old,truth_new,a\n1,x,x,x\n2,y,x,y\n"),
        says=["no truth", "--truth COL", "'truth_old', 'truth_new'"],
    )


def test_numbers_with_a_comma_beside_a_truth_of_words(refused, file):
    rows = "".join(f"{n};{'ja' if n % 3 else 'nein'};0,{n:02d}\n" for n in range(60))
    refused(
        "score",
        file(f"item;truth;a\n{rows}"),
        says=["'a' holds numbers with a decimal comma", "with a point"],
    )
