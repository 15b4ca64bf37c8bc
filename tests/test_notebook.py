"""A notebook needs nothing but karat: DuckDB wants a package of widgets there for its progress bar."""

import subprocess
import sys

IN_A_NOTEBOOK = """
import sys, types
shell = types.SimpleNamespace(config={"IPKernelApp": {}})
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: shell)
sys.modules["ipywidgets"] = None
import duckdb
try:
    duckdb.connect().execute("set enable_progress_bar = true")
except duckdb.Error as error:
    assert "ipywidgets" in str(error)
else:
    raise AssertionError("DuckDB does not know that this is a notebook")
import karat
print(karat.read({"truth": [1, 0, 1], "a": [1, 0, 0]}).score(measure="accuracy").rows()[0]["value"])
"""


def test_a_table_is_read_in_a_notebook_without_widgets() -> None:
    found = subprocess.run(  # noqa: S603
        [sys.executable, "-c", IN_A_NOTEBOOK], capture_output=True, text=True, check=False
    )
    assert found.stderr == ""
    assert found.stdout.strip() == "0.6666666666666666"
