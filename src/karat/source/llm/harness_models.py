"""Which model wrote which log of lm-evaluation-harness: logs of different models are never counted as one model's."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from karat.errors import InputError
from karat.source.llm.harness_names import (
    NAME_THEM,
    differing_arguments,
    distinct_models,
    names_of_runs,
    repeated_tasks,
)
from karat.source.llm.harness_runs import Run, joined_runs, newest_logs, runs_of, task_of
from karat.source.origin import files
from karat.source.paths import exists, is_folder
from karat.words import counted, listing


@dataclass(frozen=True, slots=True)
class Log:
    """A file of samples, and the name of the model that wrote it."""

    model: str
    path: Path

    @property
    def task(self) -> str:
        """The task, as the name of the file has it."""
        return task_of(self.path)


@dataclass(frozen=True, slots=True)
class Logs:
    """The logs that count, and notes on those that do not, and on names."""

    found: list[Log]
    notes: tuple[str, ...]


def logs_of(paths: Sequence[str], *, last: bool) -> Logs:
    """Return the logs behind paths, by default only the last of each task that a model has in a folder.

    The model is NAME of NAME=PATH; else it is called like the log's folder, or by what distinguishes it from others.
    """
    named: dict[str, list[Run]] = {}
    unnamed: list[Run] = []
    older: list[Path] = []
    for word in paths:
        name, path = _named(word)
        inside = _inside(path)
        runs = runs_of(inside)
        if is_folder(path) and last:
            runs = [newest_logs(run) for run in runs]
            kept = {log for run in runs for log in run.paths}
            older += [log for log in inside if log not in kept]
        if name:
            _check_one_model(name, path, runs)
            named.setdefault(name, []).extend(runs)
        else:
            unnamed += runs
    found: list[Log] = []
    for name, runs in named.items():
        _check_tasks_once(name, runs, last=last)
        found += _logs(name, runs)
    names, notes = names_of_runs(joined_runs(unnamed), taken=set(named), last=last)
    for run, name in names:
        found += _logs(name, [run])
    return Logs(found, (*_note_on_older(older), *notes))


def _logs(name: str, runs: Sequence[Run]) -> list[Log]:
    return [Log(name, path) for run in runs for path in run.paths]


def _named(word: str) -> tuple[str, Path]:
    """Return the name that the user gives, if there is one, and the path."""
    name, equals, rest = word.partition("=")
    if equals and name and not exists(word):
        return name, Path(rest)
    return "", Path(word)


def _inside(path: Path) -> list[Path]:
    if is_folder(path):
        inside = sorted([*path.rglob("samples_*.jsonl"), *path.rglob("samples_*.jsonl.gz")])
    else:
        inside = [Path(one) for one in files(str(path))]
    if not inside or path.name.startswith("results_"):
        raise InputError(f"{path} holds no samples_*.jsonl; lm_eval writes them with --log_samples")
    return inside


def _note_on_older(older: Sequence[Path]) -> tuple[str, ...]:
    if not older:
        return ()
    others = " and others" if len(older) > 1 else ""
    what = f"{counted(len(older), 'older log')} left out, {older[0]}{others}"
    return (f"{what}; --using runs=all takes their answers as repeated ones",)


def _check_one_model(name: str, path: Path, runs: Sequence[Run]) -> None:
    """Refuse one name for a folder in which there are several models."""
    models = distinct_models([run.arguments for run in runs if run.arguments is not None])
    if len(models) > 1:
        first, second, *_ = differing_arguments(models)
        raise InputError(
            f"{name}={path} holds the logs of {len(models)} models, {first!r} and {second!r} among them; {NAME_THEM}"
        )


def _check_tasks_once(name: str, runs: Sequence[Run], *, last: bool) -> None:
    """Refuse one name for several runs of a task, unless all of them are wanted and the model is known to be one."""
    twice = repeated_tasks(runs)
    is_known = all(run.arguments is not None for run in runs)
    if twice and (last or not is_known):
        folders = [str(run.folder) for run in runs if twice[0] in run.tasks]
        raise InputError(
            f"{name!r} has the task {twice[0]!r} several times, in {listing(folders, most=3)}; {NAME_THEM}"
        )
