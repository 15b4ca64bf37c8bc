"""The house rules: a light start, one direction of imports, and indexes that hold what they name."""

import json
import subprocess
import sys
from functools import cache
from importlib import import_module

import pytest

from karat.errors import UnknownNameError
from karat.index import Index

HEAVY = {
    "duckdb",
    "pyspark",
    "pandas",
    "polars",
    "pyarrow",
    "matplotlib",
    "scipy.stats",
    "lxml",
    "rapidfuzz",
}
ORDER = (
    "version",
    "words",
    "option_names",
    "errors",
    "scratch",
    "keywords",
    "index",
    "result",
    "source",
    "engine",
    "table",
    "tally",
    "numeric",
    "measure",
)
ORDER += (
    "doubt",
    "planning",
    "scorers",
    "ask",
    "verdict",
    "report",
    "serve",
    "questions",
    "bench",
    "boxes",
    "graphs",
)
ORDER += ("citation", "cli")
"""Each stage may import those before it; `words` is the plain vocabulary under all of them."""
INDEXES = {
    "SOURCES": "source",
    "ENGINES": "engine",
    "KINDS": "table",
    "TALLIES": "tally",
    "MEASURES": "measure",
    "ESTIMATORS": "measure.consensus",
    "PRIORS": "measure.prevalence",
    "TRAJECTORIES": "measure.prevalence",
    "BOUNDS": "doubt.bounds",
    "TESTS": "doubt.tests",
    "DOUBTS": "doubt",
    "FORMATS": "report",
    "DOCUMENTS": "report",
    "PLOTS": "questions",
    "PANELS": "report.panels",
    "GRAPH_FORMATS": "graphs.formats",
    "GRAPH_MEASURES": "graphs.compare",
    "GRAPH_FORMS": "graphs.convert",
    "COMMANDS": "cli",
}


def index(name):
    return getattr(import_module(f"karat.{INDEXES[name]}"), name)


MODULES = sorted({index(name).module(entry) for name in INDEXES for entry in index(name)._files})


@cache
def loaded(code):
    """The modules that a fresh Python has loaded after this code."""
    tail = "\nimport json, sys\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code + tail], capture_output=True, text=True, check=True
    )
    return frozenset(json.loads(done.stdout.splitlines()[-1]))


def run_with(*arguments):
    """The code of a run with these arguments."""
    return (
        f"import sys\nsys.argv = ['karat', *{arguments}]\n"
        "from karat.__main__ import start\ntry:\n    start()\nexcept SystemExit:\n    pass"
    )


def stages(modules):
    """The stages among karat's modules."""
    return {name.split(".")[1] for name in modules if name.startswith("karat.")}


def test_importing_karat_loads_nothing_heavy():
    assert not HEAVY & loaded("import karat")
    assert not stages(loaded("import karat"))


def test_help_loads_nothing_heavy():
    modules = loaded(run_with("--help"))
    assert "karat.cli.app" in modules
    assert not (HEAVY | {"numpy"}) & modules


def test_a_command_loads_no_other_command():
    modules = loaded(run_with("score", "--help"))
    commands = {index("COMMANDS").module(name) for name in index("COMMANDS")}
    assert commands & modules == {"karat.cli.score"}
    assert not (HEAVY | {"numpy", "pydantic"}) & modules


@pytest.mark.parametrize("command", ["score", "compare"])
def test_counts_need_no_engine(command):
    modules = loaded(run_with(command, "4/10", "9/10"))
    assert f"karat.questions.{command}_counts" in modules
    assert not {"karat.bench", "karat.cli.reading"} & modules


def test_reading_a_dict_loads_no_data_frame_library():
    modules = loaded("import karat\nkarat.read({'truth': [1, 0], 'a': [1, 1]}).score()")
    assert "duckdb" in modules
    assert not {"pyspark", "polars", "matplotlib", "scipy.stats"} & modules


@pytest.mark.parametrize("name", INDEXES)
def test_every_entry_of_an_index_is_there(name):
    found = index(name)
    assert len(found) == len(list(found)) > 0
    for entry in found:
        if (name, entry) == ("ENGINES", "spark"):
            pytest.importorskip("pyspark")
        assert found[entry] is not None


@pytest.mark.parametrize("module", MODULES)
def test_an_entry_imports_only_stages_before_its_own(module):
    if module.endswith(".spark"):
        pytest.importorskip("pyspark")
    allowed = set(ORDER[: ORDER.index(module.split(".")[1]) + 1])
    assert stages(loaded(f"import {module}")) <= allowed


@pytest.mark.parametrize("stage", ["measure", "doubt", "verdict", "report"])
def test_what_comes_after_the_counts_knows_no_engine_and_no_data_frame(stage):
    code = "\n".join(f"import {module}" for module in MODULES if module.split(".")[1] == stage)
    modules = loaded(code)
    assert not {"duckdb", "pyspark", "pandas", "polars", "pyarrow"} & modules
    assert not {"karat.engine.duckdb", "karat.engine.spark"} & modules


@pytest.mark.parametrize("name", INDEXES)
def test_an_index_offers_the_nearest_name(name):
    found = index(name)
    entry = max(found, key=len)
    with pytest.raises(
        UnknownNameError, match=f"no {found.kind} is called '{entry}x'; did you mean '{entry}'"
    ):
        found[f"{entry}x"]


def test_an_index_without_a_near_name_lists_what_there_is():
    with pytest.raises(
        UnknownNameError, match="no fruit is called 'qqq'; there are 'apple', 'red-pear'"
    ):
        Index("table", "fruit", "fruits", apple="kinds", red_pear="kinds")["qqq"]


def test_an_index_loads_an_entry_only_when_it_is_asked_for():
    modules = loaded(
        "from karat.measure import MEASURES\nlist(MEASURES), len(MEASURES), 'recall' in MEASURES"
    )
    assert not [name for name in modules if name.startswith("karat.measure.")]
