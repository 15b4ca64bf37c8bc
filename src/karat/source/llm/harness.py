"""Language-model evaluations: the per-sample logs of lm-evaluation-harness, written with --log_samples."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from karat.errors import InputError, OptionError
from karat.source.answer_rows import RIGHT, Answer, answers, verdict
from karat.source.faults import Faults
from karat.source.lines import objects
from karat.source.origin import Source, files, shown
from karat.source.spill import Aside
from karat.words import counted, listing

USUAL = ("acc", "exact_match", "exact_match,none", "acc_norm", "pass@1", "em")
"""Measures of single samples, in the order in which one is taken where a log has several."""
OWN = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
"""What a sample has beside its measures, where it does not list these."""
NO_FILTER = "none"
EMPTY: Mapping[str, Any] = {}
STAMP = re.compile(r"_\d{4}-\d{2}-\d{2}T[\d:.-]+$")


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
    logs, notes = _logs(paths, last=runs == "last")
    origin = shown([str(path) for _, path in logs])
    samples, tasks = Aside[Sample](), dict[str, Task]()
    for model, path in logs:
        task = tasks.setdefault(_task(path), Task(_task(path)))
        for sample in _samples(path, model, task, faults, answer):
            samples.add(sample)
    if not any(task.seen for task in tasks.values()):
        raise InputError(f"{origin} holds no samples; lm_eval writes them with --log_samples")
    filters = {name: task.chosen_filter(filter) for name, task in tasks.items() if task.seen}
    if filter and filter not in filters.values():
        raise InputError(
            f"{origin}: no answer went through the filter {filter!r}; it is {_told(filters)!r}"
        )
    said = f"filter={_told(filters)}"
    kept = (sample for sample in samples if sample.filter == filters[sample.task])
    if answer == "label":
        found = (sample.answer() for sample in kept)
        how = f"lm-eval(answer=label, {said})"
        notes += tuple(
            note for name, own in filters.items() if (note := tasks[name].contradiction(own))
        )
        return answers(found, faults, origin=origin, how=how, kind="label", notes=notes)
    metrics = {
        name: tasks[name].chosen_metric(metric, own, origin) for name, own in filters.items()
    }
    judged = (sample.judged(metrics[sample.task], faults) for sample in kept)
    how = f"lm-eval(answer=right, metric={_told(metrics)}, {said})"
    others = {one for name, own in filters.items() for one in tasks[name].metrics(own)} - {
        *metrics.values()
    }
    notes += (
        f"right or wrong by {_in_words(metrics)}"
        + f"; logged too: {listing(sorted(others))}" * bool(others),
    )
    return answers((one for one in judged if one), faults, origin=origin, how=how, notes=notes)


def _logs(paths: Sequence[str], *, last: bool) -> tuple[list[tuple[str, Path]], tuple[str, ...]]:
    """Return the model and the path of each log, and what was left out.

    The model is the log's folder, or NAME of NAME=PATH.
    """
    found: list[tuple[str, Path]] = []
    older: list[Path] = []
    for word in paths:
        name, equals, rest = word.partition("=")
        is_named = bool(equals) and not Path(word).exists()
        path = Path(rest if is_named else word)
        inside = _inside(path) if path.is_dir() else [Path(one) for one in files(str(path))]
        if not inside or path.name.startswith("results_"):
            raise InputError(
                f"{path} holds no samples_*.jsonl; lm_eval writes them with --log_samples"
            )
        if path.is_dir() and last:
            newest = {(log.parent, _task(log)): log for log in inside}
            older += sorted({*inside} - {*newest.values()})
            inside = list(newest.values())
        found += [(name if is_named else log.resolve().parent.name, log) for log in inside]
    if not older:
        return found, ()
    what = (
        f"{counted(len(older), 'older log')} left out, {older[0]}{' and others' * (len(older) > 1)}"
    )
    return found, (f"{what}; --using runs=all takes their answers as repeated ones",)


def _inside(folder: Path) -> list[Path]:
    return sorted([*folder.rglob("samples_*.jsonl"), *folder.rglob("samples_*.jsonl.gz")])


def _task(path: Path) -> str:
    return STAMP.sub(
        "", path.name.removesuffix(".gz").removesuffix(".jsonl").removeprefix("samples_")
    )


def _samples(
    path: Path, model: str, task: "Task", faults: Faults, answer: str
) -> Iterator["Sample"]:
    """Yield what is needed of each sample, and let the task take note of it."""
    for number, sample in objects(path, faults):
        place = f"{path}, line {number}"
        if "doc_id" not in sample or "target" not in sample:
            faults.add(
                place,
                f"no sample of lm_eval, it lacks doc_id or target and has {listing(sample, most=5)}",
            )
            continue
        through = str(sample.get("filter", NO_FILTER))
        where = (str(sample["doc_id"]), task.name, model, through, place)
        values = {name: sample[name] for name in _measures(sample) if name in sample}
        if answer == "label":
            found = Sample(
                *where,
                _response(sample.get("filtered_resps")),
                str(sample["target"]).strip() or None,
            )
            task.compare(
                found, next((verdict(values[name]) for name in USUAL if name in values), None)
            )
        else:
            found = Sample(*where, values=values)
        task.take_note(found)
        yield found


class Sample(NamedTuple):
    """What a log says of one question: the answer and the target, or the values of the measures."""

    question: str
    task: str
    model: str
    filter: str
    place: str
    said: str | None = None
    target: str | None = RIGHT
    values: Mapping[str, Any] = EMPTY

    def answer(self) -> Answer:
        """Return what was answered, against the target."""
        return Answer(f"{self.task}/{self.question}", self.task, self.model, self.said, self.target)

    def judged(self, metric: str, faults: Faults) -> Answer | None:
        """Return whether the answer was right by a measure; None, and a fault, if that does not say so."""
        if metric not in self.values:
            remedy = f"if another measure is meant here, name both: --using metric={metric},NAME"
            faults.add(self.place, f"no {metric}; it has {listing(self.values)}", remedy=remedy)
            return None
        said = verdict(self.values[metric])
        if said is None:
            faults.add(
                self.place,
                f"{metric} is {self.values[metric]!r}, which is neither right (1) nor wrong (0)",
            )
            return None
        return self._replace(said=said).answer()


class Task:
    """What is known of a task's samples: how many went through each filter, and which measures say right or wrong."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seen: Counter[str] = Counter()
        self._known: dict[str, Counter[str]] = {}
        self._contradicted: Counter[str] = Counter()

    def take_note(self, sample: Sample) -> None:
        """Count a sample."""
        self.seen[sample.filter] += 1
        known = self._known.setdefault(sample.filter, Counter())
        for name, value in sample.values.items():
            known[name] += verdict(value) is not None

    def compare(self, sample: Sample, right: str | None) -> None:
        """Count a sample whose answer is the target although the log calls it wrong, or the other way round."""
        self._contradicted[sample.filter] += right is not None and (
            sample.said == sample.target
        ) != (right == RIGHT)

    def contradiction(self, through: str) -> str | None:
        """Return in words how often the target does not say what the log says."""
        times = self._contradicted[through]
        if not times:
            return None
        return (
            f"in {self.name!r} the target is not what makes an answer right: the log says otherwise of {times:,} of "
            f"{counted(self.seen[through], 'answer')}"
        )

    def chosen_filter(self, wanted: str) -> str:
        """Return the filter whose answers count: the wanted one if the task has it, else the only one."""
        if wanted in self.seen:
            return wanted
        if len(self.seen) == 1:
            return next(iter(self.seen))
        if wanted:
            found = listing(self.seen)
            raise InputError(
                f"the task {self.name} has no answers through the filter {wanted!r}; it has {found}"
            )
        raise InputError(
            f"the task {self.name} has each answer through the filters {listing(self.seen)}; "
            f"say --using filter={next(iter(self.seen))}"
        )

    def metrics(self, through: str) -> list[str]:
        """Return the measures that say right or wrong of every sample."""
        return [name for name, times in self._known[through].items() if times == self.seen[through]]

    def chosen_metric(self, wanted: str, through: str, origin: str) -> str:
        """Return the measure that says right or wrong of every sample, if it is clear which is meant."""
        names = self.metrics(through)
        asked = (
            [name.strip() for name in wanted.split(",")]
            if wanted and wanted not in names
            else [wanted]
        )
        if wanted:
            return next((name for name in asked if name in names), asked[0])
        usual = [name for name in USUAL if name in names]
        if usual or len(names) == 1:
            return (usual or names)[0]
        problem = f"{listing(names)} could each say" if names else "no logged number says"
        raise InputError(
            f"{origin}, task {self.name}: {problem} whether an answer is right; name it with --using metric=NAME"
        )


def _measures(sample: Mapping[str, Any]) -> list[str]:
    listed = sample.get("metrics")
    return (
        list(map(str, listed))
        if isinstance(listed, list)
        else [name for name in sample if name not in OWN]
    )


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


def _told(chosen: Mapping[str, str]) -> str:
    """Return what was chosen: once if it is the same for every task, else task by task."""
    several = len(set(chosen.values())) > 1
    return (
        "+".join(f"{task}:{one}" for task, one in sorted(chosen.items()))
        if several
        else next(iter(chosen.values()))
    )


def _response(responses: Any) -> str | None:
    """Return what was answered: a text, or the number of the likeliest choice."""
    if (
        isinstance(responses, list)
        and len(responses) > 1
        and all(isinstance(one, list) and one for one in responses)
    ):
        try:
            likelihoods = [float(one[0]) for one in responses]
        except (TypeError, ValueError):
            return None
        return str(likelihoods.index(max(likelihoods)))
    while isinstance(responses, list) and responses:
        responses = responses[0]
    text = "" if responses is None or responses == [] else str(responses).strip()
    return text if text not in {"", "[invalid]"} else None
