"""Logs that lm-evaluation-harness and Inspect write themselves, where they are installed: their numbers are karat's.

`pip install lm-eval inspect-ai` is much to install for one test, so that it is done by hand, before a release and when
a format has changed.
"""

import json
import os
import subprocess
import sys

import pytest

import karat

TASK = """task: sums
dataset_path: json
dataset_kwargs:
  data_files: {{test: {data}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{question}}}}"
doc_to_choice: "{{{{choices}}}}"
doc_to_target: "{{{{answer}}}}"
metric_list:
  - metric: acc
"""


def accuracies(path):
    rows = karat.read(path).score(measure="accuracy").rows()
    return {row["system"]: row["value"] for row in rows}


def run_of_harness(place, output, **arguments):
    """Run lm_eval with its dummy model, which needs no network, and return the accuracy that it reports."""
    model_args = ",".join(f"{name}={value}" for name, value in arguments.items())
    command = [sys.executable, "-m", "lm_eval", "run", "--model", "dummy", "--tasks", "sums"]
    command += ["--model_args", model_args, "--include_path", str(place), "--log_samples"]
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_CACHE": str(place / "cache")}
    before = set(output.rglob("results_*.json"))
    subprocess.run(  # noqa: S603 (its own command)
        [*command, "--output_path", str(output)], check=True, env=os.environ | offline, timeout=300
    )
    (results,) = set(output.rglob("results_*.json")) - before
    return json.loads(results.read_text())["results"]["sums"]["acc,none"]


def test_logs_of_the_harness(tmp_path):
    pytest.importorskip("lm_eval")
    questions = []
    for k in range(20):
        choices = [str(k + 1), str(k), str(k + 2)]
        questions.append({"question": f"{k}+1=", "choices": choices, "answer": k % 3})
    data = tmp_path / "sums.jsonl"
    data.write_text("".join(json.dumps(question) + "\n" for question in questions))
    (tmp_path / "sums.yaml").write_text(TASK.format(data=data))
    out = tmp_path / "out"
    reported = {}
    for name in ("alpha", "beta"):
        reported[name] = run_of_harness(tmp_path, out / name, pretrained="m", weights=name)
    assert accuracies(out) == pytest.approx(reported)
    reported = {}
    for step in ("1", "2"):
        reported[f"m revision={step}"] = run_of_harness(
            tmp_path, tmp_path / "steps", pretrained="m", revision=step
        )
    assert accuracies(tmp_path / "steps") == pytest.approx(reported)


@pytest.mark.parametrize("form", ["eval", "json"])
def test_logs_of_inspect(tmp_path, form):
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import match
    from inspect_ai.solver import solver

    @solver
    def adds_up_to(right):
        """Answer the first questions right; no model is asked, as that would need the network."""

        async def solve(state, generate):  # noqa: ARG001 (Inspect gives it)
            number = int(state.sample_id)
            answer = number + 1 if number < right else number
            state.output = ModelOutput.from_content("mockllm/model", str(answer))
            return state

        return solve

    samples = [Sample(input=f"{k}+1=", target=str(k + 1), id=k) for k in range(10)]
    reported = {}
    paths = []
    for name, right in {"low": 3, "high": 8}.items():
        (log,) = inspect_ai.eval(
            inspect_ai.Task(dataset=samples, solver=adds_up_to(right), scorer=match(), name="sums"),
            model="mockllm/model",
            log_dir=str(tmp_path / name),
            log_format=form,
            display="none",
        )
        reported[name] = log.results.scores[0].metrics["accuracy"].value
        paths.append(f"{name}={tmp_path / name}")
    assert reported == {"low": 0.3, "high": 0.8}
    assert accuracies(paths) == pytest.approx(reported)
    (path,) = (tmp_path / "low").glob(f"*.{form}")
    assert accuracies(str(path)) == pytest.approx({"mockllm/model": reported["low"]})
