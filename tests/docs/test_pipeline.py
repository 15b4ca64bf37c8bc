"""The workflow of docs/questions/in-a-pipeline.md: its steps run one by one, as a runner does."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "questions" / "in-a-pipeline.md"
EVALUATE = """
import random

lines = ["item,truth,old,new"]
dice = random.Random(1)
for item in range(1200):
    truth = dice.choice(["cat", "dog"])
    other = {"cat": "dog", "dog": "cat"}[truth]
    old = truth if dice.random() < 0.95 else other
    new = old if dice.random() < NEW else other
    lines.append(f"{item},{truth},{old},{new}")
open("answers.csv", "w").write("\\n".join(lines) + "\\n")
"""


def workflow():
    text = PAGE.read_text(encoding="utf-8")
    return yaml.safe_load(re.search(r"(?ms)^```yaml\n(.*?)^```$", text)[1])


@dataclass
class Job:
    """A job on this machine: after a step that failed, only those that always run do."""

    folder: Path
    failed: list[str] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)
    log: str = ""

    @property
    def summary(self) -> str:
        return (self.folder / "summary.md").read_text(encoding="utf-8")

    def environment(self):
        """The variables of a runner, with this karat and this Python first in the path."""
        programs = self.folder / "bin"
        programs.mkdir(exist_ok=True)
        for name, command in {"karat": "-m karat", "python": ""}.items():
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {command} "$@"\n')
            program.chmod(0o755)
        return {
            **os.environ,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "src"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            "PYTHONIOENCODING": "utf-8",
        }

    def step(self, step):
        if self.failed and step.get("if") != "always()":
            return
        command = step["run"]
        # As GitHub runs a step that names no shell.
        done = subprocess.run(  # noqa: S603
            ["bash", "-e", "-c", command],  # noqa: S607
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        self.ran.append(command)
        self.log += done.stdout + done.stderr
        if done.returncode:
            self.failed.append(command)


def run_job(folder, new):
    """Run every step that is a command; what is downloaded from GitHub or PyPI is here already."""
    (folder / "evaluate.py").write_text(EVALUATE.replace("NEW", str(new)), encoding="utf-8")
    job = Job(folder)
    (steps,) = (one["steps"] for one in workflow()["jobs"].values())
    for step in steps:
        if "run" in step and not step["run"].startswith("pip install"):
            job.step(step)
    return job


@pytest.mark.slow
def test_a_good_system_passes(tmp_path):
    job = run_job(tmp_path, new=0.998)
    assert job.failed == [], job.log
    assert len(job.ran) == 4
    assert "| first | second |" in job.summary
    assert "| new | old |" in job.summary.replace("old | new", "new | old")
    assert "**accuracy" in job.summary
    assert (tmp_path / "report.html").stat().st_size > 10_000


@pytest.mark.slow
def test_a_bad_system_does_not_and_the_summary_says_how_bad(tmp_path):
    job = run_job(tmp_path, new=0.9)
    assert len(job.failed) == 2
    assert len(job.ran) == 4, "the page and the second condition come also after a failure"
    assert "not met: 'new' may be worse than 'old' by 0.02 or more" in job.log
    assert "not met: accuracy of 'new': the lower bound is 0.8" in job.log
    assert "| first | second |" in job.summary
    assert (tmp_path / "report.html").exists()


def test_the_workflow_is_one_that_github_takes():
    found = workflow()
    assert found[True] == "pull_request", "YAML reads the key `on` as true"
    (job,) = found["jobs"].values()
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step)
