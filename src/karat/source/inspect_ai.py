"""Language-model evaluations: the JSON logs of Inspect."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from karat.errors import InputError
from karat.source.answers import RIGHT, Answer, answers, verdict
from karat.source.faults import Faults
from karat.source.lines import whole
from karat.source.origin import Source, files, shown
from karat.words import listing

WRITE = "write one with inspect log convert --to json --output-dir DIR, or run with --log-format json"


def inspect(paths: Sequence[str], *, scorer: str = "", lenient: bool = False) -> Source:
    """Logs of Inspect: samples are items, tasks groups, models systems, epochs repeated answers.

    `scorer` is the one whose value says right or wrong, where a log has several.
    """
    faults = Faults(lenient=lenient)
    logs = [one for word in paths for one in _logs(word)]
    found = [one for path in logs for one in _answers(path, scorer, faults)]
    how = "inspect" + f"(scorer={scorer})" * bool(scorer)
    return answers(found, origin=shown([str(path) for path in logs]), how=how, notes=faults.notes())


def _logs(word: str) -> list[Path]:
    path = Path(word)
    found = sorted(path.rglob("*.json")) if path.is_dir() else [Path(one) for one in files(word)]
    if not found:
        raise InputError(f"{path} holds no .json log of Inspect; {WRITE}")
    if packed := [one for one in found if one.suffix == ".eval"]:
        raise InputError(f"{packed[0]} is a packed log, of which karat reads the .json form; {WRITE}")
    return found


def _answers(path: Path, scorer: str, faults: Faults) -> Iterator[Answer]:
    log = _log(path, faults)
    if log is None:
        return
    head = log["eval"]
    model, task = str(head.get("model", path.stem)), str(head.get("task", path.stem))
    if log.get("status", "success") != "success":
        faults.add(str(path), f"the evaluation ended with status {log['status']!r}")
    for number, sample in enumerate(log["samples"], 1):
        place = f"{path}, sample {number}"
        value = _value(sample, scorer, place, faults) if isinstance(sample, dict) else None
        if value is not None:
            yield Answer(f"{task}/{sample.get('id', number)}", task, model, value, RIGHT)
        elif not isinstance(sample, dict):
            faults.add(place, "no JSON object")


def _log(path: Path, faults: Faults) -> dict[str, Any] | None:
    text = whole(path, faults)
    if text is None:
        return None
    try:
        log = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "too deep"
        raise InputError(f"{path}: no JSON, {where}; if it is cut off, run the evaluation again") from None
    if not isinstance(log, dict) or not isinstance(log.get("eval"), dict) or not isinstance(log.get("samples"), list):
        raise InputError(
            f"{path} is no log of Inspect: it has no 'eval' and 'samples'; if it is another format, say --format"
        )
    return log


def _value(sample: Mapping[str, Any], scorer: str, place: str, faults: Faults) -> str | None:
    scores = sample.get("scores")
    if not isinstance(scores, dict) or not scores:
        faults.add(place, "no scores, so nothing says whether the answer is right")
        return None
    if not scorer and len(scores) > 1:
        raise InputError(f"{place}: {listing(scores)} could each say what is right; name one with --using scorer=NAME")
    name = scorer or next(iter(scores))
    score = scores.get(name)
    said = verdict(score.get("value")) if isinstance(score, dict) else None
    if said is None:
        shown = repr(score.get("value")) if isinstance(score, dict) else "nothing"
        faults.add(place, f"the score {name!r} is {shown}, neither right (C, 1) nor wrong (I, 0)")
    return said
