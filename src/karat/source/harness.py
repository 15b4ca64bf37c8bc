"""Language-model evaluations: the per-sample logs of lm-evaluation-harness, written with --log_samples."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from karat.errors import InputError, OptionError
from karat.source.answers import RIGHT, Answer, answers, verdict
from karat.source.faults import Faults
from karat.source.lines import objects
from karat.source.origin import Source, files, shown
from karat.words import listing

USUAL = ("acc", "exact_match", "exact_match,none", "acc_norm", "pass@1", "em")
"""Measures of single samples, in the order in which one is taken where a log has several."""
BULKY = {"doc", "arguments", "resps"}
"""What fills a log and is of no use here."""
NO_FILTER = "none"
STAMP = re.compile(r"_\d{4}-\d{2}-\d{2}T[\d:.-]+$")


def lm_eval(
    paths: Sequence[str],
    *,
    metric: str = "",
    filter: str = "",  # noqa: A002 (the log's word)
    answer: str = "right",
    lenient: bool = False,
) -> Source:
    """Samples of lm-evaluation-harness: questions are items, tasks groups, models (folders) systems.

    `metric` is the logged measure that says right or wrong; `filter` the log's filter, where it has several; `answer`
    is right (was it?) or label (what was answered, against the target).
    """
    if answer not in {"right", "label"}:
        raise OptionError(f"--using answer is {answer!r}; it takes right or label")
    if metric and answer == "label":
        raise OptionError("--using metric says what was right; with answer=label the target does, so leave it out")
    faults = Faults(lenient=lenient)
    logs = _logs(paths)
    samples = [(model, _task(path), place, one) for model, path in logs for place, one in _samples(path, faults)]
    origin = shown([str(path) for _, path in logs])
    if not samples:
        raise InputError(f"{origin} holds no samples; lm_eval writes them with --log_samples")
    filters = {task: _filter(own, task, filter) for task, own in _by_task(samples).items()}
    if filter and filter not in filters.values():
        raise InputError(f"{origin}: no answer went through the filter {filter!r}; it is {_told(filters)!r}")
    samples = [sample for sample in samples if str(sample[3].get("filter", NO_FILTER)) == filters[sample[1]]]
    said = f"filter={_told(filters)}"
    if answer == "label":
        found: list[Answer | None] = [_labelled(*sample) for sample in samples]
        return answers(
            [one for one in found if one], origin=origin, how=f"lm-eval(answer=label, {said})", notes=faults.notes()
        )
    metrics = {task: metric or _metric(own, f"{origin}, task {task}") for task, own in _by_task(samples).items()}
    found = [_judged(*sample, metrics[sample[1]], faults) for sample in samples]
    how = f"lm-eval(answer=right, metric={_told(metrics)}, {said})"
    notes = (f"right or wrong by {_told(metrics)!r}", *faults.notes())
    return answers([one for one in found if one], origin=origin, how=how, notes=notes)


def _logs(paths: Sequence[str]) -> list[tuple[str, Path]]:
    """Return the model and the path of each log; the model is the log's folder, or NAME of NAME=PATH."""
    found: list[tuple[str, Path]] = []
    for word in paths:
        name, equals, rest = word.partition("=")
        path = Path(rest if equals and not Path(word).exists() else word)
        inside = _inside(path) if path.is_dir() else [Path(one) for one in files(str(path))]
        if not inside:
            raise InputError(f"{path} holds no samples_*.jsonl; lm_eval writes them with --log_samples")
        found += [
            (name if path.as_posix() != Path(word).as_posix() else log.resolve().parent.name, log) for log in inside
        ]
    return found


def _inside(folder: Path) -> list[Path]:
    return sorted([*folder.rglob("samples_*.jsonl"), *folder.rglob("samples_*.jsonl.gz")])


def _task(path: Path) -> str:
    return STAMP.sub("", path.name.removesuffix(".gz").removesuffix(".jsonl").removeprefix("samples_"))


