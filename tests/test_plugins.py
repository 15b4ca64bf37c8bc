"""Another package adds its own to every index: a toy package, installed into a folder, used by the command line."""

import json
import os
import subprocess
import sys

import pytest

import karat
from karat.errors import OptionError
from test_house import INDEXES, index

MEASURE = '''
from karat.measure.measure import measure
from karat.measure.share import Share

@measure("confusion", per_class=True)
def toy(totals):
    """How many of the items that have a label were given it? Recall by another name."""
    return Share(totals.hits, totals.truth)
'''
ESTIMATOR = '''
import numpy as np

from karat.measure.consensus.estimator import Estimator, agreement_with

def _first_decides(answers):
    """How often does each system agree with the first? Reference: Toy, Journal of Toys 1, 2026."""
    return agreement_with(answers.codes[:, 0], answers, method="agreement with the first")

toy = Estimator(estimate=_first_decides, ranks_by="agreement with the first")
'''
BOUND = '''
import numpy as np

from karat.doubt.interval import Interval

def toy(successes, trials, *, level=0.95, side="both"):
    """Where does the share lie? From 0.25 to 0.75, whatever was counted."""
    shape = np.shape(np.asarray(successes) / np.maximum(trials, 1))
    return Interval(np.full(shape, 0.25), np.full(shape, 0.75), level, "toy bound")
'''
TEST = '''
import numpy as np

from karat.doubt.tests.significance_test import SignificanceTest

def toy(first_successes, first_trials, second_successes, second_trials):
    """How surprising is the difference? Always the same."""
    return np.full(np.shape(first_successes), 0.0123)

def _paired(only_first, only_second):
    """How surprising are the discordant items? Their number, in thousandths."""
    return (only_first + only_second) / 1000

paired = SignificanceTest(method=_paired, basis="discordant")
'''
PRIOR = """
import numpy as np

from karat.measure.prevalence.distribution import PrevalenceDistribution
from karat.measure.prevalence.prior import Prior

def _both_ends(*, low, high):
    ends = np.array([low, high])
    return PrevalenceDistribution(ends, np.array([0.5, 0.5]), low, high, "toy prior")

toy = Prior(help="both ends of the range, and nothing between", distribution=_both_ends)
"""
TRAJECTORY = """
from karat.measure.prevalence.trajectories.constant import constant
from karat.measure.prevalence.trajectory import TrajectoryShape

toy = TrajectoryShape(help="a prevalence that stays", parameters=("P",), trajectory=constant)
"""
SOURCE = '''
from pathlib import Path

from karat.source.files.memory import arrays
from karat.source.origin import files

def toy(patterns):
    """A truth and the answer of one system, a line for each item, with an exclamation mark between them."""
    (path,) = files(patterns)
    pairs = [line.split("!") for line in Path(path).read_text().split()]
    return arrays({"truth": [truth for truth, _ in pairs], "a": [answer for _, answer in pairs]})
'''
PANEL = '''
from karat.report.panels.panel import Panel

def toy(findings):
    """A section of the page."""
    return Panel(name="toy", title="Is there a toy panel?", html="<p>There is a toy panel.</p>")
'''
PLOT = '''
from pathlib import Path

class Picture:
    def save(self, path):
        Path(path).write_text("<svg>a toy picture</svg>")

def toy(bench):
    """A picture."""
    return Picture()
'''
FORMAT = '''
def toy(result):
    """The systems of a result, in their order."""
    return "toy: " + " ".join(row["system"] for row in result.rows())
'''
DOCUMENT = '''
def toy(findings):
    """The systems of a report, in their order."""
    return "toy report: " + " ".join(findings.order)
'''
COMMAND = '''
def toy() -> None:
    """Play."""
    print("a toy command")
'''
MODULES = {
    "measures": MEASURE,
    "estimators": ESTIMATOR,
    "bounds": BOUND,
    "tests": TEST,
    "priors": PRIOR,
    "trajectories": TRAJECTORY,
    "sources": SOURCE,
    "panels": PANEL,
    "plots": PLOT,
    "formats": FORMAT,
    "documents": DOCUMENT,
    "commands": COMMAND,
}
"""What the toy package adds to each group: an entry called toy."""
WRONG = {"a": {1, 2, 3}, "b": {4, 5, 6, 7, 8, 9, 10, 11, 12, 13}}
"""Which of the 40 items each system has wrong."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder in which the toy package is installed, with a few tables."""
    folder = tmp_path_factory.mktemp("plugins")
    metadata = folder / "toy-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    points = ""
    for group, code in MODULES.items():
        (folder / f"toy_{group}.py").write_text(code)
        entry = f"toy = toy_{group}:toy\n"
        if group == "measures":
            entry += "only-a-measure = toy_measures:toy\n"
        if group == "tests":
            entry += "toy-paired = toy_tests:paired\n"
        points += f"[karat.{group}]\n{entry}"
    (metadata / "entry_points.txt").write_text(points)
    truth = [item % 2 for item in range(40)]
    rows = ["truth,a,b"]
    scores = ["truth,a,b"]
    for item, true in enumerate(truth):
        a, b = (1 - true if item in WRONG[name] else true for name in ("a", "b"))
        rows.append(f"{true},{a},{b}")
        scores.append(f"{true},{0.7 * a + item / 200},{0.7 * b + item / 200}")
    (folder / "yesno.csv").write_text("\n".join(rows))
    (folder / "scores.csv").write_text("\n".join(scores))
    (folder / "animals.toy").write_text("cat!cat\ndog!dog\ncat!dog\ndog!dog\n")
    return folder


