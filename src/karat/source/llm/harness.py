"""Language-model evaluations: the per-sample logs of lm-evaluation-harness, written with --log_samples."""

from collections.abc import Mapping, Sequence
from itertools import chain

from karat.errors import InputError, OptionError
from karat.source.answer_rows import answers
from karat.source.faults import Faults
from karat.source.llm.harness_models import Log, logs_of
from karat.source.llm.harness_samples import Samples, Task, read_samples
from karat.source.origin import Source, shown
from karat.source.spill import SpilledList
from karat.words import listing


def lm_eval(
    paths: Sequence[str],
    *,
    metric: str = "",
    filter: str = "",  # noqa: A002 (the log's word)
    answer: str = "right",
    runs: str = "last",
    lenient: bool = False,
) -> Source:
    """Samples of lm-evaluation-harness: questions are items, tasks groups, models (folders) systems.

    `metric` is the logged measure that says right or wrong, of several with commas the first that a task has; `filter`
    the log's filter, where it has several; `answer` is right (was it?) or label (what was answered, against the
    target); `runs` is last, or all: then a task that a folder has twice is a task with repeated answers.
    """
    if answer not in {"right", "label"} or runs not in {"last", "all"}:
        raise OptionError("--using answer takes right or label, --using runs last or all")
    if metric and answer == "label":
        raise OptionError(
            "--using metric says what was right; with answer=label the target does, so leave it out"
        )
    faults = Faults(lenient=lenient)
    logs = logs_of(paths, last=runs == "last")
    origin = shown([str(log.path) for log in logs.found])
    samples, tasks = _read(logs.found, faults, answer)
    if not tasks:
        raise InputError(f"{origin} holds no samples; lm_eval writes them with --log_samples")
    filters = {name: task.chosen_filter(filter, origin) for name, task in tasks.items()}
    chosen_filter = _by_task(filters)
    if filter and filter not in filters.values():
        raise InputError(
            f"{origin}: no answer went through the filter {filter!r}; it is {chosen_filter!r}"
        )
    if answer == "label":
        how = f"lm-eval(answer=label, filter={chosen_filter})"
        notes = (*logs.notes, *_contradictions(tasks, filters))
        labelled = chain.from_iterable(some.answers(filters[some.task]) for some in samples)
        return answers(labelled, faults, origin=origin, how=how, kind="label", notes=notes)
    metrics = {}
    for name, own_filter in filters.items():
        metrics[name] = tasks[name].chosen_metric(metric, own_filter, origin)
    how = f"lm-eval(answer=right, metric={_by_task(metrics)}, filter={chosen_filter})"
    notes = (*logs.notes, _note_on_metrics(tasks, filters, metrics))
    judged = chain.from_iterable(
        some.judged(filters[some.task], metrics[some.task], faults) for some in samples
    )
    return answers(judged, faults, origin=origin, how=how, notes=notes)


def _read(
    logs: Sequence[Log], faults: Faults, answer: str
) -> tuple[SpilledList[Samples], dict[str, Task]]:
    """Return the samples of all logs, and the tasks that have any."""
    samples = SpilledList[Samples]()
    tasks: dict[str, Task] = {}
    for log in logs:
        task = tasks.setdefault(log.task, Task(log.task))
        for some in read_samples(log, task, faults, answer):
            samples.add(some, len(some))
    return samples, {name: task for name, task in tasks.items() if task.seen}


def _contradictions(tasks: Mapping[str, Task], filters: Mapping[str, str]) -> list[str]:
    """Return the notes on tasks whose target is not what makes an answer right."""
    notes = []
    for name, own_filter in filters.items():
        note = tasks[name].contradiction(own_filter)
        if note:
            notes.append(note)
    return notes


def _note_on_metrics(
    tasks: Mapping[str, Task], filters: Mapping[str, str], metrics: Mapping[str, str]
) -> str:
    """Return in words which measures decide what is right, and which others are logged."""
    logged: set[str] = set()
    for name, own_filter in filters.items():
        logged.update(tasks[name].metrics(own_filter))
    note = f"right or wrong by {_in_words(metrics)}"
    others = logged - set(metrics.values())
    if others:
        note += f"; logged too: {listing(sorted(others))}"
    return note


def _in_words(chosen: Mapping[str, str]) -> str:
    """Return which tasks go by which measure.

    >>> _in_words({"arc": "acc", "sums": "em", "puns": "acc"})
    "'acc' in 'arc', 'puns'; 'em' in 'sums'"
    """
    tasks: dict[str, list[str]] = {}
    for task, name in chosen.items():
        tasks.setdefault(name, []).append(task)
    if len(tasks) == 1:
        return repr(next(iter(tasks)))
    return "; ".join(f"{name!r} in {listing(own, most=3)}" for name, own in tasks.items())


def _by_task(chosen: Mapping[str, str]) -> str:
    """Return what was chosen: once if it is the same for every task, else task by task."""
    distinct = set(chosen.values())
    if len(distinct) == 1:
        return distinct.pop()
    return "+".join(f"{task}:{choice}" for task, choice in sorted(chosen.items()))
