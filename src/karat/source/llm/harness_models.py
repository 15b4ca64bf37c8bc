"""Which model wrote which log of lm-evaluation-harness: different models are never taken for one.

lm_eval puts the samples of a run into a folder that is called after the model, beside a file of results with the same
time in its name. Folders of different runs may be called the same, and one folder may hold several models (revisions,
for example): then the model's arguments in the results tell which is which.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from karat.errors import InputError
from karat.source.lines import content
from karat.source.origin import files
from karat.source.paths import exists, is_folder
from karat.words import counted, listing

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
"""Arguments that say how a model is run, not which model it is."""
Arguments = Mapping[str, str]
NAME_THEM = "give each model a name: NAME=FOLDER"


@dataclass(frozen=True, slots=True)
class Log:
    """A file of samples: whose they are, and where."""

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


@dataclass(frozen=True, slots=True)
class Run:
    """The logs of one folder that one model wrote, as far as the results tell."""

    folder: Path
    arguments: Arguments | None
    """None where no results lie beside the logs."""
    paths: tuple[Path, ...]

    @property
    def tasks(self) -> set[str]:
        """The tasks of the logs."""
        return {task_of(path) for path in self.paths}


def logs_of(paths: Sequence[str], *, last: bool) -> Logs:
    """Return the logs behind paths, by default only the last of each task that a model has in a folder.

    The model is NAME of NAME=PATH; else it is called like the log's folder, or as needed to tell models apart.
    """
    named: dict[str, list[Run]] = {}
    unnamed: list[Run] = []
    older: list[Path] = []
    for word in paths:
        name, path = _named(word)
        inside = _inside(path)
        runs = _runs(inside)
        if is_folder(path) and last:
            runs = [_newest(run) for run in runs]
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
    names, notes = _names(_joined(unnamed), taken=set(named), last=last)
    for run, name in names:
        found += _logs(name, [run])
    return Logs(found, (*_note_on_older(older), *notes))


def _logs(name: str, runs: Sequence[Run]) -> list[Log]:
    return [Log(name, path) for run in runs for path in run.paths]


def task_of(path: Path) -> str:
    """Return the task, as the name of a log has it."""
    return STAMP.sub("", _without_endings(path))


def _without_endings(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".jsonl").removeprefix("samples_")


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


def _runs(paths: Iterable[Path]) -> list[Run]:
    """Return the logs by folder, and where a folder's results are of several models, by model."""
    by_folder: dict[Path, list[Path]] = {}
    for path in dict.fromkeys(paths):
        by_folder.setdefault(path.resolve().parent, []).append(path)
    runs = []
    for folder, own in by_folder.items():
        models: dict[frozenset[tuple[str, str]] | None, list[Path]] = {}
        of_stamps: dict[str, Arguments | None] = {}
        for path in own:
            stamp = STAMP.search(_without_endings(path))
            time = stamp[1] if stamp else ""
            if time not in of_stamps:
                of_stamps[time] = _arguments(path.parent, time)
            arguments = of_stamps[time]
            key = None if arguments is None else frozenset(arguments.items())
            models.setdefault(key, []).append(path)
        known = [key for key in models if key is not None]
        if len(known) > 1 and None in models:
            raise InputError(
                f"{folder} holds several models, and no results tell which of them wrote {models[None][0]}; "
                "give each log its model: NAME=FILE"
            )
        if len(known) > 1:
            runs += [Run(folder, dict(key), tuple(models[key])) for key in known]
        else:
            runs.append(Run(folder, dict(known[0]) if known else None, tuple(own)))
    return runs


def _joined(runs: Sequence[Run]) -> list[Run]:
    """Return one run for each folder and model, though the user names the logs one by one."""
    return _runs([path for run in runs for path in run.paths])


def _newest(run: Run) -> Run:
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


def _check_one_model(name: str, path: Path, runs: Sequence[Run]) -> None:
    """Refuse one name for a folder in which there are several models."""
    models = _distinct([run.arguments for run in runs if run.arguments is not None])
    if len(models) > 1:
        first, second, *_ = _differences(models)
        raise InputError(
            f"{name}={path} holds the logs of {len(models)} models, {first!r} and {second!r} among them; {NAME_THEM}"
        )


def _check_tasks_once(name: str, runs: Sequence[Run], *, last: bool) -> None:
    """Refuse one name for several runs of a task, unless all of them are wanted and the model is known to be one."""
    twice = _tasks_of_two_folders(runs)
    is_known = all(run.arguments is not None for run in runs)
    if twice and (last or not is_known):
        folders = [str(run.folder) for run in runs if twice[0] in run.tasks]
        raise InputError(
            f"{name!r} has the task {twice[0]!r} several times, in {listing(folders, most=3)}; {NAME_THEM}"
        )


