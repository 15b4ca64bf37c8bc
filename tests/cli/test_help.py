"""The help of every command: short enough to read, true, and with examples that run."""

import shlex

import pytest

from karat.cli import COMMANDS
from karat.cli.app import app
from karat.cli.help import EXAMPLES, MORE, _type_of
from karat.cli.options import GRAPH_OPTIONS, InputOptions
from karat.table.option_help import flag, helps


def command(name):
    return app().get_command(None, name)


def options(name):
    return [each for each in command(name).params if each.param_type_name == "option"]


def data_options(name):
    """The options of the data that a command takes, by name."""
    return {each.name: each for each in options(name) if each.name in helps(InputOptions)}


def takes_data(name):
    return "truth" in data_options(name) and "engine" in data_options(name)


OF_DATA = [name for name in COMMANDS.built_in if takes_data(name)]


@pytest.fixture
def narrow_help(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    return lambda name: run(*name.split("-"), "--help").out


@pytest.mark.parametrize("name", COMMANDS.built_in)
def test_help_fits_80_columns_and_ends_with_two_examples(narrow_help, name):
    text = narrow_help(name)
    assert max(len(line) for line in text.splitlines()) <= 80
    examples = text.partition(EXAMPLES)[2].split("\n")[1:-1]
    assert len(examples) == 2
    words = "karat " + name.replace("-", " ")
    assert all(example.startswith(f"  {words}") for example in examples)


@pytest.fixture(scope="session")
def demo_files(tmp_path_factory):
    from karat.cli.demo import write_files

    folder = tmp_path_factory.mktemp("demo")
    write_files(folder)
    return folder


@pytest.mark.parametrize("name", COMMANDS.built_in)
def test_the_examples_run(run, narrow_help, demo_files, monkeypatch, name):
    monkeypatch.chdir(demo_files)
    if name == "plot":
        pytest.importorskip("matplotlib")
    for example in narrow_help(name).partition(EXAMPLES)[2].split("\n")[1:-1]:
        done = run(*shlex.split(example)[1:])
        assert done.code == 0, done.err
        assert done.out or "wrote" in done.err
        assert "note:" not in done.err


@pytest.mark.parametrize("name", OF_DATA)
def test_every_option_of_the_data_that_a_command_shows_is_explained_or_named_once(
    narrow_help, name
):
    text = narrow_help(name)
    named = " ".join(text.partition(MORE)[2].split("\n\n")[0].split()).rstrip(".").split(", ")
    starts = [line.split()[0] for line in text.splitlines() if line.startswith("  --")]
    for option in data_options(name).values():
        spelt = flag(InputOptions, option.name)
        listed = starts.count(spelt) + named.count(spelt)
        assert listed == (0 if option.hidden else 1), spelt


def test_read_explains_every_option_of_the_data(narrow_help):
    assert MORE not in narrow_help("read")
    assert not any(each.hidden for each in data_options("read").values())
    assert set(data_options("read")) == set(helps(InputOptions))


@pytest.mark.parametrize("name", [name for name in COMMANDS.built_in if name != "read"])
def test_no_help_explains_more_than_35_options(narrow_help, name):
    lines = narrow_help(name).splitlines()
    explained = [line for line in lines if line.startswith(("  --", "  -o, --"))]
    assert 1 <= len(explained) <= 35


@pytest.mark.parametrize("name", OF_DATA)
def test_the_data_stands_behind_a_commands_own_options(narrow_help, name):
    text = narrow_help(name)
    heads = [line for line in text.splitlines() if line.endswith(":") and line[0] != " "]
    assert heads[-2:] == (
        ["Label graphs:", EXAMPLES] if name == "read" else ["The data:", EXAMPLES]
    )
    assert text.index("\nOptions:") < text.index("\nThe data:")


ROWS = 60
VALUES = {
    "group": "--group g",
    "cluster": "--cluster g",
    "weight": "--weight w",
    "count": "--count n",
    "run": "--run r",
    "error": "--error e",
    "missing": "--missing as:x",
    "nothing": "--nothing x",
    "truth": "--truth truth",
    "truth_sep": "--truth-sep /",
    "scores": "--scores sure.csv",
    "correct": "--correct",
    "judge": "--judge majority",
    "graphs": "--graphs",
    "semantics": "--semantics lgeval",
    "inherit": "--inherit",
    "absent_edges": "--no-absent-edges",
    "undirected": "--undirected",
    "labels": "--labels best",
    "unit": "--unit pair",
    "within": "--within 1",
}
"""Each option that some command does not show, with a value that would change what it means something for."""
QUESTIONS = {
    "score": "score labels.csv --csv",
    "compare": "compare labels.csv --csv",
    "stability": "stability labels.csv --label-error 0.05 --draws 500 --csv",
    "stability-truths": "stability truths labels.csv --truths truth,again --csv",
    "audit": "audit labels.csv --claim best --seed 1 --csv",
    "consensus": "consensus labels.csv --draws 20 --csv",
    "skew": "skew scores.csv --to 0.1 --draws 100 --csv",
    "retrieval": "retrieval scores.csv --group g --csv",
    "report": "report labels.csv --draws 100 -o page.md",
    "plot": "plot scores labels.csv -o scores.svg",
    "tally": "tally labels.csv -o counts.tally",
}


def hidden():
    for name in OF_DATA:
        for option in data_options(name).values():
            if option.hidden:
                yield name, option.name


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """Two tables, of labels and of scores, with a column for each role."""
    monkeypatch.chdir(tmp_path)
    labels = ["item,truth,again,a,b,g,w,n,r,e"]
    scores = ["item,truth,a,b,g,w,n,r,e"]
    sure = ["item,a,b"]
    for i in range(ROWS):
        truth = "xyz"[i % 3]
        again = "xyz"[(i + (i % 10 == 0)) % 3]
        a = "xyz"[(i + (i % 7 == 0)) % 3]
        b = "xyz"[(i + (i % 4 == 0)) % 3]
        roles = f"g{i % 12},{1 + i % 3},{1 + i % 2},{i % 2},{0.01 * (1 + i % 5)}"
        labels.append(f"i{i},{truth},{again},{a},{b},{roles}")
        hit = i % 3 == 0
        shares = f"{(0.5 * hit + 0.5 * (i * 7 % 10) / 10):.2f},{(0.3 * hit + 0.05 * (i % 13)):.2f}"
        scores.append(f"i{i},{int(hit)},{shares},{roles}")
        sure.append(f"i{i},0.9,0.8")
    for name, lines in {"labels": labels, "scores": scores, "sure": sure}.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.mark.parametrize(("name", "option"), list(hidden()))
def test_an_option_that_is_not_shown_is_refused_or_changes_nothing(run, tables, name, option):
    if name == "plot":
        pytest.importorskip("matplotlib")
    words = [*QUESTIONS[name].split(), "--systems", "a,b"]
    plain = run(*words)
    assert plain.code == 0, plain.err
    files = written(tables)
    value = VALUES[option].split()
    done = run(*words, *value)
    refused = done.code == 2 and any(
        each in done.err for each in (value[0], "label graphs", "set of labels", "holds score")
    )
    assert refused or (done.code == 0 and (done.out, written(tables)) == (plain.out, files))


def written(folder):
    """What a command wrote."""
    paths = [path for path in sorted(folder.iterdir()) if path.suffix != ".csv"]
    return [path.read_bytes() for path in paths]


def test_every_graph_option_goes_with_graphs():
    for name in OF_DATA:
        shown = {each for each in GRAPH_OPTIONS if not data_options(name)[each].hidden}
        assert shown in (set(), set(GRAPH_OPTIONS))


@pytest.mark.parametrize("name", COMMANDS.built_in)
def test_every_value_has_a_name_that_says_something(name):
    for option in options(name):
        if option.hidden or option.is_flag or option.name == "truth_sep":
            continue
        is_number = _type_of(option) in {int, float}
        assert is_number or option.metavar not in {None, "TEXT"}, option.opts[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("score a.csv --mesure f1", "No such option: --mesure; did you mean --measure?"),
        ("skew a.csv --bin 4", "No such option: --bin; did you mean --bins?"),
        ("stability a.csv --lable-error 0.1", "; did you mean --label-error?"),
        ("stability a.csv --xyz", "No such option: --xyz\n"),
        ("stabilty a.csv", "No such command 'stabilty'. Did you mean 'stability'"),
    ],
)
def test_a_misspelt_option_or_command_ends_with_the_nearest(run, words, says):
    done = run(*words.split())
    assert done.code == 2
    assert says in done.err
    assert "Possible options" not in done.err
