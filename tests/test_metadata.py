"""What is said about karat outside of its code agrees with it."""

import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

from karat.version import VERSION

ROOT = Path(__file__).parents[1]


def test_the_citation_names_this_version_and_the_five_papers():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == VERSION
    dois = [paper["doi"] for paper in citation["references"]]
    assert len(set(dois)) == 5
    methods = "".join(page.read_text("utf-8") for page in (ROOT / "docs" / "methods").glob("*.md"))
    assert all(f"https://doi.org/{doi}" in methods for doi in dois)


def test_public_ci_runs_the_two_commands_of_the_readme_on_every_supported_python():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8"))
    tests = workflow["jobs"]["tests"]
    commands = [step["run"] for step in tests["steps"] if "run" in step]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert commands == ["make demo", "make test"]
    assert all(f"$ {command}\n" in readme for command in commands)
    assert tests["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]


def test_public_ci_tries_the_package_and_the_lowest_versions_on_the_oldest_python():
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8"))["jobs"]
    assert jobs["package"]["steps"][-1] == {"run": "make package"}
    assert jobs["lowest"]["steps"][-1] == {"run": "make lowest"}
    oldest = jobs["lowest"]["steps"][-2]["with"]["python-version"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == f">={oldest}"


def test_every_library_has_a_lowest_version():
    project = ROOT / "pyproject.toml"
    command = [sys.executable, str(ROOT / "scripts" / "lowest_versions.py"), str(project)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    lines = printed.stdout.splitlines()
    settings = tomllib.loads(project.read_text("utf-8"))
    wanted = [*settings["project"]["dependencies"], *settings["dependency-groups"]["test"]]
    for name, extra in settings["project"]["optional-dependencies"].items():
        wanted += [] if name == "all" else extra
    assert lines == [bound.replace(">=", "==") for bound in dict.fromkeys(wanted)]