def _distinct(models: Sequence[Arguments]) -> list[Arguments]:
    distinct: list[Arguments] = []
    for arguments in models:
        if arguments not in distinct:
            distinct.append(arguments)
    return distinct


def _tasks_of_two_folders(runs: Sequence[Run]) -> list[str]:
    """Return the tasks that several folders hold, in order."""
    seen: set[str] = set()
    twice: set[str] = set()
    for run in runs:
        twice |= seen & run.tasks
        seen |= run.tasks
    return sorted(twice)


def _names(
    runs: Sequence[Run], *, taken: set[str], last: bool
) -> tuple[list[tuple[Run, str]], list[str]]:
    """Return each run with the name of its model, and notes on names that are not the folder's own."""
    by_name: dict[str, list[Run]] = {}
    for run in runs:
        by_name.setdefault(run.folder.name, []).append(run)
    named: list[tuple[Run, str]] = []
    notes = []
    for folder_name, own in by_name.items():
        names = _told_apart(folder_name, own, last=last)
        distinct = list(dict.fromkeys(names))
        clashes = taken & set(distinct)
        if clashes:
            raise InputError(f"two models would be called {min(clashes)!r}; {NAME_THEM}")
        taken = taken | set(distinct)
        named += zip(own, names, strict=True)
        if len(distinct) > 1:
            what = f"{listing(distinct, most=4)} are all logged as {folder_name!r}"
            notes.append(
                f"{what}: they are different models or runs; NAME=FOLDER gives other names"
            )
    return named, notes


def _told_apart(folder_name: str, runs: Sequence[Run], *, last: bool) -> list[str]:
    """Return a name for each of the runs whose folders are called the same: one name for those of one model."""
    if len(runs) == 1:
        return [folder_name]
    folders = [run.folder for run in runs]
    is_folder_each = len(set(folders)) == len(folders)
    known = [run.arguments for run in runs if run.arguments is not None]
    if len(known) < len(runs):
        if is_folder_each:
            return _differing_parts(folders)
        raise InputError(
            f"some of the logs in folders called {folder_name!r} have no results that tell their model; {NAME_THEM}"
        )
    models = _distinct(known)
    groups = [[run for run in runs if run.arguments == model] for model in models]
    is_divided = last and any(_tasks_of_two_folders(group) for group in groups)
    if len(models) == 1 and not is_divided:
        return [folder_name] * len(runs)  # its tasks lie in several folders
    if is_folder_each and (is_divided or len(models) == len(runs)):
        return _differing_parts(folders)
    if is_divided:
        raise InputError(
            f"folders called {folder_name!r} hold several models, and one of them a task more than once; {NAME_THEM}"
        )
    differences = _differences(models)
    names = []
    for arguments in known:
        difference = differences[models.index(arguments)]
        names.append(f"{folder_name} {difference}".strip())
    return names


def _differing_parts(folders: Sequence[Path]) -> list[str]:
    """Return what tells folders apart.

    >>> _differing_parts([Path("/out/alpha/dummy"), Path("/out/beta/dummy")])
    ['alpha', 'beta']
    >>> _differing_parts([Path("/out/dummy"), Path("/out/beta/dummy")])
    ['dummy', 'beta/dummy']
    """
    parts = [folder.parts for folder in folders]
    shared = _number_shared(parts)
    parts = [own[shared:] for own in parts]
    shared = _number_shared([own[::-1] for own in parts])
    if shared < min(map(len, parts)):
        parts = [own[: len(own) - shared] for own in parts]
    elif any(not own for own in parts):
        return [folder.name for folder in folders]
    return ["/".join(own) for own in parts]


def _number_shared(sequences: Sequence[Sequence[str]]) -> int:
    """Return how many parts all begin with."""
    columns = zip(*sequences, strict=False)
    return len(list(takewhile(lambda column: len(set(column)) == 1, columns)))


def _differences(models: Sequence[Arguments]) -> list[str]:
    """Return the arguments in which models differ.

    >>> _differences([{"pretrained": "m", "revision": "1"}, {"pretrained": "m", "revision": "2"}])
    ['revision=1', 'revision=2']
    """
    names = dict.fromkeys(name for model in models for name in model)
    differing = [name for name in names if len({model.get(name) for model in models}) > 1]
    return [_in_words(model, differing) for model in models]


def _in_words(model: Arguments, names: Sequence[str]) -> str:
    return ",".join(f"{name}={model[name]}" for name in names if name in model)
