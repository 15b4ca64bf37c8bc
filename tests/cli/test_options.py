"""Options: defined once, the same in Python and on the command line, and listed by the indexes."""

import inspect
from importlib.metadata import EntryPoint

import pytest

import karat
from karat.ask.read_options import ReadOptions
from karat.cli.help import INDEXES, with_names
from karat.cli.options import InputOptions
from karat.errors import ChoiceError, UnknownNameError
from karat.graphs.options import GraphOptions
from karat.table.option_help import flag, flags_given, helps
from karat.table.options import TableOptions

TABLE = {"item": [1, 2, 3], "truth": [1, 0, 1], "a": [1, 0, 0], "b": [1, 1, 1]}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("item,truth,a,b\n1,1,1,1\n2,0,0,1\n3,1,0,1\n")
    return path


def test_every_option_of_reading_is_a_keyword_of_read():
    keywords = list(inspect.signature(karat.read).parameters)[1:]
    assert keywords == list(inspect.signature(ReadOptions).parameters)
    assert set(helps(TableOptions)) < set(keywords)


def test_every_option_of_reading_is_in_the_help_of_read_once(run):
    lines = [line.split() for line in run("read", "--help").out.splitlines()]
    listed = [words[0] for words in lines if words and words[0].startswith("--")]
    for name in helps(InputOptions):
        assert listed.count(flag(InputOptions, name)) == 1


def test_options_of_graphs_and_of_tables_have_different_names():
    assert not set(helps(GraphOptions)) & set(helps(ReadOptions))


@pytest.mark.parametrize(
    ("keyword", "nearest"),
    [("sistems", "systems"), ("thruth", "truth"), ("kind", "kinds"), ("score", "scores")],
)
def test_an_unknown_keyword_ends_with_the_nearest(keyword, nearest):
    with pytest.raises(UnknownNameError, match=f"'{keyword}'; did you mean '{nearest}'"):
        karat.read(TABLE, **{keyword: "a"})


def test_texts_mean_the_same_in_python_and_on_the_command_line(run, table):
    found = run(
        "read", table, "--systems", "a,b", "--kind", "a=label", "--kind", "b=label", "--json"
    )
    bench = karat.read(str(table), systems=["a", "b"], kinds={"a": "label", "b": "label"})
    assert found.out.strip() == bench.describe().to_json().strip()


@pytest.mark.parametrize(
    ("arguments", "nearest"),
    [
        (("--repeats", "majorty"), "did you mean 'majority'?"),
        (("--missing", "skipp"), "did you mean 'skip'?"),
        (("--kind", "scor"), "did you mean 'score'?"),
        (("--engine", "spak"), "did you mean 'spark'?"),
        (("--format", "parket"), "did you mean 'parquet'?"),
        (("--bound", "wilsn"), "did you mean 'wilson'?"),
    ],
)
def test_an_unknown_value_ends_with_the_nearest(run, table, arguments, nearest):
    done = run("score", table, *arguments)
    assert done.code == 2
    assert done.err.strip().endswith(nearest)


@pytest.mark.parametrize("option", ["semantics", "unit", "labels"])
def test_an_unknown_value_of_graphs_ends_with_the_nearest(option):
    nearest = {"semantics": "paper", "unit": "primitive", "labels": "expected"}[option]
    with pytest.raises(ChoiceError, match=f"{option}= is '{nearest}s'; it takes .*{nearest}'"):
        karat.read_graphs(None, {"a": {}}, **{option: f"{nearest}s"}).answers  # noqa: B018


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("score", "bounds"),
        ("score", "kinds"),
        ("read", "engines"),
        ("score", "sources"),
        ("compare", "tests"),
        ("consensus", "estimators"),
        ("skew", "prior_forms"),
        ("skew", "trajectory_forms"),
        ("plot", "plots"),
        ("report", "documents"),
        ("convert", "graph_forms"),
        ("convert", "graph_formats"),
    ],
)
def test_help_lists_what_an_index_holds(run, command, name):
    text = "".join(run(command, "--help").out.split())  # lines end after a hyphen, too
    assert with_names(f"{{{name}}}").replace(" ", "") in text


def test_help_lists_what_other_packages_add(monkeypatch):
    added = EntryPoint("bayes-factor", "toy:test", "karat.tests")
    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda group: [added] if group == "karat.tests" else [],
    )
    assert "bayes-factor" in with_names("{tests}")
    assert "bayes-factor" not in with_names("{bounds}")


@pytest.mark.parametrize("name", INDEXES)
def test_every_name_of_help_is_an_index(name):
    assert with_names(f"{{{name}}}")


def test_options_that_were_given_are_named_as_on_the_command_line():
    assert flags_given(InputOptions(kinds={"": "label"}, no_truth="x", truth="gold")) == [
        "--kind",
        "--no-truth",
        "--truth",
    ]


def test_python_reads_texts_as_the_command_line_does():
    options = TableOptions(kinds="a=label", long="id,model,answer", no_answer="NA")
    assert (options.kind_of("a"), options.kind_of("b")) == ("label", None)
    assert options.long == ("id", "model", "answer")
    assert options.no_answer == ("NA",)


def test_a_tally_keeps_the_options_it_was_counted_with(run, table, tmp_path):
    counts = tmp_path / "counts.tally"
    assert run("tally", table, "-o", counts).code == 0
    assert karat.read(str(counts), using={}, lenient=True).facts.systems == ("a", "b")
    done = run("score", counts, "--kind", "label")
    assert (done.code, "--kind cannot be changed" in done.err) == (2, True)
