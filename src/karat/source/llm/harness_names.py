"""Names for the runs of lm-evaluation-harness: different models never get one name.

A model is called like the folder of its logs. Where folders of different models are called the same, the parts of
their paths that differ are the names; where one folder holds several models, the arguments in which they differ.
"""

from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from karat.errors import InputError
from karat.source.llm.harness_runs import Arguments, Run
from karat.words import listing

NAME_THEM = "give each model a name: NAME=FOLDER"


def names_of_runs(
    runs: Sequence[Run], *, taken: set[str], last: bool
) -> tuple[list[tuple[Run, str]], list[str]]:
    """Return each run with the name of its model, and notes on names that are not the folder's own."""
    by_name: dict[str, list[Run]] = {}
    for run in runs:
        by_name.setdefault(run.folder.name, []).append(run)
    named: list[tuple[Run, str]] = []
    notes = []
    for folder_name, own in by_name.items():
        names = _names_of_folders(folder_name, own, last=last)
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


def _names_of_folders(folder_name: str, runs: Sequence[Run], *, last: bool) -> list[str]:
    """Return a name for each of the runs whose folders are called the same; runs of one model share a name.

    With `last`, only the last log of a task counts, so that one model cannot have a task in two folders: such folders
    are different runs of it, with names of their own.
    """
    if len(runs) == 1:
        return [folder_name]
    folders = [run.folder for run in runs]
    has_folder_each = len(set(folders)) == len(folders)
    known = [run.arguments for run in runs if run.arguments is not None]
    if len(known) < len(runs):
        if has_folder_each:
            return _differing_parts(folders)
        raise InputError(
            f"some of the logs in folders called {folder_name!r} have no results that show their model; {NAME_THEM}"
        )
    models = distinct_models(known)
    repeats_a_task = last and any(_repeats_a_task(runs, model) for model in models)
    if len(models) == 1 and not repeats_a_task:
        return [folder_name] * len(runs)  # its tasks are in several folders
    if has_folder_each and (repeats_a_task or len(models) == len(runs)):
        return _differing_parts(folders)
    if repeats_a_task:
        raise InputError(
            f"folders called {folder_name!r} hold several models, and one of them a task more than once; {NAME_THEM}"
        )
    differences = differing_arguments(models)
    names = []
    for arguments in known:
        difference = differences[models.index(arguments)]
        names.append(f"{folder_name} {difference}".strip())
    return names


def _repeats_a_task(runs: Sequence[Run], model: Arguments) -> bool:
    """Return whether a model has a task in two folders."""
    return bool(repeated_tasks([run for run in runs if run.arguments == model]))


def repeated_tasks(runs: Sequence[Run]) -> list[str]:
    """Return the tasks that are in several of the runs, in order."""
    seen: set[str] = set()
    twice: set[str] = set()
    for run in runs:
        twice |= seen & run.tasks
        seen |= run.tasks
    return sorted(twice)


def distinct_models(models: Sequence[Arguments]) -> list[Arguments]:
    """Return the models without repetitions, in the order in which they first occur."""
    distinct: list[Arguments] = []
    for arguments in models:
        if arguments not in distinct:
            distinct.append(arguments)
    return distinct


def _differing_parts(folders: Sequence[Path]) -> list[str]:
    """Return the parts of their paths in which folders differ.

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
    """Return how many first parts are the same in all of them."""
    columns = zip(*sequences, strict=False)
    return len(list(takewhile(lambda column: len(set(column)) == 1, columns)))


def differing_arguments(models: Sequence[Arguments]) -> list[str]:
    """Return the arguments in which models differ.

    >>> differing_arguments([{"pretrained": "m", "revision": "1"}, {"pretrained": "m", "revision": "2"}])
    ['revision=1', 'revision=2']
    """
    names = dict.fromkeys(name for model in models for name in model)
    differing = [name for name in names if len({model.get(name) for model in models}) > 1]
    return [_in_words(model, differing) for model in models]


def _in_words(model: Arguments, names: Sequence[str]) -> str:
    return ",".join(f"{name}={model[name]}" for name in names if name in model)
