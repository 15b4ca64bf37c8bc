"""Runs of lm-evaluation-harness: the logs of one folder that one model wrote, as far as the results show.

lm_eval puts the samples of a run into a folder that is called after the model, beside a file of results with the same
time in its name. One folder may hold several models (revisions, for example): then the model's arguments in the
results show which log is whose.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from karat.errors import InputError
from karat.source.lines import content

STAMP = re.compile(r"_(\d{4}-\d{2}-\d{2}T[\d:.-]+)$")
HARDWARE = {
    "batch_size",
    "data_parallel_size",
    "device",
    "gpu_memory_utilization",
    "max_batch_size",
    "max_retries",
    "num_concurrent",
    "parallelize",
    "tensor_parallel_size",
    "timeout",
}
"""Arguments that describe how a model is run, not which model it is."""
Arguments = Mapping[str, str]
_Model = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Run:
    """The logs of one folder that one model wrote, as far as the results show."""

    folder: Path
    arguments: Arguments | None
    """None where there are no results beside the logs."""
    paths: tuple[Path, ...]

    @property
    def tasks(self) -> set[str]:
        """The tasks of the logs."""
        return {task_of(path) for path in self.paths}


def task_of(path: Path) -> str:
    """Return the task, as the name of a log has it."""
    return STAMP.sub("", _without_endings(path))


def _without_endings(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".jsonl").removeprefix("samples_")


def runs_of(paths: Iterable[Path]) -> list[Run]:
    """Return a run for each folder, or for each model of a folder whose results are of several."""
    by_folder: dict[Path, list[Path]] = {}
    for path in dict.fromkeys(paths):
        by_folder.setdefault(path.resolve().parent, []).append(path)
    runs = []
    for folder, logs in by_folder.items():
        runs += _runs_of_folder(folder, logs)
    return runs


def _runs_of_folder(folder: Path, logs: Sequence[Path]) -> list[Run]:
    by_model: dict[_Model, list[Path]] = {}
    unknown = []
    for model, own in _by_model(logs).items():
        if model is None:
            unknown = own
        else:
            by_model[model] = own
    if len(by_model) > 1 and unknown:
        raise InputError(
            f"{folder} holds several models, and no results show which of them wrote {unknown[0]}; "
            "give each log its model: NAME=FILE"
        )
    if not by_model:
        return [Run(folder, None, tuple(logs))]
    if len(by_model) == 1:
        # Logs without results are taken to be of the only model that has some.
        (model,) = by_model
        return [Run(folder, dict(model), tuple(logs))]
    return [Run(folder, dict(model), tuple(own)) for model, own in by_model.items()]


def _by_model(logs: Sequence[Path]) -> dict[_Model | None, list[Path]]:
    """Return the logs of a folder by the model in the results of the same time; None where there are no results."""
    by_time: dict[str, _Model | None] = {}
    by_model: dict[_Model | None, list[Path]] = {}
    for path in logs:
        stamp = STAMP.search(_without_endings(path))
        time = stamp[1] if stamp else ""
        if time not in by_time:
            arguments = _arguments(path.parent, time)
            by_time[time] = None if arguments is None else frozenset(arguments.items())
        by_model.setdefault(by_time[time], []).append(path)
    return by_model


def joined_runs(runs: Sequence[Run]) -> list[Run]:
    """Return one run for each folder and model, even if the user names the logs one by one."""
    return runs_of([path for run in runs for path in run.paths])


def newest_logs(run: Run) -> Run:
    """Return a run with only the last log of each task."""
    newest = {task_of(path): path for path in run.paths}  # the paths are in the order of time
    return Run(run.folder, run.arguments, tuple(newest.values()))


def _arguments(folder: Path, time: str) -> Arguments | None:
    """Return the model's arguments by the results of that time; None if there are none."""
    if not time:
        return None
    for results in sorted(folder.glob(f"*_{time}.json")):
        arguments = _arguments_in(results)
        if arguments is not None:
            return arguments
    return None


def _arguments_in(results: Path) -> Arguments | None:
    try:
        config = json.loads(content(results))["config"]
        given = config["model_args"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return None
    arguments = {"--model": str(config.get("model", ""))}
    if isinstance(given, dict):
        arguments |= {str(name): str(value) for name, value in given.items()}
    else:
        for part in str(given or "").split(","):
            name, _, value = part.partition("=")
            arguments[name.strip()] = value.strip()
    return {name: value for name, value in arguments.items() if name and name not in HARDWARE}
