"""What a shell offers after Tab, by calling karat as the shells' own scripts do."""

import os
import subprocess
import sys

import pytest

from karat.cli.completion import measures_of, names_from, second_words
from karat.doubt.tests import TESTS
from karat.measure.consensus import ESTIMATORS
from karat.measure.quantity import Quantity
from karat.source import SOURCES
from karat.source.recognise import IN_MEMORY

PROGRAM = """import sys
sys.argv[0] = "karat"
from karat.__main__ import start
try:
    start()
except SystemExit:
    pass
print("--modules--", *sorted(sys.modules), file=sys.stderr)
"""
HEAVY = {"numpy", "scipy", "duckdb", "pandas", "matplotlib", "karat.bench"}


@pytest.fixture
def shell(tmp_path):
    """Ask for completions as a shell does; return what karat prints, and the modules it loaded."""
    program = tmp_path / "karat"
    program.write_text(PROGRAM)

    def complete(kind, words):
        *before, _ = words.split(" ")
        environment = {
            **os.environ,
            "_KARAT_COMPLETE": f"complete_{kind}",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(before)),
            "_TYPER_COMPLETE_ARGS": words,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        }
        done = subprocess.run(  # noqa: S603
            [sys.executable, str(program)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout, set(done.stderr.partition("--modules--")[2].split())

    return complete


@pytest.fixture
def offered(shell):
    """What Bash is offered, one word a line."""
    return lambda words: shell("bash", words)[0].split()


def test_commands_are_offered_by_their_first_word(offered):
    assert offered("karat s") == ["score", "stability", "skew", "show", "sources", "schema"]
    assert {"--version", "--install-completion"} <= set(offered("karat --"))


def test_a_second_word_is_offered_once_it_is_begun(offered):
    assert offered("karat skew p") == ["published"]
    assert offered("karat graph m") == ["merge"]
    assert offered("karat skew ") == []  # the shell then offers files
    assert offered("karat skew a.csv p") == []
    assert "--annotators" in offered("karat skew agreement --")
    assert (second_words("skew"), second_words("score")) == (["published", "agreement"], [])


def test_options_are_offered_if_they_mean_something(offered):
    options = offered("karat skew --")
    assert {"--to", "--bins", "--item", "--truth-sep"} <= set(options)
    assert not {"--graphs", "--run", "--precision", "--levels"} & set(options)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("karat compare a.csv --test ", list(TESTS)),
        ("karat consensus a.csv --estimator ", list(ESTIMATORS)),
        ("karat score --format ", [name for name in SOURCES if name not in IN_MEMORY]),
        ("karat sources tr", ["trec"]),
        ("karat plot sco", ["scores"]),
        ("karat convert a.lg --to sym", ["symlg"]),
        ("karat retrieval --measure R", ["R", "Rprec", "RR", "RBP"]),
        ("karat score --measure accuracy,macro-f", ["accuracy,macro-f1"]),
        ("karat stability --measure mean-s", ["mean-squared-error"]),
    ],
)
def test_names_come_from_the_indexes(offered, words, names):
    assert offered(words) == names


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("karat score --per ", ["total", "class", "group"]),
        ("karat score --side l", ["lower"]),
        ("karat skew --per g", ["group"]),
        ("karat graph --per ", ["total", "file"]),
        ("karat score --unit p", ["primitive", "pair"]),
    ],
)
def test_words_that_help_lists_are_offered(offered, words, names):
    assert offered(words) == names


@pytest.mark.parametrize("words", ["karat ", "karat score --me", "karat score --measure ma"])
def test_nothing_heavy_is_loaded(shell, words):
    out, modules = shell("bash", words)
    assert out.strip()
    assert "karat.cli.completion" in modules
    assert not HEAVY & modules


@pytest.mark.parametrize("kind", ["zsh", "fish"])
def test_zsh_and_fish_are_offered_the_same_with_a_word_of_help(shell, kind):
    out, _ = shell(kind, "karat score --b")
    assert "--bound" in out
    assert "How intervals are bounded" in out
    assert "exact, wilson or jeffreys" in out
    assert "{" not in out
    assert "--beta" in out
    assert "--draws" not in out


def test_every_measure_that_is_offered_is_one():
    rooms = ("of_answers", "of_scores", "of_numbers", "of_distributions", "of_rankings")
    offered = measures_of(*rooms)("")
    assert len(offered) > 20
    for name in offered:
        counted_from = "ranking" if name in {"P", "R", "AP", "RR"} else None
        parsed = (
            Quantity.parse(name, counted_from=counted_from)
            if counted_from
            else Quantity.parse(name)
        )
        assert str(parsed)


def test_a_kind_is_offered_for_a_system(offered):
    assert names_from("kinds")("svm=la") == ["svm=label"]
    assert offered("karat read --kind la") == ["label"]


@pytest.mark.parametrize("kind", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell_calls_karat(kind, tmp_path):
    program = tmp_path / "karat"
    program.write_text(PROGRAM)
    environment = {**os.environ, "_KARAT_COMPLETE": f"source_{kind}"}
    done = subprocess.run(  # noqa: S603
        [sys.executable, str(program)], env=environment, capture_output=True, text=True, check=True
    )
    assert f"_KARAT_COMPLETE=complete_{kind}" in done.stdout
    assert done.stdout.rstrip().splitlines()[-1].strip()