def _samples(path: Path, faults: Faults) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, sample in objects(path, faults):
        place = f"{path}, line {number}"
        if "doc_id" in sample and "target" in sample:
            yield place, {name: value for name, value in sample.items() if name not in BULKY}
        else:
            faults.add(place, f"no sample of lm_eval, it lacks doc_id or target and has {listing(sample, most=5)}")


Samples = Sequence[tuple[str, str, str, dict[str, Any]]]


def _by_task(samples: Samples) -> dict[str, list[tuple[str, str, str, dict[str, Any]]]]:
    found: dict[str, list[tuple[str, str, str, dict[str, Any]]]] = {}
    for sample in samples:
        found.setdefault(sample[1], []).append(sample)
    return found


def _told(chosen: Mapping[str, str]) -> str:
    """Return what was chosen, task by task where tasks differ."""
    several = len(set(chosen.values())) > 1
    return "+".join(f"{task}:{one}" for task, one in chosen.items()) if several else next(iter(chosen.values()))


def _filter(samples: Samples, task: str, wanted: str) -> str:
    """Return the filter whose answers count: the wanted one if the task has it, else the only one."""
    found = list(dict.fromkeys(str(sample.get("filter", NO_FILTER)) for *_, sample in samples))
    if wanted in found:
        return wanted
    if len(found) == 1 and found[0] == NO_FILTER:
        return NO_FILTER
    if wanted:
        raise InputError(f"the task {task} has no answers through the filter {wanted!r}; it has {listing(found)}")
    if len(found) > 1:
        raise InputError(
            f"the task {task} has each answer through the filters {listing(found)}; say --using filter={found[0]}"
        )
    return found[0]


def _metric(samples: Samples, origin: str) -> str:
    """Return the measure that says right or wrong of every sample, if it is clear which is meant."""
    names = [name for name in _measures(samples) if all(_known(sample, name) for *_, sample in samples)]
    usual = [name for name in USUAL if name in names]
    if usual or len(names) == 1:
        return (usual or names)[0]
    problem = f"{listing(names)} could each say" if names else "no logged number says"
    raise InputError(f"{origin}: {problem} whether an answer is right; name it with --using metric=NAME")


def _known(sample: Mapping[str, Any], name: str) -> bool:
    return name in sample and verdict(sample[name]) is not None


def _measures(samples: Samples) -> list[str]:
    own = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
    found: dict[str, None] = {}
    for *_, sample in samples[:1000]:
        listed = sample.get("metrics")
        found |= dict.fromkeys(
            map(str, listed) if isinstance(listed, list) else [key for key in sample if key not in own]
        )
    return list(found)


def _judged(model: str, task: str, place: str, sample: Mapping[str, Any], metric: str, faults: Faults) -> Answer | None:
    said = verdict(sample[metric]) if metric in sample else None
    if said is None:
        value = repr(sample[metric]) if metric in sample else "nothing"
        faults.add(place, f"{metric} is {value}, which is neither right (1) nor wrong (0)")
        return None
    return Answer(f"{task}/{sample['doc_id']}", task, model, said, RIGHT)


def _labelled(model: str, task: str, place: str, sample: Mapping[str, Any]) -> Answer:
    del place
    said = _response(sample.get("filtered_resps"))
    return Answer(f"{task}/{sample['doc_id']}", task, model, said, str(sample["target"]).strip() or None)


def _response(responses: Any) -> str | None:
    """Return what was answered: a text, or the number of the likeliest choice."""
    if isinstance(responses, list) and len(responses) > 1 and all(isinstance(one, list) and one for one in responses):
        try:
            likelihoods = [float(one[0]) for one in responses]
        except (TypeError, ValueError):
            return None
        return str(likelihoods.index(max(likelihoods)))
    while isinstance(responses, list) and responses:
        responses = responses[0]
    text = "" if responses is None or responses == [] else str(responses).strip()
    return text if text not in {"", "[invalid]"} else None
