"""Language-model evaluations: the logs of Inspect, packed (.eval) or as JSON."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from karat.errors import InputError
from karat.source.answer_rows import RIGHT, Answer, answers
from karat.source.faults import Faults
from karat.source.llm.eval_archive import Packed
from karat.source.llm.inspect_scores import right_or_wrong
from karat.source.llm.json_reader import JsonReader, TooLongError
from karat.source.origin import Source, files, shown
from karat.source.paths import exists, is_folder
from karat.source.unpacking import opened
from karat.words import counted

HEADER, STARTED, SUMMARIES = "header.json", "_journal/start.json", "summaries.json"
"""Members of a packed log: its head, what there is of it before the end, and its samples in short."""
SAMPLE = re.compile(r"samples/.*_epoch_\d+(/sample)?\.json")
UNFINISHED = "run it again, or take what there is of it with --lenient"


def inspect(paths: Sequence[str], *, scorer: str = "", lenient: bool = False) -> Source:
    """Logs of Inspect: samples are items, tasks groups, models systems, epochs repeated answers.

    `scorer` is the one whose value says right or wrong, where a log has several; of a scorer that gives several values
    by name, as `grades/correct`.
    """
    faults = Faults(lenient=lenient)
    logs, notes = _logs(paths)
    models = _Models()
    found = chain.from_iterable(_answers(log, scorer, models, faults) for log in logs)
    how = f"inspect(scorer={scorer})" if scorer else "inspect"
    return answers(
        found, faults, origin=shown([str(log.path) for log in logs]), how=how, notes=notes
    )


class _Log(NamedTuple):
    """A log, and the name that the user gives to its model, if any."""

    path: Path
    name: str


class _Models:
    """The model of each name: one name for several models is refused."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[str, Path]] = {}

    def name(self, log: _Log, model: str) -> str:
        """Return what the model of a log is called."""
        if not log.name:
            return model
        first, path = self._first.setdefault(log.name, (model, log.path))
        if first != model:
            raise InputError(
                f"{log.name!r} would be two models, {first!r} in {path} and {model!r} in {log.path}; "
                "give each its own name: NAME=FILE"
            )
        return log.name


def _logs(paths: Sequence[str]) -> tuple[list[_Log], tuple[str, ...]]:
    """Return the logs, and what was left out: beside packed logs Inspect keeps .json files that are not logs."""
    found: list[_Log] = []
    notes = []
    for given in paths:
        name, equals, word = given.partition("=")
        is_named = equals and name and not exists(given)
        if not is_named:
            name, word = "", given
        if not is_folder(word):
            found += [_Log(Path(path), name) for path in files(word)]
            continue
        packed = sorted(Path(word).rglob("*.eval"))
        plain = sorted(Path(word).rglob("*.json"))
        if not packed and not plain:
            raise InputError(
                f"{word} holds no log of Inspect, which ends in .eval or .json; name another folder"
            )
        if packed and plain:
            notes.append(
                f"{counted(len(plain), '.json file')} beside the .eval ones in {word} left out"
            )
        found += [_Log(path, name) for path in packed or plain]
    return found, tuple(notes)


def _answers(found: _Log, scorer: str, models: _Models, faults: Faults) -> Iterator[Answer]:
    path = found.path
    log = _Packed(path) if path.suffix == ".eval" else _Plain(path)
    try:
        head = log.head()
        model = models.name(found, str(head["eval"].get("model", path.stem)))
        task = str(head["eval"].get("task", path.stem))
        status = head.get("status", "started")
        if status != "success":
            faults.add(str(path), f"the evaluation ended with status {status!r}", remedy=UNFINISHED)
        for number, sample in enumerate(log.samples(), 1):
            place = f"{path}, sample {number}"
            value = right_or_wrong(sample, scorer, place, faults)
            if value is not None:
                yield Answer(f"{task}/{sample.get('id', number)}", task, model, value, RIGHT)
    except UnicodeDecodeError:
        faults.add(
            f"{path}, line {log.line()}",
            "not UTF-8 text; save the file as UTF-8 (iconv -f latin1 -t utf-8)",
        )
    except TooLongError as error:
        raise InputError(f"{path}, from line {log.line()} on: {error}; shorten it") from None
    except (ValueError, RecursionError) as error:
        where = "too deep" if isinstance(error, RecursionError) else f"line {log.line()}"
        raise InputError(
            f"{path}: not valid JSON, {where}; if it is cut off, run the evaluation again"
        ) from None
    finally:
        log.close()


class _Plain:
    """A log as one JSON document; its head comes before its samples, or is looked for after them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._reader: JsonReader | None = None

    def close(self) -> None:
        """Close nothing: each reading closes the file itself."""

    def line(self) -> int:
        return self._reader.line if self._reader else 1

    def head(self) -> Mapping[str, Any]:
        head: dict[str, Any] = {}
        with opened(self._path) as file:
            reader = self._begun(file)
            for name in reader.fields():
                if name in {"eval", "status"}:
                    value = reader.value()
                    if value is not None:
                        head[name] = value
                    continue
                if name == "samples" and reader.next_character() == "[":
                    head[name] = []
                    if {"eval", "status"} <= set(head):
                        break
                reader.skip()
        if not isinstance(head.get("eval"), dict) or head.get("samples") != []:
            raise self._foreign()
        return {"status": "success"} | head

    def samples(self) -> Iterator[Any]:
        with opened(self._path) as file:
            reader = self._begun(file)
            for name in reader.fields():
                if name == "samples":
                    yield from reader.elements()
                else:
                    reader.skip()

    def _begun(self, file: BinaryIO) -> JsonReader:
        self._reader = reader = JsonReader(file)
        if reader.next_character() != "{":
            reader.skip()  # that it is not JSON at all is reported first
            raise self._foreign()
        return reader

    def _foreign(self) -> InputError:
        return InputError(
            f"{self._path} is not a log of Inspect: it has no 'eval' and 'samples'; if it is another format, "
            "name it with --format"
        )


class _Packed:
    """A packed log: its samples in short where they are there, else each of them whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._members = Packed(path)
        self._reader: JsonReader | None = None

    def close(self) -> None:
        self._members.close()

    def line(self) -> int:
        return self._reader.line if self._reader else 1

    def head(self) -> Mapping[str, Any]:
        names = self._members.names()
        member = next((name for name in (HEADER, STARTED) if name in names), None)
        head = self._whole(member) if member else None
        if not isinstance(head, dict) or not isinstance(head.get("eval"), dict):
            raise InputError(
                f"{self._path} is not a log of Inspect: it has no {HEADER} that describes an evaluation"
            )
        return head

    def samples(self) -> Iterator[Any]:
        names = self._members.names()
        if SUMMARIES in names:
            with self._members.opened(SUMMARIES) as file:
                self._reader = JsonReader(file)
                yield from self._reader.elements()
        else:
            yield from (self._whole(name) for name in names if SAMPLE.fullmatch(name))

    def _whole(self, member: str) -> Any:
        with self._members.opened(member) as file:
            self._reader = JsonReader(file)
            return self._reader.value()
