"""What stands in a terminal: nothing that counts is cut, and nothing that is read is written over."""

import json

import pytest

import karat

MODELS = (
    "meta-llama/Llama-3-8B-Instruct",
    "meta-llama/Llama-3-70B-Instruct",
    "google/gemma-2-27b-it",
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "models.csv"
    rows = [(k, "x", *("x" if k % (place + 3) else "y" for place in range(3))) for k in range(60)]
    lines = [",".join(["item", "truth", *MODELS]), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines))
    return path


def drawn(run, monkeypatch, columns, *arguments):
    monkeypatch.setenv("COLUMNS", str(columns))
    return run(*arguments).out


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_whatever_the_width_every_verdict_and_every_number_is_there(
    run, monkeypatch, table, columns
):
    found = json.loads(run("compare", table, "--json").out)["rows"]
    text = drawn(run, monkeypatch, columns, "compare", table)
    body = text.partition("is the first better")[2].splitlines()[2:5]
    for row, line in zip(found, body, strict=True):
        assert line.rstrip().endswith(row["verdict"]) or f"{row['verdict']} +" in line
        assert f" {row['only_first']}:{row['only_second']} " in line


def test_names_that_are_cut_stay_apart(run, monkeypatch, table):
    text = drawn(run, monkeypatch, 80, "compare", table)
    body = text.partition("is the first better")[2].splitlines()[2:5]
    assert len({name for line in body for name in line.split()[:2]}) == 3
    assert "…" in body[0]


def test_a_pipe_has_room_for_every_name(run, monkeypatch, table):
    monkeypatch.delenv("COLUMNS")
    text = run("compare", table).out
    assert all(text.count(name) >= 2 for name in MODELS)


def test_in_python_a_result_prints_as_in_a_terminal(table):
    bench = karat.read(table)
    assert "60 items, 3 systems" in repr(bench)
    text = str(bench.score(measure="accuracy"))
    assert text.startswith("accuracy\nrank")
    assert MODELS[0] in text


@pytest.mark.parametrize("named", ["{}", "{}:truth"])
def test_no_command_writes_over_what_it_reads(run, table, named):
    before = table.read_bytes()
    code, out, err = run(
        "score", table, "--truth", named.format(table), "-o", table.parent / "." / "models.csv"
    )
    assert (code, out) == (2, "")
    assert "is among what is read, and would be lost" in err
    assert table.read_bytes() == before


def test_a_pattern_is_read_whole_before_anything_is_written(run, table):
    code, _, err = run("score", table.parent / "*.csv", "-o", table)
    assert code == 2
    assert "name another file with -o" in err


def test_an_older_result_may_be_written_over(run, table):
    for _ in range(2):
        assert run("score", table, "-o", table.parent / "scores.json").code == 0


def test_help_says_each_question_whole_and_groups_the_options(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    words = " ".join(run("--help").out.split())
    assert (
        "How good is each system, and how certain is that? TABLE may also be counts, such as 42/100 or a=42/100."
        in words
    )
    assert "graph merge What do several systems say together?" in words
    own, output, table, graphs = (run("read", "--help").out.index(head) for head in HEADS)
    assert own < output < table < graphs
    assert "--item COL" in run("read", "--help").out


HEADS = ("\nOptions:", "\nOutput:", "\nThe data:", "\nLabel graphs:")