@pytest.fixture(scope="module")
def run(folder):
    """A function that runs a command line in that folder."""

    def command(*arguments):
        paths = [str(folder), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
        return subprocess.run(  # noqa: S603
            [sys.executable, "-m", "karat", *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env=environment,
        )

    return command


@pytest.fixture(scope="module")
def rows(run):
    """A function that runs a command and returns the rows of its JSON."""

    def result(*arguments):
        done = run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["rows"]

    return result


def test_a_measure(rows):
    toy, recall = (rows("score", "yesno.csv", "--measure", name) for name in ("toy", "recall"))
    assert [row["measure"].partition("[")[0] for row in toy] == ["toy", "toy"]
    assert [row["value"] for row in toy] == [row["value"] for row in recall]


def test_an_estimator(rows, run):
    found = {row["system"]: row for row in rows("consensus", "yesno.csv", "--estimator", "toy")}
    assert found["a"]["value"] == 1
    assert found["b"]["value"] == 27 / 40
    assert found["b"]["spread_low"] < 27 / 40 < found["b"]["spread_high"]
    assert found["b"]["method"].startswith("agreement with the first; bootstrap")
    shown = run("consensus", "yesno.csv", "--estimator", "toy", "--draws", "0").stdout
    assert "toy: agreement with the first by" in shown
    assert "Journal of Toys 1" in run("cite", "toy").stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"trust": {"a": 2}}, "trust= and leave_out= are for the vote; toy finds its own"),
        ({"families": {"x": ("a", "b")}}, "vote or dawid-skene; toy has none"),
    ],
)
def test_an_estimator_can_do_what_it_says_it_can(folder, monkeypatch, options, message):
    monkeypatch.syspath_prepend(folder)
    bench = karat.read(folder / "yesno.csv")
    with pytest.raises(OptionError, match=message):
        bench.consensus(estimator="toy", **options)


def test_a_bound(rows):
    (row,) = rows("score", "42/100", "--bound", "toy")
    assert (row["low"], row["high"], row["method"]) == (0.25, 0.75, "toy bound")
    low = {row["low"] for row in rows("score", "yesno.csv", "--bound", "toy") if row["trials"]}
    assert low == {0.25}


def test_a_test(rows):
    (row,) = rows("compare", "40/50", "92/100", "--test", "toy")
    assert (row["p_value"], row["test"]) == (0.0123, "toy")
    (row,) = rows("compare", "yesno.csv", "--test", "toy")
    assert row["p_value"] == 0.0123


def test_a_test_of_the_same_items(rows, run):
    (row,) = rows("compare", "yesno.csv", "--test", "toy-paired")
    assert (row["p_value"], row["test"]) == (0.013, "toy-paired")
    assert (row["only_first"], row["only_second"]) == (10, 3)
    done = run("compare", "40/50", "92/100", "--test", "toy-paired")
    assert done.returncode == 2
    assert "as toy-paired needs" in " ".join(done.stderr.split())


def test_a_prior(rows):
    options = ("skew", "scores.csv", "--draws", "0", "--low", "0.1", "--high", "0.3")
    toy = rows(*options, "--prior", "toy")
    uniform = rows(*options)
    assert [row["system"] for row in toy] == [row["system"] for row in uniform]
    assert toy != uniform


def test_a_trajectory(rows):
    options = ("skew", "scores.csv", "--draws", "0")
    toy = rows(*options, "--trajectory", "toy:0.25")
    constant = rows(*options, "--trajectory", "constant:0.25")
    assert [row["area"] for row in toy] == [row["area"] for row in constant]


def test_a_source(rows, run):
    (row,) = rows("score", "animals.toy", "--format", "toy", "--measure", "accuracy")
    assert (row["successes"], row["trials"]) == (3, 4)
    assert "with an exclamation mark" in run("sources").stdout


def test_a_panel_of_the_page(run, folder):
    done = run("report", "yesno.csv", "-o", "page.html", "--draws", "100")
    assert done.returncode == 0, done.stderr
    page = (folder / "page.html").read_text()
    assert "<h2>Is there a toy panel?</h2>" in page
    assert "<p>There is a toy panel.</p>" in page


def test_a_plot(run, folder):
    assert run("plot", "toy", "yesno.csv", "-o", "toy.svg").returncode == 0
    assert (folder / "toy.svg").read_text() == "<svg>a toy picture</svg>"


def test_a_format(run, folder):
    done = run("score", "yesno.csv", "--measure", "accuracy", "-o", "scores.toy")
    assert done.returncode == 0, done.stderr
    assert (folder / "scores.toy").read_text() == "toy: a b"


def test_a_document(run, folder):
    done = run("report", "yesno.csv", "-o", "page.toy", "--draws", "100")
    assert done.returncode == 0, done.stderr
    assert (folder / "page.toy").read_text() == "toy report: a b"


def test_a_command(run):
    done = run("toy")
    assert (done.returncode, done.stdout) == (0, "a toy command\n")
    assert "Play." in run("--help").stdout


def test_what_is_added_to_one_index_is_offered_by_no_other(folder, monkeypatch, run):
    monkeypatch.syspath_prepend(folder)
    offering = [name for name in INDEXES if "only-a-measure" in index(name)]
    assert offering == ["MEASURES"]
    done = run("consensus", "yesno.csv", "--estimator", "only-a-measure")
    assert done.returncode == 2
    assert "no estimator is called 'only-a-measure'" in done.stderr
